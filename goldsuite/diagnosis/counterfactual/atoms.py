"""The differences between two aligned queries, each as one thing that can be repaired."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.consequences import is_swap, plain_projections
from goldsuite.diagnosis.counterfactual.merged import (
    Chain,
    Merged,
    MergedSelect,
    MergedSet,
    Slot,
    SlotKind,
    SourceSlot,
    Whole,
)
from goldsuite.diagnosis.counterfactual.plan import Condition, Source, refers_to, tables_of
from goldsuite.diagnosis.counterfactual.walking import merged_below, parts_in
from goldsuite.sqltext.conditions import plain as plain_node

__all__ = ["Atom", "AtomKind", "find_atoms"]


class AtomKind(StrEnum):
    """What a difference is about."""

    SWAP = "swap"
    """Another table in the gold's place."""
    EXTRA_JOIN = "extra-join"
    MISSING_JOIN = "missing-join"
    SEMI_JOIN = "semi-join"
    """A join where the gold only asks that a row exists, or reads it through a derived table."""
    OPENED = "opened"
    """The other way round: the gold joins what the analyst only asks for."""
    JOIN = "join"
    """The same source, joined otherwise."""
    TIME = "time"
    FILTER = "filter"
    HAVING = "having"
    GRAIN = "grain"
    LEVELS = "levels"
    """Another number of levels of aggregation."""
    MEASURE = "measure"
    COLUMN = "column"
    """An output column that only one of the queries has."""
    DISTINCT = "distinct"
    TAIL = "tail"
    OPERATOR = "operator"
    WHOLE = "whole"


@dataclass(frozen=True, kw_only=True, slots=True)
class Atom:
    """One difference."""

    number: int
    kind: AtomKind
    slots: tuple[Slot[Any], ...]
    """The first one is what the difference is about."""
    select: MergedSelect | None = None
    """Where it stands; None for what is about more than one SELECT."""
    inner: bool = False
    """True below the outermost query."""

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(slot.number for slot in self.slots)


def find_atoms(merged: Merged) -> tuple[Atom, ...]:
    """Every difference once."""
    found: list[Atom] = []
    for below in merged_below(merged):
        for kind, slots, select in _atoms_at(below, outermost=_is_outermost(below, merged)):
            found.append(
                Atom(
                    number=len(found),
                    kind=kind,
                    slots=tuple(slots),
                    select=select,
                    inner=not _is_outermost(below, merged),
                )
            )
    return tuple(found)


def _is_outermost(below: Merged, root: Merged) -> bool:
    return below is root or (isinstance(root, Chain) and below is root.core)


_Found = tuple[AtomKind, list[Slot[Any]], MergedSelect | None]


def _atoms_at(merged: Merged, *, outermost: bool) -> Iterator[_Found]:
    if isinstance(merged, Whole):
        yield AtomKind.WHOLE, [merged.slot], None
    elif isinstance(merged, Chain):
        core = merged.core
        columns = [core.columns] if core.columns is not None else []
        yield AtomKind.LEVELS, [merged.shell, core.group, *columns], core
    elif isinstance(merged, MergedSet):
        if not merged.operator.equal:
            yield AtomKind.OPERATOR, [merged.operator], None
        if not merged.tail.equal:
            yield AtomKind.TAIL, [merged.tail], None
    else:
        yield from _Select(merged, outermost=outermost).atoms()


