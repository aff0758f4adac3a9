"""`goldsuite init`: a starter suite and configuration for a warehouse."""

from pathlib import Path
from typing import Annotated

import typer


def init(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="SQLAlchemy URL, such as sqlite:///shop.db.")
    ],
    *,
    folder: Annotated[
        Path,
        typer.Option("--dir", metavar="FOLDER", help="Where to write; made if it is not there."),
    ] = Path(),
) -> None:
    """Write a commented starter suite and configuration that pass `goldsuite check` at once.

    Example: goldsuite init sqlite:///shop.db
    """
    from goldsuite.pipeline.starter import write_starter
    from goldsuite.suite.place import shown_path

    for path in write_starter(url, folder.absolute(), base=Path.cwd()):
        typer.echo(f"wrote {shown_path(path)}")
    typer.echo("next: goldsuite check, then goldsuite eval train")
