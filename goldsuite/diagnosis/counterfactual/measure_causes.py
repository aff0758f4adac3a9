"""What is wrong with an output column: its scale, sign, rounding, DISTINCT, NULLs, condition,
level, aggregate or column."""

from collections.abc import Callable, Iterator
from typing import cast

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.layers import ROUNDING, Layers, literal_number, peel
from goldsuite.diagnosis.counterfactual.plan import Part, Projection, plans_below, tables_of
from goldsuite.diagnosis.counterfactual.reading import Times, condition_kind
from goldsuite.diagnosis.counterfactual.text import expression_text, simple_expression
from goldsuite.model.diagnosis import Cause
from goldsuite.sqltext.measures import has_aggregate

__all__ = ["measure_causes"]

_UNITS = frozenset(
    factor
    for base in (2, 3, 6, 9)
    for factor in (float(10**base), 10.0**-base)
) | {7.0, 12.0, 24.0, 30.0, 60.0, 365.0, 1440.0, 3600.0, 86400.0, 10_000.0, 1e12}  # fmt: skip
"""Factors between units: percent, thousands, cents, minutes, hours, days; more come in pairs."""


def measure_causes(analyst: Projection, gold: Projection, times: Times) -> tuple[Cause, ...]:
    """The causes that two unequal expressions for one output column show, at least one."""
    ours, theirs = analyst.part, gold.part
    if (ours.holes or theirs.holes) and (found := _by_subqueries(ours, theirs)) is not None:
        return (found,)
    single = _by_reduction(ours.node, theirs.node)
    if single is not None:
        return (single,)
    a, g = peel(ours.node), peel(theirs.node)
    around = tuple(_around(a, g))
    if around and expression_text(a.core) == expression_text(g.core):
        return around
    return (*around, *_core_causes(a.core, g.core, times))


def _around(analyst: Layers, gold: Layers) -> Iterator[Cause]:
    if analyst.negative is not gold.negative:
        yield Cause.SIGN
    if analyst.factor != gold.factor and _is_unit_factor(analyst.factor / gold.factor):
        yield Cause.UNIT_SCALE
    if analyst.rounded is not gold.rounded:
        yield Cause.ROUNDING


def _core_causes(analyst: exp.Expr, gold: exp.Expr, times: Times) -> tuple[Cause, ...]:
    single = _by_reduction(analyst, gold)
    if single is not None:
        return (single,)
    if _without_filters(analyst) == _without_filters(gold):
        return (_condition_cause(analyst, gold, times),)
    return _by_parts(analyst, gold)


def _by_reduction(analyst: exp.Expr, gold: exp.Expr) -> Cause | None:
    """The one thing that the two differ in, if it is one."""
    for cause, reduced in _REDUCTIONS:
        holds = _ONLY_IF.get(cause)
        if reduced(analyst) == reduced(gold) and (holds is None or holds(analyst, gold)):
            return cause
    return None


def _by_subqueries(ours: Part, theirs: Part) -> Cause | None:
    tables = [
        frozenset(t for hole in part.holes for t in tables_of(hole)) for part in (ours, theirs)
    ]
    count = [sum(1 for hole in part.holes for _ in plans_below(hole)) for part in (ours, theirs)]
    return Cause.WRONG_GRAIN if tables[0] == tables[1] or count[0] != count[1] else None


def _changed(node: exp.Expr, change: Callable[[exp.Expr], exp.Expr | None]) -> str:
    """The text of `node` with every node that `change` replaces replaced."""
    root = exp.Paren(this=node.copy())
    for found in reversed(list(root.find_all(exp.Expr))):
        if found.parent is not None and (new := change(found)) is not None:
            found.replace(new)
    return expression_text(root.this)


def _without_rounding(node: exp.Expr) -> str:
    def change(found: exp.Expr) -> exp.Expr | None:
        whole = isinstance(found, exp.Cast) and found.to.is_type(*exp.DataType.INTEGER_TYPES)
        fixed = isinstance(found, exp.Cast) and found.to.is_type("decimal")
        return found.this.copy() if isinstance(found, ROUNDING) or whole or fixed else None

    return _changed(node, change)


