"""`goldsuite runs sql`: ask the records a question in SQL."""

import sys
from enum import StrEnum
from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import RunsDirOption, settings_from
from goldsuite.cli.runs_list import found_runs

__all__ = ["TableFormat", "sql_command"]


class TableFormat(StrEnum):
    """How rows are printed."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


def sql_command(
    sql: Annotated[str, typer.Argument(help="One query over the tables `runs` and `cases`.")],
    *,
    runs_dir: RunsDirOption = None,
    output: Annotated[
        TableFormat, typer.Option("--format", help="How to print.")
    ] = TableFormat.TEXT,
) -> int:
    """Run a query of DuckDB's SQL over all records: `runs` has a row for each run, `cases` one for
    each trial. `describe runs` lists the columns. Nothing of a held-out case's gold is in them.

    Example: goldsuite runs sql "select run_id, accuracy from runs order by started_at desc limit 5"
    """
    from goldsuite.records.sql import query_runs
    from goldsuite.report.query_table import query_csv, query_json, query_text

    folder = settings_from(runs_dir=runs_dir).runs_dir
    result = query_runs(sql, found_runs(folder), folder)
    draw = {
        TableFormat.TEXT: query_text,
        TableFormat.JSON: query_json,
        TableFormat.CSV: query_csv,
    }
    sys.stdout.write(draw[output](result))
    return ExitCode.DONE
