"""The result of a query over the records, as text, JSON or CSV."""

import csv
import io
import json
from datetime import date, datetime
from math import isfinite
from typing import Any

from goldsuite.records.sql import QueryResult
from goldsuite.report.figures import counted, printable, shorten
from goldsuite.report.text_table import text_table

__all__ = ["query_csv", "query_json", "query_text"]

_WIDEST = 60
"""Characters of a cell in text; JSON and CSV have all of it."""


def query_text(result: QueryResult) -> str:
    """Columns of plain text; NULL is empty."""
    rows = [tuple(shorten(_text(cell), _WIDEST) for cell in row) for row in result.rows]
    lines = [*text_table(result.columns, rows), "", counted(len(rows), "row")]
    return "".join(f"{printable(line).rstrip()}\n" for line in lines)


def query_json(result: QueryResult) -> str:
    """A list of objects, one for each row; of columns that are named alike the last one."""
    rows = [dict(zip(result.columns, map(_plain, row), strict=True)) for row in result.rows]
    return json.dumps(rows, indent=2, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def query_csv(result: QueryResult) -> str:
    """A line of names, then one for each row; NULL is an empty field."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(result.columns)
    writer.writerows([_text(cell) for cell in row] for row in result.rows)
    return text.getvalue()


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ", timespec="seconds")
    if isinstance(cell, list):
        return ", ".join(map(_text, cell))
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _plain(cell: Any) -> Any:
    if isinstance(cell, float):
        return cell if isfinite(cell) else None
    if isinstance(cell, date):
        return cell.isoformat()
    return list(map(_plain, cell)) if isinstance(cell, (list, tuple)) else cell