def _with_order(node: exp.Expr) -> str:
    """`a - b` and `b - a`, `-a` and `a` read the same."""

    def change(found: exp.Expr) -> exp.Expr | None:
        if isinstance(found, exp.Neg):
            return cast(exp.Expr, found.this).copy()
        if isinstance(found, exp.Mul) and any(s.sql() == "-1" for s in (found.left, found.right)):
            return (found.left if found.right.sql() == "-1" else found.right).copy()
        if isinstance(found, exp.Sub):
            sides = sorted((found.this, found.expression), key=lambda s: str(s.sql()))
            return exp.Sub(this=sides[0].copy(), expression=sides[1].copy())
        return None

    return _changed(node, change)


def _without_factors(node: exp.Expr) -> str:
    def change(found: exp.Expr) -> exp.Expr | None:
        if isinstance(found, exp.Mul | exp.Div):
            if literal_number(found.expression) is not None:
                return cast(exp.Expr, found.this).copy()
            if isinstance(found, exp.Mul) and literal_number(found.this) is not None:
                return cast(exp.Expr, found.expression).copy()
        if isinstance(found, exp.Paren):
            return cast(exp.Expr, found.this).copy()
        return _without_unit(found)

    return _changed(node, change)


def _without_unit(found: exp.Expr) -> exp.Expr | None:
    if isinstance(found, exp.DateDiff | exp.TimestampDiff) and found.args.get("unit"):
        bare = found.copy()
        bare.set("unit", exp.var("UNIT"))
        return bare if bare != found else None
    return None


def _is_unit(analyst: exp.Expr, gold: exp.Expr) -> bool:
    """Whether the factors in the two expressions differ by one between units."""
    ratio = _factor(analyst) / _factor(gold)
    return _is_unit_factor(ratio) or abs(ratio - 1) < 1e-9  # then it is in a function's argument


def _is_unit_factor(ratio: float) -> bool:
    return any(abs(ratio / f - 1) < 1e-9 or abs(ratio * f - 1) < 1e-9 for f in _UNITS)


def _factor(node: exp.Expr) -> float:
    product = 1.0
    for found in node.find_all(exp.Mul, exp.Div):
        right, left = literal_number(found.expression), literal_number(found.this)
        if right:
            product = product * right if isinstance(found, exp.Mul) else product / right
        elif left and isinstance(found, exp.Mul):
            product *= left
    return product


def _without_distinct(node: exp.Expr) -> str:
    def change(found: exp.Expr) -> exp.Expr | None:
        single = isinstance(found, exp.Distinct) and len(found.expressions) == 1
        return found.expressions[0].copy() if single else None

    return _changed(node, change)


def _rows_or_values(node: exp.Expr) -> str:
    """COUNT(DISTINCT x) and COUNT(x) as COUNT(*)."""

    def change(found: exp.Expr) -> exp.Expr | None:
        counts = isinstance(found, exp.Count) and not isinstance(found.this, exp.Star)
        return exp.Count(this=exp.Star(), big_int=True) if counts else None

    return _changed(node, change)


def _plainly(node: exp.Expr) -> str:
    """COUNT(x) as COUNT(*), and without COALESCE, NULLIF and IF ... IS NULL."""

    def change(found: exp.Expr) -> exp.Expr | None:
        if isinstance(found, exp.Coalesce | exp.Nullif):
            return cast(exp.Expr, found.this).copy()
        plain_count = isinstance(found, exp.Count) and isinstance(found.this, exp.Column)
        return exp.Count(this=exp.Star(), big_int=True) if plain_count else None

    return _changed(node, change)


def _without_windows(node: exp.Expr) -> str:
    def change(found: exp.Expr) -> exp.Expr | None:
        return cast(exp.Expr, found.this).copy() if isinstance(found, exp.Window) else None

    return _changed(node, change)


