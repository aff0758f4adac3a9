"""Makes up small databases on which two queries may differ; the same ones for the same queries.

Every other one draws at random; a third is steered so that rows satisfy what the queries ask for,
but now and then miss one condition; some have groups as large as the queries' thresholds. Keys are
unique in all. References hold, except in the databases that are to break them.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum, auto
from typing import TypeGuard

from goldsuite.diagnosis.coincidence.conditions import satisfying
from goldsuite.diagnosis.coincidence.domains import Domain, Value, key_values
from goldsuite.diagnosis.coincidence.hints import Hints
from goldsuite.diagnosis.coincidence.kinds import Kind
from goldsuite.diagnosis.coincidence.shape import Place, Reference, Shape, TinyColumn, TinyTable

__all__ = ["Generator", "Row", "TinyDatabase", "keeps_references"]

Row = tuple[Value, ...]

_MOST_ROWS = 6
_NULL_SHARE = 0.15
_STEERED_SHARE = 0.85
_DISTANCE_SHARE = 0.4
_LARGE_GROUP = 110
"""Rows of the largest group that is made."""
_MANY_ROWS = 26
_FEW_LARGE = 6
"""Databases with a really large group, for these make every statement slow."""
_TRIES = 12
_TIMES = (time(0), time(12), time(23, 59, 59))


@dataclass(frozen=True, slots=True)
class TinyDatabase:
    """The rows of each table of a shape, by the table's name."""

    rows: Mapping[str, tuple[Row, ...]]

    @property
    def size(self) -> int:
        """Rows of all tables."""
        return sum(len(rows) for rows in self.rows.values())


class _Family(Enum):
    PLAIN = auto()
    STEERED = auto()
    GROUPED = auto()
    BROKEN = auto()


_ROUND = (
    _Family.STEERED, _Family.PLAIN, _Family.STEERED, _Family.PLAIN, _Family.GROUPED, _Family.PLAIN,
)  # fmt: skip


