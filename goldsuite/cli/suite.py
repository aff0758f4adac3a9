"""`goldsuite suite`: commands on the gold file."""

import typer

from goldsuite.cli.suite_accept import accept
from goldsuite.cli.suite_add import add, promote
from goldsuite.cli.suite_export import export
from goldsuite.cli.suite_import import import_
from goldsuite.cli.suite_retire import retire

__all__ = ["suite"]

suite = typer.Typer(help="Work on the gold file.", no_args_is_help=True, rich_markup_mode=None)
suite.command("accept", short_help="Take an answer's SQL over as a further gold.")(accept)
suite.command("retire", short_help="Move a held-out case to train.")(retire)
suite.command("add", short_help="Run a trusted query and add it as a case.")(add)
suite.command("export", short_help="Write a suite or answers for other tools.")(export)
suite.command("promote", short_help="Add a reviewed answer as a case.")(promote)
suite.command("import", short_help="Turn another tool's suite into a gold file.")(import_)


@suite.callback()
def _root() -> None:
    """Keeps `suite` a group, however many commands it has."""


@suite.command("schema", short_help="Print the JSON Schema of a gold file.")
def schema() -> None:
    """Print the JSON Schema of a gold file, by which an editor completes and checks it.

    Example: goldsuite suite schema > gold-cases.schema.json
    """
    from goldsuite.suite.schema import schema_text

    typer.echo(schema_text(), nl=False)
