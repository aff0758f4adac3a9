"""What is wrong with a condition: what it asks, or what it makes of NULL."""

from collections.abc import Sequence

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.merged import MergedSelect
from goldsuite.diagnosis.counterfactual.plan import Condition, parts_of, tables_of
from goldsuite.diagnosis.counterfactual.text import expression_text
from goldsuite.model.diagnosis import Cause
from goldsuite.sqltext.conditions import plain

__all__ = ["filter_cause"]


def filter_cause(
    analyst: Sequence[Condition], gold: Sequence[Condition], select: MergedSelect | None
) -> Cause:
    """Conditions that stand in one place."""
    if not analyst or not gold:
        only = [*analyst, *gold]
        if only and all(_tests_null(c.part.node) for c in only) and _measures_it(only, select):
            return Cause.NULL_HANDLING
        return Cause.WRONG_FILTER
    if _excludes(analyst) and _excludes(gold) and _tables(analyst) == _tables(gold):
        return Cause.NULL_HANDLING  # NOT IN and NOT EXISTS differ in nothing else
    texts = [sorted(_without_nulls(c.part.node) for c in side) for side in (analyst, gold)]
    return Cause.NULL_HANDLING if texts[0] == texts[1] else Cause.WRONG_FILTER


def _tests_null(node: exp.Expr) -> bool:
    node = plain(node)
    while isinstance(node, exp.Not):
        node = plain(node.this)
    return isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)


def _measures_it(conditions: Sequence[Condition], select: MergedSelect | None) -> bool:
    """Whether the column that is tested is computed with or grouped by, and no flag of its own."""
    if select is None:
        return False
    tested = {c.sql() for condition in conditions for c in condition.part.node.find_all(exp.Column)}
    for plan in select.plans:
        filters = {id(condition.part) for condition in plan.conditions}
        used = {
            c.sql()
            for part in parts_of(plan)
            if id(part) not in filters
            for c in part.node.find_all(exp.Column)
        }
        if tested & used:
            return True
    return False


def _excludes(conditions: Sequence[Condition]) -> bool:
    return any(isinstance(plain(c.part.node), exp.Not) and c.part.holes for c in conditions)


def _tables(conditions: Sequence[Condition]) -> frozenset[str]:
    return frozenset(t for c in conditions for hole in c.part.holes for t in tables_of(hole))


def _without_nulls(node: exp.Expr) -> str:
    """A condition without what it says of NULL."""
    root = exp.Paren(this=node.copy())
    for distinct in list(root.find_all(exp.NullSafeEQ, exp.NullSafeNEQ)):
        kind = exp.EQ if isinstance(distinct, exp.NullSafeEQ) else exp.NEQ
        distinct.replace(kind(this=distinct.this, expression=distinct.expression))
    for found in reversed(list(root.find_all(exp.Coalesce, exp.Or, exp.And))):
        if isinstance(found, exp.Coalesce):
            found.replace(found.this)
            continue
        sides = [side for side in (found.this, found.expression) if not _tests_null(side)]
        if len(sides) == 1:
            found.replace(sides[0])
    return expression_text(plain(root.this))
