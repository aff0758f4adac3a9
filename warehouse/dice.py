"""Chance that falls the same way on every machine and Python.

Only `random.Random.random` is promised to give the same sequence in every release, so all else is
built on it with whole numbers.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Dice:
    """A seeded source of chance."""

    def __init__(self, seed: int) -> None:
        self.draw = Random(seed).random
        """A number from 0 to below 1."""

    def below(self, n: int) -> int:
        """A whole number from 0 to `n` - 1."""
        return int(self.draw() * n)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self.draw() * (high - low + 1))

    def chance(self, per_mille: int) -> bool:
        """True in `per_mille` of 1,000 calls."""
        return self.draw() * 1000 < per_mille

    def early(self, n: int) -> int:
        """A whole number from 0 to `n` - 1; small ones are the likelier."""
        share = self.draw()
        return int(share * share * n)

    def one(self, items: Sequence[Item]) -> Item:
        """Any of `items`, each as likely as the others."""
        return items[int(self.draw() * len(items))]


class Weighted(Generic[Item]):
    """Things to choose from, each with a whole-number weight."""

    def __init__(self, weights: Iterable[tuple[Item, int]]) -> None:
        pairs = [(item, weight) for item, weight in weights if weight > 0]
        self._items = [item for item, _ in pairs]
        self._sums = list(accumulate(weight for _, weight in pairs))
        self._total = self._sums[-1]

    def choose(self, dice: Dice) -> Item:
        return self._items[bisect_right(self._sums, int(dice.draw() * self._total))]


def allot(total: int, weights: Sequence[int]) -> list[int]:
    """Split `total` into whole shares in proportion to `weights`; they add up exactly."""
    whole = sum(weights)
    ends = [running * total // whole for running in accumulate(weights)]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
