"""Fills the slots of a merged query: a chosen set from the gold, the others from the analyst."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from goldsuite.diagnosis.counterfactual.merged import (
    Chain,
    Merged,
    MergedSelect,
    MergedSet,
    Slot,
    SourceSlot,
)
from goldsuite.diagnosis.counterfactual.plan import (
    Condition,
    Part,
    Plan,
    Projection,
    SelectPlan,
    SetPlan,
    Source,
    Tail,
)

__all__ = ["Taken", "fill", "fill_select", "pick"]

Taken = AbstractSet[int]
"""Numbers of the slots that hold the gold's part."""

Fragment = TypeVar("Fragment")


def pick(slot: Slot[Fragment], taken: Taken) -> Fragment | None:
    """What the slot holds."""
    return slot.gold if slot.number in taken else slot.analyst


def fill(merged: Merged, taken: Taken) -> Plan:
    """The query with those slots from the gold."""
    if isinstance(merged, MergedSelect):
        return fill_select(merged, taken)
    if isinstance(merged, MergedSet):
        operator = pick(merged.operator, taken)
        assert operator is not None  # noqa: S101 - both sides are set operations
        return SetPlan(
            operator=operator.kind,
            distinct=operator.distinct,
            left=fill(merged.left, taken),
            right=fill(merged.right, taken),
            tail=pick(merged.tail, taken) or Tail(),
        )
    if isinstance(merged, Chain):
        shells: tuple[SelectPlan, ...] = pick(merged.shell, taken) or ()
        return _around(shells, fill_select(merged.core, taken))
    plan = pick(merged.slot, taken)
    assert plan is not None  # noqa: S101 - both sides are queries
    return plan


def _around(shells: Sequence[SelectPlan], core: SelectPlan) -> Plan:
    plan = core
    for shell in reversed(shells):
        source = Source(alias=shell.sources[0].alias, plan=plan)
        plan = _replace(shell, sources=[source])
    return plan


def _replace(plan: SelectPlan, *, sources: list[Source]) -> SelectPlan:
    return SelectPlan(
        sources=sources,
        conditions=plan.conditions,
        group=plan.group,
        group_node=plan.group_node,
        having=plan.having,
        qualify=plan.qualify,
        projections=plan.projections,
        distinct=plan.distinct,
        tail=plan.tail,
    )


def fill_select(merged: MergedSelect, taken: Taken) -> SelectPlan:
    """One SELECT with those slots from the gold."""
    group = pick(merged.group, taken)
    if merged.columns is not None:
        projections = list(pick(merged.columns, taken) or ())
    else:
        projections = list(_projections(merged.projections, taken))
    return SelectPlan(
        sources=list(_sources(merged.sources, taken)),
        conditions=list(_conditions(merged.conditions, taken)),
        group=list(group.parts) if group is not None else [],
        group_node=group.node if group is not None else None,
        having=list(_conditions(merged.having, taken)),
        qualify=list(_conditions(merged.qualify, taken)),
        projections=projections,
        distinct=pick(merged.distinct, taken),
        tail=pick(merged.tail, taken) or Tail(),
    )


def _sources(slots: Iterable[SourceSlot], taken: Taken) -> Iterator[Source]:
    for source_slot in slots:
        source = pick(source_slot.slot, taken)
        if source is None:
            continue
        plan = fill(source_slot.nested, taken) if source_slot.nested is not None else source.plan
        yield Source(
            alias=source_slot.alias, node=source.node, plan=plan, side=source.side, on=source.on
        )


def _projections(slots: Iterable[Slot[Projection]], taken: Taken) -> Iterator[Projection]:
    for slot in slots:
        projection = pick(slot, taken)
        if projection is not None:
            yield Projection(name=projection.name, part=_part(projection.part, slot.nested, taken))


def _conditions(slots: Iterable[Slot[list[Condition]]], taken: Taken) -> Iterator[Condition]:
    for slot in slots:
        for condition in pick(slot, taken) or ():
            part = _part(condition.part, slot.nested, taken)
            yield Condition(part=part, kind=condition.kind, text=condition.text)


def _part(part: Part, nested: Sequence[Merged], taken: Taken) -> Part:
    if not nested:
        return part
    return Part(node=part.node, holes=tuple(fill(merged, taken) for merged in nested))
