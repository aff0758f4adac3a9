"""Which of the analyst's conditions stands in place of which of the gold's."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.plan import Condition, refers_to, tables_of
from goldsuite.diagnosis.counterfactual.text import expression_text
from goldsuite.sqltext.conditions import plain

__all__ = ["Paired", "pair_filters"]

Paired: TypeAlias = tuple[list[Condition], list[Condition], bool]
"""The analyst's, the gold's, and whether they say the same."""


def pair_filters(
    analyst: Sequence[Condition], gold: Sequence[Condition], *, ties: Sequence[Condition]
) -> list[Paired]:
    """Every condition once: equal ones, then those on the same columns, then those alone."""
    ours, theirs = list(analyst), list(gold)
    found = _take(ours, theirs, lambda a, g: a.text == g.text, same=True)
    # Of two columns that a join makes equal either may be filtered.
    same = _equal_columns(ties)
    found += _take(ours, theirs, lambda a, g: _by(a, same) == _by(g, same), same=True)
    found += _alternatives(ours, theirs)
    found += _take(ours, theirs, _compares_alike, same=False)
    found += _take(ours, theirs, _reads_alike, same=False)
    return [
        *found,
        *(([], [condition], False) for condition in theirs),
        *(([condition], [], False) for condition in ours),
    ]


def _take(
    ours: list[Condition],
    theirs: list[Condition],
    alike: Callable[[Condition, Condition], bool],
    *,
    same: bool,
) -> list[Paired]:
    found: list[Paired] = []
    for condition in list(theirs):
        partner = next((c for c in ours if alike(c, condition)), None)
        if partner is not None:
            ours.remove(partner)
            theirs.remove(condition)
            found.append(([partner], [condition], same))
    return found


def _alternatives(ours: list[Condition], theirs: list[Condition]) -> list[Paired]:
    """An OR over several columns stands for all conditions on these columns at once."""
    found: list[Paired] = []
    for mine, others, flipped in ((ours, theirs, False), (theirs, ours, True)):
        for condition in list(mine):
            columns = refers_to(condition.part)
            if not isinstance(plain(condition.part.node), exp.Or) or len(columns) < 2:
                continue
            covered = [c for c in others if refers_to(c.part) and refers_to(c.part) <= columns]
            if not covered:
                continue
            mine.remove(condition)
            for other in covered:
                others.remove(other)
            found.append(
                (covered, [condition], False) if flipped else ([condition], covered, False)
            )
    return found


def _compares_alike(ours: Condition, theirs: Condition) -> bool:
    """The same columns, and subqueries over the same tables."""
    columns = _own_columns(ours), _own_columns(theirs)
    tables = [sorted(t for h in c.part.holes for t in tables_of(h)) for c in (ours, theirs)]
    if any(tables):
        return tables[0] == tables[1]
    return columns[0] == columns[1] and bool(columns[0])


def _reads_alike(ours: Condition, theirs: Condition) -> bool:
    """Without subqueries: at least one column is the same, and neither has one of its own only."""
    if ours.part.holes or theirs.part.holes:
        return False
    mine, others = _own_columns(ours), _own_columns(theirs)
    return bool(mine and others) and (mine <= others or others <= mine)


def _own_columns(condition: Condition) -> frozenset[tuple[str, str]]:
    return frozenset((c.table, c.name) for c in condition.part.node.find_all(exp.Column))


def _equal_columns(ties: Sequence[Condition]) -> dict[str, str]:
    same: dict[str, str] = {}
    for tie in ties:
        left, right = plain(tie.part.node.this), plain(tie.part.node.expression)
        if isinstance(left, exp.Column) and isinstance(right, exp.Column):
            pair = sorted(same.get(c.sql(), c.sql()) for c in (left, right))
            same = {k: pair[0] if v == pair[1] else v for k, v in same.items()}
            same.update({left.sql(): pair[0], right.sql(): pair[0]})
    return same


def _by(condition: Condition, same: dict[str, str]) -> str:
    """The condition's text with one name for columns that are equal."""
    columns = {c.sql() for c in condition.part.node.find_all(exp.Column)} & same.keys()
    if not columns:
        return condition.text
    root = exp.Paren(this=condition.part.node.copy())
    for column in list(root.find_all(exp.Column)):
        if column.sql() in columns:
            column.replace(exp.to_column(same[column.sql()]))
    return expression_text(root.this)
