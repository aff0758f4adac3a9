"""What a query measures: its aggregates, with their conditions taken out.

`COUNT(*) FILTER (WHERE p)` and `SUM(CASE WHEN p THEN 1 ELSE 0 END)` are one measure, `COUNT(*)`,
under the condition `p`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from goldsuite.sqltext.conditions import column_names, plain
from goldsuite.sqltext.resolve import DERIVED

__all__ = ["Measure", "aggregates_in", "count_rows", "has_aggregate", "read_measures"]

_WRAPPERS = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)
_UNAFFECTED = (exp.Max, exp.Min, exp.AnyValue, exp.LogicalAnd, exp.LogicalOr, exp.ApproxDistinct)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """One aggregate."""

    text: str
    columns: tuple[str, ...]
    """`table.column`, or the bare name; empty for `COUNT(*)`."""
    counts: bool
    """True for COUNT."""
    distinct: bool
    conditional: bool
    """True where it had a condition of its own, which is read as a predicate."""
    duplicate_sensitive: bool
    """True where a row that a join repeats changes the value."""


def has_aggregate(node: exp.Expr, *, own: bool = False) -> bool:
    """Whether an aggregate stands in `node`, windows aside; see `aggregates_in`."""
    return next(aggregates_in(node, own=own), None) is not None


def aggregates_in(node: exp.Expr, *, own: bool = False) -> Iterator[exp.Expr]:
    """The outermost aggregates of an expression, with FILTER and the like; windows aside.

    With `own`, those that came in with a derived column are left out.
    """
    if isinstance(node, exp.Window) or (own and node.meta.get(DERIVED)):
        return
    if isinstance(node, exp.AggFunc) or (
        isinstance(node, _WRAPPERS) and node.find(exp.AggFunc) is not None
    ):
        if not isinstance(node.this, exp.Window):
            yield node
        return
    for child in node.iter_expressions():
        yield from aggregates_in(child, own=own)


def read_measures(
    node: exp.Expr, dialect: str, *, own: bool = False
) -> Iterator[tuple[Measure, tuple[exp.Expr, ...]]]:
    """Each aggregate of an expression with its conditions; see `aggregates_in`."""
    for aggregate in aggregates_in(node, own=own):
        for bare, conditions in _without_conditions(aggregate.copy()):
            yield _measure(bare, dialect, conditional=bool(conditions)), tuple(conditions)


def _without_conditions(node: exp.Expr) -> Iterator[tuple[exp.Expr, list[exp.Expr]]]:
    conditions: list[exp.Expr] = []
    while isinstance(node, _WRAPPERS) and not isinstance(node, exp.WithinGroup):
        if isinstance(node, exp.Filter):
            conditions.append(node.expression.this)
        node = node.this
    if isinstance(node, exp.CountIf):
        yield count_rows(), [*conditions, node.this]
        return
    argument = _argument(node)
    if isinstance(argument, exp.Case) and (branch := _single_branch(argument)) is not None:
        yield from _from_case(node, branch, conditions)
        return
    if isinstance(node, exp.Count) and isinstance(argument, exp.Literal):
        node = count_rows()
    elif isinstance(node, exp.Sum) and _is_condition(argument):
        node, conditions = count_rows(), [*conditions, _uncast(argument)]
    elif isinstance(node, exp.Avg) and _is_condition(argument):
        yield count_rows(), [*conditions, _uncast(argument)]
        node = count_rows()
    yield node, conditions


def _from_case(
    node: exp.Expr, branch: tuple[exp.Expr, exp.Expr, exp.Expr | None], conditions: list[exp.Expr]
) -> Iterator[tuple[exp.Expr, list[exp.Expr]]]:
    condition, value, default = branch
    is_one = isinstance(value, exp.Literal) and not value.is_string and float(value.name) == 1
    narrowed = [*conditions, condition]
    if isinstance(node, exp.Sum) and is_one:
        yield count_rows(), narrowed
    elif isinstance(node, exp.Avg) and is_one and default is not None:
        yield count_rows(), narrowed
        yield count_rows(), conditions
    elif isinstance(node, exp.Sum) or default is None:
        if isinstance(node, exp.Count) and isinstance(value, exp.Literal) and default is None:
            yield count_rows(), narrowed
        else:
            _set_argument(node, value)
            yield node, narrowed
    else:
        yield node, conditions


def _single_branch(case: exp.Case) -> tuple[exp.Expr, exp.Expr, exp.Expr | None] | None:
    """Condition, value and default of a CASE that only selects; a NULL default is None."""
    default = case.args.get("default")
    if isinstance(default, exp.Null):
        default = None
    is_zero = isinstance(default, exp.Literal) and default.name in ("0", "0.0")
    if case.this is not None or len(case.args["ifs"]) != 1 or not (default is None or is_zero):
        return None
    only = case.args["ifs"][0]
    return only.this, plain(only.args["true"]), default


def _argument(node: exp.Expr) -> exp.Expr | None:
    inner = node.this
    if isinstance(inner, exp.Distinct) and len(inner.expressions) == 1:
        inner = inner.expressions[0]
    return _uncast_number(inner) if isinstance(inner, exp.Expr) else None


def _set_argument(node: exp.Expr, value: exp.Expr) -> None:
    if isinstance(node.this, exp.Distinct):
        node.this.set("expressions", [value])
    else:
        node.set("this", value)


def _is_condition(node: exp.Expr | None) -> bool:
    return isinstance(_uncast(node), exp.Predicate | exp.Not | exp.And | exp.Or)


def _uncast(node: exp.Expr | None) -> exp.Expr:
    while isinstance(node, exp.Cast | exp.Paren):
        node = node.this
    return node if isinstance(node, exp.Expr) else exp.Null()


def _uncast_number(node: exp.Expr) -> exp.Expr:
    """A cast between numbers changes no cause."""
    node = plain(node)
    while isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.NUMERIC_TYPES):
        node = plain(node.this)
    return node


def count_rows() -> exp.Count:
    """COUNT(*)."""
    return exp.Count(this=exp.Star(), big_int=True)


def _measure(node: exp.Expr, dialect: str, *, conditional: bool) -> Measure:
    argument = _argument(node)
    if argument is not None and not isinstance(argument, exp.Star):
        _set_argument(node, argument)
    distinct = isinstance(node.this, exp.Distinct)
    return Measure(
        text=node.sql(dialect=dialect, comments=False),
        columns=column_names(node),
        counts=isinstance(node, exp.Count),
        distinct=distinct,
        conditional=conditional,
        duplicate_sensitive=not distinct and not isinstance(node, _UNAFFECTED),
    )
