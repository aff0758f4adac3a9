"""The cases of a run as CSV and Parquet, one row per trial, for spreadsheets and notebooks.

Every column has one type, whatever the run: what was not measured is missing, and lists and objects
are JSON text, so that the files of many runs can be put under each other.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from goldsuite.errors import UsageError
from goldsuite.model.coincidence import Coincidence
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.records.frame import cases_frame
from goldsuite.report.figures import printable_text

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["cases_csv", "cases_parquet", "typed_cases"]

_TYPES: tuple[tuple[type, str], ...] = ((bool, "boolean"), (int, "Int64"), (float, "Float64"))
_SCORES = {"process_score": "Float64", "judge_score": "Float64", "partial_f1": "Float64"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def typed_cases(record: RunRecord) -> "DataFrame":
    """`record.to_frame()` with one type for each column; `record` as it may be shown."""
    from pandas import Series

    frame = cases_frame(record)
    types = _column_types()
    columns = {
        name: Series(list(map(_flat, frame[name])), dtype=types.get(name, "string"))
        for name in frame.columns
    }
    return frame.assign(**columns)


def cases_csv(record: RunRecord) -> str:
    """CSV in the manner of RFC 4180 with a head line, lines ended by a line feed.

    A text that a spreadsheet would run as a formula has an apostrophe put before it, and control
    characters are made visible; Parquet keeps both as they are.
    """
    frame = typed_cases(record)
    for name in frame.columns:
        if frame[name].dtype == "string":
            frame[name] = frame[name].map(_harmless, na_action="ignore")
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text


def cases_parquet(record: RunRecord) -> bytes:
    """The bytes of a Parquet file.

    Raises:
        UsageError: pyarrow is not installed.
    """
    try:
        import pyarrow  # noqa: F401 - pandas needs it, and names it less plainly
    except ImportError:
        raise UsageError("--format parquet needs pyarrow: pip install pyarrow") from None
    content: bytes = typed_cases(record).to_parquet(engine="pyarrow", index=False)
    return content


def _column_types() -> dict[str, str]:
    """Of the columns that hold no text, as pandas names the types that know of missing values."""
    hints = get_type_hints(CaseRecord)
    told = {each.name: _type_of(hints[each.name]) for each in fields(CaseRecord)}
    return {name: found for name, found in told.items() if found is not None} | _SCORES


def _type_of(hint: Any) -> str | None:
    """None for text, and for all that becomes JSON text."""
    members = {*(get_args(hint) or (hint,))} - {type(None)}
    return next((name for kind, name in _TYPES if members == {kind}), None)


def _flat(value: Any) -> Any:
    if isinstance(value, Coincidence):
        return value.verdict.value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple | Mapping):
        return json.dumps(value, ensure_ascii=False)
    return value


def _harmless(text: str) -> str:
    shown = printable_text(text)
    return f"'{shown}" if shown.startswith(_FORMULA) and not _is_number(shown) else shown


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
