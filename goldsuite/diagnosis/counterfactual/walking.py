"""Visits every level of a merged query."""

from collections.abc import Iterator
from typing import Any

from goldsuite.diagnosis.counterfactual.merged import (
    Chain,
    Merged,
    MergedSelect,
    MergedSet,
    Slot,
    SourceSlot,
    Whole,
)
from goldsuite.diagnosis.counterfactual.plan import Part, Plan, Projection, SetPlan

__all__ = [
    "all_slots",
    "chains",
    "merged_below",
    "output_columns",
    "parts_in",
    "selects",
    "slots_of",
    "source_slots",
]


def merged_below(merged: Merged) -> Iterator[Merged]:
    """`merged`, and every level in it that both queries share."""
    yield merged
    if isinstance(merged, MergedSet):
        yield from merged_below(merged.left)
        yield from merged_below(merged.right)
    elif isinstance(merged, Chain):
        yield from merged_below(merged.core)
    elif isinstance(merged, MergedSelect):
        for source in merged.sources:
            if source.nested is not None:
                yield from merged_below(source.nested)
        for slot in slots_of(merged):
            for nested in slot.nested:
                yield from merged_below(nested)


def selects(merged: Merged) -> Iterator[MergedSelect]:
    """Every SELECT that both queries have."""
    return (m for m in merged_below(merged) if isinstance(m, MergedSelect))


def chains(merged: Merged) -> Iterator[Chain]:
    """Every place where the queries differ in levels."""
    return (m for m in merged_below(merged) if isinstance(m, Chain))


def slots_of(select: MergedSelect) -> Iterator[Slot[Any]]:
    """The slots of one SELECT, those of its sources left out."""
    yield from select.conditions
    yield from select.having
    yield from select.qualify
    yield select.group
    yield from select.projections
    if select.columns is not None:
        yield select.columns
    yield select.distinct
    yield select.tail


def source_slots(merged: Merged) -> dict[str, SourceSlot]:
    """Every source that stands in a slot, by its alias."""
    return {source.alias: source for select in selects(merged) for source in select.sources}


def all_slots(merged: Merged) -> Iterator[Slot[Any]]:
    """Every slot of a merged query."""
    for below in merged_below(merged):
        if isinstance(below, MergedSelect):
            yield from (source.slot for source in below.sources)
            yield from slots_of(below)
        elif isinstance(below, MergedSet):
            yield from (below.operator, below.tail)
        elif isinstance(below, Chain):
            yield below.shell
        elif isinstance(below, Whole):
            yield below.slot


def parts_in(fragment: Any) -> Iterator[Part]:
    """The expressions of what a slot holds."""
    if fragment is None:
        return
    if isinstance(fragment, Part):
        yield fragment
    elif isinstance(fragment, Projection):
        yield fragment.part
    elif isinstance(fragment, list | tuple):
        for item in fragment:
            yield from parts_in(getattr(item, "part", None))
    elif hasattr(fragment, "parts"):  # a grouping
        yield from fragment.parts
    elif hasattr(fragment, "order"):  # a tail
        yield from fragment.order
    elif hasattr(fragment, "on"):  # a source
        yield from (condition.part for condition in fragment.on)


def output_columns(plan: Plan) -> list[str]:
    """Names of the columns that a query gives."""
    while isinstance(plan, SetPlan):
        plan = plan.left
    return [projection.name for projection in plan.projections]
