"""How far two raters of the same things agree."""

from collections import Counter
from collections.abc import Sequence

__all__ = ["quadratic_kappa"]


def quadratic_kappa(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Cohen's kappa with quadratic weights over whole scores.

    1 - observed / expected disagreement, each the mean of the squared difference; the expected one
    is that of raters who keep their own distributions and know nothing of each other. 1 is perfect
    agreement, 0 is chance. None where no disagreement is to be expected, as when both give one and
    the same score throughout, or there is no pair.

    Source: Cohen (1968), Psychological Bulletin 70, 213-220, with the weights of Fleiss and Cohen
    (1973), Educational and Psychological Measurement 33, 613-619.
    """
    if not pairs:
        return None
    first = Counter(one for one, _ in pairs)
    second = Counter(other for _, other in pairs)
    n = len(pairs)
    observed = sum((one - other) ** 2 for one, other in pairs) / n
    expected = sum(
        (one - other) ** 2 * count * times
        for one, count in first.items()
        for other, times in second.items()
    ) / (n * n)
    return 1 - observed / expected if expected else None
