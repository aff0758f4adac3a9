"""What values a column of a small database takes: few, so that they meet, and telling ones.

They are the literals that the queries compare it with, the neighbours of these, some values of the
warehouse, and some that it does not have. Columns that the queries set equal share theirs.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

from sqlglot import exp
from sqlglot.errors import SqlglotError

from goldsuite.diagnosis.coincidence.hints import Hints, Literal
from goldsuite.diagnosis.coincidence.kinds import Kind
from goldsuite.diagnosis.coincidence.moments import around, as_moment, moments_of_parts
from goldsuite.diagnosis.coincidence.shape import Place, Shape, TinyColumn

__all__ = ["Domain", "Value", "domains_of"]

Value: TypeAlias = int | Decimal | float | str | bool | date | datetime | time | None

_SOME_VALUES = 4
"""Of the warehouse's own that a text column takes."""
_MOST = 40
_BASE = datetime(2025, 3, 10, tzinfo=UTC).replace(tzinfo=None)
_INTEGERS = (1, 2, 3, 0, 5, -1)
_AMOUNTS = (Decimal(10), Decimal("2.5"), Decimal(0), Decimal(100), Decimal("7.25"), Decimal(-3))
_TEXTS = ("a", "b", "c")
_BITS = {"TINYINT": 7, "SMALLINT": 15, "UTINYINT": 8, "USMALLINT": 16}


Domain: TypeAlias = tuple[Value, ...]
"""The values of one column, the telling ones first; NULL is none of them."""


def domains_of(shape: Shape, hints: Hints) -> dict[Place, Domain]:
    """The values of every column of `shape`."""
    kinds = {(t.name.lower(), c.name.lower()): c for t in shape.tables for c in t.columns}
    groups = _groups(kinds, shape, hints)
    found: dict[Place, Domain] = {}
    for table in shape.tables:
        for column in table.columns:
            place = (table.name.lower(), column.name.lower())
            members = groups[place]
            literals = [v for p in members for v in hints.literals.get(p, [])]
            patterns = [v for p in members for v in hints.patterns.get(p, [])]
            values = [v for p in members if p in kinds for v in kinds[p].values[:_SOME_VALUES]]
            if column.kind is Kind.TEXT and hints.numeric & set(members):
                found[place] = _numerals(literals, values)
            elif column.kind is Kind.TEXT and hints.dated & set(members):
                found[place] = _dates_as_text(literals, values)
            else:
                found[place] = _domain(column, literals, patterns, values)
    return found


def _groups(
    columns: Mapping[Place, TinyColumn], shape: Shape, hints: Hints
) -> dict[Place, list[Place]]:
    """For each column those that meet it, itself among them; in a fixed order."""
    leader = {place: place for place in columns}

    def lead(place: Place) -> Place:
        while leader[place] != place:
            place = leader[place]
        return place

    pairs = [sorted(link) for link in hints.links]
    for reference in shape.references:
        names = zip(reference.columns, reference.referred, strict=False)
        pairs += [
            sorted([(reference.table.lower(), a.lower()), (reference.parent.lower(), b.lower())])
            for a, b in names
        ]
    for one, other in sorted(pair for pair in pairs if len(pair) == 2):
        if one in leader and other in leader:
            first, second = sorted([lead(one), lead(other)])
            leader[second] = first
    return {p: sorted(q for q in columns if lead(q) == lead(p)) for p in columns}


def _domain(
    column: TinyColumn, literals: list[Literal], patterns: list[str], values: list[str]
) -> Domain:
    kind = column.kind
    if kind is Kind.ANY:
        numbers = [v for v in literals if not isinstance(v, str)]
        kind = Kind.DECIMAL if numbers and len(numbers) == len(literals) else Kind.TEXT
    made: Iterable[Value]
    if kind is Kind.BOOLEAN:
        made = (True, False)
    elif kind is Kind.INTEGER:
        made = [*_integers(literals), *_INTEGERS]
    elif kind in {Kind.DECIMAL, Kind.FLOAT}:
        made = [*_decimals(literals), *_AMOUNTS]
    elif kind in {Kind.DATE, Kind.TIMESTAMP}:
        made = _moments(literals, patterns, is_date=kind is Kind.DATE)
    elif kind is Kind.TIME:
        made = _times(literals)
    else:
        made = _texts(literals, patterns, values, column)
    kept = [value for value in dict.fromkeys(made) if _fits(value, column)]
    if kind is Kind.FLOAT:
        return tuple(float(v) if isinstance(v, Decimal) else v for v in kept[:_MOST])
    return tuple(kept[:_MOST])


def _numbers(literals: Iterable[Literal]) -> Iterator[Decimal]:
    for literal in literals:
        if isinstance(literal, bool):
            continue
        with suppress(InvalidOperation, ValueError):
            number = Decimal(literal)
            if number.is_finite() and abs(number) < 10**15:
                yield number


def _integers(literals: Iterable[Literal]) -> Iterator[int]:
    for number in _numbers(literals):
        whole = int(number)
        yield from (whole, whole - 1, whole + 1)


def _decimals(literals: Iterable[Literal]) -> Iterator[Decimal]:
    for number in _numbers(literals):
        yield from (number, number - 1, number + 1)
        if number != number.to_integral_value():
            yield number + Decimal("0.01")


