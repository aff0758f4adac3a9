"""A share of successes, and how far a small sample leaves it open."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

__all__ = ["Interval", "Proportion", "wilson_interval"]


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
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level!r}")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / n
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    # The formula gives exactly 0 and 1 at the ends; floating point may miss them by a hair.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(low=low, high=high, level=level)
