"""`goldsuite runs`: commands on the runs that were made."""

import typer

from goldsuite.cli.runs_label import label

__all__ = ["runs"]

runs = typer.Typer(
    help="Work on the runs that were made.", no_args_is_help=True, rich_markup_mode=None
)
runs.command("label", short_help="Say what a failure is.")(label)


@runs.callback()
def _root() -> None:
    """Keeps `runs` a group, however many commands it has."""
