"""Of several tries at one question: whether one at least, or all of them, would be right."""

from math import comb

__all__ = ["pass_at_k", "pass_hat_k"]


def pass_at_k(n: int, correct: int, k: int) -> float:
    """Probability that at least one of `k` tries is right, unbiased: 1 - C(n-c, k) / C(n, k).

    Args:
        n: tries that were made.
        correct: those of them that were right.
        k: from 1 to `n`.

    Raises:
        ValueError: the numbers do not fit each other.

    Source: Chen et al. (2021), arXiv:2107.03374, equation 1.
    """
    _check(n, correct, k)
    return 1 - comb(n - correct, k) / comb(n, k)


def pass_hat_k(n: int, correct: int, k: int) -> float:
    """Probability that all of `k` tries are right (pass^k), unbiased: C(c, k) / C(n, k).

    Arguments and errors as in `pass_at_k`.

    Source: Yao et al. (2024), arXiv:2406.12045, section 3.
    """
    _check(n, correct, k)
    return comb(correct, k) / comb(n, k)


def _check(n: int, correct: int, k: int) -> None:
    if not 0 <= correct <= n:
        raise ValueError(f"{correct} right tries cannot be out of {n}")
    if not 1 <= k <= n:
        raise ValueError(f"k is {k}: with {n} tries it can be from 1 to {n}")
