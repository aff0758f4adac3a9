"""Which of the rows that tie at a gold's limit an answer means."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from goldsuite.grading.cells import Form, is_number, to_form
from goldsuite.grading.limit_ties import TieAtLimit
from goldsuite.grading.tolerance import Tolerance
from goldsuite.model.result_set import Cell, ResultSet

__all__ = ["gold_nearest_to"]

MAX_STEPS = 1_000_000
"""Pairs of rows compared; beyond it the gold stays as the warehouse gave it."""

_Row = tuple[Cell, ...]


def gold_nearest_to(
    predicted: ResultSet,
    gold: ResultSet,
    tie: TieAtLimit,
    tolerance: Tolerance,
    *,
    case_sensitive: bool,
) -> ResultSet:
    """`gold` with those of the tied rows that `predicted` has, in its order.

    The rows above the tie stay. Only a choice among right results: whether the answer is one of
    them is decided by the comparison that follows.
    """
    if len(predicted.rows) != len(gold.rows):
        return gold
    if len(predicted.rows) * (len(tie.group) + tie.above) > MAX_STEPS:
        return gold

    def forms(rows: Sequence[_Row]) -> list[list[Form]]:
        return [[to_form(cell, case_sensitive=case_sensitive) for cell in row] for row in rows]

    fixed, free = gold.rows[: tie.above], list(tie.group)
    answered = forms(predicted.rows)
    for row in forms(fixed):
        _take(row, answered, tolerance)
    chosen: list[_Row] = []
    free_forms = forms(free)
    for row in answered:
        at = _nearest(row, free_forms, tolerance)
        if at is not None and len(chosen) < len(gold.rows) - tie.above:
            chosen.append(free.pop(at))
            del free_forms[at]
    chosen += free[: len(gold.rows) - tie.above - len(chosen)]
    return replace(gold, rows=(*fixed, *chosen))


def _take(row: list[Form], answered: list[list[Form]], tolerance: Tolerance) -> None:
    """Take the answer's row that `row` is out of `answered`, an equal one first."""
    for exact in (True, False):
        for at, other in enumerate(answered):
            if _within(row, other, None if exact else tolerance):
                del answered[at]
                return


def _nearest(row: list[Form], golds: list[list[Form]], tolerance: Tolerance) -> int | None:
    for allowed in (None, tolerance):
        for at, gold in enumerate(golds):
            if _within(gold, row, allowed):
                return at
    return None


def _within(gold: list[Form], row: list[Form], tolerance: Tolerance | None) -> bool:
    """Whether each cell of `gold` has one of its own in `row`, wherever it stands there."""
    left = list(row)
    for cell in gold:
        at = next((at for at, other in enumerate(left) if _same(cell, other, tolerance)), None)
        if at is None:
            return False
        del left[at]
    return True


def _same(gold: Form, other: Form, tolerance: Tolerance | None) -> bool:
    if gold == other or tolerance is None:
        return gold == other
    if not (is_number(gold) and is_number(other)):
        return False
    assert isinstance(gold, int | Decimal)  # noqa: S101 - for the type checker
    assert isinstance(other, int | Decimal)  # noqa: S101
    return tolerance.allows(gold, other, noisy=True)
