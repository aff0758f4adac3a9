"""Single rows named by their number: `customer 42`, `order 1001`."""

from sqlglot import exp

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.lookup import Lookup
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.schema import Kind

_BETWEEN = frozenset({"number", "no", "id"})


def read_keys(
    reading: Reading, lookup: Lookup, source: str
) -> tuple[Reading, tuple[exp.Expr, ...]]:
    """A predicate per row that is named by table and number, and the reading with them used."""
    found: list[exp.Expr] = []
    for entity in lookup.schema.entities:
        key = entity.key
        if key.kind is not Kind.NUMBER or lookup.near(source, entity.alias) is None:
            continue
        for start in range(len(reading.lower) - len(entity.words)):
            where = range(start, start + len(entity.words))
            at = where.stop
            if at + 1 < len(reading.lower) and reading.lower[at] in _BETWEEN:
                at += 1
            free = at not in reading.used and not reading.used.intersection(where) - reading.subject
            if free and reading.words(where) == entity.words and reading.lower[at].isdigit():
                number = writing.number(reading.lower[at])
                found.append(exp.EQ(this=writing.column(key), expression=number))
                reading = reading.take(range(start, at + 1))
    return reading, tuple(found)
