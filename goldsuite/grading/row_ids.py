"""Rows of keys: numbered so that equal rows have one number, or lined up with their equals.

Rows are sorted by a hash of theirs. A hash alone proves nothing, so the keys behind it are always
compared, and where two different rows have one hash, the rows are sorted by their keys instead.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from goldsuite.grading.vocabulary import Keys, Places

__all__ = ["lined_up", "numbered", "without_partner"]

_ODD = 0x9E3779B97F4A7C15
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)


def lined_up(gold: Sequence[Keys], predicted: Sequence[Keys]) -> tuple[Places, Places] | None:
    """An order of either side under which each row stands beside its equal; None if there is none.

    Takes columns of keys, as many for both sides.
    """
    hashes = _hashes(gold), _hashes(predicted)
    orders = np.argsort(hashes[0]), np.argsort(hashes[1])
    if not np.array_equal(hashes[0][orders[0]], hashes[1][orders[1]]):
        return None
    if _stand_beside(gold, predicted, orders):
        return orders
    orders = np.lexsort(list(gold)), np.lexsort(list(predicted))
    return orders if _stand_beside(gold, predicted, orders) else None


def _stand_beside(
    gold: Sequence[Keys], predicted: Sequence[Keys], orders: tuple[Places, Places]
) -> bool:
    return all(
        np.array_equal(g[orders[0]], p[orders[1]]) for g, p in zip(gold, predicted, strict=True)
    )


def _hashes(columns: Sequence[Keys]) -> npt.NDArray[np.uint64]:
    found = np.zeros(len(columns[0]), np.uint64)
    for at, keys in enumerate(columns):
        found ^= keys.view(np.uint64) + np.uint64((_ODD * (2 * at + 1)) % 2**64)
        found *= _MIX
        found ^= found >> _SHIFT
    return found


def numbered(columns: Sequence[Keys]) -> Places:
    """A number for each row, from 0, that equal rows share."""
    hashes = _hashes(columns)
    order = np.argsort(hashes)
    starts = _starts(columns, order)
    if np.any(starts & ~_starts([hashes.view(np.int64)], order)):  # two rows with one hash
        order = np.lexsort(list(columns))
        starts = _starts(columns, order)
    numbers = np.empty(len(order), np.intp)
    numbers[order] = np.cumsum(starts) - 1
    return numbers


def _starts(columns: Sequence[Keys], order: Places) -> npt.NDArray[np.bool_]:
    """Where, in that order, a row differs from the one before it."""
    found = np.zeros(len(order), np.bool_)
    found[:1] = True
    for keys in columns:
        line = keys[order]
        found[1:] |= line[1:] != line[:-1]
    return found


def without_partner(gold: Places, predicted: Places) -> tuple[Places, Places]:
    """Places of row numbers that the other side has less often; of equal rows the last ones."""
    size = int(max(gold.max(initial=0), predicted.max(initial=0))) + 1
    counts, others = np.bincount(gold, minlength=size), np.bincount(predicted, minlength=size)
    return _beyond(gold, others), _beyond(predicted, counts)


def _beyond(numbers: Places, allowed: Places) -> Places:
    """Places whose number occurred as often as allowed before them."""
    often = np.flatnonzero(np.bincount(numbers, minlength=len(allowed))[numbers] > allowed[numbers])
    order = often[np.argsort(numbers[often], kind="stable")]
    line = numbers[order]
    first = np.searchsorted(line, line)
    return np.sort(order[np.arange(len(line)) - first >= allowed[line]])
