"""Two runs over the same cases: what changed, and whether that can be told from chance."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Literal, TypeAlias

from goldsuite.comparison.comparable import Obstacle, obstacles_between
from goldsuite.comparison.figure_changes import (
    FigureChange,
    cost_interval,
    figure_changes,
    side_figures,
)
from goldsuite.comparison.pairing import CasePair, CaseState, Pairing, pair_records
from goldsuite.comparison.score_changes import ScoreChange, ScoreKind, is_drop, score_changes
from goldsuite.comparison.stable_differences import StableDifference, stable_differences
from goldsuite.errors import RefusedError
from goldsuite.model.diagnosis import FailureMode
from goldsuite.model.judge import BEST
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.stats.clustered import cluster_robust_interval
from goldsuite.stats.difference import SignedInterval, newcombe_paired_interval
from goldsuite.stats.mcnemar import mcnemar_midp, sign_flip_midp
from goldsuite.stats.power import LEVEL, cases_needed

__all__ = ["Comparison", "ModeChange", "Outcome", "TestName", "compare_records"]

TestName: TypeAlias = Literal["mcnemar_midp", "sign_flip_midp"]
_TOP = 3


class Outcome(StrEnum):
    """What the comparison claims, never more than p < 0.05 bears."""

    IMPROVED = "improved"
    REGRESSED = "regressed"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, kw_only=True, slots=True)
class ModeChange:
    """How many cases fail with one mode."""

    mode: FailureMode
    first: int
    second: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """`second` held against `first`."""

    first: RunRecord
    second: RunRecord
    obstacles: tuple[Obstacle, ...]
    """Why the two may not be compared; empty where they may."""
    pairing: Pairing
    outcome: Outcome
    test: TestName
    """McNemar's, or its like for cases that were asked several times."""
    p_value: float | None
    """Two-sided mid-p; None where no case is compared."""
    gain: float | None
    """Accuracy of the second run less that of the first, over the cases compared."""
    gain_interval: tuple[float, float] | None
    """95 %: Newcombe's for paired shares, or the t interval over cases that were repeated."""
    cases_needed: int | None
    """That would show a difference like this one with 80 % power; None where the outcome is clear,
    or there is no difference."""
    figures: tuple[FigureChange, ...]
    """Over the cases compared, and those without gold."""
    modes: tuple[ModeChange, ...]
    """Those whose count changed, the greatest change first."""
    scores: tuple[ScoreChange, ...]
    """Process and judge, case by case."""
    stable_but_differ: tuple[StableDifference, ...]
    """Cases asked several times whose answers are stable in both runs, and not the same."""
    regressions: tuple[CasePair, ...]
    """The three worst, worst first."""
    wins: tuple[CasePair, ...]

    @property
    def drops(self) -> tuple[ScoreChange, ...]:
        """Scores that fell by much."""
        return tuple(change for change in self.scores if change.is_drop)

    @property
    def figure_drops(self) -> tuple[FigureChange, ...]:
        """Scores of the whole run that fell by much."""
        kinds: tuple[tuple[str, ScoreKind], ...] = (
            ("process_score", "process"),
            ("judge_score", "judge"),
        )
        return tuple(
            figure
            for name, kind in kinds
            for figure in self.figures
            if figure.name == name and is_drop(kind, figure.delta or 0.0)
        )


def compare_records(first: RunRecord, second: RunRecord) -> Comparison:
    """Compare over the cases that both runs asked, whatever else differs: see `obstacles`.

    Raises:
        RefusedError: they have no case in common.
    """
    pairing = pair_records(first, second)
    if not pairing.pairs:
        raise RefusedError(
            f"runs {first.run_id} and {second.run_id} have no case in common, so there is nothing "
            "to compare; name two runs of the same split"
        )
    compared = pairing.compared
    counted = [pair for pair in pairing.pairs if pair.difference is not None or pair.has_no_gold]
    sides = tuple(
        side_figures(record, [trial for case in cases for trial in case])
        for record, cases in (
            (first, [pair.first for pair in counted]),
            (second, [pair.second for pair in counted]),
        )
    )
    costs = (
        cost_interval([pair.first for pair in counted]),
        cost_interval([pair.second for pair in counted]),
    )
    differences = [pair.difference for pair in compared if pair.difference is not None]
    test, p_value = _test(differences)
    scores = score_changes(pairing.pairs)
    outcome = _outcome(differences, p_value)
    return Comparison(
        first=first,
        second=second,
        obstacles=obstacles_between(first, second),
        pairing=pairing,
        outcome=outcome,
        test=test,
        p_value=p_value,
        gain=float(sum(differences) / len(differences)) if differences else None,
        gain_interval=_gain_interval(compared, differences),
        cases_needed=_needed(differences) if outcome is Outcome.INCONCLUSIVE else None,
        figures=figure_changes(sides[0], sides[1], costs),
        modes=_mode_changes(counted),
        scores=scores,
        stable_but_differ=stable_differences(pairing.pairs),
        regressions=_ranked(pairing.pairs, scores, sign=-1),
        wins=_ranked(pairing.pairs, scores, sign=1),
    )


