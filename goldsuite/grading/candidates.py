"""Two results that may be one: their columns, every pair of columns, and what rows are asked.

An assignment is a sequence: for each gold column the predicted one that stands for it; it may name
the first gold columns only.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from goldsuite.grading.tolerance import Tolerance
from goldsuite.grading.traits import ColumnType, PairTraits, Row, tolerance_for

__all__ = ["AnyCandidates", "Candidates", "Leftovers"]

PairType = TypeVar("PairType", bound=PairTraits[Any])


@dataclass(frozen=True, kw_only=True, slots=True)
class Leftovers:
    """Positions of rows that found no partner on the other side, in ascending order."""

    gold: Sequence[int]
    predicted: Sequence[int]


class Candidates(ABC, Generic[ColumnType, PairType]):
    """All pairs of columns, each built once, and the comparison of rows over them."""

    def __init__(
        self,
        gold: Sequence[ColumnType],
        predicted: Sequence[ColumnType],
        tolerance: Tolerance,
        *,
        loose: bool,
    ) -> None:
        self.gold, self.predicted = gold, predicted
        self._tolerance, self._loose = tolerance, loose
        self._pairs: dict[tuple[int, int], PairType] = {}
        self._equal: dict[tuple[int, ...], bool] = {}

    def pair(self, gold: int, predicted: int) -> PairType:
        """The two columns, brought to one type."""
        key = (gold, predicted)
        if key not in self._pairs:
            column = self.gold[gold]
            tolerance = tolerance_for(column, self._tolerance, loose=self._loose)
            self._pairs[key] = self._build(column, self.predicted[predicted], tolerance)
        return self._pairs[key]

    def pairs(self, columns: Sequence[int]) -> list[PairType]:
        """The pairs of an assignment."""
        return [self.pair(gold, predicted) for gold, predicted in enumerate(columns)]

    def fitting(self, gold: int) -> list[int]:
        """Predicted columns with the same cells: the same name first, then the same place."""
        found = [at for at in range(len(self.predicted)) if self.pair(gold, at).same_cells]
        name = self.gold[gold].name
        return sorted(found, key=lambda at: (self.predicted[at].name != name, at != gold, at))

    @property
    def row_counts(self) -> tuple[int, int]:
        """Of the gold and of the prediction; 0 where there is no column."""
        gold, predicted = (len(side[0]) if side else 0 for side in (self.gold, self.predicted))
        return gold, predicted

    @abstractmethod
    def _build(self, gold: ColumnType, predicted: ColumnType, tolerance: Tolerance) -> PairType: ...

    @abstractmethod
    def twins(self, first: int, second: int) -> bool:
        """Whether two predicted columns hold the same cells in the same rows."""

    def rows_equal(self, columns: Sequence[int]) -> bool:
        """Whether the rows over these columns are the same multiset.

        Raises:
            MatchingLimitError: a group of close rows is too large to be matched.
        """
        key = tuple(columns)
        if key not in self._equal:
            self._equal[key] = self._rows_equal(columns)
        return self._equal[key]

    @abstractmethod
    def _rows_equal(self, columns: Sequence[int]) -> bool: ...

    @abstractmethod
    def rows_equal_in_order(
        self, columns: Sequence[int], sort_columns: Sequence[int] | None
    ) -> bool:
        """The same for rows that stand in the gold's order.

        Gold rows that follow each other and are equal in `sort_columns` may change places; with
        None, every row has its own place.
        """

    @abstractmethod
    def leftovers(self, columns: Sequence[int]) -> Leftovers:
        """Rows without a partner: equal rows are partners first, then those within tolerance."""

    @abstractmethod
    def rows_at(
        self, columns: Sequence[int], gold: Sequence[int], predicted: Sequence[int]
    ) -> tuple[list[Row], list[Row]]:
        """Some rows of both sides, in the one form of their cells."""


AnyCandidates: TypeAlias = Candidates[Any, Any]
