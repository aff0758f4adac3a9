"""Columns of a large result as arrays of keys, and two of them brought to one type."""

import numpy as np
import numpy.typing as npt

from goldsuite.grading.columns import kind_of, reader_of
from goldsuite.grading.encoding import Encoded
from goldsuite.grading.traits import ColumnTraits, PairTraits, View
from goldsuite.grading.vocabulary import FIRST_CODE, Bools, Keys, Vocabulary, is_code

__all__ = ["VectorColumn", "VectorPair"]

SAMPLE = 100
"""Cells that are looked at before a whole column is read."""

_BITS = np.array([0.0, 1.0]).view(np.int64)


class VectorColumn(ColumnTraits):
    """One column; each typed view is computed once, when a partner needs it."""

    def __init__(self, name: str, encoded: Encoded, vocabulary: Vocabulary) -> None:
        super().__init__(name, encoded.kinds, is_noisy=encoded.is_noisy)
        self.plain = encoded.keys
        self.vocabulary = vocabulary
        self._is_whole_type = encoded.is_whole
        self._views: dict[View, Keys] = {"plain": self.plain}
        self._sorted: dict[View, Keys] = {}

    def __len__(self) -> int:
        return len(self.plain)

    def view(self, view: View) -> Keys:
        """All cells as that view reads them."""
        if view not in self._views:
            self._views[view] = self._read(view)
        return self._views[view]

    def _read(self, view: View) -> Keys:
        if view == "truth":
            return self._convert(view, ~is_code(self.plain)) if self.is_bits else self.plain
        return self._convert(view, is_code(self.plain)) if "str" in self.kinds else self.plain

    def _convert(self, view: View, where: Bools) -> Keys:
        """Each distinct cell there is read once."""
        found, places = np.unique(self.plain[where], return_inverse=True)
        read, words = reader_of(view), self.vocabulary
        forms = [words.form(key) for key in found.tolist()]
        keys = self.plain.copy()
        keys[where] = words.keys([read(form) for form in forms])[places]
        return keys

    def stays_text(self, view: View) -> bool:
        """Whether one of the first cells is text that the view cannot read as anything else."""
        if view not in {"numeric", "dated"} or "str" not in self.kinds:
            return False
        read = reader_of(view)
        forms = map(self.vocabulary.form, self.plain[:SAMPLE].tolist())
        return any(isinstance(read(form), str) for form in forms)

    def sorted(self, view: View) -> Keys:
        """The keys of that view in ascending order: negative floats, codes, other floats."""
        keys = self.view(view)
        view = "plain" if keys is self.plain else view
        if view not in self._sorted:
            self._sorted[view] = np.sort(keys)
        return self._sorted[view]

    def numbers(self, view: View) -> Keys:
        """The numbers of that view in ascending order."""
        keys = self.sorted(view)
        if self.vocabulary.odd_numbers(keys).size:
            keys = keys[self.vocabulary.is_number(keys)]
            return keys[np.lexsort(self.vocabulary.ranks(keys))]
        # The bits of negative floats ascend as they move away from zero.
        start, stop = np.searchsorted(keys, [FIRST_CODE, 0])
        return np.concatenate((keys[:start][::-1], keys[stop:]))

    def rest(self, view: View) -> Keys:
        """What is no number in that view, sorted by key."""
        keys = self.sorted(view)
        return keys[~self.vocabulary.is_number(keys)]

    def kinds_of(self, view: View) -> frozenset[str]:
        """The types that occur in that view."""
        if self.view(view) is self.plain:
            return self.kinds
        keys = self.sorted(view)
        codes = np.unique(keys[is_code(keys)])
        forms = [self.vocabulary.form(key) for key in codes.tolist()]
        kinds = {kind_of(form) for form in forms if form is not None}
        return frozenset(kinds | ({"number"} if len(self.numbers(view)) else set()))

    def _find_whole(self) -> bool:
        return self._is_whole_type

    def _find_years(self) -> bool:
        numbers = self.numbers("plain")
        if self.vocabulary.odd_numbers(numbers).size:
            return False  # no year needs more digits than a float has
        years = numbers.view(np.float64)
        return bool(((years >= 1900) & (years <= 2100) & (np.floor(years) == years)).all())

    def _find_bits(self) -> bool:
        return bool(np.isin(self.numbers("plain"), _BITS).all())


