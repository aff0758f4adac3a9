"""Rows of small results as a multiset: every gold row finds its own partner, none is used twice.

Equal rows are found by hash. What is left is compared with tolerance: rows are grouped by their
cells that are no numbers, sorted by their numbers and compared in that order. Noise can change the
order of close rows, so a group that mismatches is matched as a bipartite graph.
"""

from collections import Counter
from collections.abc import Sequence

from goldsuite.grading.candidates import Candidates, Leftovers
from goldsuite.grading.cells import Form
from goldsuite.grading.columns import ColumnView, Pair
from goldsuite.grading.matching import group_matches
from goldsuite.grading.partners import grouped, pair_close, pair_groups
from goldsuite.grading.tolerance import Tolerance
from goldsuite.grading.traits import Row

__all__ = ["PlainCandidates"]

_Rows = list[tuple[Form, ...]]


class PlainCandidates(Candidates[ColumnView, Pair]):
    """The comparison over Python cells."""

    def _build(self, gold: ColumnView, predicted: ColumnView, tolerance: Tolerance) -> Pair:
        return Pair(gold, predicted, tolerance)

    def twins(self, first: int, second: int) -> bool:
        """See the base class."""
        return self.predicted[first].plain == self.predicted[second].plain

    def _rows_equal(self, columns: Sequence[int]) -> bool:
        pairs = self.pairs(columns)
        return _same_multiset(*_rows(pairs), pairs)

    def rows_equal_in_order(
        self, columns: Sequence[int], sort_columns: Sequence[int] | None
    ) -> bool:
        """See the base class."""
        pairs = self.pairs(columns)
        gold, predicted = _rows(pairs)
        return all(
            _same_multiset(gold[start:stop], predicted[start:stop], pairs)
            for start, stop in self._segments(sort_columns)
        )

    def _segments(self, sort_columns: Sequence[int] | None) -> list[tuple[int, int]]:
        """Slices of gold rows whose sort keys are equal; within one the order is free."""
        count = self.row_counts[0]
        if sort_columns is None:
            return [(at, at + 1) for at in range(count)]
        keys = [tuple(self.gold[c].plain[at] for c in sort_columns) for at in range(count)]
        starts = [at for at in range(count) if at == 0 or keys[at] != keys[at - 1]]
        return list(zip(starts, [*starts[1:], count], strict=True))

    def leftovers(self, columns: Sequence[int]) -> Leftovers:
        """See the base class."""
        pairs = self.pairs(columns)
        gold, predicted = _rows(pairs)
        golds, others = _without(gold, predicted), _without(predicted, gold)
        tolerant = [place for place, pair in enumerate(pairs) if pair.is_tolerant]
        if not tolerant or not golds or not others:
            return Leftovers(gold=golds, predicted=others)
        rows, other_rows = {at: gold[at] for at in golds}, {at: predicted[at] for at in others}
        groups, other_groups = (
            grouped(rows.items(), tolerant),
            grouped(other_rows.items(), tolerant),
        )
        both = [(found, other_groups.pop(key, [])) for key, found in groups.items()]
        both += [([], found) for found in other_groups.values()]
        return pair_close(self, columns, pair_groups(both, rows, other_rows, pairs))

    def rows_at(
        self, columns: Sequence[int], gold: Sequence[int], predicted: Sequence[int]
    ) -> tuple[list[Row], list[Row]]:
        """See the base class."""
        pairs = self.pairs(columns)
        sides = ([pair.gold for pair in pairs], [pair.predicted for pair in pairs])
        rows, others = (
            [tuple(column[at] for column in side) for at in places]
            for side, places in zip(sides, (gold, predicted), strict=True)
        )
        return list(rows), list(others)


def _rows(pairs: Sequence[Pair]) -> tuple[_Rows, _Rows]:
    gold = list(zip(*(pair.gold for pair in pairs), strict=True))
    predicted = list(zip(*(pair.predicted for pair in pairs), strict=True))
    return gold, predicted


def _same_multiset(gold: _Rows, predicted: _Rows, pairs: Sequence[Pair]) -> bool:
    if len(gold) != len(predicted):
        return False
    if gold == predicted or dict(Counter(gold)) == dict(Counter(predicted)):
        return True
    tolerant = [place for place, pair in enumerate(pairs) if pair.is_tolerant]
    if not tolerant:
        return False
    groups = grouped(enumerate(gold), tolerant)
    others = grouped(enumerate(predicted), tolerant)
    if {key: len(at) for key, at in groups.items()} != {key: len(at) for key, at in others.items()}:
        return False
    return all(
        group_matches([gold[at] for at in found], [predicted[at] for at in others[key]], pairs)
        for key, found in groups.items()
    )


def _without(rows: _Rows, others: _Rows) -> list[int]:
    """Positions of rows that have no equal partner; of equal rows the last ones."""
    free = Counter(others)
    left = []
    for at, row in enumerate(rows):
        if free[row] > 0:
            free[row] -= 1
        else:
            left.append(at)
    return left