def _without_filters(node: exp.Expr) -> str:
    return _changed(simple_expression(node), _unfiltered)


def _unfiltered(found: exp.Expr) -> exp.Expr | None:
    if isinstance(found, exp.Filter):
        return cast(exp.Expr, found.this).copy()
    if isinstance(found, exp.Case) and len(found.args["ifs"]) == 1:
        return cast(exp.Expr, found.args["ifs"][0].args["true"]).copy()
    return None


_REDUCTIONS: tuple[tuple[Cause, Callable[[exp.Expr], str]], ...] = (
    (Cause.ROUNDING, _without_rounding),
    (Cause.SIGN, _with_order),
    (Cause.UNIT_SCALE, _without_factors),
    (Cause.MISSING_DISTINCT, _without_distinct),
    (Cause.WRONG_GRAIN, _without_windows),
    (Cause.NULL_HANDLING, _plainly),
    (Cause.MISSING_DISTINCT, _rows_or_values),
)
"""What two expressions differ in, where without it they are the same."""


def _counted_columns(node: exp.Expr) -> set[str]:
    found = node.find_all(exp.Count)
    return {c.sql() for count in found for c in count.find_all(exp.Column)}


def _one_counts_rows(analyst: exp.Expr, gold: exp.Expr) -> bool:
    """Not where both count columns, but other ones."""
    columns = _counted_columns(analyst), _counted_columns(gold)
    return columns[0] == columns[1] or not (columns[0] and columns[1])


def _one_is_distinct(analyst: exp.Expr, gold: exp.Expr) -> bool:
    count = [sum(1 for _ in node.find_all(exp.Distinct)) for node in (analyst, gold)]
    return count[0] != count[1]


_ONLY_IF: dict[Cause, Callable[[exp.Expr, exp.Expr], bool]] = {
    Cause.UNIT_SCALE: _is_unit,
    Cause.NULL_HANDLING: _one_counts_rows,
    Cause.MISSING_DISTINCT: _one_is_distinct,
}
"""What must hold beside for a reduction to tell the cause."""


def _condition_cause(analyst: exp.Expr, gold: exp.Expr, times: Times) -> Cause:
    kinds = set()
    texts = [
        {expression_text(c): c for c in _conditions(simple_expression(node))}
        for node in (analyst, gold)
    ]
    for text in texts[0].keys() ^ texts[1].keys():
        kinds.add(condition_kind((texts[0].get(text) or texts[1][text]), times))
    return Cause.WRONG_TIME_WINDOW if kinds == {"time"} else Cause.WRONG_FILTER


def _conditions(node: exp.Expr) -> list[exp.Expr]:
    found = [f.expression.this for f in node.find_all(exp.Filter)]
    found += [i.this for case in node.find_all(exp.Case) for i in case.args["ifs"]]
    return [part for c in found for part in (c.flatten() if isinstance(c, exp.And) else [c])]


def _by_parts(analyst: exp.Expr, gold: exp.Expr) -> tuple[Cause, ...]:
    if not has_aggregate(analyst) and not has_aggregate(gold):
        return (Cause.WRONG_COLUMN,)
    names = [sorted(type(f).__name__ for f in n.find_all(exp.AggFunc)) for n in (analyst, gold)]
    columns = [{c.sql() for c in n.find_all(exp.Column)} for n in (analyst, gold)]
    if names[0] == names[1]:
        if columns[0] != columns[1] or len(names[0]) == 1:
            return (Cause.WRONG_COLUMN,)
        return (Cause.WRONG_AGGREGATION,)
    if (
        columns[0]
        and columns[1]
        and columns[0].isdisjoint(columns[1])
        and _both_simple(analyst, gold)
    ):
        return (Cause.WRONG_AGGREGATION, Cause.WRONG_COLUMN)
    return (Cause.WRONG_AGGREGATION,)


def _both_simple(*nodes: exp.Expr) -> bool:
    """Whether each is one aggregate of one column."""
    return all(isinstance(n, exp.AggFunc) and isinstance(n.this, exp.Column) for n in nodes)
