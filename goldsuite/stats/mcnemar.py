"""Two runs over the same cases: whether those that changed went one way for a reason."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb, exp, fsum, lcm, lgamma, log, sqrt
from statistics import NormalDist

__all__ = ["mcnemar_midp", "sign_flip_midp"]

_EXACT_STEPS = 2_000_000
"""Additions above which the sums of many cases are taken as normal."""


def mcnemar_midp(fixed: int, broken: int) -> float:
    """Two-sided mid-p value of McNemar's test, from the cases that changed; 1.0 where none did.

    The exact p counts an outcome as extreme as the one seen in full, which makes the test too
    careful where there are few; the mid-p counts half of it on each side. For `fixed` != `broken`
    it is the exact two-sided p less the probability of the outcome itself, for equal counts
    1 - pmf / 2.

    Args:
        fixed: cases that failed before and pass now.
        broken: cases that passed before and fail now.

    Raises:
        ValueError: a count is negative.

    Source: Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13:91.
    """
    if fixed < 0 or broken < 0:
        raise ValueError(f"counts of cases cannot be negative: {fixed} and {broken}")
    changed, fewer = fixed + broken, min(fixed, broken)
    if not changed:
        return 1.0
    seen = _half_binomial(fewer, changed)
    if fixed == broken:
        return 1 - seen / 2
    below = fsum(_half_binomial(k, changed) for k in range(fewer))
    return min(1.0, 2 * below + seen)


def sign_flip_midp(differences: Sequence[Fraction]) -> float:
    """Two-sided mid-p that cases asked several times differ by chance alone.

    Each case has one difference: its share of passed trials in the second run, less that in the
    first. If nothing had changed, each would be as likely to have the other sign; the p value is
    the share of all those sign patterns whose sum lies further from 0 than the sum seen, with half
    of those that lie as far. Trials of a case are never pooled. With differences of -1, 0 and 1 it
    is `mcnemar_midp`. Beyond a few thousand cases the sum is taken as normal.

    Source: Fisher (1935), The Design of Experiments, section 21 (randomisation of paired
    differences); the mid-p after Lancaster (1961), JASA 56, 223-234.
    """
    moved = [difference for difference in differences if difference]
    if not moved:
        return 1.0
    scale = lcm(*(difference.denominator for difference in moved))
    steps = [abs(int(difference * scale)) for difference in moved]
    seen = abs(int(sum(moved) * scale))
    if len(steps) * sum(steps) > _EXACT_STEPS:
        z = seen / sqrt(sum(step * step for step in steps))
        return 2 * (1 - NormalDist().cdf(z))
    return _flipped(steps, seen)


def _flipped(steps: Sequence[int], seen: int) -> float:
    """From how many of the 2^n patterns of signs lie beyond `seen`, and how many on it."""
    sums: dict[int, int] = {0: 1}
    for step in steps:
        reached: Counter[int] = Counter()
        for total, ways in sums.items():
            reached[total + step] += ways
            reached[total - step] += ways
        sums = reached
    beyond = sum(ways for total, ways in sums.items() if abs(total) > seen)
    on_it = sum(ways for total, ways in sums.items() if abs(total) == seen)
    # Whole numbers to the end: 2^n does not fit a float for long.
    return float(Fraction(2 * beyond + on_it, 2 * 2 ** len(steps)))


def _half_binomial(k: int, n: int) -> float:
    """Probability of k heads in n throws; by logarithms where the whole numbers become too long."""
    if n <= 1000:
        return float(Fraction(comb(n, k), 2**n))
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2))
