"""Large results, compared as arrays; the verdict is that of `rows`.

Equal rows are lined up by hash; what is left of them is looked at with tolerance in `close_rows`.
"""

from array import array
from collections.abc import Sequence

import numpy as np

from goldsuite.grading.candidates import Candidates, Leftovers
from goldsuite.grading.close_rows import as_rows, left_of, open_part, rows_match
from goldsuite.grading.columns import cells_of
from goldsuite.grading.encoding import encode
from goldsuite.grading.partners import pair_close
from goldsuite.grading.row_groups import JointTable
from goldsuite.grading.row_ids import lined_up, numbered, without_partner
from goldsuite.grading.tolerance import Tolerance
from goldsuite.grading.traits import Row
from goldsuite.grading.vector_columns import VectorColumn, VectorPair
from goldsuite.grading.vocabulary import Keys, Places, Vocabulary
from goldsuite.model.result_set import ResultSet

__all__ = ["VectorCandidates", "vector_candidates"]


def vector_candidates(
    gold: ResultSet,
    predicted: ResultSet,
    tolerance: Tolerance,
    *,
    loose: bool,
    case_sensitive: bool,
) -> "VectorCandidates":
    """Both results as arrays."""
    words = Vocabulary()

    def columns(result: ResultSet) -> list[VectorColumn]:
        return [
            VectorColumn(column.name, encode(cells, words, case_sensitive=case_sensitive), words)
            for column, cells in zip(result.columns, cells_of(result), strict=True)
        ]

    return VectorCandidates(columns(gold), columns(predicted), tolerance, loose=loose)


class VectorCandidates(Candidates[VectorColumn, VectorPair]):
    """The comparison over arrays."""

    _left: tuple[tuple[VectorPair, ...], tuple[Places, Places]] | None = None
    """What had no equal partner when rows were compared last: a mismatch is explained by it."""

    @property
    def _words(self) -> Vocabulary:
        return self.gold[0].vocabulary

    def _build(
        self, gold: VectorColumn, predicted: VectorColumn, tolerance: Tolerance
    ) -> VectorPair:
        return VectorPair(gold, predicted, tolerance)

    def twins(self, first: int, second: int) -> bool:
        """See the base class."""
        return np.array_equal(self.predicted[first].plain, self.predicted[second].plain)

    def _rows_equal(self, columns: Sequence[int]) -> bool:
        return self._same_multiset(self.pairs(columns), ())

    def rows_equal_in_order(
        self, columns: Sequence[int], sort_columns: Sequence[int] | None
    ) -> bool:
        """See the base class."""
        places = np.arange(self.row_counts[0])
        if sort_columns is not None:
            changes = np.zeros(len(places), np.bool_)
            for at in sort_columns:
                keys = self.gold[at].plain
                changes[1:] |= keys[1:] != keys[:-1]
            places = np.cumsum(changes)
        return self._same_multiset(self.pairs(columns), (places,))

    def _same_multiset(self, pairs: Sequence[VectorPair], places: Sequence[Keys]) -> bool:
        """Over the pairs, and over the places that rows may not leave."""
        gold = [*(pair.gold for pair in pairs), *places]
        predicted = [*(pair.predicted for pair in pairs), *places]
        if len(gold[0]) != len(predicted[0]):
            return False
        if all(map(np.array_equal, gold, predicted)):
            return True
        may_be_equal = all(pair.equal_cells() for pair in pairs)
        if may_be_equal and lined_up(gold, predicted) is not None:
            return True
        if not any(pair.is_tolerant for pair in pairs):
            return False
        table = self._joint(pairs, gold, predicted)
        if all(pair.seem_equal for pair in pairs):
            left = _without_equal(table)
            if not places:
                self._left = tuple(pairs), left
            table = open_part(table, *left)
        return rows_match(table)

    def _joint(
        self, pairs: Sequence[VectorPair], gold: Sequence[Keys], predicted: Sequence[Keys]
    ) -> JointTable:
        columns = [np.concatenate(both) for both in zip(gold, predicted, strict=True)]
        return JointTable(pairs=pairs, columns=columns, split=len(gold[0]), words=self._words)

    def rows_at(
        self, columns: Sequence[int], gold: Sequence[int], predicted: Sequence[int]
    ) -> tuple[list[Row], list[Row]]:
        """See the base class."""
        pairs = self.pairs(columns)
        places, others = np.asarray(gold, np.intp), np.asarray(predicted, np.intp)
        return (
            list(as_rows(self._words, [pair.gold[places] for pair in pairs])),
            list(as_rows(self._words, [pair.predicted[others] for pair in pairs])),
        )

    def leftovers(self, columns: Sequence[int]) -> Leftovers:
        """See the base class."""
        pairs = self.pairs(columns)
        if self._left is None or self._left[0] != tuple(pairs):
            gold, predicted = [pair.gold for pair in pairs], [pair.predicted for pair in pairs]
            self._left = tuple(pairs), _without_equal(self._joint(pairs, gold, predicted))
        golds, others = self._left[1]
        if golds.size and others.size and any(pair.is_tolerant for pair in pairs):
            rest = self._joint(
                pairs,
                [pair.gold[golds] for pair in pairs],
                [pair.predicted[others] for pair in pairs],
            )
            left, other_left = left_of(rest)
            golds, others = golds[left], others[other_left]
        found = Leftovers(gold=_as_sequence(golds), predicted=_as_sequence(others))
        return pair_close(self, columns, found)


def _without_equal(table: JointTable) -> tuple[Places, Places]:
    numbers = numbered(table.columns)
    return without_partner(numbers[: table.split], numbers[table.split :])


def _as_sequence(places: Places) -> Sequence[int]:
    # A list of a million positions would take five times the memory.
    return array("q", places.astype(np.int64).tobytes())
