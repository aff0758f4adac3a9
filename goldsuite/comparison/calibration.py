"""A judge's scores beside a human's on the same criteria of the same trials. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from goldsuite.model.judge import BEST
from goldsuite.stats.agreement import quadratic_kappa

__all__ = ["Calibration", "calibrate"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """How far the two agree; None where there was nothing to compare."""

    pairs: int
    agreement: float | None
    """Share of pairs with the same whole score."""
    within_one: float | None
    """Share of pairs that lie at most one point apart."""
    weighted_kappa: float | None
    """Cohen's, with quadratic weights; None too where no disagreement was to be expected."""
    mean_difference: float | None
    """Judge less human, in points, with the judge's halves: above 0 the judge is kinder."""
    confusion: tuple[tuple[int, ...], ...]
    """Counts: a row for each score of the human, 0 to 5, a column for each of the judge."""


def calibrate(pairs: Sequence[tuple[int, float]]) -> Calibration:
    """Compare (human, judge) pairs of scores from 0 to 5.

    A judge's score between two whole ones counts as the lower, as its verdict does.
    """
    whole = [(human, int(judge)) for human, judge in pairs]
    scores = range(BEST + 1)
    return Calibration(
        pairs=len(whole),
        agreement=_share([human == judge for human, judge in whole]),
        within_one=_share([abs(human - judge) <= 1 for human, judge in whole]),
        weighted_kappa=quadratic_kappa(whole),
        mean_difference=fmean(judge - human for human, judge in pairs) if pairs else None,
        confusion=tuple(tuple(whole.count((row, column)) for column in scores) for row in scores),
    )


def _share(holds: Sequence[bool]) -> float | None:
    return sum(holds) / len(holds) if holds else None
