"""From several runs of a judge to one result: the median counts. Pure."""

from collections.abc import Sequence
from math import fsum
from statistics import median

from goldsuite.judging.opinion import Opinion
from goldsuite.model.judge import CriterionScore, JudgeResult, verdict_of
from goldsuite.model.key import Criterion

__all__ = ["disagree", "result_of"]

_APART = 1
"""Points by which two runs may differ on a criterion without a third being asked."""


def disagree(first: Opinion, second: Opinion) -> bool:
    """Whether the two differ by more than a point on any criterion."""
    pairs = zip(first.scores, second.scores, strict=True)
    return any(abs(one - other) > _APART for one, other in pairs)


def result_of(
    opinions: Sequence[Opinion], criteria: Sequence[Criterion], *, pass_at: float
) -> JudgeResult:
    """The result of at least one opinion: of each criterion the median, then their weighted mean.

    Raises:
        ValueError: there is no opinion, or no criterion.
    """
    if not opinions or not criteria:
        raise ValueError("a result needs an opinion and a criterion")
    judged = tuple(_criterion(place, each, opinions) for place, each in enumerate(criteria))
    weight = fsum(each.weight for each in judged)
    score = fsum(each.score * each.weight for each in judged) / weight
    nearest = min(opinions, key=lambda opinion: _distance(opinion, judged))
    return JudgeResult(
        score=score,
        verdict=verdict_of(min(score, 5.0)),
        # The weighted mean of exact scores may miss a line by a rounding error.
        passed=score >= pass_at - 1e-9,
        criteria=judged,
        feedback=nearest.feedback,
        recommendations=nearest.recommendations,
        runs=len(opinions),
    )


def _criterion(place: int, criterion: Criterion, opinions: Sequence[Opinion]) -> CriterionScore:
    scores = tuple(opinion.scores[place] for opinion in opinions)
    middle = float(median(scores))
    return CriterionScore(
        criterion=criterion.criterion,
        weight=float(criterion.weight),
        scores=scores,
        score=middle,
        verdict=verdict_of(middle),
        reasoning=tuple(opinion.reasoning[place] for opinion in opinions),
    )


def _distance(opinion: Opinion, judged: Sequence[CriterionScore]) -> float:
    pairs = zip(opinion.scores, judged, strict=True)
    return fsum(abs(score - each.score) * each.weight for score, each in pairs)
