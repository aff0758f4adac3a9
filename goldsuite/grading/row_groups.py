"""Rows of both results in one table of keys, and the groups in which tolerance looks for partners.

Numbers that lie apart further than any margin reaches are in different groups, and so are rows that
differ in what no tolerance holds for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from goldsuite.grading.tolerance import FLOAT_NOISE
from goldsuite.grading.vector_columns import VectorPair
from goldsuite.grading.vocabulary import FIRST_CODE, Bools, Floats, Keys, Places, Vocabulary

__all__ = ["JointTable"]

_MARK = FIRST_CODE - 1
"""Stands for any number: as a float it is a NaN too, and no code."""
_ROOM = 1 + 1e-9
"""Margins are taken a little larger here: a group may be too large, never too small."""
_NOISE = 2 * float(FLOAT_NOISE)


@dataclass(frozen=True)
class JointTable:
    """The gold's rows, and the predicted ones below them, over the pairs of an assignment."""

    pairs: Sequence[VectorPair]
    columns: Sequence[Keys]
    """One for each pair, and behind them such as no tolerance holds for."""
    split: int
    """The number of gold rows."""
    words: Vocabulary

    @cached_property
    def numbers(self) -> list[tuple[VectorPair, Keys, Bools]]:
        """The pairs under tolerance with their keys, and which of these are numbers."""
        return [
            (pair, keys, self.words.is_number(keys))
            for pair, keys in zip(self.pairs, self.columns, strict=False)
            if pair.is_tolerant
        ]

    def only(self, rows: Bools) -> "JointTable":
        """Some of the rows of both sides."""
        return JointTable(
            pairs=self.pairs,
            columns=[keys[rows] for keys in self.columns],
            split=int(rows[: self.split].sum()),
            words=self.words,
        )

    def marked(self) -> list[Keys]:
        """The columns with one mark for all numbers under tolerance."""
        return self._replaced([np.int64(_MARK)] * len(self.numbers))

    def noiseless(self) -> list[Keys]:
        """The columns with one number for all that only the noise of floats keeps apart."""
        return self._replaced([self._near(keys, number) for _, keys, number in self.numbers])

    def _replaced(self, numbers: Sequence[Any]) -> list[Keys]:
        left = list(numbers)
        columns = []
        tolerant = iter(self.numbers)
        for pair, keys in zip([*self.pairs, None, None], self.columns, strict=False):
            if pair is not None and pair.is_tolerant:
                _, _, is_number = next(tolerant)
                columns.append(np.where(is_number, left.pop(0), keys))
            else:
                columns.append(keys)
        return columns

    def _near(self, keys: Keys, is_number: Bools) -> Keys:
        values = np.where(is_number, self.words.values(keys), 0.0)
        return _clusters(values, None, _NOISE, 0.0)

    def refined(self, groups: Places) -> Places:
        """Each group split where numbers are further apart than any margin reaches."""
        for pair, keys, is_number in self.numbers:
            tolerance = pair.tolerance
            if tolerance.relative >= 1:
                continue  # such margins reach across zero
            relative = max(float(tolerance.relative), _NOISE if pair.is_noisy else 0.0)
            values = np.where(is_number, self.words.values(keys), 0.0)
            absolute = float(tolerance.absolute or 0)
            groups = _clusters(values, groups, relative * _ROOM + 1e-14, absolute * _ROOM)
        return groups

    def ordered(self, groups: Places) -> tuple[Places, Places]:
        """Either side's rows by group, within it by their numbers; predicted rows count from 0."""
        split = self.split
        if all(np.bincount(side).max(initial=0) <= 1 for side in (groups[:split], groups[split:])):
            return np.argsort(groups[:split]), np.argsort(groups[split:])
        keys = [
            rank for _, column, _ in reversed(self.numbers) for rank in self.words.ranks(column)
        ]
        keys.append(groups)
        gold, predicted = ([k[:split] for k in keys], [k[split:] for k in keys])
        return np.lexsort(gold), np.lexsort(predicted)

    def are_allowed(self, gold: Places, predicted: Places) -> Bools:
        """Whether rows of one group are within tolerance, side by side."""
        found = np.ones(len(gold), np.bool_)
        for pair, keys, is_number in self.numbers:
            where = np.flatnonzero(is_number[gold])
            golds, others = keys[gold[where]], keys[predicted[where] + self.split]
            found[where] &= pair.are_allowed(golds, others)
        return found

    def have_one_number(self, gold: Places) -> bool:
        """Whether some of the rows have a single number, whose margins keep its order."""
        count = np.zeros(len(gold), np.intp)
        for pair, _, is_number in self.numbers:
            if pair.tolerance.relative >= 1:
                return False
            count += is_number[gold]
        return bool((count == 1).any())


def _clusters(values: Floats, groups: Places | None, relative: float, absolute: float) -> Places:
    """Each group split where, in ascending order, a gap is larger than both margins."""
    order = np.argsort(values) if groups is None else np.lexsort((values, groups))
    line = values[order]
    with np.errstate(all="ignore"):
        gap = line[1:] - line[:-1]
        size = np.maximum(np.abs(line[1:]), np.abs(line[:-1]))
        apart = gap > np.maximum(relative * size, absolute)
    if groups is not None:
        lot = groups[order]
        apart |= lot[1:] != lot[:-1]
    found = np.zeros(len(line), np.intp)
    found[order[1:]] = np.cumsum(apart)
    return found