class VectorPair(PairTraits[VectorColumn]):
    """Two columns as arrays of keys."""

    @property
    def gold(self) -> Keys:
        return self._sides[0].view(self.view)

    @property
    def predicted(self) -> Keys:
        return self._sides[1].view(self.view)

    def are_allowed(self, gold: Keys, predicted: Keys) -> Bools:
        """`allows` for numbers side by side."""
        same: Bools = gold == predicted
        if not self.is_tolerant:
            return same
        words = self._sides[0].vocabulary
        return words.allowed(gold, predicted, self.tolerance, noisy=self.is_noisy)

    def _plainly_differ(self) -> bool:
        # Reading every text as a number or a date takes longer than all else.
        gold, predicted = self._sides
        return (
            len(gold) != len(predicted)
            or ("str" not in predicted.kinds and gold.stays_text(self.view))
            or ("str" not in gold.kinds and predicted.stays_text(self.view))
        )

    @property
    def seem_equal(self) -> bool:
        """Whether most cells of a sample have an equal on the other side: else noise is at work."""
        gold, predicted = (side.sorted(self.view) for side in self._sides)
        sample = gold[:: max(len(gold) // SAMPLE, 1)]
        places = np.minimum(np.searchsorted(predicted, sample), len(predicted) - 1)
        return bool(2 * np.count_nonzero(predicted[places] == sample) > len(sample))

    def equal_cells(self) -> bool:
        """Whether the columns, each on its own, hold the same cells with no tolerance."""
        gold, predicted = self._sides
        if len(gold) != len(predicted):
            return False
        return np.array_equal(self.gold, self.predicted) or np.array_equal(
            gold.sorted(self.view), predicted.sorted(self.view)
        )

    def _close_cells(self) -> bool:
        gold, predicted = self._sides
        if not np.array_equal(gold.rest(self.view), predicted.rest(self.view)):
            return False
        numbers = gold.numbers(self.view), predicted.numbers(self.view)
        if len(numbers[0]) != len(numbers[1]):
            return False
        if self.tolerance.relative >= 1:
            return True  # margins cross, so that sorting proves nothing; the rows will decide
        return bool(self.are_allowed(*numbers).all())

    def shared_cells(self) -> int:
        """Equal cells; under tolerance, each number of the gold that has a neighbour in reach."""
        gold, predicted = self._sides
        if not self.is_tolerant:
            return _in_common(gold.sorted(self.view), predicted.sorted(self.view))
        shared = _in_common(gold.rest(self.view), predicted.rest(self.view))
        numbers, line = gold.numbers(self.view), predicted.numbers(self.view)
        if not len(numbers) or not len(line):
            return shared
        places = self._places_in(line, numbers)
        below, above = line[np.maximum(places - 1, 0)], line[np.minimum(places, len(line) - 1)]
        return shared + int(
            (self.are_allowed(numbers, below) | self.are_allowed(numbers, above)).sum()
        )

    def _places_in(self, line: Keys, numbers: Keys) -> npt.NDArray[np.intp]:
        """How many numbers of `line` are smaller than each of `numbers`; both are sorted."""
        words = self._sides[0].vocabulary
        ranks = words.ranks(np.concatenate((numbers, line)))
        # Stable, so that of equal numbers those of `numbers` come first.
        order = np.lexsort(ranks)
        is_line = order >= len(numbers)
        return np.cumsum(is_line, dtype=np.intp)[~is_line]

    @property
    def holds_other_type(self) -> bool:
        """Whether no cell of one side has a type of the other; a column of NULLs fits any."""
        gold, predicted = (side.kinds_of(self.view) for side in self._sides)
        return bool(gold and predicted) and gold.isdisjoint(predicted)


def _in_common(first: Keys, second: Keys) -> int:
    """Cells that two sorted columns share, each as often as in the one that has it less often."""
    keys, counts = _counted(first)
    others, other_counts = _counted(second)
    _, at, other_at = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
    return int(np.minimum(counts[at], other_counts[other_at]).sum())


def _counted(keys: Keys) -> tuple[Keys, npt.NDArray[np.intp]]:
    starts = np.ones(len(keys), np.bool_)
    starts[1:] = keys[1:] != keys[:-1]
    places = np.flatnonzero(starts)
    return keys[places], np.diff(np.append(places, len(keys)))
