"""How much a suite can show: the gain that it would notice, and the cases that a gain would need.

The design is that of a comparison: every case is answered by both runs, and mid-p McNemar decides.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, exp, fsum, lgamma, log, log1p, sqrt
from statistics import NormalDist

from goldsuite.stats.mcnemar import mcnemar_midp

__all__ = ["cases_needed", "minimum_detectable_gain", "paired_power"]

LEVEL = 0.05
"""Two-sided p below which a difference is claimed."""
POWER = 0.8
ORDINARY_LOSS = 0.05
"""Share of cases that get broken beside any gain, where nothing better is known."""
_EXACT_UP_TO = 300
"""Cases up to which the power is summed outcome by outcome."""


def paired_power(cases: int, *, fixed: float, broken: float, level: float = LEVEL) -> float:
    """Probability that so many cases show, at `level`, that the second run is the better one.

    Summed over every outcome: the changed cases are binomial among all, the fixed ones binomial
    among the changed. Above 300 cases Connor's normal approximation is taken. Gains alone
    count; a significant loss is no success.

    Args:
        cases: answered by both runs.
        fixed: probability of a case to go from wrong to right.
        broken: probability of a case to go from right to wrong.

    Raises:
        ValueError: `cases` is below 1, or the probabilities are none or exceed 1 together.

    Source: Connor (1987), Biometrics 43, 207-211.
    """
    if cases < 1:
        raise ValueError(f"a comparison needs at least one case, not {cases}")
    changed = _changed(fixed, broken)
    if not fixed:
        return 0.0
    if cases > _EXACT_UP_TO:
        return _normal_power(cases, changed, fixed - broken, level)
    return fsum(
        weight * _tail(count, fixed / changed, level)
        for count, weight in _binomial(cases, changed)
        if weight > 1e-15
    )


def minimum_detectable_gain(
    cases: int, *, broken: float = ORDINARY_LOSS, power: float = POWER, level: float = LEVEL
) -> float | None:
    """The smallest net gain, 0 to 1, that a suite of this size shows with probability `power`.

    None where even the greatest possible gain is not shown, as with a handful of cases. The gain
    is the share of fixed cases less that of `broken` ones; it is found to a hundredth of a point.
    """
    low, high = 0.0, 1 - 2 * broken
    if paired_power(cases, fixed=high + broken, broken=broken, level=level) < power:
        return None
    while high - low > 1e-4:
        middle = (low + high) / 2
        if paired_power(cases, fixed=middle + broken, broken=broken, level=level) < power:
            low = middle
        else:
            high = middle
    return high


def cases_needed(
    *, fixed: float, broken: float, power: float = POWER, level: float = LEVEL
) -> int | None:
    """How many cases would show a difference such as this with probability `power`.

    The direction does not matter. None where the shares are equal: no number would show that.
    Up to 300 it is the smallest number that does by `paired_power`, above by Connor's
    approximation.

    Raises:
        ValueError: the shares are none or exceed 1 together.

    Source: Connor (1987), Biometrics 43, 207-211, formula 3.
    """
    changed = _changed(fixed, broken)
    more, fewer = max(fixed, broken), min(fixed, broken)
    if more == fewer:
        return None
    about = _connor(changed, more - fewer, power, level)
    if about > _EXACT_UP_TO:
        return about
    # The exact power rises in saws, and not far from the approximation.
    for cases in range(max(1, about // 2), 4 * about + 20):
        if paired_power(cases, fixed=more, broken=fewer, level=level) >= power:
            return cases
    return about


def _normal_power(cases: int, changed: float, gain: float, level: float) -> float:
    normal = NormalDist()
    spread = sqrt(max(changed - gain * gain, 0.0))
    beyond = gain * sqrt(cases) - normal.inv_cdf(1 - level / 2) * sqrt(changed)
    if not spread:
        return float(beyond > 0)
    return normal.cdf(beyond / spread)


def _connor(changed: float, gain: float, power: float, level: float) -> int:
    normal = NormalDist()
    by_chance = normal.inv_cdf(1 - level / 2) * sqrt(changed)
    for_sure = normal.inv_cdf(power) * sqrt(max(changed - gain * gain, 0.0))
    return ceil(((by_chance + for_sure) / gain) ** 2)


def _changed(fixed: float, broken: float) -> float:
    if fixed < 0 or broken < 0 or fixed + broken > 1 + 1e-12:
        raise ValueError(f"{fixed!r} fixed and {broken!r} broken are no shares of all cases")
    return min(1.0, fixed + broken)


@lru_cache(maxsize=20_000)
def _tail(changed: int, share: float, level: float) -> float:
    """Probability that of `changed` cases so many are fixed that the test claims a gain."""
    least = _least_fixed(changed, level)
    if least is None:
        return 0.0
    return fsum(weight for count, weight in _binomial(changed, share) if count >= least)


@lru_cache(maxsize=20_000)
def _least_fixed(changed: int, level: float) -> int | None:
    """The fewest fixed of `changed` cases that are a claim; None where all would not be."""
    low, high = changed // 2 + 1, changed
    if low > high or mcnemar_midp(changed, 0) >= level:
        return None
    while low < high:
        middle = (low + high) // 2
        if mcnemar_midp(middle, changed - middle) < level:
            high = middle
        else:
            low = middle + 1
    return low


def _binomial(n: int, p: float) -> Iterator[tuple[int, float]]:
    """Every count with its probability."""
    if p <= 0 or p >= 1:
        yield (n if p >= 1 else 0), 1.0
        return
    for k in range(n + 1):
        ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
        yield k, exp(ways + k * log(p) + (n - k) * log1p(-p))
