"""What else changes when a part is taken from the gold, so that the query still makes sense.

A predicate brings the join that hosts it; a join that goes takes along what names it; another
source takes along whatever it has no column for. None of that is a cause of its own.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from goldsuite.diagnosis.counterfactual.filling import fill, pick
from goldsuite.diagnosis.counterfactual.merged import (
    Chain,
    Merged,
    MergedSelect,
    Slot,
    SlotKind,
    SourceSlot,
)
from goldsuite.diagnosis.counterfactual.plan import refers_to
from goldsuite.diagnosis.counterfactual.walking import (
    chains,
    output_columns,
    parts_in,
    selects,
    slots_of,
    source_slots,
)
from goldsuite.sqltext.measures import has_aggregate

__all__ = ["ColumnsOf", "Consequences", "is_swap", "plain_projections"]

ColumnsOf = Callable[[str], Collection[str] | None]
"""The columns of a table; None where the table is not known."""

_MAX_ROUNDS = 200


class _ImpossibleError(Exception):
    """No query makes sense with exactly these parts."""


def is_swap(source: SourceSlot) -> bool:
    """Whether another table stands in the gold's place."""
    ours, theirs = source.slot.analyst, source.slot.gold
    if ours is None or theirs is None or source.nested is not None:
        return False
    return ours.table != theirs.table or ours.plan is not None


