"""`goldsuite suite`: commands on the gold file."""

import typer

from goldsuite.cli.suite_accept import accept

__all__ = ["suite"]

suite = typer.Typer(help="Work on the gold file.", no_args_is_help=True, rich_markup_mode=None)
suite.command("accept", short_help="Take an answer's SQL over as a further gold.")(accept)


@suite.callback()
def _root() -> None:
    """Keeps `suite` a group, however many commands it has."""
