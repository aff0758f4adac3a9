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

from goldsuite.model.result_set import Cell
from goldsuite.warehouse.cells import column_cells

Row: TypeAlias = tuple[Cell, ...]
Packing: TypeAlias = Literal["plain", "decimal", "date"]

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


def pack_rows(rows: Sequence[Sequence[Any]]) -> list[tuple[Packing, list[Any]]]:
    """A driver's `rows` as cells, column by column, each as what pickle writes quickly."""
    return [_pack_column(column_cells(column)) for column in zip(*rows, strict=True)]


def unpack_rows(columns: Sequence[tuple[Packing, list[Any]]]) -> list[Row]:
    """The rows that `pack_rows` was given."""
    return list(zip(*[_unpack_column(*column) for column in columns], strict=True))


def _pack_column(column: list[Cell]) -> tuple[Packing, list[Any]]:
    kinds = set(map(type, column))
    if Decimal in kinds and kinds <= _DECIMALS:
        return "decimal", [cell if cell is None else str(cell) for cell in column]
    if date in kinds and kinds <= _DATES:
        return "date", [cell.toordinal() if isinstance(cell, date) else None for cell in column]
    return "plain", column


def _unpack_column(packing: Packing, column: list[Any]) -> list[Any]:
    if packing == "decimal":
        return [cell if cell is None else Decimal(cell) for cell in column]
    if packing == "date":
        return [cell if cell is None else date.fromordinal(cell) for cell in column]
    return column
