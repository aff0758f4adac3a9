"""`goldsuite report`: show a run record, and verify that its answers were not touched."""

from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import Format, FormatOption, RevealOption, RunsDirOption, settings_from
from goldsuite.cli.show import show_record


def report(
    run: Annotated[
        str | None,
        typer.Argument(help="Run id or path of a record; the latest run if left out."),
    ] = None,
    *,
    runs_dir: RunsDirOption = None,
    output: FormatOption = Format.TEXT,
    reveal: RevealOption = False,
    full: Annotated[
        bool, typer.Option("--full", help="Show all evidence and both queries of every failure.")
    ] = False,
) -> int:
    """Show a run: headline, context, failure modes, cases, and whether its answers are untouched.

    Example: goldsuite report --format markdown > report.md
    """
    from goldsuite.records.file import read_record
    from goldsuite.records.runs_dir import find_record

    path = find_record(run, settings_from(runs_dir=runs_dir).runs_dir)
    intact = show_record(read_record(path), path, output=output, reveal=reveal, full=full)
    return ExitCode.DONE if intact else ExitCode.REFUSED