def _test(differences: Sequence[Fraction]) -> tuple[TestName, float | None]:
    whole = all(difference.denominator == 1 for difference in differences)
    if not differences:
        return "mcnemar_midp", None
    if whole:
        return "mcnemar_midp", mcnemar_midp(differences.count(Fraction(1)), _lost(differences))
    return "sign_flip_midp", sign_flip_midp(differences)


def _lost(differences: Sequence[Fraction]) -> int:
    return differences.count(Fraction(-1))


def _outcome(differences: Sequence[Fraction], p_value: float | None) -> Outcome:
    if p_value is None or p_value >= LEVEL:
        return Outcome.INCONCLUSIVE
    return Outcome.IMPROVED if sum(differences) > 0 else Outcome.REGRESSED


def _gain_interval(
    pairs: Sequence[CasePair], differences: Sequence[Fraction]
) -> tuple[float, float] | None:
    if not differences:
        return None
    repeated = any(len(pair.first) > 1 or len(pair.second) > 1 for pair in pairs)
    # Where all differences are the same, the t interval would be a point, which nobody knows.
    if repeated and len(set(differences)) > 1:
        found = cluster_robust_interval([[float(difference)] for difference in differences])
        # Each case weighs once; a difference of shares lies between -1 and 1.
        return None if found is None else (max(-1.0, found.low), min(1.0, found.high))
    states = Counter(pair.state for pair in pairs)
    paired: SignedInterval | None = newcombe_paired_interval(
        states[CaseState.KEPT],
        states[CaseState.FIXED],
        states[CaseState.BROKEN],
        states[CaseState.STILL_FAILING],
    )
    return None if paired is None else (paired.low, paired.high)


def _needed(differences: Sequence[Fraction]) -> int | None:
    n = len(differences)
    fixed = float(sum(d for d in differences if d > 0)) / n if n else 0.0
    broken = float(-sum(d for d in differences if d < 0)) / n if n else 0.0
    if fixed == broken:
        return None
    found = cases_needed(fixed=fixed, broken=broken)
    # So many were not enough: never say that fewer would have been.
    return None if found is None else max(found, n + 1)


def _mode_changes(pairs: Iterable[CasePair]) -> tuple[ModeChange, ...]:
    first: Counter[FailureMode] = Counter()
    second: Counter[FailureMode] = Counter()
    for pair in pairs:
        for modes, trials in ((first, pair.first), (second, pair.second)):
            modes.update(_mode_of(trials))
    changed = [
        ModeChange(mode=mode, first=first[mode], second=second[mode])
        for mode in FailureMode
        if first[mode] != second[mode]
    ]
    return tuple(sorted(changed, key=lambda change: -abs(change.second - change.first)))


def _mode_of(trials: Iterable[CaseRecord]) -> list[FailureMode]:
    """The mode that most failed trials of a case have, or none."""
    found = Counter(
        trial.failure_mode for trial in trials if trial.failure_mode and not trial.passed
    )
    return [mode for mode, _ in found.most_common(1)]


def _ranked(
    pairs: Sequence[CasePair], scores: Iterable[ScoreChange], *, sign: Literal[-1, 1]
) -> tuple[CasePair, ...]:
    """The cases that moved most in one direction: by trials passed, then by their scores."""
    moved: dict[str, float] = {}
    for change in scores:
        if change.is_drop if sign < 0 else change.is_gain:
            # One point of a rubric is a fifth of its scale.
            much = abs(change.delta) / (1 if change.kind == "process" else BEST)
            moved[change.case] = moved.get(change.case, 0.0) + much
    found = [pair for pair in pairs if sign * (pair.difference or 0) > 0 or pair.id in moved]
    found.sort(
        key=lambda pair: (
            -sign * (pair.difference or 0),
            not any(trial.must_pass for trial in pair.second),
            -moved.get(pair.id, 0.0),
        )
    )
    return tuple(found[:_TOP])
