"""`goldsuite runs`: commands on the runs that were made."""

import typer

from goldsuite.cli.runs_label import label
from goldsuite.cli.runs_list import list_command
from goldsuite.cli.runs_regrade import regrade
from goldsuite.cli.runs_sql import sql_command

__all__ = ["runs"]

runs = typer.Typer(
    help="Work on the runs that were made.", no_args_is_help=True, rich_markup_mode=None
)
runs.command("list", short_help="List the runs, newest first.")(list_command)
runs.command("sql", short_help="Query the records with SQL.")(sql_command)
runs.command("label", short_help="Say what a failure is.")(label)
runs.command("regrade", short_help="Grade locked answers again.")(regrade)


@runs.callback()
def _root() -> None:
    """Keeps `runs` a group, however many commands it has."""
