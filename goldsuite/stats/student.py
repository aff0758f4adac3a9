"""Student's t: how far a mean of few values may lie from the true one."""

from math import exp, lgamma, log, log1p

__all__ = ["t_cdf", "t_quantile"]

_STEPS = 300
_TINY = 1e-300


def t_cdf(t: float, df: float) -> float:
    """Probability of a value up to `t` with `df` degrees of freedom.

    Raises:
        ValueError: `df` is not above 0.

    Source: Abramowitz and Stegun (1964), 26.7.1.
    """
    if not df > 0:
        raise ValueError(f"degrees of freedom must be above 0, not {df!r}")
    tail = _incomplete_beta(df / 2, 0.5, df / (df + t * t)) / 2
    return 1 - tail if t > 0 else tail


def t_quantile(p: float, df: float) -> float:
    """The value that t stays below with probability `p`.

    Raises:
        ValueError: `p` is not between 0 and 1, or `df` not above 0.
    """
    if not 0 < p < 1:
        raise ValueError(f"a probability must lie between 0 and 1, not {p!r}")
    if p < 0.5:
        return -t_quantile(1 - p, df)
    low, high = 0.0, 1.0
    while t_cdf(high, df) < p:
        low, high = high, 2 * high
    while high - low > 1e-13 * max(high, 1.0):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        low, high = (middle, high) if t_cdf(middle, df) < p else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Regularised; Abramowitz and Stegun 26.5.8, and 26.5.2 where that converges sooner."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _continued_fraction(a, b, x) / a
    return 1 - front * _continued_fraction(b, a, 1 - x) / b


def _continued_fraction(a: float, b: float, x: float) -> float:
    """By Lentz's method: the fraction is built from the left, and no term may be 0."""
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for term in (even, odd):
            d = 1 / _not_zero(1 + term * d)
            c = _not_zero(1 + term / c)
            change = c * d
            value *= change
        if abs(change - 1) < 1e-15:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
