"""Cells as 64-bit keys: two cells have one key exactly where their forms are equal.

A number that a binary float holds (the float whose shortest text is that number) has the bits of
that float as its key. All else has a code, kept in the bits of the negative NaNs, which no number
has. So a column of keys is one array, and is also its column of approximate numbers.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import count
from math import isfinite
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from goldsuite.grading.cells import Form
from goldsuite.grading.tolerance import FLOAT_NOISE, Tolerance

__all__ = ["FIRST_CODE", "Bools", "Floats", "Keys", "Places", "Vocabulary", "is_code"]

Keys: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.intp]

FIRST_CODE = -(2**51)
"""Keys from here to -1 are codes; as floats they are NaN."""

_SLACK = 8 * float(np.finfo(np.float64).eps)
"""Relative: how far a distance or a margin, computed in floats, may be off, and more."""
_TINY = float(np.finfo(np.float64).tiny)


def is_code(keys: Keys) -> Bools:
    """Which of the keys are no bits of a float."""
    return (keys >= FIRST_CODE) & (keys < 0)


class Vocabulary:
    """The codes of one comparison, shared by all of its columns."""

    def __init__(self) -> None:
        self._codes: defaultdict[Form, int] = defaultdict(count(FIRST_CODE).__next__)
        self._forms: list[Form] = []
        self._odd: dict[int, int | Decimal] = {}

    def codes(self, forms: Iterable[Form], size: int) -> Keys:
        """The keys of cells none of which is a number."""
        return np.fromiter(map(self._codes.__getitem__, forms), np.int64, size)

    def keys(self, forms: Sequence[Form]) -> Keys:
        """The keys of any cells, one by one."""
        return np.fromiter(map(self.key, forms), np.int64, len(forms))

    def key(self, form: Form) -> int:
        """The key of one cell."""
        if isinstance(form, int | Decimal):
            return self._number_key(form)
        return self._codes[form]

    def _number_key(self, number: int | Decimal) -> int:
        value = _nearest(number)
        if isfinite(value) and Decimal(repr(value)) == number:
            return int(np.float64(value + 0.0).view(np.int64))  # -0.0 is 0.0
        code = self._codes[number]
        self._odd[code] = number
        return code

    def form(self, key: int) -> Form:
        """The form of a key; a whole number may come back as a Decimal, which is equal to it."""
        if not FIRST_CODE <= key < 0:
            return Decimal(repr(float(np.int64(key).view(np.float64))))
        if len(self._forms) != len(self._codes):
            self._forms = list(self._codes)
        return self._forms[key - FIRST_CODE]

    def odd_numbers(self, keys: Keys) -> Places:
        """Where numbers stand that no float holds."""
        if not self._odd:
            return np.empty(0, np.intp)
        return np.flatnonzero(np.isin(keys, np.fromiter(self._odd, np.int64, len(self._odd))))

    def is_number(self, keys: Keys) -> Bools:
        """Which of the cells are numbers."""
        found: Bools = ~is_code(keys)
        found[self.odd_numbers(keys)] = True
        return found

    def values(self, keys: Keys) -> Floats:
        """The numbers, to the precision of a float; what is no number is NaN."""
        odd = self.odd_numbers(keys)
        if not odd.size:
            return keys.view(np.float64)
        values = keys.view(np.float64).copy()
        values[odd] = [_nearest(self._odd[int(key)]) for key in keys[odd]]
        return values

    def ranks(self, keys: Keys) -> list[npt.NDArray[np.generic]]:
        """Sort keys of numbers for `lexsort`, the last one first: exact, unlike `values` alone.

        Only numbers that no float holds need more than one: of all numbers with the same nearest
        float, one at most is that float.
        """
        values, odd = self.values(keys), self.odd_numbers(keys)
        if not odd.size:
            return [values]
        tie = np.zeros(len(keys), np.int64)
        order = {number: at for at, number in enumerate(sorted(set(self._odd.values())), start=1)}
        for at in odd.tolist():
            number, near = self._odd[int(keys[at])], float(values[at])
            above = number > Decimal(repr(near)) if isfinite(near) else number > 0
            tie[at] = order[number] if above else order[number] - len(order) - 1
        return [tie, values]

    def allowed(self, gold: Keys, predicted: Keys, tolerance: Tolerance, *, noisy: bool) -> Bools:
        """`Tolerance.allows` for numbers side by side: in floats, and exactly where it is close."""
        same: Bools = gold == predicted
        if same.all():
            return same
        g, p = self.values(gold), self.values(predicted)
        with np.errstate(all="ignore"):
            size = np.abs(g)
            distance = np.abs(p - g)
            margin = float(tolerance.relative) * size
            if tolerance.absolute is not None:
                margin = np.maximum(margin, float(tolerance.absolute))
            if noisy:
                whole = (np.floor(g) == g) & (np.floor(p) == p)
                margin = np.where(whole, margin, np.maximum(margin, float(FLOAT_NOISE) * size))
            slack = _SLACK * (size + np.abs(p) + margin) + _TINY
            within = np.isfinite(margin) & (distance + slack <= margin)
            unsure = ~(same | within | (distance - slack > margin))
        for side in (gold, predicted):
            odd = self.odd_numbers(side)
            unsure[odd] = ~same[odd]
        same |= within
        for at in np.flatnonzero(unsure).tolist():
            same[at] = _allows(
                self.form(int(gold[at])), self.form(int(predicted[at])), tolerance, noisy
            )
        return same


def _nearest(number: int | Decimal) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _allows(gold: Form, predicted: Form, tolerance: Tolerance, noisy: bool) -> bool:  # noqa: FBT001
    assert isinstance(gold, int | Decimal)  # noqa: S101 - for the type checker
    assert isinstance(predicted, int | Decimal)  # noqa: S101
    return tolerance.allows(gold, predicted, noisy=noisy)
