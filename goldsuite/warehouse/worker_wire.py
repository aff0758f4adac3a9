"""What goes over the pipe between a door and its worker process: plain values alone.

A worker runs untrusted SQL, so its messages are read as data: no class is looked up in them besides
those of a result's cells.
"""

import io
import pickle
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from goldsuite.warehouse.cells import CELL_TYPES, Row, to_cell

Packing: TypeAlias = Literal["plain", "decimal", "date"]
PackedColumn: TypeAlias = tuple[Packing, list[Any]]

_SIZED_TYPES = (str, bytes)
_SIZED = frozenset(_SIZED_TYPES)

# pickle spells a date or a Decimal as a call, which takes ten times as long as a text or a number.
_DECIMALS = frozenset({Decimal, type(None)})
_DATES = frozenset({date, type(None)})

_CELL_CLASSES = frozenset(
    {
        ("datetime", "date"),
        ("datetime", "datetime"),
        ("datetime", "time"),
        ("datetime", "timedelta"),
        ("datetime", "timezone"),
        ("decimal", "Decimal"),
    }
)


class _PlainReader(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str) -> Any:
        if (module_name, global_name) not in _CELL_CLASSES:
            raise pickle.UnpicklingError(f"{module_name}.{global_name} is no cell of a result")
        return super().find_class(module_name, global_name)


def pack(message: object) -> bytes:
    """`message`, made of cells, tuples, lists and dicts, as bytes."""
    return pickle.dumps(message, protocol=5)


def unpack(data: bytes) -> Any:
    """What `pack` was given.

    Raises:
        ValueError: the bytes hold anything else.
    """
    try:
        return _PlainReader(io.BytesIO(data)).load()
    except (pickle.UnpicklingError, EOFError, AttributeError, IndexError, KeyError) as error:
        raise ValueError(f"a message of the worker process cannot be read: {error}") from None


class RowPacker:
    """Gathers a driver's rows as cells, column by column, each as what pickle writes quickly."""

    def __init__(self) -> None:
        self.rows = 0
        """How many were added."""
        self._columns: list[list[Any]] = []
        self._kinds: list[set[type]] = []

    def add(self, rows: Sequence[Sequence[Any]]) -> tuple[int, int]:
        """Add `rows`: the length of all their texts and bytes together, and of the longest."""
        self.rows += len(rows)
        total = longest = 0
        for number, values in enumerate(zip(*rows, strict=True)):
            if number == len(self._columns):
                self._columns.append([])
                self._kinds.append(set())
            kinds = set(map(type, values))
            if not kinds.isdisjoint(_SIZED):
                lengths = [len(value) for value in values if isinstance(value, _SIZED_TYPES)]
                total += sum(lengths)
                longest = max(longest, *lengths)
            self._kinds[number] |= kinds
            self._columns[number].extend(values)
        return total, longest

    def packed(self) -> list[PackedColumn]:
        """All rows that were added, for `unpack_rows`."""
        return [_packed(*column) for column in zip(self._columns, self._kinds, strict=True)]


def unpack_rows(columns: Sequence[PackedColumn]) -> list[Row]:
    """The rows that a `RowPacker` was given."""
    return list(zip(*[_unpack_column(*column) for column in columns], strict=True))


def _packed(column: list[Any], kinds: set[type]) -> PackedColumn:
    if not kinds <= CELL_TYPES:
        column = [to_cell(value) for value in column]
        kinds = set(map(type, column))
    if Decimal in kinds and kinds <= _DECIMALS:
        return "decimal", [cell if cell is None else str(cell) for cell in column]
    if date in kinds and kinds <= _DATES:
        return "date", [None if cell is None else cell.toordinal() for cell in column]
    return "plain", column


def _unpack_column(packing: Packing, column: list[Any]) -> list[Any]:
    if packing == "decimal":
        return [cell if cell is None else Decimal(cell) for cell in column]
    if packing == "date":
        return [cell if cell is None else date.fromordinal(cell) for cell in column]
    return column
