"""Which cause each repaired difference is."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.atoms import Atom, AtomKind
from goldsuite.diagnosis.counterfactual.experiment import Trial
from goldsuite.diagnosis.counterfactual.filter_causes import filter_cause
from goldsuite.diagnosis.counterfactual.measure_causes import measure_causes
from goldsuite.diagnosis.counterfactual.merged import (
    Merged,
    MergedSelect,
)
from goldsuite.diagnosis.counterfactual.plan import Source, tables_of
from goldsuite.diagnosis.counterfactual.probes import Probes, Repetition
from goldsuite.diagnosis.counterfactual.reading import Times
from goldsuite.diagnosis.counterfactual.walking import all_slots, selects
from goldsuite.model.diagnosis import Cause

__all__ = ["Named", "Namer"]

_JOINS = frozenset(
    {AtomKind.EXTRA_JOIN, AtomKind.SEMI_JOIN, AtomKind.JOIN, AtomKind.DISTINCT, AtomKind.MEASURE}
)
_PLAIN: dict[AtomKind, Cause] = {
    AtomKind.SWAP: Cause.WRONG_SOURCE,
    AtomKind.EXTRA_JOIN: Cause.WRONG_JOIN,
    AtomKind.MISSING_JOIN: Cause.WRONG_JOIN,
    AtomKind.SEMI_JOIN: Cause.WRONG_JOIN,
    AtomKind.OPENED: Cause.WRONG_JOIN,
    AtomKind.JOIN: Cause.WRONG_JOIN,
    AtomKind.TIME: Cause.WRONG_TIME_WINDOW,
    AtomKind.GRAIN: Cause.WRONG_GRAIN,
    AtomKind.LEVELS: Cause.WRONG_GRAIN,
    AtomKind.COLUMN: Cause.WRONG_COLUMN,
    AtomKind.DISTINCT: Cause.MISSING_DISTINCT,
    AtomKind.TAIL: Cause.WRONG_ORDER_LIMIT,
}
"""The cause where nothing more is known of the difference than its kind."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """One difference of a repair and what it is."""

    atom: Atom
    cause: Cause
    repetition: tuple[Repetition, Repetition | None] | None = None
    """The analyst's and the gold's, where a probe proved the cause."""


class Namer:
    """Names the differences of one merged query."""

    def __init__(self, merged: Merged, *, probes: Probes, times: Times) -> None:
        self._merged = merged
        self._probes = probes
        self._times = times
        self._all = frozenset(slot.number for slot in all_slots(merged))
        self._rules: dict[AtomKind, Callable[[Atom], Cause]] = {
            AtomKind.FILTER: self._filter,
            AtomKind.HAVING: self._filter,
            AtomKind.OPERATOR: _operator,
            AtomKind.WHOLE: _whole,
        }

    def name(self, trial: Trial) -> tuple[Named, ...]:
        """Each difference of the repair."""
        suspect = self._suspect_gold(trial)
        if suspect is not None:
            return (suspect,)
        return tuple(named for atom in trial.atoms for named in self._name(atom))

    def _name(self, atom: Atom) -> tuple[Named, ...]:
        repetition = self._fan_out(atom) if atom.kind in _JOINS else None
        if repetition is not None:
            proven = Named(atom=atom, cause=Cause.FAN_OUT, repetition=repetition)
            if atom.kind is not AtomKind.MEASURE:
                return (proven,)
            rest = [c for c in self._measure(atom) if c is not Cause.MISSING_DISTINCT]
            return (proven, *(Named(atom=atom, cause=cause) for cause in rest))
        if atom.kind is AtomKind.MEASURE:
            return tuple(Named(atom=atom, cause=cause) for cause in self._measure(atom))
        rule = self._rules.get(atom.kind)
        return (Named(atom=atom, cause=rule(atom) if rule else _PLAIN[atom.kind]),)

    def _filter(self, atom: Atom) -> Cause:
        ours = [c for s in atom.slots for c in s.analyst or ()]
        theirs = [c for s in atom.slots for c in s.gold or ()]
        return filter_cause(ours, theirs, atom.select)

    def _measure(self, atom: Atom) -> tuple[Cause, ...]:
        return measure_causes(*atom.slots[0].pair, self._times)

    def _fan_out(self, atom: Atom) -> tuple[Repetition, Repetition | None] | None:
        """Proof that the analyst's joins repeat what its aggregate counts, more than the gold's."""
        if atom.kind is AtomKind.JOIN and not _ties_differ(atom):
            return None  # rows that are kept or lost, none that are repeated
        select = self._aggregating(atom)
        if select is None or (atom.kind is AtomKind.MEASURE and not self._loses_distinct(atom)):
            return None
        found = self._probes.analyst(select, frozenset())
        if found is None or not found.repeats:
            return None
        # Against a gold that counts distinct values its own repetitions are harmless.
        if atom.kind is AtomKind.MEASURE:
            return (found, None) if self._counts_key(atom, found) else None
        gold = self._probes.gold(select, self._all, found.alias)
        if gold is not None and gold.ratio >= found.ratio:
            return None
        return found, gold

    def _loses_distinct(self, atom: Atom) -> bool:
        return Cause.MISSING_DISTINCT in self._measure(atom) and atom.slots[0].gold is not None

    def _counts_key(self, atom: Atom, found: Repetition) -> bool:
        """Whether what the gold counts once is the row itself, which only a join can repeat."""
        columns = atom.slots[0].pair[1].part.node.find_all(exp.Column)
        return {c.name.lower() for c in columns} == {name.lower() for name in found.key}

    def _aggregating(self, atom: Atom) -> MergedSelect | None:
        """The SELECT whose aggregate the rows of the atom's own SELECT reach."""
        if atom.select is None:
            return None
        if atom.select.plans[0].aggregates or not atom.inner:
            return atom.select
        for select in selects(self._merged):
            if any(source.nested is atom.select for source in select.sources):
                return select
        return None if atom.kind is AtomKind.DISTINCT else atom.select

    def _suspect_gold(self, trial: Trial) -> Named | None:
        """The gold's own joins repeat what it measures, and the analyst's do not."""
        for atom in trial.atoms:
            brings = atom.kind in (AtomKind.OPENED, AtomKind.MISSING_JOIN, AtomKind.FILTER)
            if not brings or atom.select is None or not _joins_more(atom.select, trial):
                continue
            select = atom.select
            gold = (
                self._probes.gold_measured(select, self._all)
                if atom.kind is AtomKind.OPENED
                else self._probes.gold_itself(select, self._all)
            )
            if gold is None or not gold.repeats:
                continue
            ours = self._probes.gold(select, frozenset(), gold.alias)
            if ours is None or not ours.repeats:
                return Named(atom=atom, cause=Cause.SUSPECT_GOLD, repetition=(gold, ours))
        return None


def _ties_differ(atom: Atom) -> bool:
    """Whether a source is tied by other columns, wherever the ties are written."""
    sides: list[set[str]] = [set(), set()]
    for slot in atom.slots:
        for texts, held in zip(sides, (slot.analyst, slot.gold), strict=True):
            conditions = held.on if isinstance(held, Source) else held or ()
            texts.update(c.text for c in conditions if c.kind == "tie")
    return sides[0] != sides[1]


def _joins_more(select: MergedSelect, trial: Trial) -> bool:
    return any(s.slot.analyst is None and s.slot.number in trial.taken for s in select.sources)


def _operator(atom: Atom) -> Cause:
    ours, theirs = atom.slots[0].pair
    return Cause.MISSING_DISTINCT if ours.kind is theirs.kind else Cause.WRONG_FILTER


def _whole(atom: Atom) -> Cause:
    ours, theirs = (tables_of(side) for side in atom.slots[0].pair)
    return Cause.WRONG_SOURCE if ours != theirs else Cause.UNCLASSIFIED
