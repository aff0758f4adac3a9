"""How far the answers to one question lie apart."""

from collections.abc import Sequence
from decimal import Decimal, localcontext

__all__ = ["coefficient_of_variation", "relative_range", "sample_deviation"]

_DIGITS = 34


def sample_deviation(values: Sequence[Decimal]) -> Decimal | None:
    """Standard deviation with n - 1; None for fewer than two values."""
    if len(values) < 2:
        return None
    with localcontext() as context:
        context.prec = _DIGITS
        mean = sum(values, Decimal()) / len(values)
        squares = sum(((value - mean) ** 2 for value in values), Decimal())
        return (squares / (len(values) - 1)).sqrt()


def coefficient_of_variation(values: Sequence[Decimal]) -> Decimal | None:
    """Sample deviation over |mean|, so that it is never negative; None where that is undefined."""
    deviation = sample_deviation(values)
    return None if deviation is None else _over_mean(deviation, values)


def relative_range(values: Sequence[Decimal]) -> Decimal | None:
    """(max - min) / |mean|; 0 where all are equal, also for zeros; None where it is undefined."""
    if not values:
        return None
    with localcontext() as context:
        context.prec = _DIGITS
        width = max(values) - min(values)
    return width if not width else _over_mean(width, values)


def _over_mean(value: Decimal, values: Sequence[Decimal]) -> Decimal | None:
    with localcontext() as context:
        context.prec = _DIGITS
        mean = abs(sum(values, Decimal()) / len(values))
        return value / mean if mean else None
