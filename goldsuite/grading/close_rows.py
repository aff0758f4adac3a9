"""Whether rows of two large results are partners within tolerance, and which are left without one.

Three things are tried, each of which is a proof if it pairs all rows: numbers that only noise keeps
apart are taken as one; the rows of a group are sorted by their numbers; groups that mismatch are
matched by the graph that small results are matched by.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from goldsuite.grading.candidates import Leftovers
from goldsuite.grading.matching import MatchingLimitError, group_matches
from goldsuite.grading.partners import MAX_WALKED, Group, pair_groups
from goldsuite.grading.row_groups import JointTable
from goldsuite.grading.row_ids import numbered, without_partner
from goldsuite.grading.traits import Row
from goldsuite.grading.vocabulary import Bools, Keys, Places, Vocabulary

__all__ = ["as_rows", "left_of", "open_part", "rows_match"]

MAX_MATCHED = 50_000
"""Gold rows of the groups that are matched one by one; beyond it the comparison gives up."""


def rows_match(table: JointTable) -> bool:
    """Whether every row has a partner of its own, for as many rows on both sides.

    Raises:
        MatchingLimitError: a group of close rows is too large to be matched.
    """
    rest = _without_noise(table)
    if rest is None:
        return True
    groups = numbered(rest.marked())
    if not _are_as_many(groups, rest.split):
        return False  # no row has a partner outside of its group
    bad = _bad_groups(rest, groups)
    if bad is None or not bad.any():
        return bad is not None
    rows = bad[groups]
    rest, groups = rest.only(rows), groups[rows]
    groups = rest.refined(groups)
    if not _are_as_many(groups, rest.split):
        return False
    bad = _bad_groups(rest, groups)
    return bad is not None and _are_matched(rest, groups, bad)


def _without_noise(table: JointTable) -> JointTable | None:
    """The groups that do not fit by taking as one what only noise keeps apart; None if all do."""
    split = table.split
    numbers = numbered(table.noiseless())
    golds, others = without_partner(numbers[:split], numbers[split:])
    paired = np.ones(len(numbers), np.bool_)
    paired[golds] = paired[others + split] = False
    gold, predicted = np.flatnonzero(paired[:split]), np.flatnonzero(paired[split:])
    gold = gold[np.argsort(numbers[gold], kind="stable")]
    predicted = predicted[np.argsort(numbers[predicted + split], kind="stable")]
    bad = gold[~table.are_allowed(gold, predicted)]
    golds = np.concatenate((golds, bad))
    return open_part(table, golds, others) if golds.size else None


def open_part(table: JointTable, gold: Places, predicted: Places) -> JointTable:
    """The groups of these rows, which are the ones without a partner: all others are settled."""
    groups = numbered(table.marked())
    is_open = np.zeros(int(groups.max()) + 1, np.bool_)
    is_open[groups[gold]] = is_open[groups[predicted + table.split]] = True
    return table.only(is_open[groups])


def _are_as_many(groups: Places, split: int) -> bool:
    size = int(groups.max()) + 1
    counts, others = (np.bincount(g, minlength=size) for g in (groups[:split], groups[split:]))
    return np.array_equal(counts, others)


def _bad_groups(table: JointTable, groups: Places) -> Bools | None:
    """Groups, as many rows on both sides, that do not fit when sorted; None if one never fits."""
    gold, predicted = table.ordered(groups)
    misfits = gold[~table.are_allowed(gold, predicted)]
    if table.have_one_number(misfits):
        return None  # the sorted order is the best matching of intervals on one line
    found = np.zeros(int(groups.max()) + 1, np.bool_)
    found[groups[misfits]] = True
    return found


def _are_matched(table: JointTable, groups: Places, bad: Bools) -> bool:
    """Whether each of the bad groups has a perfect matching."""
    split = table.split
    sides = []
    for side in (groups[:split], groups[split:]):
        places = np.flatnonzero(bad[side])
        sides.append(places[np.argsort(side[places], kind="stable")])
    if len(sides[0]) > MAX_MATCHED:
        raise MatchingLimitError
    gold, predicted = _rows_of(table, *sides)
    line = groups[sides[0]]
    cuts = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), len(line)]
    return all(
        group_matches(gold[start:stop], predicted[start:stop], table.pairs)
        for start, stop in pairwise(cuts)
        if start < stop
    )


def _rows_of(table: JointTable, gold: Places, predicted: Places) -> tuple[list[Row], list[Row]]:
    """Some rows of both sides, in the one form of their cells."""
    columns = table.columns[: len(table.pairs)]
    return (
        list(as_rows(table.words, [keys[gold] for keys in columns])),
        list(as_rows(table.words, [keys[predicted + table.split] for keys in columns])),
    )


def as_rows(words: Vocabulary, columns: Sequence[Keys]) -> Iterator[Row]:
    """Rows of forms from columns of keys."""
    return zip(*([words.form(key) for key in keys.tolist()] for keys in columns), strict=True)


def left_of(table: JointTable) -> tuple[Places, Places]:
    """Of rows without an equal partner, those without one within tolerance, in ascending order."""
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
    walked = _walked(table, groups, walk)
    return (
        _merged(np.flatnonzero(alone[line]), walked.gold),
        _merged(np.flatnonzero(alone[other_line]), walked.predicted),
    )


def _merged(first: Places, second: Sequence[int]) -> Places:
    return np.sort(np.concatenate((first, np.asarray(second, np.intp))))


def _walked(table: JointTable, groups: Places, walk: Bools) -> Leftovers:
    sides = []
    found: dict[int, Group] = {at: ([], []) for at in np.flatnonzero(walk).tolist()}
    for side, line in enumerate((groups[: table.split], groups[table.split :])):
        places = np.flatnonzero(walk[line])
        for at in places.tolist():
            found[int(line[at])][side].append(at)
        sides.append(places)
    rows, others = _rows_of(table, *sides)
    return pair_groups(
        list(found.values()),
        dict(zip(sides[0].tolist(), rows, strict=True)),
        dict(zip(sides[1].tolist(), others, strict=True)),
        table.pairs,
    )
