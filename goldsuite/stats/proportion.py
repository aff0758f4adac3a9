"""A share of successes, and how far a small sample leaves it open."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist

__all__ = ["Interval", "Proportion", "clustered_interval", "wilson_interval"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A closed interval of shares, 0 to 1."""

    low: float
    high: float
    level: float
    """Nominal coverage, such as 0.95."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """`successes` out of `n`. With `n` 0 nothing was measured, which is not 0 %."""

    successes: int
    n: int

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.n:
            raise ValueError(f"{self.successes} successes cannot be out of {self.n}")

    @property
    def share(self) -> float | None:
        """successes / n, 0 to 1; None where nothing was measured."""
        return self.successes / self.n if self.n else None

    def interval(self, level: float = 0.95) -> Interval | None:
        """Wilson's; None where nothing was measured."""
        return wilson_interval(self.successes, self.n, level) if self.n else None


def wilson_interval(successes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson score interval for a proportion, without continuity correction.

    Raises:
        ValueError: `n` is 0 (an unmeasured rate is not 0 %), `successes` is outside 0..n, or
            `level` is not between 0 and 1.

    Source: Wilson (1927), JASA 22, 209-212.
    """
    if n < 1:
        raise ValueError(f"an interval needs at least one trial, not {n}")
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes cannot be out of {n}")
    return _wilson(successes / n, n, level)


def clustered_interval(shares: Sequence[float], trials: int, level: float = 0.95) -> Interval:
    """Interval for a mean over cases that were asked several times each.

    Trials of one case are alike, so they are not as many independent ones. Wilson's interval is
    taken at the effective sample size p (1 - p) / var, where var is the variance of the mean of the
    cases' shares, `sum((share - p)^2) / m^2`. It lies between the number of cases, which is
    Wilson's own interval where each is asked once, and `trials`. Where all or none passed, the
    shares tell nothing of their variance, and the number of cases is taken.

    Args:
        shares: of each case, the share of its trials that passed, 0 to 1.
        trials: of all cases together.

    Raises:
        ValueError: there is no case, a share is outside 0..1, there are fewer trials than cases, or
            `level` is not between 0 and 1.

    Source: Franco, Little, Louis and Slud (2019), Journal of Survey Statistics and Methodology 7,
    334-364, section 2, "modified Wilson interval".
    """
    cases = len(shares)
    if not cases or trials < cases:
        raise ValueError(f"{trials} trials cannot be of {cases} cases, of at least one")
    if not all(0 <= share <= 1 for share in shares):
        raise ValueError("a share lies between 0 and 1")
    mean = fsum(shares) / cases
    variance = fsum((share - mean) ** 2 for share in shares) / cases**2
    if variance:
        size = min(mean * (1 - mean) / variance, float(trials))
    else:
        size = float(cases if mean in {0.0, 1.0} else trials)
    return _wilson(mean, size, level)


def _wilson(share: float, n: float, level: float) -> Interval:
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level!r}")
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    # The formula gives exactly 0 and 1 at the ends; floating point may miss them by a hair.
    low = 0.0 if share == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return Interval(low=low, high=high, level=level)
