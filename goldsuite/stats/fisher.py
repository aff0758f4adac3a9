"""Two groups of different cases, such as train and test: whether their shares are one."""

from math import exp, fsum, lgamma

from goldsuite.stats.proportion import Proportion

__all__ = ["fisher_exact"]


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
