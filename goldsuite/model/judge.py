"""What a judge, a language model with a rubric, made of a trial. It never decides the verdict."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

__all__ = [
    "BEST",
    "DEFAULT_PASS_AT",
    "CriterionScore",
    "JudgeFigures",
    "JudgeInfo",
    "JudgeResult",
    "JudgeVerdict",
    "verdict_of",
]

BEST = 5
"""The greatest score; the least is 0."""
DEFAULT_PASS_AT = 3.5


class JudgeVerdict(StrEnum):
    """The word for each whole score."""

    COMPLETE = "COMPLETE"
    MOSTLY_COMPLETE = "MOSTLY_COMPLETE"
    PARTIAL = "PARTIAL"
    ATTEMPTED = "ATTEMPTED"
    FAILED = "FAILED"
    NO_ATTEMPT = "NO_ATTEMPT"


_BY_SCORE = tuple(reversed(JudgeVerdict))


def verdict_of(score: float) -> JudgeVerdict:
    """The word for a score from 0 to 5; one between two whole scores has the lower one's.

    Raises:
        ValueError: the score is outside of 0 to 5.
    """
    if not 0 <= score <= BEST:
        raise ValueError(f"a judge's score lies between 0 and {BEST}, not {score!r}")
    return _BY_SCORE[int(score)]


@dataclass(frozen=True, kw_only=True, slots=True)
class CriterionScore:
    """One criterion of a rubric."""

    criterion: str | None
    """None where it belongs to a held-out case and is not shown."""
    weight: float
    scores: tuple[int, ...]
    """Of each run of the judge, 0 to 5."""
    score: float
    """Their median."""
    verdict: JudgeVerdict
    reasoning: tuple[str, ...] = ()
    """Of each run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeResult:
    """One trial; either it was scored, or `error` says why not."""

    score: float | None = None
    """Weighted mean of the criteria, 0 to 5."""
    verdict: JudgeVerdict | None = None
    passed: bool | None = None
    """Whether the score reaches the run's `pass_at`."""
    criteria: tuple[CriterionScore, ...] = ()
    feedback: str | None = None
    """Of the run whose scores are nearest to the medians, as are the recommendations."""
    recommendations: tuple[str, ...] = ()
    composite: float | None = None
    """0.5 task completion, 0.2 tool correctness, 0.2 argument accuracy, 0.1 step efficiency; None
    unless all four were measured."""
    runs: int = 0
    """How often it was judged: twice, or three times where two runs lay apart."""
    messages_left_out: int = 0
    """Of a long trace, from its beginning."""
    error: str | None = None
    """Why there is no score: the judge failed, which says nothing about the analyst."""
    tokens: dict[str, int] | None = None
    """Of the judge, by kind as for trials."""
    cost: float | None = None
    """US dollars of the judge; never part of the analyst's."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeFigures:
    """Over all judged trials; every mean is over cases."""

    judged: int
    passed: int
    errors: int
    """Trials on which the judge failed."""
    pass_rate: float | None
    avg_score: float | None
    """0 to 5."""
    avg_composite: float | None
    total_cost: float | None
    """US dollars of the judge; None unless all of its work told its cost."""
    total_tokens: dict[str, int] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeInfo:
    """Who judged a run, and by what."""

    model: str
    options: dict[str, str]
    """Given behind its name, such as `effort`."""
    judged_at: datetime
    pass_at: float
    every_case: bool
    """False where only cases with a rubric of their own were judged."""
    also_failed: bool
    """Whether trials were judged that the deterministic checks had failed."""
    last_messages: int
    """Of a trace, that the judge saw at most."""
    suite_sha256: str
    """Of the file that the rubrics were read from."""
    instructions_sha256: str
    """Of what the judge is told."""
    prices: str
    """Where its prices come from."""
