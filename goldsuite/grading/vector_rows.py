"""Rows of large results as a multiset, compared as arrays; the verdict is that of `rows`.

Equal rows are lined up by hash. With tolerance, three things are tried, each of which is a proof if
it pairs all rows: numbers that only noise keeps apart taken as one, rows of one group sorted by
their numbers, and, for the groups that mismatch, the graph that small results are matched by.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from goldsuite.grading.candidates import Candidates, Leftovers
from goldsuite.grading.columns import cells_of
from goldsuite.grading.encoding import encode
from goldsuite.grading.matching import MatchingLimitError, group_matches
from goldsuite.grading.partners import MAX_WALKED, Group, pair_close, pair_groups
from goldsuite.grading.row_groups import JointTable
from goldsuite.grading.row_ids import lined_up, numbered
from goldsuite.grading.tolerance import Tolerance
from goldsuite.grading.traits import Row
from goldsuite.grading.vector_columns import VectorColumn, VectorPair
from goldsuite.grading.vocabulary import Bools, Keys, Places, Vocabulary
from goldsuite.model.result_set import ResultSet

__all__ = ["VectorCandidates", "vector_candidates"]

MAX_MATCHED = 50_000
"""Gold rows of the groups that are matched one by one; beyond it the comparison gives up."""


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

    def rows_equal(self, columns: Sequence[int]) -> bool:
        """See the base class."""
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
        if all(map(np.array_equal, gold, predicted)) or lined_up(gold, predicted) is not None:
            return True
        if not any(pair.is_tolerant for pair in pairs):
            return False
        table = self._joint(pairs, gold, predicted)
        return _noise_alone(table) or self._groups_match(table)

    def _joint(
        self, pairs: Sequence[VectorPair], gold: Sequence[Keys], predicted: Sequence[Keys]
    ) -> JointTable:
        columns = [np.concatenate(both) for both in zip(gold, predicted, strict=True)]
        return JointTable(pairs=pairs, columns=columns, split=len(gold[0]), words=self._words)

    def _groups_match(self, table: JointTable) -> bool:
        split = table.split
        groups = table.refined(numbered(table.marked()))
        size = int(groups.max()) + 1
        counts, others = (np.bincount(g, minlength=size) for g in (groups[:split], groups[split:]))
        if not np.array_equal(counts, others):
            return False  # no row has a partner outside of its group
        gold, predicted = table.ordered(groups)
        bad = ~table.are_allowed(gold, predicted)
        if not bad.any():
            return True
        if table.have_one_number(gold[bad]):
            return False  # the sorted order is the best matching of intervals on one line
        line = groups[gold]
        open_groups = np.unique(line[bad])
        if counts[open_groups].sum() > MAX_MATCHED:
            raise MatchingLimitError
        starts, stops = (np.searchsorted(line, open_groups, side=s) for s in ("left", "right"))
        return all(
            group_matches(*self._rows_of(table, gold[a:b], predicted[a:b]), table.pairs)
            for a, b in zip(starts.tolist(), stops.tolist(), strict=True)
        )

    def _rows_of(
        self, table: JointTable, gold: Places, predicted: Places
    ) -> tuple[list[Row], list[Row]]:
        columns = table.columns[: len(table.pairs)]
        return (
            list(self._rows([keys[gold] for keys in columns])),
            list(self._rows([keys[predicted + table.split] for keys in columns])),
        )

    def _rows(self, columns: Sequence[Keys]) -> Iterator[Row]:
        form = self._words.form
        return zip(*([form(key) for key in keys.tolist()] for keys in columns), strict=True)

    def rows_at(
        self, columns: Sequence[int], gold: Sequence[int], predicted: Sequence[int]
    ) -> tuple[list[Row], list[Row]]:
        """See the base class."""
        pairs = self.pairs(columns)
        places, others = np.asarray(gold, np.intp), np.asarray(predicted, np.intp)
        return (
            list(self._rows([pair.gold[places] for pair in pairs])),
            list(self._rows([pair.predicted[others] for pair in pairs])),
        )

    def leftovers(self, columns: Sequence[int]) -> Leftovers:
        """See the base class."""
        pairs = self.pairs(columns)
        gold, predicted = ([pair.gold for pair in pairs], [pair.predicted for pair in pairs])
        table = self._joint(pairs, gold, predicted)
        numbers = numbered(table.columns)
        golds, others = _without_partner(numbers[: table.split], numbers[table.split :])
        if not table.numbers or not golds.size or not others.size:
            return Leftovers(gold=golds.tolist(), predicted=others.tolist())
        rest = self._joint(
            pairs, [keys[golds] for keys in gold], [keys[others] for keys in predicted]
        )
        left = self._left_of(rest)
        found = Leftovers(
            gold=golds[np.asarray(left.gold, np.intp)].tolist(),
            predicted=others[np.asarray(left.predicted, np.intp)].tolist(),
        )
        return pair_close(self, columns, found)

    def _left_of(self, table: JointTable) -> Leftovers:
        """Of rows without an equal partner, those without one within tolerance."""
        groups = numbered(table.marked())
        line, other_line = groups[: table.split], groups[table.split :]
        size = int(groups.max()) + 1
        counts, others = np.bincount(line, minlength=size), np.bincount(other_line, minlength=size)
        fits = counts == others
        gold, predicted = table.ordered(groups)
        golds, matched = gold[fits[line[gold]]], predicted[fits[other_line[predicted]]]
        fits[line[golds[~table.are_allowed(golds, matched)]]] = False
        # A pair of rows that does not fit, or a row alone, needs no walk.
        walk = ~fits & (counts > 0) & (others > 0) & (counts + others > 2)
        walk[np.cumsum(np.where(walk, counts + others, 0)) > MAX_WALKED] = False
        alone = ~fits & ~walk
        walked = self._walked(table, groups, walk)
        return Leftovers(
            gold=sorted([*np.flatnonzero(alone[line]).tolist(), *walked.gold]),
            predicted=sorted([*np.flatnonzero(alone[other_line]).tolist(), *walked.predicted]),
        )

    def _walked(self, table: JointTable, groups: Places, walk: Bools) -> Leftovers:
        sides = []
        found: dict[int, Group] = {at: ([], []) for at in np.flatnonzero(walk).tolist()}
        for side, line in enumerate((groups[: table.split], groups[table.split :])):
            places = np.flatnonzero(walk[line])
            for at in places.tolist():
                found[int(line[at])][side].append(at)
            sides.append(places)
        rows, others = self._rows_of(table, *sides)
        return pair_groups(
            list(found.values()),
            dict(zip(sides[0].tolist(), rows, strict=True)),
            dict(zip(sides[1].tolist(), others, strict=True)),
            table.pairs,
        )


def _noise_alone(table: JointTable) -> bool:
    """Whether the rows are partners once what only noise keeps apart is taken as one."""
    columns, split = table.noiseless(), table.split
    orders = lined_up([keys[:split] for keys in columns], [keys[split:] for keys in columns])
    return orders is not None and bool(table.are_allowed(*orders).all())


def _without_partner(gold: Places, predicted: Places) -> tuple[Places, Places]:
    """Places of numbers that the other side has less often; of equal ones the last."""
    size = int(max(gold.max(initial=0), predicted.max(initial=0))) + 1
    counts, others = np.bincount(gold, minlength=size), np.bincount(predicted, minlength=size)
    return _beyond(gold, others), _beyond(predicted, counts)


def _beyond(numbers: Places, allowed: Places) -> Places:
    """Places whose number occurred as often as allowed before them."""
    order = np.argsort(numbers, kind="stable")
    line = numbers[order]
    first = np.searchsorted(line, line)
    return np.sort(order[np.arange(len(line)) - first >= allowed[line]])
