"""How much of a wrong table is right: cells, under the likeliest assignment. Never a verdict."""

from collections import Counter
from collections.abc import Sequence

from goldsuite.grading.assignment import Candidates
from goldsuite.grading.cells import Form
from goldsuite.grading.columns import Pair
from goldsuite.model.grade import PartialScore

__all__ = ["score_rows"]

MAX_LEFT = 100
"""Rows without an equal partner that are paired by their likeness; the rest count as unmatched."""


def score_rows(pairs: Sequence[Pair], candidates: Candidates) -> PartialScore | None:
    """Precision, recall and F1 over cells; None where a side has none.

    Equal rows are partners. Of the others, in the gold's order, each takes the free row that shares
    most cells with it.
    """
    gold = list(zip(*(pair.gold for pair in pairs), strict=True))
    predicted = list(zip(*(pair.predicted for pair in pairs), strict=True))
    gold_cells = len(gold) * len(candidates.gold)
    predicted_cells = len(predicted) * len(candidates.predicted)
    if not gold_cells or not predicted_cells:
        return None
    free = Counter(predicted)
    left = []
    matched = 0
    for row in gold:
        if free[row] > 0:
            free[row] -= 1
            matched += len(row)
        else:
            left.append(row)
    matched += _alike(left[:MAX_LEFT], list(free.elements())[:MAX_LEFT], pairs)
    precision, recall = matched / predicted_cells, matched / gold_cells
    f1 = 2 * precision * recall / (precision + recall) if matched else 0.0
    return PartialScore(precision=precision, recall=recall, f1=f1)


def _alike(
    gold: list[tuple[Form, ...]], free: list[tuple[Form, ...]], pairs: Sequence[Pair]
) -> int:
    matched = 0
    for row in gold:
        shared = [sum(p.allows(g, q) for p, g, q in zip(pairs, row, o, strict=True)) for o in free]
        if not shared:
            break
        best = max(range(len(free)), key=lambda at: (shared[at], -at))
        matched += shared[best]
        del free[best]
    return matched
