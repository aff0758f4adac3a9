"""What the gold query's own text says about its result: sort keys and the scale of a rate."""

from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from goldsuite.grading.units import Scale
from goldsuite.sqltext.parsing import parse_query

__all__ = ["Projection", "position_of", "read_projection"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Projection:
    """What can be told without running the query."""

    sort_columns: tuple[int, ...] | None = None
    """Result columns that the top level sorts by, in order; None where a key is not among them."""
    scale: Scale | None = None
    """Of a single projected value."""


@lru_cache(maxsize=4096)
def read_projection(sql: str, dialect: str) -> Projection:
    """Read `sql`; a query that cannot be parsed, or projects `*`, tells nothing."""
    query = parse_query(sql, dialect)
    if query is None or query.is_star:
        return Projection()
    columns = query.selects
    return Projection(
        sort_columns=_sort_columns(query, columns),
        scale=_scale(columns[0]) if len(columns) == 1 else None,
    )


def _sort_columns(query: exp.Query, columns: list[exp.Expr]) -> tuple[int, ...] | None:
    order = query.args.get("order")
    if order is None:
        return None
    found = [
        position_of(key.this, columns) for key in order.expressions if isinstance(key, exp.Ordered)
    ]
    if not found or any(position is None for position in found):
        return None
    return tuple(position for position in found if position is not None)


def position_of(key: exp.Expr, columns: list[exp.Expr]) -> int | None:
    """Which of the projected columns a sort key is, from 0; None where it is none of them."""
    if isinstance(key, exp.Literal) and key.is_int:
        place = int(key.this) - 1
        return place if 0 <= place < len(columns) else None
    names = [column.alias_or_name.lower() for column in columns]
    if isinstance(key, exp.Column) and not key.table and names.count(key.name.lower()) == 1:
        return names.index(key.name.lower())
    # `order by o.total` and `select o.total`: the same expression, aliased or not.
    same = [place for place, column in enumerate(columns) if column.unalias() == key]
    return same[0] if same else None


def _scale(column: exp.Expr) -> Scale | None:
    """`ratio` for a division or a mean of a condition, `percent` where it is times 100."""
    value = column.unalias()
    divides = value.find(exp.Div) is not None or _is_mean_of_condition(value)
    if not divides or value.find(exp.Subquery, exp.Window):
        return None
    return "percent" if any(_is_hundred(node) for node in value.find_all(exp.Literal)) else "ratio"


def _is_mean_of_condition(value: exp.Expr) -> bool:
    return any(
        isinstance(mean.this.unnest(), exp.Case | exp.Predicate) for mean in value.find_all(exp.Avg)
    )


def _is_hundred(literal: exp.Literal) -> bool:
    """A factor of 100; a 100 that something is compared with is none."""
    return (
        not literal.is_string
        and isinstance(literal.parent, exp.Mul)
        and literal.this.partition(".")[0] == "100"
        and not literal.this.partition(".")[2].strip("0")
    )
