"""A counterexample as it stands in the record: small tables, and what both queries make of them."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from goldsuite.diagnosis.coincidence.databases import TinyDatabase
from goldsuite.diagnosis.coincidence.shape import Shape
from goldsuite.model.coincidence import Counterexample, ShownCell, ShownTable
from goldsuite.model.result_set import Cell, ResultSet

__all__ = ["shown"]

_MOST_ROWS = 20
_MOST_TEXT = 200


def shown(
    shape: Shape, database: TinyDatabase, gold: ResultSet, analyst: ResultSet
) -> Counterexample:
    """The tables of `database`, and both results; long ones are cut."""
    return Counterexample(
        tables=tuple(
            ShownTable(name=t.name, columns=t.names, rows=_rows(database.rows[t.name]))
            for t in shape.tables
        ),
        gold=_result("gold", gold),
        analyst=_result("analyst", analyst),
    )


def _result(name: str, result: ResultSet) -> ShownTable:
    columns = tuple(column.name for column in result.columns)
    return ShownTable(name=name, columns=columns, rows=_rows(result.rows))


def _rows(rows: Iterable[tuple[Cell, ...]]) -> tuple[tuple[ShownCell, ...], ...]:
    return tuple(tuple(map(_cell, row)) for row in list(rows)[:_MOST_ROWS])


def _cell(cell: Cell) -> ShownCell:
    if cell is None or isinstance(cell, bool):
        return cell
    if isinstance(cell, int):
        return cell if abs(cell) <= 2**53 else str(cell)
    if isinstance(cell, (float, Decimal)):
        return _number(Decimal(repr(cell)) if isinstance(cell, float) else cell)
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ")
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    text = cell.hex() if isinstance(cell, bytes) else cell
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 1]}…"


def _number(number: Decimal) -> ShownCell:
    if not number.is_finite():
        return str(number)
    if number == number.to_integral_value() and abs(number) <= 2**53:
        return int(number)
    return float(number)