def _moments(literals: list[Literal], patterns: Iterable[str], *, is_date: bool) -> Iterator[Value]:
    named = [m for literal in literals if (m := as_moment(literal)) is not None]
    prefixes = [p.rstrip("%_-") for p in patterns]
    parts = moments_of_parts([*literals, *prefixes], named)
    seeds = [*named, *parts, *(() if named or parts else (_BASE,))]
    near = [list(around(seed)) for seed in seeds]
    # First the literals themselves, then their neighbours, so that a cut keeps the telling ones.
    ordered = [m for number in range(6) for found in near for m in found[number : number + 1]]
    ordered += [_BASE, _BASE + timedelta(days=1), _BASE + timedelta(days=40)]
    for moment in ordered:
        yield moment.date() if is_date else moment


def _times(literals: Iterable[Literal]) -> Iterator[time]:
    for literal in literals:
        with suppress(ValueError, TypeError):
            moment = datetime.combine(_BASE.date(), time.fromisoformat(str(literal)))
            yield from (near.time() for near in list(around(moment))[:3])
    yield from (time(0), time(9, 30), time(23, 59, 59))


def _texts(
    literals: list[Literal], patterns: list[str], values: list[str], column: TinyColumn
) -> Iterator[str]:
    choices = _choices(column.type)
    if choices:
        yield from choices
        return
    texts = [str(v) for v in literals if not isinstance(v, bool) and str(v) not in patterns]
    moments = [m for text in texts if (m := as_moment(text)) is not None]
    prefixes = [p.rstrip("%_-") for p in patterns]
    parts = moments_of_parts([*literals, *prefixes], moments) if _may_be_dates(values) else []
    if moments or (parts and _may_be_dates(values) and values):
        # Dates that are kept as text, written as the literals or the warehouse write them.
        sample = next((v for v in [*values, *texts] if as_moment(v) is not None), "")
        for moment in [m for seed in (*moments, *parts) for m in around(seed)]:
            yield _written(moment, sample)
        return
    yield from texts
    for pattern in patterns:
        yield from _completions(pattern)
    yield from values
    for text in texts:
        yield from _variants(text)
    yield from _TEXTS


def _numerals(literals: list[Literal], values: list[str]) -> Domain:
    """Texts that a query reads as numbers."""
    numbers = [format(n, "f") for n in (*_integers(literals), *_INTEGERS)]
    return tuple(dict.fromkeys([*numbers, *values]))[:_MOST]


def _dates_as_text(literals: list[Literal], values: list[str]) -> Domain:
    """Texts that a query reads as dates, written as the warehouse writes them."""
    sample = next((v for v in values if as_moment(v) is not None), "")
    moments = [m for m in _moments(literals, [], is_date=False) if isinstance(m, datetime)]
    return tuple(dict.fromkeys([*(_written(m, sample) for m in moments), *values]))[:_MOST]


def _may_be_dates(values: Iterable[str]) -> bool:
    return all(as_moment(value) is not None for value in values)


def _written(moment: datetime, sample: str) -> str:
    if len(sample) <= 10:
        return moment.date().isoformat()
    return moment.isoformat(sep="T" if "T" in sample else " ", timespec="seconds")


def _variants(text: str) -> Iterator[str]:
    """Texts that are nearly `text`."""
    for other in (text.upper(), text.lower(), text.capitalize(), f"{text}x", f"x{text}"):
        if other != text:
            yield other


def _completions(pattern: str) -> Iterator[str]:
    """Texts that a LIKE or GLOB pattern matches, and some that it just misses."""
    for filler in ("", "x"):
        yield pattern.replace("%", filler).replace("*", filler).replace("_", "x").replace("?", "x")
    core = pattern.strip("%*")
    yield from (core, f"{core}y", f"y{core}", f"y{core}y", core.upper(), core.lower(), core[:-1])


def _choices(type_text: str) -> tuple[str, ...]:
    """The values of an ENUM type that lists them."""
    if not type_text.upper().startswith("ENUM"):
        return ()
    with suppress(SqlglotError, ValueError):
        built = exp.DataType.build(type_text, dialect="mysql")
        return tuple(str(part.name) for part in built.find_all(exp.Literal))
    return ()


def _fits(value: Value, column: TinyColumn) -> bool:
    """Whether the column's type can hold the value."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        return not isinstance(value, str) or len(value) <= 1_000
    built = _built(column.type)
    bits = _BITS.get(built.this.value, 63 if built.this.value == "BIGINT" else 31)
    sizes = [int(part.name) for part in built.find_all(exp.Literal) if part.is_int]
    if column.kind is Kind.INTEGER:
        low = 0 if built.this.value.startswith("U") else -(2**bits)
        return bool(low <= value < 2**bits)
    if column.kind is Kind.DECIMAL and sizes:
        scale = sizes[1] if len(sizes) > 1 else 0
        number = Decimal(value)
        largest = Decimal(10 ** max(sizes[0] - scale, 0))
        return bool(abs(number) < largest) and bool(number == round(number, scale))
    return True


def _built(type_text: str) -> exp.DataType:
    with suppress(SqlglotError, ValueError):
        return exp.DataType.build(type_text)
    return exp.DataType.build("TEXT")


def key_values(column: TinyColumn, domain: Domain, number: int) -> Value:
    """Another value for a key, when its own values are used up."""
    if column.kind is Kind.DATE:
        return (_BASE + timedelta(days=100 + number)).date()
    if column.kind is Kind.TIMESTAMP:
        return _BASE + timedelta(days=100 + number)
    if column.kind is Kind.BOOLEAN or not domain:
        return None
    if column.kind is Kind.TEXT or isinstance(domain[0], str):
        return f"k{number}"
    whole = 11 + number
    return float(whole) if column.kind is Kind.FLOAT else whole