class Consequences:
    """Completes choices of slots for one merged query."""

    def __init__(self, merged: Merged, columns_of: ColumnsOf) -> None:
        self._merged = merged
        self._columns_of = columns_of
        self._selects = tuple(selects(merged))
        self._chains = tuple(chains(merged))
        self._sources = source_slots(merged)
        self._references: dict[tuple[int, bool], frozenset[tuple[str, str]]] = {}

    def complete(self, chosen: Collection[int]) -> frozenset[int] | None:
        """`chosen` and all that follows from it; None where no query makes sense so."""
        taken = set(chosen)
        try:
            for _ in range(_MAX_ROUNDS):
                before = len(taken)
                for select in self._selects:
                    self._complete_select(select, taken)
                for chain in self._chains:
                    _keep_levels(chain, taken)
                if len(taken) == before:
                    return frozenset(taken)
        except _ImpossibleError:
            return None
        return None

    def _complete_select(self, select: MergedSelect, taken: set[int]) -> None:
        for source in select.sources:
            if source.slot.number in taken:
                self._complete_source(source, select, taken)
            self._check(source.slot, taken)
        self._drop_loose(select, taken)
        for slot in slots_of(select):
            self._check(slot, taken)
        _keep_grouping(select, taken)

    def _complete_source(self, source: SourceSlot, select: MergedSelect, taken: set[int]) -> None:
        if source.slot.analyst is None:
            self._tie(source, select, taken)
        elif is_swap(source):
            self._follow_swap(source, select, taken)

    def _tie(self, source: SourceSlot, select: MergedSelect, taken: set[int]) -> None:
        """A source that came in brings its ties to what is there, or who ties it."""
        ties = [
            slot
            for slot in select.conditions
            if slot.kind is SlotKind.TIE and source.alias in self._aliases(slot, gold=True)
        ]
        near = [t for t in ties if self._all_there(t, taken, gold=True)]
        taken.update(slot.number for slot in near)
        if not near and ties and pick(source.slot, taken).side == "":  # type: ignore[union-attr]
            for alias in self._aliases(ties[0], gold=True):
                if pick(self._sources[alias].slot, taken) is None:
                    taken.add(self._sources[alias].slot.number)

    def _all_there(self, slot: Slot[Any], taken: set[int], *, gold: bool) -> bool:
        return all(
            pick(self._sources[alias].slot, taken) is not None
            for alias in self._aliases(slot, gold=gold)
            if alias in self._sources
        )

    def _follow_swap(self, source: SourceSlot, select: MergedSelect, taken: set[int]) -> None:
        """What the analyst's table has no column for could not have been asked of it."""
        had = self._columns(source, frozenset())
        if had is None:
            return
        unreachable = {
            alias
            for slot in select.conditions
            if slot.kind is SlotKind.TIE and slot.analyst is None
            for alias in self._aliases(slot, gold=True)
            if self._lacks(slot, source.alias, had)
            and alias in self._sources
            and self._sources[alias].slot.analyst is None
        }
        for slot in select.conditions:
            if slot.analyst is not None:
                continue
            mentions = self._aliases(slot, gold=True)
            if self._lacks(slot, source.alias, had) or mentions & unreachable:
                taken.add(slot.number)
        taken.update(self._sources[alias].slot.number for alias in sorted(unreachable))

    def _lacks(self, slot: Slot[Any], alias: str, had: Collection[str]) -> bool:
        wanted = {c.lower() for a, c in self._refers(slot, gold=True) if a == alias}
        return bool(wanted - {column.lower() for column in had})

    def _drop_loose(self, select: MergedSelect, taken: set[int]) -> None:
        """Sources that only hung on one that went, go with it."""
        gone = [s for s in select.sources if s.slot.number in taken and s.slot.gold is None]
        if not gone:
            return
        there = {s.alias for s in select.sources if pick(s.slot, taken) is not None}
        extra = {s.alias: s for s in select.sources if s.slot.gold is None}
        links = [
            self._aliases(slot, gold=False)
            for slot in select.conditions
            if slot.kind is SlotKind.TIE and slot.analyst is not None
        ]
        links += [
            frozenset({s.alias, *(a for a, _ in self._refers(s.slot, gold=False))})
            for s in select.sources
            if s.slot.analyst is not None and s.slot.analyst.on
        ]
        reached = there - extra.keys()
        grown = True
        while grown:
            more = {a for link in links if link <= there and link & reached for a in link}
            grown = bool(more - reached)
            reached |= more
        linked = {alias for link in links for alias in link}
        for alias in sorted((there & extra.keys() & linked) - reached):
            taken.add(extra[alias].slot.number)

    def _check(self, slot: Slot[Any], taken: set[int]) -> None:
        """Everything that the slot names must be there."""
        for alias, column in sorted(self._refers(slot, gold=slot.number in taken)):
            source = self._sources.get(alias)
            if source is None:
                continue
            columns = self._columns(source, taken)
            there = pick(source.slot, taken) is not None
            if there and (columns is None or column.lower() in columns):
                continue
            if slot.number not in taken:
                taken.add(slot.number)
            elif slot.number == source.slot.number:
                raise _ImpossibleError
            else:
                self._provide(source, column, taken)
            return

    def _provide(self, source: SourceSlot, column: str, taken: set[int]) -> None:
        """Make room for what the gold's part names."""
        if source.slot.number not in taken and source.slot.analyst is None:
            taken.add(source.slot.number)
            return
        nested = source.nested
        if isinstance(nested, MergedSelect):
            for slot in nested.projections:
                missing = slot.gold is not None and slot.gold.name.lower() == column.lower()
                if missing and slot.number not in taken:
                    taken.add(slot.number)
                    return
        raise _ImpossibleError

    def _columns(self, source: SourceSlot, taken: Collection[int]) -> Collection[str] | None:
        if source.nested is not None:
            plan = fill(source.nested, frozenset(taken))
            return {name.lower() for name in output_columns(plan)}
        chosen = source.slot.gold if source.slot.number in taken else source.slot.analyst
        if chosen is None:
            return set()
        if chosen.plan is not None:
            return {name.lower() for name in output_columns(chosen.plan)}
        if chosen.table is None:
            return None
        found = self._columns_of(chosen.table)
        return None if found is None else {name.lower() for name in found}

    def _aliases(self, slot: Slot[Any], *, gold: bool) -> frozenset[str]:
        return frozenset(a for a, _ in self._refers(slot, gold=gold) if a in self._sources)

    def _refers(self, slot: Slot[Any], *, gold: bool) -> frozenset[tuple[str, str]]:
        key = slot.number, gold
        if key not in self._references:
            fragment = slot.gold if gold else slot.analyst
            found = frozenset(r for part in parts_in(fragment) for r in refers_to(part))
            if slot.nested:  # what is named inside is looked after at its own level
                inner = {a for a, _ in found if a in self._inside(slot)}
                found = frozenset(r for r in found if r[0] not in inner)
            self._references[key] = found
        return self._references[key]

    def _inside(self, slot: Slot[Any]) -> set[str]:
        return {alias for nested in slot.nested for alias in source_slots(nested)}


def _keep_levels(chain: Chain, taken: set[int]) -> None:
    """The levels go together with what the innermost query gives them."""
    core = chain.core
    given: list[Slot[Any]] = [s for s in (core.group, core.distinct, core.tail) if not s.equal]
    if core.columns is not None:
        given.append(core.columns)
    numbers = {chain.shell.number, *(slot.number for slot in given)}
    swapped = any(is_swap(s) and s.slot.number in taken for s in core.sources)
    if numbers & taken or swapped:
        taken |= numbers
        taken |= {slot.number for slot in core.having}


def plain_projections(select: MergedSelect) -> Iterator[Slot[Any]]:
    """Unequal output columns that are no aggregates on both sides."""
    for slot in select.projections:
        sides = [p for p in (slot.analyst, slot.gold) if p is not None]
        if not slot.equal and not any(has_aggregate(p.part.node) for p in sides):
            yield slot


def _keep_grouping(select: MergedSelect, taken: set[int]) -> None:
    """What is grouped by is what stands beside the aggregates."""
    if select.group.equal or select.columns is not None:
        return
    plain = {slot.number for slot in plain_projections(select)}
    if select.group.number in taken:
        taken |= plain
    elif plain & taken:
        taken.add(select.group.number)
