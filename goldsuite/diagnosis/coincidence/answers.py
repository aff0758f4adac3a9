"""When two results on a small database count as different."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import TypeAlias

from goldsuite.grading.result_sets import ComparisonPolicy, compare_result_sets
from goldsuite.grading.tolerance import Tolerance
from goldsuite.model.result_set import Cell, ResultSet

__all__ = ["Answers", "Difference", "SameAnswer", "plainly_same"]

SameAnswer: TypeAlias = Callable[[ResultSet, ResultSet], bool]
"""Whether the second result answers what the first one, the gold's, does."""

_NOISE = ComparisonPolicy(tolerance=Tolerance(relative=Decimal("1e-9")), max_extra_columns=0)


class Difference(Enum):
    """How two results differ."""

    NONE = "none"
    NOTHING = "nothing"
    """One is NULL, or no row, where the other is a zero: no row qualified."""
    VALUE = "value"


def plainly_same(gold: ResultSet, analyst: ResultSet) -> bool:
    """Whether both have the same rows in any order, floats but for noise."""
    return compare_result_sets(gold, analyst, policy=_NOISE).equal


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """The comparison that one case asks for."""

    same: SameAnswer = plainly_same
    """Of results that have a value: NaN and NULL are looked at before."""
    same_in_order: SameAnswer | None = None
    """Where the order of rows is part of the answer: `same`, with it."""
    null_is_zero: bool = False

    def differ(self, gold: ResultSet, analyst: ResultSet, *, ordered: bool = False) -> Difference:
        """How the analyst's result differs from the gold's."""
        ours, theirs = _only(gold), _only(analyst)
        if ours is not None and theirs is not None and (ours[0] is None or theirs[0] is None):
            return self._nulls(ours[0], theirs[0])
        same_width = len(gold.columns) == len(analyst.columns)
        if gold.rows == analyst.rows and (same_width or not gold.rows):
            return Difference.NONE
        same = self.same_in_order if ordered and self.same_in_order is not None else self.same
        is_same = same(_without_nan(gold), _without_nan(analyst))
        return Difference.NONE if is_same else Difference.VALUE

    def _nulls(self, ours: Cell, theirs: Cell) -> Difference:
        if ours is None and theirs is None:
            return Difference.NONE
        value = theirs if ours is None else ours
        if isinstance(value, (int, float, Decimal)) and value == 0:
            return Difference.NONE if self.null_is_zero else Difference.NOTHING
        return Difference.VALUE


def _only(result: ResultSet) -> tuple[Cell] | None:
    """The one value of a result of one column, in a tuple; no row counts as NULL."""
    if len(result.columns) != 1 or len(result.rows) > 1:
        return None
    return (_cell(result.rows[0][0]),) if result.rows else (None,)


def _cell(cell: Cell) -> Cell:
    return None if isinstance(cell, (float, Decimal)) and math.isnan(cell) else cell


def _without_nan(result: ResultSet) -> ResultSet:
    if not any(isinstance(cell, (float, Decimal)) for row in result.rows for cell in row):
        return result
    rows = tuple(tuple(map(_cell, row)) for row in result.rows)
    return ResultSet(columns=result.columns, rows=rows)
