"""The wire between a door and its worker: cells come as they went, and nothing else comes."""

import pickle
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pytest

from goldsuite.model.result_set import Cell
from goldsuite.warehouse.worker_wire import RowPacker, pack, unpack, unpack_rows

COLUMNS: list[list[Cell]] = [
    [1, -(2**80), None],
    [Decimal("1.10"), Decimal("-0"), Decimal("1E+30")],
    [Decimal("NaN"), None, Decimal("Infinity")],
    [Decimal("1.5"), 1, "1.5"],
    [date(2025, 1, 31), None, date(1, 1, 1)],
    [date(2025, 1, 31), datetime(2025, 1, 31, tzinfo=UTC), None],
    [time(12, 30), timedelta(days=-1), b"\x00\xff"],
    [True, 0.5, float("-inf")],
    ["", "é\0", None],
]


@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_comes_as_it_went(column: list[Cell]) -> None:
    packer = RowPacker()
    for cell in column:
        # One by one: the kinds of all parts together decide how a column is packed.
        packer.add([(cell, "x")])
    assert packer.rows == len(column)
    rows = unpack_rows(unpack(pack(packer.packed())))
    assert [repr(row) for row in rows] == [repr((cell, "x")) for cell in column]


def test_no_rows_come_as_no_rows() -> None:
    assert unpack_rows(unpack(pack(RowPacker().packed()))) == []


def test_texts_and_bytes_are_measured() -> None:
    packer = RowPacker()
    # 3 + 2 + 1, and the longest of them.
    assert packer.add([("abc", b"\x00\x01"), (None, "x"), (7, 1.5)]) == (6, 3)
    assert packer.add([(1, 2)]) == (0, 0)
    assert packer.add([]) == (0, 0)


def test_what_is_no_cell_becomes_one_on_the_way() -> None:
    packer = RowPacker()
    packer.add(
        [([1, 2],), (None,), (datetime(2025, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))),)]
    )
    rows = unpack_rows(unpack(pack(packer.packed())))
    assert rows == [("[1, 2]",), (None,), (datetime(2025, 1, 1, tzinfo=UTC),)]


class _Hostile:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, ("loot",)


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps(_Hostile()),
        pickle.dumps(Path("x")),
        pickle.dumps(print),
        b"",
        b"\x80\x05",
        b"no message at all",
    ],
)
def test_anything_but_cells_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        unpack(data)
