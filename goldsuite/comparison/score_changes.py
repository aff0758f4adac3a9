"""Process and judge scores of two runs over the same cases, and which of them moved by much."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, TypeAlias

from goldsuite.comparison.pairing import CasePair
from goldsuite.model.run import CaseRecord
from goldsuite.stats.mean import mean_measured

__all__ = ["JUDGE_STEP", "PROCESS_STEP", "ScoreChange", "ScoreKind", "is_drop", "score_changes"]

ScoreKind: TypeAlias = Literal["process", "judge", "criterion"]

PROCESS_STEP = 0.10
"""Of a process score, 0 to 1: a change from which on it is much."""
JUDGE_STEP = 1.0
"""Of a judge's score, 0 to 5: a change above which it is much."""
_NOISE = 1e-9
"""0.9 - 0.8 is a hair below 0.1 in floating point."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoreChange:
    """One score of one case in both runs, each the mean of its trials."""

    case: str
    kind: ScoreKind
    criterion: str | None
    """Of the rubric, for the kind of that name."""
    first: float
    second: float

    @property
    def delta(self) -> float:
        """Second less first."""
        return self.second - self.first

    @property
    def is_drop(self) -> bool:
        """Whether it fell by much."""
        return is_drop(self.kind, self.delta)

    @property
    def is_gain(self) -> bool:
        """Whether it rose by much."""
        return is_drop(self.kind, -self.delta)


def is_drop(kind: ScoreKind, delta: float) -> bool:
    """Whether a score of this kind that moves by `delta` falls so far that it is flagged."""
    if kind == "process":
        return -delta >= PROCESS_STEP - _NOISE
    return -delta > JUDGE_STEP + _NOISE


def score_changes(pairs: Iterable[CasePair]) -> tuple[ScoreChange, ...]:
    """Every score that both runs have, case by case."""
    return tuple(change for pair in pairs for change in _of(pair))


def _of(pair: CasePair) -> Iterator[ScoreChange]:
    parts: tuple[tuple[ScoreKind, Callable[[CaseRecord], float | None]], ...] = (
        ("process", _process),
        ("judge", _judge),
    )
    for kind, read in parts:
        first, second = mean_measured(map(read, pair.first)), mean_measured(map(read, pair.second))
        if first is not None and second is not None:
            yield ScoreChange(case=pair.id, kind=kind, criterion=None, first=first, second=second)
    before, after = _criteria(pair.first), _criteria(pair.second)
    for name, scores in after.items():
        if name in before:
            yield ScoreChange(
                case=pair.id,
                kind="criterion",
                criterion=name,
                first=fmean(before[name]),
                second=fmean(scores),
            )


def _process(trial: CaseRecord) -> float | None:
    return None if trial.process is None else trial.process.score


def _judge(trial: CaseRecord) -> float | None:
    return None if trial.judge is None else trial.judge.score


def _criteria(trials: Sequence[CaseRecord]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for trial in trials:
        for scored in trial.judge.criteria if trial.judge else ():
            if scored.criterion is not None:
                found.setdefault(scored.criterion, []).append(scored.score)
    return found
