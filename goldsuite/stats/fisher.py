"""Two groups of different cases, such as train and test: whether their shares differ."""

from dataclasses import dataclass
from math import exp, fsum, lgamma, sqrt

from goldsuite.stats.proportion import Proportion, wilson_interval

__all__ = ["SignedInterval", "fisher_exact", "newcombe_interval"]


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


def fisher_exact(first: Proportion, second: Proportion) -> float | None:
    """Two-sided p of Fisher's exact test that both shares are one.

    Sums every table with the same margins that is no likelier than the one seen. None where one
    of them was not measured.

    Source: Fisher (1935), Journal of the Royal Statistical Society 98, 39-82.
    """
    if not first.n or not second.n:
        return None
    passed, cases = first.successes + second.successes, first.n + second.n
    possible = range(max(0, passed - second.n), min(passed, first.n) + 1)
    whole = _log_ways(cases, passed)
    chances = {
        k: exp(_log_ways(first.n, k) + _log_ways(second.n, passed - k) - whole) for k in possible
    }
    # Tables that are equally likely may differ in the last digits of a float.
    limit = chances[first.successes] * (1 + 1e-7)
    return min(1.0, fsum(chance for chance in chances.values() if chance <= limit))


def _log_ways(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
