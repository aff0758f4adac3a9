"""What one right answer costs."""

from collections.abc import Iterable
from decimal import Decimal

__all__ = ["cost_per_correct"]


def cost_per_correct(costs: Iterable[Decimal | float | None], correct: int) -> Decimal | None:
    """Total cost over the number of correct answers, in the unit of `costs` (US dollars).

    `costs` has one entry for every trial, right or wrong, since wrong answers are paid for too.
    None where nothing was correct, where there was no trial, or where one trial did not tell its
    cost: a sum that leaves trials out would look too cheap.

    Raises:
        ValueError: `correct` is negative, or greater than the number of trials.
    """
    told = list(costs)
    if not 0 <= correct <= len(told):
        raise ValueError(f"{correct} correct answers cannot be out of {len(told)}")
    if not correct or any(cost is None for cost in told):
        return None
    # repr, not the binary value: a cost of 0.1 dollars is ten cents.
    total = sum(
        (Decimal(repr(c)) if isinstance(c, float) else Decimal(c) for c in told if c), Decimal()
    )
    return total / correct
