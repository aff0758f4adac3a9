"""How far two shares lie apart: of different cases, or of the same cases twice."""

from dataclasses import dataclass
from math import sqrt

from goldsuite.stats.proportion import Proportion, wilson_interval

__all__ = ["SignedInterval", "newcombe_interval", "newcombe_paired_interval"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedInterval:
    """A closed interval around a difference; `low` may be negative."""

    low: float
    high: float
    level: float
    """Nominal coverage, such as 0.95."""


def newcombe_interval(
    first: Proportion, second: Proportion, level: float = 0.95
) -> SignedInterval | None:
    """Newcombe's interval for the share of `first` less that of `second`, of different cases.

    Built from both Wilson intervals, without continuity correction. Not for the same cases twice.
    None where one of them was not measured.

    Raises:
        ValueError: `level` is not between 0 and 1.

    Source: Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
    """
    if not first.n or not second.n:
        return None
    one = wilson_interval(first.successes, first.n, level)
    two = wilson_interval(second.successes, second.n, level)
    p, q = first.successes / first.n, second.successes / second.n
    return SignedInterval(
        low=p - q - sqrt((p - one.low) ** 2 + (two.high - q) ** 2),
        high=p - q + sqrt((one.high - p) ** 2 + (q - two.low) ** 2),
        level=level,
    )


def newcombe_paired_interval(
    kept: int, fixed: int, broken: int, failing: int, level: float = 0.95
) -> SignedInterval | None:
    """Newcombe's interval for what a second run over the same cases passes more than the first.

    Both Wilson intervals, joined by how the two runs go together (phi, corrected for continuity).
    None where there is no case.

    Args:
        kept: cases that pass in both.
        fixed: that pass in the second alone.
        broken: that pass in the first alone.
        failing: that pass in neither.

    Raises:
        ValueError: a count is negative, or `level` is not between 0 and 1.

    Source: Newcombe (1998), Statistics in Medicine 17, 2635-2650, method 10.
    """
    n = kept + fixed + broken + failing
    if min(kept, fixed, broken, failing) < 0:
        raise ValueError("counts of cases cannot be negative")
    if not n:
        return None
    after, before = kept + fixed, kept + broken
    one, two = wilson_interval(after, n, level), wilson_interval(before, n, level)
    p, q = after / n, before / n
    phi = _phi(kept, fixed, broken, failing)
    below = _joined(p - one.low, two.high - q, phi)
    above = _joined(one.high - p, q - two.low, phi)
    gain = (fixed - broken) / n
    return SignedInterval(low=max(-1.0, gain - below), high=min(1.0, gain + above), level=level)


def _joined(first: float, second: float, phi: float) -> float:
    return sqrt(max(first**2 - 2 * phi * first * second + second**2, 0.0))


def _phi(kept: int, fixed: int, broken: int, failing: int) -> float:
    """How much the two runs go together, -1 to 1; 0 where one of them passed all or none."""
    margins = (kept + fixed) * (broken + failing) * (kept + broken) * (fixed + failing)
    together = float(kept * failing - fixed * broken)
    if together > 0:
        together = max(together - (kept + fixed + broken + failing) / 2, 0.0)
    return together / sqrt(margins) if margins else 0.0
