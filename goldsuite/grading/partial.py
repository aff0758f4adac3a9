"""How much of a wrong table is right: cells, under the likeliest assignment. Never a verdict."""

from collections.abc import Sequence

from goldsuite.grading.candidates import AnyCandidates, Leftovers
from goldsuite.model.grade import PartialScore

__all__ = ["score_rows"]

MAX_ALIKE = 100
"""Rows without a partner whose cells are counted one by one; the rest count as unmatched."""


def score_rows(
    candidates: AnyCandidates, columns: Sequence[int], left: Leftovers
) -> PartialScore | None:
    """Precision, recall and F1 over cells; None where a side has none.

    Partners count in full. Of the rows without one, in the gold's order, each takes the free row
    that shares most cells with it.
    """
    gold_rows, predicted_rows = candidates.row_counts
    gold_cells = gold_rows * len(candidates.gold)
    predicted_cells = predicted_rows * len(candidates.predicted)
    if not gold_cells or not predicted_cells:
        return None
    matched = (gold_rows - len(left.gold)) * len(columns)
    matched += _alike(candidates, columns, left)
    precision, recall = matched / predicted_cells, matched / gold_cells
    f1 = 2 * precision * recall / (precision + recall) if matched else 0.0
    return PartialScore(precision=precision, recall=recall, f1=f1)


def _alike(candidates: AnyCandidates, columns: Sequence[int], left: Leftovers) -> int:
    pairs = candidates.pairs(columns)
    gold, free = candidates.rows_at(columns, left.gold[:MAX_ALIKE], left.predicted[:MAX_ALIKE])
    matched = 0
    for row in gold:
        shared = [sum(p.allows(g, q) for p, g, q in zip(pairs, row, o, strict=True)) for o in free]
        if not shared:
            break
        best = max(range(len(free)), key=lambda at: (shared[at], -at))
        matched += shared[best]
        del free[best]
    return matched
