"""Records and results as pandas DataFrames, for notebooks. pandas is loaded on first use."""

from dataclasses import fields
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any

from goldsuite.errors import UsageError
from goldsuite.model.result_set import Cell, Column, ResultSet
from goldsuite.model.run import CaseRecord, RunRecord

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["cases_frame", "result_set_from_frame"]

_LEFT_OUT = frozenset({"diagnosis", "partial_score", "calls", "process", "judge", "label"})
"""Objects of their own: the mode and the labels stand in columns, and so do the scores and the
names of the tools."""

_VALUES = ("gold_value", "gold_stored")

_SCORES = ("process_score", "judge_score", "partial_f1")


def cases_frame(record: RunRecord) -> "DataFrame":
    """One row per trial, in the order of the record; columns as in the record's `cases`.

    `run_id` stands first; `process_score`, `judge_score` and `partial_f1` stand last. What was not
    measured is missing, never 0. Lists, such as `flags`, are tuples in one cell. Held-out cases are
    as the record has them: a record that was read from its file holds their gold.
    """
    from pandas import DataFrame, Series

    names = [each.name for each in fields(CaseRecord) if each.name not in _LEFT_OUT]
    rows = [
        {
            "run_id": record.run_id,
            **{name: _plain(getattr(case, name)) for name in names},
            "process_score": case.process.score if case.process else None,
            "judge_score": case.judge.score if case.judge else None,
            "partial_f1": case.partial_score.f1 if case.partial_score else None,
        }
        for case in record.cases
    ]
    frame = DataFrame(rows, columns=["run_id", *names, *_SCORES])
    for name in _VALUES:
        # Each as it is: a whole number beside a fraction would become a fraction too.
        frame[name] = Series([row[name] for row in rows], dtype=object)
    return frame


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def result_set_from_frame(frame: "DataFrame") -> ResultSet:
    """A DataFrame as a result: its columns and rows, without its index.

    A missing value (None, NaN, NaT, NA) is NULL, since a DataFrame has no other sign for NULL in
    a column of numbers.

    Raises:
        UsageError: a cell is of a type that no warehouse returns, such as a list.
    """
    names = [str(name) for name in frame.columns]
    columns = tuple(Column(name=name) for name in names)
    cells = [
        [_cell(value, name) for value in frame.iloc[:, at].tolist()]
        for at, name in enumerate(names)
    ]
    rows = tuple(zip(*cells, strict=True)) if cells else ()
    return ResultSet(columns=columns, rows=rows)


def _cell(value: Any, column: str) -> Cell:
    from pandas import NA, NaT, Timedelta, Timestamp

    if value is None or value is NA or value is NaT or value != value:  # the last is NaN
        return None
    if isinstance(value, Timestamp):
        return value.to_pydatetime(warn=False)
    if isinstance(value, Timedelta):
        return value.to_pytimedelta()
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, str | int | float | Decimal | date | time | timedelta | bytes):
        return value
    raise UsageError(
        f"column {column!r}: a {type(value).__name__} is no value of a query's result; "
        "turn it into text or a number first"
    )
