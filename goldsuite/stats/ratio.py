"""A ratio of two totals over the same cases, such as cost per correct answer, with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from goldsuite.stats.student import t_quantile

__all__ = ["RatioInterval", "fieller_interval"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RatioInterval:
    """An interval of a ratio that cannot be negative."""

    ratio: float
    low: float
    """Never below 0."""
    high: float | None
    """None: the denominator may be 0 for all that is known, so there is no upper end."""
    level: float
    """Nominal coverage, such as 0.95."""


def fieller_interval(
    above: Sequence[float], below: Sequence[float], level: float = 0.95
) -> RatioInterval | None:
    """Fieller's interval for sum(above) / sum(below), both measured on the same cases.

    For cost per correct `above` is what each case cost and `below` is 1 or 0; for cases asked
    several times both are the case's sums. With n cases t has n - 1 degrees of freedom.

    None where the ratio is undefined (nothing was correct), or there are fewer than two cases.

    Raises:
        ValueError: the two are not of one length, or a value is negative.

    Source: Fieller (1954), Journal of the Royal Statistical Society B 16, 175-185.
    """
    n = len(above)
    if n != len(below):
        raise ValueError(f"{n} values stand above {len(below)}: one of each for every case")
    if any(value < 0 for value in (*above, *below)):
        raise ValueError("a ratio of costs and counts has no negative parts")
    if n < 2 or not any(below):
        return None
    top, bottom = fsum(above) / n, fsum(below) / n
    scale = t_quantile((1 + level) / 2, n - 1) ** 2 / (n * (n - 1))
    spread_top = scale * fsum((x - top) ** 2 for x in above)
    spread_both = scale * fsum((x - top) * (y - bottom) for x, y in zip(above, below, strict=True))
    spread_bottom = scale * fsum((y - bottom) ** 2 for y in below)
    # Ratios r with (top - r bottom)^2 <= t^2 var(top - r bottom): a r^2 - 2 b r + c <= 0.
    a = bottom * bottom - spread_bottom
    b = top * bottom - spread_both
    c = top * top - spread_top
    low, high = _ends(a, b, c)
    return RatioInterval(ratio=top / bottom, low=low, high=high, level=level)


def _ends(a: float, b: float, c: float) -> tuple[float, float | None]:
    root = sqrt(max(b * b - a * c, 0.0))
    if a > 0:
        # (b - root) / a loses its digits where both are near; the other form does not.
        return max(0.0, (b - root) / a), (b + root) / a
    if c <= 0 or a == 0 == b:
        return 0.0, None
    # Open above: the ratios are those beyond the positive root, which a <= 0 < c has one of.
    return c / (b + root) if b + root > 0 else 0.0, None
