"""One name for what exactly is wrong, the same for every failure of that root."""

from goldsuite.diagnosis.counterfactual.atoms import Atom, AtomKind
from goldsuite.diagnosis.counterfactual.fragments import Fragments
from goldsuite.diagnosis.counterfactual.merged import SlotKind
from goldsuite.diagnosis.counterfactual.naming import Named
from goldsuite.diagnosis.counterfactual.plan import refers_to
from goldsuite.diagnosis.counterfactual.walking import parts_in
from goldsuite.diagnosis.drift import Undefined
from goldsuite.model.diagnosis import Cause

__all__ = ["root_of"]


def root_of(cause: Cause, named: Named, fragments: Fragments, undefined: Undefined | None) -> str:
    """`cause: what`, with tables in place of aliases and without the values of a window."""
    if cause is Cause.UNDEFINED_METRIC_DRIFT and undefined is not None and undefined.name:
        return f"{cause}: {undefined.name}"
    if named.repetition is not None:
        found = named.repetition[0]
        others = ", ".join(_sources(named.atom, fragments)) or "a join"
        return f"{cause}: {found.table} repeated by {others}"
    return f"{cause}: {_what(named.atom, fragments)}"


def _what(atom: Atom, fragments: Fragments) -> str:
    slot = atom.slots[0]
    if atom.kind is AtomKind.TIME:
        columns = [
            sorted({name for part in parts_in(side) for _, name in refers_to(part)})
            for side in (slot.analyst, slot.gold)
        ]
        ours, theirs = (", ".join(side) or "none" for side in columns)
        return f"window on {theirs}" + (f" instead of {ours}" if ours != theirs else "")
    if atom.kind is AtomKind.SWAP:
        return f"{fragments.source(slot.analyst)} instead of {fragments.source(slot.gold)}"
    sources = _sources(atom, fragments)
    if sources:
        return f"{atom.kind} {', '.join(sources)}"
    theirs, ours = (fragments.of_slot(slot, gold=gold) for gold in (True, False))
    return f"needs {theirs}" if theirs else f"without {ours}" if ours else atom.kind.value


def _sources(atom: Atom, fragments: Fragments) -> list[str]:
    sides = [s.gold or s.analyst for s in atom.slots if s.kind is SlotKind.SOURCE]
    return list(dict.fromkeys(fragments.source(side) for side in sides))
