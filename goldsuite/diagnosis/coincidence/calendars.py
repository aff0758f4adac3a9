"""Real rows of calendars: a table with one row for each day, whose other columns follow from it.

A made-up row could say that a Sunday is no weekend, and tell apart what only such a row tells
apart. So a table whose key is one date keeps to rows that it really has.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from threading import Lock

from sqlglot import exp

from goldsuite.diagnosis.coincidence.conditions import satisfying_rows
from goldsuite.diagnosis.coincidence.databases import Row
from goldsuite.diagnosis.coincidence.domains import Domain, Value
from goldsuite.diagnosis.coincidence.hints import Hints
from goldsuite.diagnosis.coincidence.kinds import Kind
from goldsuite.diagnosis.coincidence.shape import Place, Shape, TinyTable
from goldsuite.model.result_set import Cell, Execution

__all__ = ["Calendars"]

_MOST_DAYS = 10_000
_SPREAD = 24
"""Days that are taken from the whole calendar, evenly."""


class Calendars:
    """Reads each calendar once for all pairs of queries. Safe to use from several threads."""

    def __init__(self, execute: Callable[[str], Execution] | None, *, dialect: str) -> None:
        self._execute = execute
        self._dialect = dialect
        self._known: dict[tuple[str, ...], tuple[Row, ...]] = {}
        self._lock = Lock()

    def rows(
        self, shape: Shape, domains: Mapping[Place, Domain], hints: Hints
    ) -> dict[str, tuple[Row, ...]]:
        """By the name of each calendar, some telling rows of it; the order is by day."""
        found: dict[str, tuple[Row, ...]] = {}
        for table in shape.tables:
            place = _day_of(table)
            if place is None or self._execute is None:
                continue
            rows = self._all(table, place, self._execute)
            days = domains[table.name.lower(), table.key[0].lower()]
            chosen = _telling(rows, place, days, hints, table)
            if chosen:
                found[table.name] = chosen
        return found

    def _all(
        self, table: TinyTable, place: int, execute: Callable[[str], Execution]
    ) -> tuple[Row, ...]:
        asked = (table.schema or "", table.name, *table.names)
        with self._lock:
            if asked not in self._known:
                sql = _query(table, place).sql(dialect=self._dialect)
                result = execute(sql).result
                rows = result.rows if result is not None and not result.truncated else ()
                self._known[asked] = tuple(tuple(map(_value, row)) for row in rows)
            return self._known[asked]


def _day_of(table: TinyTable) -> int | None:
    """Where the day stands; None where the table is no calendar."""
    place = table.place(table.key[0]) if len(table.key) == 1 else None
    if place is None or table.columns[place].kind is not Kind.DATE:
        return None
    return place


def _query(table: TinyTable, place: int) -> exp.Select:
    columns = [exp.column(name, quoted=True) for name in table.names]
    source = exp.table_(table.name, db=table.schema, quoted=True)
    return exp.select(*columns).from_(source).order_by(columns[place].copy()).limit(_MOST_DAYS)


def _value(cell: Cell) -> Value:
    return cell if not isinstance(cell, bytes) and not hasattr(cell, "total_seconds") else str(cell)


def _telling(
    rows: Sequence[Row], place: int, days: Domain, hints: Hints, table: TinyTable
) -> tuple[Row, ...]:
    """The days that the queries name, the edges of what they ask for, and some of all."""
    wanted = {_day(day) for day in days}
    chosen = {n for n, row in enumerate(rows) if _day(row[place]) in wanted}
    for conditions in hints.conditions:
        chosen |= _edges(satisfying_rows(rows, conditions, table), len(rows))
    chosen |= set(range(0, len(rows), max(1, len(rows) // _SPREAD)))
    return tuple(rows[n] for n in sorted(chosen))


def _edges(places: Iterable[int], count: int) -> set[int]:
    """The first and the last of these places, and what lies just outside."""
    inside = sorted(places)
    if not inside or len(inside) == count:
        return set()
    near = {inside[0], inside[-1], inside[0] - 1, inside[-1] + 1, inside[len(inside) // 2]}
    return {place for place in near if 0 <= place < count}


def _day(value: Value) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, str):
        try:
            return date.fromisoformat(value[:10])
        except ValueError:
            return None
    return value if isinstance(value, date) else None
