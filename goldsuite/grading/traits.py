"""What a comparison asks of columns and of pairs of them, however their cells are held.

Small results are held as Python cells (`columns`), large ones as arrays (`vector_columns`). What is
decided about them stands here once, so that both give the same verdict.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property
from typing import Generic, Literal, TypeAlias, TypeVar

from goldsuite.grading.cells import Form, is_number
from goldsuite.grading.tolerance import EXACT, Tolerance

__all__ = ["ColumnTraits", "ColumnType", "PairTraits", "Row", "View", "is_whole", "tolerance_for"]

View: TypeAlias = Literal["plain", "numeric", "dated", "truth"]
"""How the cells of two columns are read, so that both have one type."""

Row: TypeAlias = Sequence[Form]

_BOOLEAN = frozenset({"boolean"})
_NUMBER = frozenset({"number"})
_NAMED_KEYS = frozenset({
    "id", "key", "code", "year", "month", "day", "week", "quarter", "number", "no",
})  # fmt: skip
_KEY_ENDINGS = ("_id", "_key", "_code", "_year", "_month", "_number", "_no")


class ColumnTraits(ABC):
    """One column of a result."""

    def __init__(self, name: str, kinds: frozenset[str], *, is_noisy: bool) -> None:
        self.name = " ".join(name.split()).casefold()
        """For comparing names: without case and repeated white space."""
        self.kinds = kinds
        """The types that occur: all numbers are one, and so are dates; NULL is none."""
        self.is_noisy = is_noisy
        """True where binary floats occur, whose last digits mean nothing."""

    @property
    def has_number(self) -> bool:
        return "number" in self.kinds

    @property
    def has_date(self) -> bool:
        return "date" in self.kinds

    @cached_property
    def is_whole(self) -> bool:
        """True where every number is of a whole type: counts, keys, years."""
        return self._find_whole()

    @cached_property
    def holds_years(self) -> bool:
        """True where every number may be a year."""
        return self._find_years()

    @cached_property
    def is_bits(self) -> bool:
        """True where the column holds whole 0 and 1 alone: how some engines write a boolean."""
        return self.kinds == _NUMBER and self.is_whole and self._find_bits()

    @property
    def is_named_key(self) -> bool:
        """Whether the name says that its numbers are no amounts."""
        name = self.name.replace(" ", "_")
        return name in _NAMED_KEYS or name.endswith(_KEY_ENDINGS)

    def suits(self, other: "ColumnTraits") -> View:
        """How the two are read. Text becomes numbers or dates only where the other side has such:
        two text columns are compared as text, so that codes stay codes."""
        if self.has_number or other.has_number:
            as_truth = (self.kinds == _BOOLEAN and other.is_bits) or (
                other.kinds == _BOOLEAN and self.is_bits
            )
            return "truth" if as_truth else "numeric"
        return "dated" if self.has_date or other.has_date else "plain"

    @abstractmethod
    def __len__(self) -> int:
        """Its number of cells."""

    @abstractmethod
    def _find_whole(self) -> bool: ...

    @abstractmethod
    def _find_years(self) -> bool: ...

    @abstractmethod
    def _find_bits(self) -> bool: ...


ColumnType = TypeVar("ColumnType", bound=ColumnTraits)


class PairTraits(ABC, Generic[ColumnType]):
    """A gold column and a predicted one, seen in the type that both can take."""

    def __init__(self, gold: ColumnType, predicted: ColumnType, tolerance: Tolerance) -> None:
        self._sides = (gold, predicted)
        self.view: View = gold.suits(predicted)
        self.tolerance = tolerance
        self.is_noisy = gold.is_noisy or predicted.is_noisy

    @property
    def from_text(self) -> bool:
        """Whether text was read as the numbers or dates of the other side."""
        return self.view in {"numeric", "dated"} and any("str" in s.kinds for s in self._sides)

    @property
    def is_tolerant(self) -> bool:
        """False where numbers must be equal, so that rows can be compared by hash."""
        return self.is_noisy or self.tolerance.relative > 0 or bool(self.tolerance.absolute)

    def allows(self, gold: Form, predicted: Form) -> bool:
        """Whether one cell of each counts as the same."""
        if is_number(gold) and is_number(predicted):
            assert isinstance(gold, int | Decimal)  # noqa: S101 - for the type checker
            assert isinstance(predicted, int | Decimal)  # noqa: S101
            return self.tolerance.allows(gold, predicted, noisy=self.is_noisy)
        return gold == predicted

    @property
    def used_no_tolerance(self) -> bool:
        """Equal but for the noise of floats."""
        return self.equal_cells() or type(self)(*self._sides, EXACT).same_cells

    @cached_property
    def same_cells(self) -> bool:
        """Whether the columns, each on its own, hold the same cells: the rows cannot be equal
        without that."""
        gold, predicted = self._sides
        if self.view == "plain" and gold.kinds != predicted.kinds:
            return False
        if self._plainly_differ():
            return False
        if self.equal_cells():
            return True
        return self.is_tolerant and self._close_cells()

    def _plainly_differ(self) -> bool:
        """Whether a few cells show that the columns are not the same; False proves nothing."""
        return False

    @abstractmethod
    def equal_cells(self) -> bool:
        """The same with no tolerance."""

    @abstractmethod
    def _close_cells(self) -> bool:
        """The same with tolerance."""

    @abstractmethod
    def shared_cells(self) -> int:
        """How many cells of the gold column the other seems to hold, from 0 to all of them."""

    @property
    @abstractmethod
    def holds_other_type(self) -> bool:
        """Whether no cell of one side has a type of the other; a column of NULLs fits any."""


def is_whole(form: Form) -> bool:
    """True for a number of a whole type; 5.0 and 5.00 are of none."""
    return type(form) is int or (
        isinstance(form, Decimal) and form.is_finite() and form.as_tuple().exponent == 0
    )


def tolerance_for(gold: ColumnTraits, tolerance: Tolerance, *, loose: bool) -> Tolerance:
    """The tolerance that suits a gold column.

    Whole numbers are counts, keys or years: 2024 is within 0.5 % of 2025. They are compared
    exactly, unless the case itself names a tolerance (`loose`) and the column is no key or year.
    """
    exact = gold.has_number and (
        gold.holds_years or (gold.is_whole and not (loose and not gold.is_named_key))
    )
    return EXACT if exact else tolerance
