"""Two records, case by case: what became of every case that both of them asked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from goldsuite.model.grade import OUTSIDE, Verdict
from goldsuite.model.question import Split
from goldsuite.model.run import CaseRecord, RunRecord

__all__ = ["CasePair", "CaseState", "Pairing", "pair_records"]


class CaseState(StrEnum):
    """What became of a case from the first run to the second."""

    BROKEN = "broken"
    FIXED = "fixed"
    STILL_FAILING = "still_failing"
    KEPT = "kept"
    NOT_COMPARED = "not_compared"
    """One of the runs does not say whether the analyst can answer it."""


_PASSING = Fraction(1, 2)
"""A case that was asked several times passes where more than this share of its trials do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CasePair:
    """One case in both runs."""

    id: str
    split: Split
    first: tuple[CaseRecord, ...]
    """Its trials that count: not those in which the analyst's service failed, or the gold did."""
    second: tuple[CaseRecord, ...]
    state: CaseState
    first_share: Fraction | None
    """Share of its trials that passed; None where the case is not compared."""
    second_share: Fraction | None
    why_not: str = ""
    """Why it is not compared; else empty."""

    @property
    def difference(self) -> Fraction | None:
        """Share passed in the second run less that in the first; None where not compared."""
        if self.first_share is None or self.second_share is None:
            return None
        return self.second_share - self.first_share

    @property
    def has_no_gold(self) -> bool:
        """Whether it is scored by process or judge alone."""
        trials = (*self.first, *self.second)
        return bool(trials) and all(trial.verdict is Verdict.NO_GOLD for trial in trials)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pairing:
    """Every case of two runs."""

    pairs: tuple[CasePair, ...]
    """In the order of the second run."""
    only_first: tuple[str, ...]
    """Cases that the second run did not ask."""
    only_second: tuple[str, ...]

    @property
    def compared(self) -> tuple[CasePair, ...]:
        """The pairs that say something of both analysts."""
        return tuple(pair for pair in self.pairs if pair.state is not CaseState.NOT_COMPARED)

    def of(self, state: CaseState) -> tuple[CasePair, ...]:
        """The pairs in `state`."""
        return tuple(pair for pair in self.pairs if pair.state is state)


def pair_records(first: RunRecord, second: RunRecord) -> Pairing:
    """Pair the cases that both runs asked.

    An error that the analyst caused, or a timeout, is a failure; one of the service that it calls
    says nothing about it, so that trial is left out, and the case with its last trial.
    """
    before, after = _by_case(first.cases), _by_case(second.cases)
    return Pairing(
        pairs=tuple(
            _pair(before[case], trials) for case, trials in after.items() if case in before
        ),
        only_first=tuple(case for case in before if case not in after),
        only_second=tuple(case for case in after if case not in before),
    )


def _by_case(trials: Iterable[CaseRecord]) -> dict[str, list[CaseRecord]]:
    found: dict[str, list[CaseRecord]] = {}
    for trial in trials:
        found.setdefault(trial.id, []).append(trial)
    return found


def _pair(before: Sequence[CaseRecord], after: Sequence[CaseRecord]) -> CasePair:
    first, second = _counting(before), _counting(after)
    why_not = _why_not(before, first, "first") or _why_not(after, second, "second")
    old = None if why_not else _share(first)
    new = None if why_not else _share(second)
    return CasePair(
        id=after[0].id,
        split=after[0].split,
        first=first,
        second=second,
        state=_state(old, new),
        first_share=old,
        second_share=new,
        why_not=why_not,
    )


def _counting(trials: Iterable[CaseRecord]) -> tuple[CaseRecord, ...]:
    return tuple(
        trial
        for trial in trials
        if trial.error_source != "service" and trial.verdict is not Verdict.GOLD_ERROR
    )


def _why_not(trials: Sequence[CaseRecord], counting: Sequence[CaseRecord], which: str) -> str:
    if not counting:
        broken_gold = any(trial.verdict is Verdict.GOLD_ERROR for trial in trials)
        fault = "the gold failed" if broken_gold else "the analyst's service failed"
        return f"{fault} in the {which} run"
    if any(trial.verdict in OUTSIDE for trial in counting):
        return "it has no gold"
    return ""


def _share(trials: Sequence[CaseRecord]) -> Fraction:
    return Fraction(sum(trial.passed for trial in trials), len(trials))


def _state(old: Fraction | None, new: Fraction | None) -> CaseState:
    if old is None or new is None:
        return CaseState.NOT_COMPARED
    passed, passes = old > _PASSING, new > _PASSING
    if passed:
        return CaseState.KEPT if passes else CaseState.BROKEN
    return CaseState.FIXED if passes else CaseState.STILL_FAILING
