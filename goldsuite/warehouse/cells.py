"""From a driver's values to `goldsuite.model.result_set.Cell`.

Composite values become their canonical text: sorted keys, and one spelling per number, so that
`{"b": 1.0, "a": 2}` and `{"a": 2, "b": 1}` are one value.
"""

import json
import math
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeAlias
from uuid import UUID

from goldsuite.model.result_set import Cell

Row: TypeAlias = tuple[Cell, ...]

_SIZED = (str, bytes)
_JSON_TYPES = frozenset({"JSON", "JSONB"})
CELL_TYPES: frozenset[type] = frozenset(
    {int, float, str, bool, Decimal, date, time, timedelta, bytes, type(None)}
)
"""What needs no converting. A datetime does: it may be of another zone."""


def to_cell(value: Any) -> Cell:
    """`value` as one of the types that a result set holds."""
    kind = type(value)
    if kind in CELL_TYPES:
        cell: Cell = value
        return cell
    if isinstance(value, datetime):
        return _in_utc(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return canonical_text(value)
    return str(value)


def json_cell(value: Any) -> Cell:
    """A value of a JSON column: its canonical text; a text that is no JSON stays as it is."""
    if not isinstance(value, str):
        return to_cell(value)
    try:
        return canonical_text(json.loads(value))
    except (ValueError, RecursionError):
        return value


class RowReader:
    """Reads the rows of one result."""

    def __init__(self, column_types: Sequence[str | None]) -> None:
        is_json = [kind is not None and kind.upper() in _JSON_TYPES for kind in column_types]
        self._readers = [json_cell if json_column else to_cell for json_column in is_json]
        self._plain = not any(is_json)

    def read(self, rows: Sequence[Sequence[Any]]) -> list[Row]:
        """A driver's `rows`, as cells."""
        return [self._row(values) for values in rows]

    def read_cells(self, rows: Sequence[Row]) -> Sequence[Row]:
        """`rows` that hold cells already, with what is JSON among them made canonical."""
        return rows if self._plain else self.read(rows)

    def _row(self, values: Sequence[Any]) -> Row:
        # Most rows hold nothing to convert; seeing that as a whole makes reading twice as fast.
        if self._plain and CELL_TYPES.issuperset(map(type, values)):
            return tuple(values)
        return tuple([read(v) for read, v in zip(self._readers, values, strict=True)])


def canonical_text(value: Any) -> str:
    """The canonical JSON text of a composite value."""
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(", ", ": "))


def size_of(rows: Sequence[Row]) -> int:
    """Rough bytes of `rows` of one result: 8 for each cell, and the length of texts and bytes."""
    if not rows:
        return 0
    lengths = [len(cell) for row in rows for cell in row if isinstance(cell, _SIZED)]
    return 8 * len(rows) * len(rows[0]) + sum(lengths)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {_key(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(v) for v in value), key=str)
    if isinstance(value, (Decimal, float)):
        return _number(value)
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, datetime):
        return _in_utc(value).isoformat()
    if isinstance(value, (date, time)):
        return value.isoformat()
    return value.hex() if isinstance(value, bytes) else str(value)


def _in_utc(value: datetime) -> datetime:
    # One instant has one spelling: sessions run in UTC, so nothing is lost.
    return value if value.tzinfo is None else value.astimezone(UTC)


def _key(key: Any) -> str:
    plain = _plain(key)
    return plain if isinstance(plain, str) else json.dumps(plain, sort_keys=True)


def _number(value: Decimal | float) -> int | float:
    if not math.isfinite(value):
        return float(value)
    return int(value) if value == int(value) else float(value)
