"""The mean of what was measured."""

from collections.abc import Iterable
from statistics import fmean

__all__ = ["mean_measured"]


def mean_measured(values: Iterable[float | None]) -> float | None:
    """The arithmetic mean, None left out; None where nothing was measured, which is not 0."""
    measured = [value for value in values if value is not None]
    return fmean(measured) if measured else None
