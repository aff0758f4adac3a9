"""A mean over trials of which those of one case are alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from goldsuite.stats.student import t_quantile

__all__ = ["MeanInterval", "cluster_robust_interval"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MeanInterval:
    """A mean with its interval."""

    mean: float
    low: float
    high: float
    level: float
    """Nominal coverage, such as 0.95."""


def cluster_robust_interval(
    cases: Sequence[Sequence[float]], level: float = 0.95
) -> MeanInterval | None:
    """Interval for the mean of all values, those of one case being one cluster.

    The variance sums each case's whole deviation, times G / (G - 1) for G cases; t has G - 1
    degrees of freedom. With one value for each case it is the interval of the ordinary t test.
    For shares near 0 or 1 use `goldsuite.stats.proportion.clustered_interval`, which stays inside
    0 to 1. None for fewer than two cases.

    Raises:
        ValueError: a case has no value, or `level` is not between 0 and 1.

    Source: Liang and Zeger (1986), Biometrika 73, 13-22; the correction for few clusters as in
    Cameron and Miller (2015), Journal of Human Resources 50, 317-372, equation 12.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level!r}")
    if not all(cases):
        raise ValueError("a case without a value has no part in a mean")
    clusters, n = len(cases), sum(map(len, cases))
    if clusters < 2:
        return None
    mean = fsum(value for case in cases for value in case) / n
    scores = fsum(fsum(value - mean for value in case) ** 2 for case in cases)
    deviation = sqrt(scores * clusters / (clusters - 1)) / n
    half = t_quantile((1 + level) / 2, clusters - 1) * deviation
    return MeanInterval(mean=mean, low=mean - half, high=mean + half, level=level)
