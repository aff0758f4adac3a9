"""A repair in words, and the name of what it repairs."""

from collections.abc import Callable

from goldsuite.diagnosis.counterfactual.atoms import Atom, AtomKind
from goldsuite.diagnosis.counterfactual.fragments import Fragments
from goldsuite.diagnosis.counterfactual.merged import SlotKind
from goldsuite.diagnosis.counterfactual.plan import tables_of
from goldsuite.diagnosis.wording import fragment

__all__ = ["Edits"]


class Edits:
    """Words for the atoms of one merged query."""

    def __init__(self, fragments: Fragments) -> None:
        self._fragments = fragments
        self._words: dict[AtomKind, Callable[[Atom], str]] = {
            AtomKind.SWAP: self._swap,
            AtomKind.EXTRA_JOIN: self._extra_join,
            AtomKind.MISSING_JOIN: self._missing_join,
            AtomKind.SEMI_JOIN: self._semi_join,
            AtomKind.OPENED: self._opened,
            AtomKind.JOIN: self._join,
            AtomKind.TIME: lambda atom: self._conditions(atom, "the time window"),
            AtomKind.FILTER: lambda atom: self._conditions(atom, "the filter"),
            AtomKind.HAVING: lambda atom: self._conditions(atom, "the condition on groups"),
            AtomKind.GRAIN: self._grain,
            AtomKind.LEVELS: self._levels,
            AtomKind.MEASURE: lambda atom: self._exchange(atom, "Compute"),
            AtomKind.COLUMN: lambda atom: self._exchange(atom, "Return"),
            AtomKind.DISTINCT: self._distinct,
            AtomKind.TAIL: self._tail,
            AtomKind.OPERATOR: self._operator,
            AtomKind.WHOLE: self._whole,
        }

    def sentence(self, atom: Atom) -> str:
        """What to do, as a whole sentence."""
        return f"{self._words[atom.kind](atom)}."

    def _sides(self, atom: Atom) -> tuple[str, str]:
        first = [s for s in atom.slots if s.kind is not SlotKind.TIE] or list(atom.slots)
        texts = [
            " AND ".join(t for s in first if (t := self._fragments.of_slot(s, gold=gold)))
            for gold in (False, True)
        ]
        return texts[0], texts[1]

    def _exchange(self, atom: Atom, verb: str) -> str:
        slot = atom.slots[0]
        ours, theirs = (self._fragments.of_slot(slot, gold=gold) for gold in (False, True))
        if not theirs:
            return f"Leave out {fragment(ours)}"
        return f"{verb} {fragment(theirs)}" + (f" in place of {fragment(ours)}" if ours else "")

    def _conditions(self, atom: Atom, what: str) -> str:
        ours, theirs = self._sides(atom)
        if not ours:
            return f"Add {what} {fragment(theirs)}"
        if not theirs:
            return f"Drop {what} {fragment(ours)}"
        return f"Put {what} {fragment(theirs)} in place of {fragment(ours)}"

    def _sources(self, atom: Atom, *, gold: bool) -> str:
        sides = [
            slot.gold if gold else slot.analyst
            for slot in atom.slots
            if slot.kind is SlotKind.SOURCE
        ]
        names = [self._fragments.source(side) for side in sides if side is not None]
        return ", ".join(fragment(name) for name in dict.fromkeys(names))

    def _swap(self, atom: Atom) -> str:
        slot = atom.slots[0]
        ours, theirs = self._fragments.source(slot.analyst), self._fragments.source(slot.gold)
        return f"Read {fragment(theirs)} in place of {fragment(ours)}"

    def _extra_join(self, atom: Atom) -> str:
        return f"Drop the join to {self._sources(atom, gold=False)}"

    def _missing_join(self, atom: Atom) -> str:
        return f"Join {self._sources(atom, gold=True)}"

    def _semi_join(self, atom: Atom) -> str:
        first = atom.slots[0]
        if first.kind is SlotKind.SOURCE:
            derived = self._fragments.source(first.gold)
            return f"Drop the join to {self._sources(atom, gold=False)} and join {derived}"
        condition = fragment(self._fragments.of_slot(first, gold=True))
        return f"Drop the join to {self._sources(atom, gold=False)} and use {condition}"

    def _opened(self, atom: Atom) -> str:
        ours = self._fragments.of_slot(atom.slots[0], gold=False)
        instead = f" in place of {fragment(ours)}" if ours else ""
        return f"Join {self._sources(atom, gold=True)}{instead}"

    def _join(self, atom: Atom) -> str:
        slot = atom.slots[0]
        if slot.kind is SlotKind.TIE:
            ours, theirs = (self._fragments.of_slot(slot, gold=gold) for gold in (False, True))
            if not theirs:
                return f"Do not tie the tables by {fragment(ours)}"
            return f"Join by {fragment(theirs)}" + (
                f" in place of {fragment(ours)}" if ours else ""
            )
        name = fragment(self._fragments.source(slot.gold))
        ours, theirs = ((side.side or "inner") for side in slot.pair)
        if ours != theirs:
            return f"Join {name} by a {theirs} join in place of the {ours} join"
        conditions = fragment(self._fragments.conditions(slot.pair[1].on, gold=True))
        return f"Join {name} on {conditions}"

    def _grain(self, atom: Atom) -> str:
        keys = [
            ", ".join(self._fragments.texts(s, gold=gold))
            for gold, s in ((False, atom.slots[0].analyst), (True, atom.slots[0].gold))
        ]
        if not keys[1]:
            return f"Do not group by {fragment(keys[0])}"
        return f"Group by {fragment(keys[1])}" + (
            f" in place of {fragment(keys[0])}" if keys[0] else ""
        )

    def _levels(self, atom: Atom) -> str:
        group = next(slot for slot in atom.slots if slot.kind is SlotKind.GROUP)
        keys = ", ".join(self._fragments.texts(group.gold, gold=True))
        if keys:
            return f"First compute one row for each {fragment(keys)}, then aggregate these rows"
        return "Aggregate the rows themselves, not the results of a level below"

    def _distinct(self, atom: Atom) -> str:
        return "Use `SELECT DISTINCT`" if atom.slots[0].gold is not None else "Leave out `DISTINCT`"

    def _tail(self, atom: Atom) -> str:
        slot = atom.slots[0]
        texts = []
        for gold, tail in ((False, slot.pair[0]), (True, slot.pair[1])):
            order = ", ".join(self._fragments.texts(tail, gold=gold))
            ends = [e.sql().strip() for e in (tail.limit, tail.offset) if e is not None]
            texts.append(" ".join([*([f"ORDER BY {order}"] if order else []), *ends]))
        ours, theirs = texts
        if not theirs:
            return f"Leave out {fragment(ours)}"
        return f"Use {fragment(theirs)}" + (f" in place of {fragment(ours)}" if ours else "")

    def _operator(self, atom: Atom) -> str:
        names = [
            o.kind.__name__.upper() + ("" if o.distinct else " ALL") for o in atom.slots[0].pair
        ]
        return f"Combine by {fragment(names[1])} in place of {fragment(names[0])}"

    def _whole(self, atom: Atom) -> str:
        sides = [sorted(tables_of(side)) for side in atom.slots[0].pair]
        tables = [", ".join(map(fragment, side)) or "no table" for side in sides]
        part = "this part of the query" if atom.inner else "the query"
        return f"Write {part} over {tables[1]} as the gold does; the analyst's is over {tables[0]}"
