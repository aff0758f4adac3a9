"""Partners among rows that differ: who is left without one.

Explains a mismatch and never decides one, so it may stop early: `MAX_WALKED` rows are walked, and
only few rows are compared each with each.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from goldsuite.grading.candidates import AnyCandidates, Leftovers
from goldsuite.grading.cells import Form, is_number
from goldsuite.grading.matching import Pairs, numbers_of, numeric_places, row_allows
from goldsuite.grading.traits import Row

__all__ = ["MAX_WALKED", "Group", "grouped", "pair_close", "pair_groups"]

MAX_WALKED = 20_000
"""Rows of groups that do not fit as a whole, both sides together."""
MAX_EACH = 200
"""Rows of a side that are compared with each of the other."""

_MARK: Form = ("number", None)

Group: TypeAlias = tuple[list[int], list[int]]
"""Positions of gold rows and of predicted ones that are equal but for numbers under tolerance."""


def grouped(rows: Iterable[tuple[int, Row]], tolerant: Sequence[int]) -> dict[Row, list[int]]:
    """Positions of rows by their cells that must be equal; a number under tolerance is a mark."""
    groups: defaultdict[Row, list[int]] = defaultdict(list)
    for at, row in rows:
        key = list(row)
        for place in tolerant:
            if is_number(key[place]):
                key[place] = _MARK
        groups[tuple(key)].append(at)
    return groups


def pair_groups(
    groups: Sequence[Group], gold: Mapping[int, Row], predicted: Mapping[int, Row], pairs: Pairs
) -> Leftovers:
    """Walk down the sorted rows of each group, and pair those that lie within tolerance."""
    left_gold: list[int] = []
    left_predicted: list[int] = []
    walked = 0
    for golds, others in groups:
        left = Leftovers(gold=golds, predicted=others)
        size = len(golds) + len(others)
        if golds and others and walked + size <= MAX_WALKED:
            left = _walk(golds, others, gold, predicted, pairs)
            walked += size
        left_gold += left.gold
        left_predicted += left.predicted
    return Leftovers(gold=sorted(left_gold), predicted=sorted(left_predicted))


def _walk(
    golds: list[int],
    others: list[int],
    gold: Mapping[int, Row],
    predicted: Mapping[int, Row],
    pairs: Pairs,
) -> Leftovers:
    numeric = numeric_places(gold[golds[0]], pairs)
    golds = sorted(golds, key=lambda at: (numbers_of(gold[at], numeric), at))
    others = sorted(others, key=lambda at: (numbers_of(predicted[at], numeric), at))
    left_gold: list[int] = []
    left_predicted: list[int] = []
    here = there = 0
    while here < len(golds) and there < len(others):
        row, other = gold[golds[here]], predicted[others[there]]
        if row_allows(row, other, numeric, pairs):
            here, there = here + 1, there + 1
        elif numbers_of(row, numeric) <= numbers_of(other, numeric):
            left_gold.append(golds[here])
            here += 1
        else:
            left_predicted.append(others[there])
            there += 1
    return Leftovers(gold=left_gold + golds[here:], predicted=left_predicted + others[there:])


def pair_close(candidates: AnyCandidates, columns: Sequence[int], left: Leftovers) -> Leftovers:
    """Few rows, each with each: noise in two columns may have changed the order of the walk."""
    if not left.gold or not left.predicted or len(left.gold) > MAX_EACH:
        return left
    pairs = candidates.pairs(columns)
    free = list(left.predicted[: 2 * MAX_EACH])
    golds, others = candidates.rows_at(columns, left.gold, free)
    rows = dict(zip(free, others, strict=True))
    alone = []
    for at, row in zip(left.gold, golds, strict=True):
        partner = next((p for p in free if row_allows(row, rows[p], range(len(row)), pairs)), None)
        if partner is None:
            alone.append(at)
        else:
            free.remove(partner)
    return Leftovers(gold=alone, predicted=[*free, *left.predicted[2 * MAX_EACH :]])