class Generator:
    """Draws databases of one shape."""

    def __init__(
        self,
        shape: Shape,
        domains: Mapping[Place, Domain],
        hints: Hints,
        *,
        seed: str,
        real: Mapping[str, tuple[Row, ...]] | None = None,
    ) -> None:
        """`real` has the rows that some tables keep to, by the table's name."""
        self._shape = shape
        self._domains = domains
        self._hints = hints
        # Not for secrets: the same queries must give the same databases.
        self._dice = random.Random(seed)  # noqa: S311
        self._wanted = [satisfying(conditions, domains) for conditions in hints.conditions]
        self._large = 0
        self._real = real or {}

    def keeping(self, count: int) -> list[TinyDatabase]:
        """Databases in which every reference holds."""
        drawn = (self._database(_ROUND[n % len(_ROUND)]) for n in range(count))
        return [found for found in drawn if keeps_references(found, self._shape)]

    def breaking(self, count: int) -> list[TinyDatabase]:
        """Databases in which some references do not hold; none where there is no reference."""
        if not self._shape.references:
            return []
        drawn = (self._database(_Family.BROKEN) for _ in range(count))
        return [found for found in drawn if not keeps_references(found, self._shape)]

    def _database(self, family: _Family) -> TinyDatabase:
        wanted: Mapping[Place, Domain] = {}
        steers = family is _Family.STEERED or (
            family is not _Family.PLAIN and self._dice.random() < 0.5
        )
        if steers and self._wanted:
            wanted = self._dice.choice(self._wanted)
        rows: dict[str, tuple[Row, ...]] = {}
        narrow = family is _Family.GROUPED and self._dice.random() < 0.5
        for table in self._shape.tables:
            count = self._count(table, family, narrow=narrow)
            rows[table.name] = self._rows(table, count, family, wanted, rows, narrow=narrow)
        return TinyDatabase(rows)

    def _count(self, table: TinyTable, family: _Family, *, narrow: bool) -> int:
        usual = self._dice.randint(1, _MOST_ROWS)
        if family is not _Family.GROUPED:
            return usual
        is_parent = any(r.parent == table.name for r in self._shape.references)
        if narrow:
            return self._dice.randint(1, 4) if is_parent else self._group_size()
        most = max((n for n in self._hints.limits if n < _MANY_ROWS), default=_MOST_ROWS)
        return most + self._dice.randint(1, 3)

    def _group_size(self) -> int:
        sizes = [n for n in self._hints.group_sizes if 1 < n <= _LARGE_GROUP]
        if not sizes:
            return self._dice.randint(4, 2 * _MOST_ROWS)
        size = self._dice.choice(sizes)
        if size > _MANY_ROWS:
            self._large += 1
            if self._large > _FEW_LARGE:
                return _MOST_ROWS
        return size + self._dice.randint(-1, 3)

    def _rows(
        self,
        table: TinyTable,
        count: int,
        family: _Family,
        wanted: Mapping[Place, Domain],
        before: Mapping[str, tuple[Row, ...]],
        *,
        narrow: bool,
    ) -> tuple[Row, ...]:
        references = [r for r in self._shape.references if r.table == table.name]
        favourites = self._favourites(table) if narrow else {}
        made: list[Row] = []
        keys: set[Row] = set()
        for _ in range(count):
            for attempt in range(_TRIES):
                row = self._row(table, wanted, favourites, fresh=len(made) if attempt > 5 else None)
                row = self._referring(row, table, references, before, made, family)
                key = _key_of(row, table)
                if key is None or (key not in keys and None not in key):
                    made.append(row)
                    keys |= {key} if key is not None else set()
                    break
        return tuple(made)

    def _favourites(self, table: TinyTable) -> Mapping[str, Domain]:
        """Two values for each column, so that groups grow."""
        found = {}
        for column in table.columns:
            domain = self._domains[table.name.lower(), column.name.lower()]
            if domain and column.name not in table.key:
                found[column.name] = tuple(self._dice.choices(domain, k=2))
        return found

    def _row(
        self,
        table: TinyTable,
        wanted: Mapping[Place, Domain],
        favourites: Mapping[str, Domain],
        *,
        fresh: int | None,
    ) -> Row:
        if table.name in self._real:
            return self._real_row(table, wanted)
        cells = [self._cell(table, column, wanted, favourites, fresh) for column in table.columns]
        return self._with_distances(cells, table)

    def _real_row(self, table: TinyTable, wanted: Mapping[Place, Domain]) -> Row:
        rows = self._real[table.name]
        asked = [
            (n, wanted[place])
            for n, column in enumerate(table.columns)
            if (place := (table.name.lower(), column.name.lower())) in wanted
        ]
        if asked and self._dice.random() < _STEERED_SHARE:
            rows = tuple(r for r in rows if all(r[n] in domain for n, domain in asked)) or rows
        return self._dice.choice(rows)

    def _cell(
        self,
        table: TinyTable,
        column: TinyColumn,
        wanted: Mapping[Place, Domain],
        favourites: Mapping[str, Domain],
        fresh: int | None,
    ) -> Value:
        place = (table.name.lower(), column.name.lower())
        domain = self._domains[place]
        if column.name in table.key and fresh is not None:
            return key_values(column, domain, fresh)
        if column.nullable and self._dice.random() < _NULL_SHARE:
            return None
        if place in wanted and self._dice.random() < _STEERED_SHARE:
            return self._dice.choice(wanted[place])
        if column.name in favourites and self._dice.random() < _STEERED_SHARE:
            return self._dice.choice(favourites[column.name])
        if column.name in table.key and column.kind is Kind.INTEGER:
            return self._dice.choice((*domain, 1, 2, 3, 4, 6, 7, 8))
        return self._dice.choice(domain) if domain else None

    def _with_distances(self, cells: list[Value], table: TinyTable) -> Row:
        """Now and then two dates of a row lie as far apart as the queries ask for."""
        if not self._hints.days:
            return tuple(cells)
        times = [n for n, c in enumerate(table.columns) if c.kind in {Kind.DATE, Kind.TIMESTAMP}]
        for one in times:
            if self._dice.random() > _DISTANCE_SHARE or table.columns[one].name in table.key:
                continue
            start = cells[self._dice.choice(times)]
            days = self._dice.choice(self._hints.days) + self._dice.choice((-1, 0, 0, 1))
            cells[one] = _later(start, days, table.columns[one].kind) or cells[one]
        return tuple(cells)

    def _referring(
        self,
        row: Row,
        table: TinyTable,
        references: Sequence[Reference],
        before: Mapping[str, tuple[Row, ...]],
        made: Sequence[Row],
        family: _Family,
    ) -> Row:
        cells = list(row)
        for reference in references:
            if family is _Family.BROKEN and self._dice.random() < 0.5:
                continue
            parent = self._shape.of(reference.parent)
            if parent is None:
                continue
            known = made if parent.name == table.name else before.get(parent.name)
            if known is None:
                continue
            self._refer(cells, table, reference, parent, known)
        return tuple(cells)

    def _refer(
        self,
        cells: list[Value],
        table: TinyTable,
        reference: Reference,
        parent: TinyTable,
        known: Sequence[Row],
    ) -> None:
        own = [table.place(name) for name in reference.columns]
        theirs = [parent.place(name) for name in reference.referred]
        if any(cells[p] is None for p in own if p is not None):
            return
        usable = [r for r in known if all(r[p] is not None for p in theirs if p is not None)]
        if parent.name == table.name and (not usable or self._dice.random() < 0.3):
            # The first row of a table that refers to itself refers to itself.
            usable = [tuple(cells)]
        chosen = self._dice.choice(usable) if usable else None
        for mine, other in zip(own, theirs, strict=False):
            if mine is not None and other is not None:
                value = chosen[other] if chosen is not None else None
                cells[mine] = self._at_some_time(value, table.columns[mine])

    def _at_some_time(self, value: Value, column: TinyColumn) -> Value:
        """A moment of the day that the column refers to."""
        if column.kind is not Kind.TIMESTAMP or not is_day(value):
            return value
        return datetime.combine(value, self._dice.choice(_TIMES))