class _Select:
    def __init__(self, select: MergedSelect, *, outermost: bool) -> None:
        self._select = select
        self._outermost = outermost
        self._used: set[int] = set()

    def atoms(self) -> Iterator[_Found]:
        for kind, slots in self._all():
            fresh = [slot for slot in slots if slot.number not in self._used]
            if fresh and fresh[0] is slots[0]:
                self._used.update(slot.number for slot in fresh)
                yield kind, fresh, self._select

    def _all(self) -> Iterator[tuple[AtomKind, list[Slot[Any]]]]:
        yield from self._semi_joins()
        yield from self._sources()
        yield from self._ties()
        yield from self._alternatives()
        kinds = {SlotKind.TIME: AtomKind.TIME, SlotKind.FILTER: AtomKind.FILTER}
        for slot in self._select.conditions:
            if not slot.equal and slot.kind in kinds:
                yield kinds[slot.kind], [slot]
        for slot in (*self._select.having, *self._select.qualify):
            if not slot.equal:
                yield AtomKind.HAVING, [slot]
        if self._select.columns is None:
            yield from self._outputs()
            if not self._select.distinct.equal:
                yield AtomKind.DISTINCT, [self._select.distinct]
            if not self._select.tail.equal:
                yield AtomKind.TAIL, [self._select.tail]

    def _only(self, *, analyst: bool) -> list[SourceSlot]:
        return [
            s for s in self._select.sources if (s.slot.gold if analyst else s.slot.analyst) is None
        ]

    def _semi_joins(self) -> Iterator[tuple[AtomKind, list[Slot[Any]]]]:
        for analyst, kind in ((True, AtomKind.SEMI_JOIN), (False, AtomKind.OPENED)):
            joined = self._only(analyst=analyst)
            for slot in self._hidden(analyst=not analyst):
                hidden = _tables_in(slot.gold if analyst else slot.analyst)
                same = [s.slot for s in joined if _tables_of(s, analyst=analyst) & hidden]
                if same:
                    yield kind, [slot, *same, *self._carried(same, analyst=analyst)]

    def _carried(self, joined: list[Slot[Any]], *, analyst: bool) -> Iterator[Slot[Any]]:
        """Conditions on sources that only one of the queries joins."""
        sides = [slot.analyst if analyst else slot.gold for slot in joined]
        aliases = {source.alias for source in sides if source is not None}
        for slot in self._select.conditions:
            alone = (slot.gold if analyst else slot.analyst) is None
            if alone and slot.kind is not SlotKind.TIE and any(_names(slot, a) for a in aliases):
                yield slot

    def _hidden(self, *, analyst: bool) -> Iterator[Slot[Any]]:
        """Conditions with subqueries and derived tables that only one of the queries has."""
        for slot in self._select.conditions:
            if slot.kind is SlotKind.FILTER and (slot.gold if analyst else slot.analyst) is None:
                yield slot
        for source in self._only(analyst=analyst):
            chosen = source.slot.analyst if analyst else source.slot.gold
            if chosen is not None and chosen.plan is not None:
                yield source.slot

    def _sources(self) -> Iterator[tuple[AtomKind, list[Slot[Any]]]]:
        for source in self._select.sources:
            if source.slot.equal:
                continue
            if source.slot.gold is None:
                yield AtomKind.EXTRA_JOIN, [source.slot]
            elif source.slot.analyst is None:
                yield AtomKind.MISSING_JOIN, [source.slot]
            elif is_swap(source):
                yield AtomKind.SWAP, [source.slot]
            else:
                yield AtomKind.JOIN, [source.slot, *self._moved(source)]

    def _moved(self, source: SourceSlot) -> Iterator[Slot[Any]]:
        """Conditions that stand in ON in one of the queries and in WHERE in the other."""
        on = {
            c.text or c.part.node.sql()
            for s in (source.slot.analyst, source.slot.gold)
            if s is not None
            for c in s.on
        }
        for slot in self._select.conditions:
            conditions = [*(slot.analyst or ()), *(slot.gold or ())]
            one_sided = slot.analyst is None or slot.gold is None
            tied = slot.kind is SlotKind.TIE and not slot.equal and _names(slot, source.alias)
            if tied or (one_sided and any(_said_in(c, on) for c in conditions)):
                yield slot

    def _ties(self) -> Iterator[tuple[AtomKind, list[Slot[Any]]]]:
        both = {s.alias for s in self._select.sources if s.slot.analyst and s.slot.gold}
        for slot in self._select.conditions:
            if slot.kind is SlotKind.TIE and not slot.equal:
                named = {
                    a
                    for side in (slot.analyst, slot.gold)
                    for part in parts_in(side)
                    for a, _ in refers_to(part)
                }
                if named <= both:
                    yield AtomKind.JOIN, [slot]

    def _alternatives(self) -> Iterator[tuple[AtomKind, list[Slot[Any]]]]:
        """An OR that a window of time fell into, as a missing bracket does it."""
        times = [s for s in self._select.conditions if s.kind is SlotKind.TIME and not s.equal]
        for slot in self._select.conditions:
            for or_side, other in ((slot.analyst, "gold"), (slot.gold, "analyst")):
                if slot.kind is not SlotKind.FILTER or slot.equal or not _is_or(or_side):
                    continue
                columns = {r for part in parts_in(or_side) for r in refers_to(part)}
                within = [
                    t
                    for t in times
                    if (side := getattr(t, other)) is not None
                    and {r for part in parts_in(side) for r in refers_to(part)} <= columns
                ]
                if within:
                    yield AtomKind.FILTER, [slot, *within]

    def _outputs(self) -> Iterator[tuple[AtomKind, list[Slot[Any]]]]:
        select = self._select
        plain = list(plain_projections(select))
        if not select.group.equal:
            yield AtomKind.GRAIN, [select.group, *plain]
        elif plain and all(plan.distinct is not None for plan in select.plans):
            yield AtomKind.GRAIN, plain
        for slot in select.projections:
            if slot.equal:
                continue
            if slot.analyst is not None and slot.gold is not None:
                yield AtomKind.MEASURE, [slot]
            elif self._outermost:
                yield AtomKind.COLUMN, [slot]


def _is_or(conditions: Any) -> bool:
    return any(isinstance(plain_node(c.part.node), exp.Or) for c in conditions or ())


def _names(slot: Slot[Any], alias: str) -> bool:
    sides = (slot.analyst, slot.gold)
    return any(a == alias for s in sides for part in parts_in(s) for a, _ in refers_to(part))


def _said_in(condition: Condition, texts: set[str]) -> bool:
    return condition.text in texts or condition.part.node.sql() in texts


def _tables_in(fragment: Any) -> frozenset[str]:
    if isinstance(fragment, Source):
        return tables_of(fragment.plan) if fragment.plan is not None else frozenset()
    holes = [hole for part in parts_in(fragment) for hole in part.holes]
    return frozenset(table for hole in holes for table in tables_of(hole))


def _tables_of(source: SourceSlot, *, analyst: bool) -> frozenset[str]:
    chosen = source.slot.analyst if analyst else source.slot.gold
    if chosen is None:
        return frozenset()
    if chosen.plan is not None:
        return tables_of(chosen.plan)
    return frozenset({chosen.table}) if chosen.table else frozenset()
