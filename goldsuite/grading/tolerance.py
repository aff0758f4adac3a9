"""How far two numbers may lie apart and still count as one."""

from dataclasses import dataclass
from decimal import Decimal

from goldsuite.model.key import DEFAULT_TOLERANCE, GoldCase

__all__ = ["DEFAULT", "EXACT", "FLOAT_NOISE", "Tolerance", "is_stated", "tolerance_of"]

FLOAT_NOISE = Decimal("1e-12")
"""Relative: the order of a summation changes the last digits of a binary float by less."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tolerance:
    """Inclusive on both sides; the larger of the two margins decides."""

    relative: Decimal
    """Share of the gold's magnitude; 0 means exact."""
    absolute: Decimal | None = None
    """In the gold's own unit."""

    def margin(self, gold: Decimal | int) -> Decimal:
        """The greatest distance from `gold` that counts as equal. A zero gold has no relative."""
        relative = self.relative * abs(Decimal(gold))
        return relative if self.absolute is None else max(relative, self.absolute)

    def allows(self, gold: Decimal | int, value: Decimal | int, *, noisy: bool = False) -> bool:
        """Whether `value` counts as `gold`; `noisy` where one of them was a binary float."""
        if gold == value:
            return True
        distance = abs(Decimal(value) - gold)
        if distance <= self.margin(gold):
            return True
        # Two whole numbers are never noise apart: 10**12 and 10**12 + 1 are two counts.
        return (
            noisy and distance <= FLOAT_NOISE * abs(Decimal(gold)) and not _both_whole(gold, value)
        )


EXACT = Tolerance(relative=Decimal(0))
DEFAULT = Tolerance(relative=DEFAULT_TOLERANCE)


def _both_whole(first: Decimal | int, second: Decimal | int) -> bool:
    return first == int(first) and second == int(second)


def tolerance_of(key: GoldCase) -> Tolerance:
    """The case's own; a count is exact unless the case or the suite's defaults say otherwise."""
    is_exact_count = (key.unit or "").strip().lower() in {"count", "counts"}
    relative = Decimal(0) if is_exact_count and not key.tolerance_given else key.tolerance
    return Tolerance(relative=relative, absolute=key.abs_tolerance)


def is_stated(value: Decimal, precision: Decimal | None, gold: Decimal) -> bool:
    """Whether `value` is `gold`, correctly rounded to the precision that `value` states.

    A half may be rounded up or down. Without a precision (an exact fraction) they must be equal
    but for the digits that a float does not hold.
    """
    distance = abs(value - gold)
    return distance <= FLOAT_NOISE * abs(gold) or (
        precision is not None and 2 * distance <= precision
    )