def _later(start: Value, days: int, kind: Kind) -> Value:
    if not isinstance(start, date):
        return None
    try:
        moved = start + timedelta(days=days)
    except OverflowError:
        return None
    if kind is Kind.DATE:
        return moved.date() if isinstance(moved, datetime) else moved
    return moved if isinstance(moved, datetime) else datetime.combine(moved, datetime.min.time())


def is_day(value: Value) -> TypeGuard[date]:
    """Whether it is a date without a time."""
    return isinstance(value, date) and not isinstance(value, datetime)


def _key_of(row: Row, table: TinyTable) -> Row | None:
    """The row's key; None where the table has none."""
    if not table.key:
        return None
    places = [p for name in table.key if (p := table.place(name)) is not None]
    return tuple(row[p] for p in places)


def keeps_references(database: TinyDatabase, shape: Shape) -> bool:
    """Whether every reference of the shape holds in the database."""
    return all(_holds(database, shape, reference) for reference in shape.references)


def _holds(database: TinyDatabase, shape: Shape, reference: Reference) -> bool:
    child, parent = shape.of(reference.table), shape.of(reference.parent)
    if child is None or parent is None:
        return True
    known = set(_parts(database, parent, reference.referred))
    parts = _parts(database, child, reference.columns)
    if any(is_day(value) for part in known for value in part):
        # What refers to a calendar may be a moment of its day.
        parts = (tuple(v.date() if isinstance(v, datetime) else v for v in p) for p in parts)
    return all(part in known for part in parts if None not in part)


def _parts(database: TinyDatabase, table: TinyTable, names: Sequence[str]) -> Iterator[Row]:
    places = [p for name in names if (p := table.place(name)) is not None]
    for row in database.rows[table.name]:
        yield tuple(row[p] for p in places)
