"""Which values of a column satisfy what a query asks of it."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation

from goldsuite.diagnosis.coincidence.domains import Domain, Value
from goldsuite.diagnosis.coincidence.hints import Condition, Literal
from goldsuite.diagnosis.coincidence.moments import as_moment
from goldsuite.diagnosis.coincidence.shape import Place, TinyTable

__all__ = ["satisfying", "satisfying_rows"]


def satisfying(
    conditions: Sequence[Condition], domains: Mapping[Place, Domain]
) -> dict[Place, Domain]:
    """For each column with conditions, the values that satisfy the most of them.

    Conditions are taken as if all had to hold, since most queries ask for a conjunction; what the
    queries really keep is for them to say.
    """
    by_place: dict[Place, list[Condition]] = {}
    for condition in conditions:
        by_place.setdefault(condition.place, []).append(condition)
    found: dict[Place, Domain] = {}
    for place, asked in by_place.items():
        domain = domains.get(place, ())
        counts = [sum(_satisfies(value, condition) for condition in asked) for value in domain]
        best = max(counts, default=0)
        kept = tuple(v for v, count in zip(domain, counts, strict=True) if count == best)
        if kept and best:
            found[place] = kept
    return found


def satisfying_rows(
    rows: Sequence[Sequence[Value]], conditions: Sequence[Condition], table: TinyTable
) -> list[int]:
    """The places of the rows that satisfy all conditions on columns of `table`; none without."""
    asked = [
        (place, condition)
        for condition in conditions
        if condition.place[0] == table.name.lower()
        and (place := table.place(condition.place[1])) is not None
    ]
    if not asked:
        return []
    return [n for n, row in enumerate(rows) if all(_satisfies(row[p], c) for p, c in asked)]


def _satisfies(value: Value, condition: Condition) -> bool:
    return _holds(value, condition) != condition.negated


def _holds(value: Value, condition: Condition) -> bool:
    if condition.operator == "in":
        return any(_order(value, literal) == 0 for literal in condition.values)
    if condition.operator == "like":
        core = str(condition.values[0]).strip("%*_").lower()
        return core in str(value).lower()
    if condition.operator == "part":
        return any(_has_part(value, literal) for literal in condition.values)
    order = _order(value, condition.values[0])
    if order is None:
        return True
    return {">": order > 0, ">=": order >= 0, "<": order < 0, "<=": order <= 0}.get(
        condition.operator, True
    )


def _order(value: Value, literal: Literal) -> int | None:
    """-1, 0 or 1 as the value lies to the literal; None where they cannot be compared."""
    if isinstance(value, bool) or isinstance(literal, bool):
        return 0 if bool(value) == bool(literal) else 1
    if isinstance(value, date):
        one, other = as_moment(value), as_moment(literal)
    elif isinstance(value, time):
        return (str(value) > str(literal)) - (str(value) < str(literal))
    elif isinstance(value, str):
        text = str(literal)
        return (value > text) - (value < text)
    else:
        return _number_order(value, literal)
    if one is None or other is None:
        return None
    return (one > other) - (one < other)


def _number_order(value: Value, literal: Literal) -> int | None:
    try:
        one, other = Decimal(str(value)), Decimal(str(literal))
    except InvalidOperation:
        return None
    return (one > other) - (one < other)


def _has_part(value: Value, literal: Literal) -> bool:
    """Whether a date has this year, quarter, month or `2025-03`; of other values whether equal."""
    moment = value if isinstance(value, date) else as_moment(value)
    if not isinstance(moment, (date, datetime)):
        return _order(value, literal) == 0
    if isinstance(literal, int):
        return literal in {moment.year, moment.month, (moment.month + 2) // 3}
    return str(literal) in moment.isoformat()
