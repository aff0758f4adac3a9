"""The smallest set of repairs that turns the analyst's result into the gold's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from goldsuite.diagnosis.counterfactual.atoms import Atom, AtomKind
from goldsuite.diagnosis.counterfactual.experiment import Experiment, Trial

__all__ = ["Found", "search"]

_MAX_ATOMS = 14
"""For sets of two and more; with more differences only single ones and reduction are tried."""
_LIKELY = (
    AtomKind.SEMI_JOIN, AtomKind.SWAP, AtomKind.EXTRA_JOIN, AtomKind.FILTER, AtomKind.TIME,
    AtomKind.MEASURE, AtomKind.GRAIN, AtomKind.LEVELS, AtomKind.JOIN, AtomKind.DISTINCT,
    AtomKind.HAVING, AtomKind.OPERATOR, AtomKind.TAIL, AtomKind.OPENED, AtomKind.COLUMN,
    AtomKind.MISSING_JOIN, AtomKind.WHOLE,
)  # fmt: skip
"""Kinds in the order in which they are tried."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What came of the search."""

    trials: tuple[Trial, ...]
    """Every set of the smallest size that flips, the one that changes least first."""
    complete: bool
    """False where the budget ended before every smaller set was tried."""


def search(atoms: Sequence[Atom], experiment: Experiment, accept: Callable[[Trial], bool]) -> Found:
    """Singles, then a reduction of all atoms, then whatever is smaller than what that leaves.

    `accept` refuses a set that gives the gold's result by chance.
    """
    ordered = sorted(atoms, key=lambda atom: (_LIKELY.index(atom.kind), atom.number))
    found = _of_size(1, ordered, experiment, accept, limit=len(ordered))
    if found or not ordered:
        return Found(trials=_ranked(found), complete=not experiment.allowance.spent)
    if len(ordered) <= 4:
        return _by_size(ordered, experiment, accept, start=2)
    reduced = _reduce(ordered, experiment, accept)
    if reduced is None:
        return _by_size(ordered, experiment, accept, start=2)
    if len(reduced.atoms) <= 2 or len(ordered) > _MAX_ATOMS:
        return Found(trials=(reduced,), complete=True)
    smaller = _by_size(ordered, experiment, accept, start=2, end=len(reduced.atoms) - 1)
    if smaller.trials:
        return smaller
    return Found(trials=(reduced,), complete=smaller.complete)


def _by_size(
    atoms: Sequence[Atom],
    experiment: Experiment,
    accept: Callable[[Trial], bool],
    *,
    start: int,
    end: int | None = None,
) -> Found:
    last = len(atoms) if end is None else end
    for size in range(start, last + 1):
        found = _of_size(size, atoms, experiment, accept, limit=experiment.allowance.left)
        if found:
            return Found(trials=_ranked(found), complete=True)
        if experiment.allowance.spent:
            return Found(trials=(), complete=False)
    return Found(trials=(), complete=True)


def _of_size(
    size: int,
    atoms: Sequence[Atom],
    experiment: Experiment,
    accept: Callable[[Trial], bool],
    *,
    limit: int,
) -> list[Trial]:
    found: list[Trial] = []
    for number, chosen in enumerate(combinations(atoms, size)):
        if number >= limit and number >= len(atoms):
            break
        trial = experiment.trial(chosen)
        if trial is not None and trial.flips and accept(trial):
            found.append(trial)
    return found


def _reduce(
    atoms: Sequence[Atom], experiment: Experiment, accept: Callable[[Trial], bool]
) -> Trial | None:
    """From all atoms, leave out one after the other for as long as the gold's result stays."""
    best = experiment.trial(atoms)
    if best is None or not best.flips:
        return None
    kept = list(atoms)
    # The least likely causes are left out first, so that the likely ones stay.
    for atom in reversed(atoms):
        less = [a for a in kept if a is not atom]
        trial = experiment.trial(less) if less else None
        if trial is not None and trial.flips and accept(trial):
            kept, best = less, trial
    return best


def _ranked(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    def key(trial: Trial) -> tuple[int, list[int]]:
        return trial.changed, [_LIKELY.index(atom.kind) for atom in trial.atoms]

    return tuple(sorted(trials, key=key))
