"""Which source of the analyst's SELECT plays the part of which one of the gold's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.plan import (
    SelectPlan,
    Source,
    parts_of,
    refers_to,
    tables_of,
)

__all__ = ["Pair", "measured_alias", "pair_sources"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two sources in one role."""

    analyst: Source
    gold: Source
    swapped: bool
    """True where another table stands in the gold's place."""


def pair_sources(analyst: SelectPlan, gold: SelectPlan) -> list[Pair]:
    """The same tables first, the ones used most alike before others; then what was swapped."""
    scored = [
        (-score, i, j)
        for i, ours in enumerate(analyst.sources)
        for j, theirs in enumerate(gold.sources)
        if (score := _likeness(ours, analyst, theirs, gold)) > 0
    ]
    pairs: list[Pair] = []
    used: tuple[set[int], set[int]] = (set(), set())
    for _, i, j in sorted(scored):
        if i not in used[0] and j not in used[1]:
            pairs.append(Pair(analyst=analyst.sources[i], gold=gold.sources[j], swapped=False))
            used[0].add(i)
            used[1].add(j)
    ours = [s for i, s in enumerate(analyst.sources) if i not in used[0]]
    theirs = [s for j, s in enumerate(gold.sources) if j not in used[1]]
    swap = _swapped(ours, analyst, theirs, gold, alone=not pairs)
    return [*pairs, swap] if swap is not None else pairs


def measured_alias(plan: SelectPlan) -> str | None:
    """The source that the first aggregate reads; else the first one."""
    for projection in plan.projections:
        for aggregate in projection.part.node.find_all(exp.AggFunc):
            for column in aggregate.find_all(exp.Column):
                if any(column.table == source.alias for source in plan.sources):
                    return str(column.table)
    return plan.sources[0].alias if plan.sources else None


def _likeness(ours: Source, analyst: SelectPlan, theirs: Source, gold: SelectPlan) -> float:
    if ours.plan is not None and theirs.plan is not None:
        shared = _overlap(tables_of(ours.plan), tables_of(theirs.plan))
        same = _overlap(frozenset(_texts(ours)), frozenset(_texts(theirs)))
        return 50 * shared + 10 * same if shared else 0
    if ours.node is None or theirs.node is None:
        return 0
    if isinstance(ours.node, exp.Table) and isinstance(theirs.node, exp.Table):
        if [p.name for p in ours.node.parts] != [p.name for p in theirs.node.parts]:
            return 0
        used = _overlap(_columns(ours.alias, analyst), _columns(theirs.alias, gold))
        return 100 + 10 * used
    return 100 if ours.node.sql() == theirs.node.sql() else 0


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


def _columns(alias: str, plan: SelectPlan) -> frozenset[str]:
    return frozenset(name for part in parts_of(plan) for t, name in refers_to(part) if t == alias)


def _texts(source: Source) -> Iterator[str]:
    if source.plan is not None:
        yield from (part.node.sql() for part in parts_of(source.plan))


def _swapped(
    ours: Sequence[Source],
    analyst: SelectPlan,
    theirs: Sequence[Source],
    gold: SelectPlan,
    *,
    alone: bool,
) -> Pair | None:
    measured = measured_alias(analyst), measured_alias(gold)
    x = next((s for s in ours if s.alias == measured[0]), None)
    y = next((s for s in theirs if s.alias == measured[1]), None)
    if x is not None and y is not None:
        return Pair(analyst=x, gold=y, swapped=True)
    if not ours or not theirs or alone or _replaced(ours, theirs):
        return None
    if len(ours) == len(theirs) == 1 and _plays_alike(ours[0], analyst, theirs[0], gold):
        return Pair(analyst=ours[0], gold=theirs[0], swapped=True)
    return None


def _replaced(ours: Sequence[Source], theirs: Sequence[Source]) -> bool:
    """Whether the same tables are read elsewhere: below IN, or in a derived table."""
    mine = {s.table for s in ours if s.table} | {
        t for s in ours if s.plan is not None for t in tables_of(s.plan)
    }
    other = {s.table for s in theirs if s.table} | {
        t for s in theirs if s.plan is not None for t in tables_of(s.plan)
    }
    return bool(mine & other)


def _plays_alike(ours: Source, analyst: SelectPlan, theirs: Source, gold: SelectPlan) -> bool:
    """Whether both are used for something, and for at least one column of the same name."""
    used = _columns(ours.alias, analyst), _columns(theirs.alias, gold)
    return bool(used[0] & used[1])
