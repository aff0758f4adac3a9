"""Columns of a result, as lists of one-form cells, and two columns brought to one type."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Literal, TypeAlias

from goldsuite.grading.cells import Form, is_number, numeral, to_form
from goldsuite.grading.dates import read_date
from goldsuite.grading.tolerance import EXACT, Tolerance
from goldsuite.model.result_set import Cell, ResultSet

__all__ = ["ColumnView", "Pair", "columns_of", "pair_up"]


View: TypeAlias = Literal["plain", "numeric", "dated"]


class ColumnView:
    """One column; each typed view is computed once, when a partner needs it."""

    def __init__(self, name: str, cells: Sequence[Cell], *, case_sensitive: bool) -> None:
        self.name = " ".join(name.split()).casefold()
        """For comparing names: without case and repeated white space."""
        self.plain: list[Form] = [to_form(c, case_sensitive=case_sensitive) for c in cells]
        self.is_noisy = any(isinstance(cell, float) for cell in cells)
        """True where binary floats occur, whose last digits mean nothing."""
        self._counts: dict[View, Counter[Form]] = {}

    @cached_property
    def has_number(self) -> bool:
        return any(map(is_number, self.plain))

    @cached_property
    def has_date(self) -> bool:
        return any(isinstance(form, date) for form in self.plain)

    @cached_property
    def is_whole(self) -> bool:
        """True where every number is of a whole type: counts, keys, years."""
        return all(_is_whole(form) for form in self.plain if is_number(form))

    @cached_property
    def numeric(self) -> list[Form]:
        """With text that is plainly a number as that number."""
        return _convert(self.plain, numeral)

    @cached_property
    def dated(self) -> list[Form]:
        """With text that is plainly a date as that date."""
        return _convert(self.plain, read_date)

    def counts(self, view: View) -> Counter[Form]:
        """How often each cell occurs in that view."""
        if view not in self._counts:
            self._counts[view] = Counter(getattr(self, view))
        return self._counts[view]


def _is_whole(form: Form) -> bool:
    return type(form) is int or (
        isinstance(form, Decimal) and form.is_finite() and form.as_tuple().exponent == 0
    )


def _convert(
    forms: list[Form], read: Callable[[str], Decimal | date | datetime | None]
) -> list[Form]:
    if not any(isinstance(form, str) for form in forms):
        return forms
    return [
        converted if isinstance(form, str) and (converted := read(form)) is not None else form
        for form in forms
    ]


def columns_of(result: ResultSet, *, case_sensitive: bool) -> list[ColumnView]:
    """The columns of `result` in its order."""
    cells = zip(*result.rows, strict=True) if result.rows else ((),) * len(result.columns)
    return [
        ColumnView(column.name, values, case_sensitive=case_sensitive)
        for column, values in zip(result.columns, cells, strict=True)
    ]


class Pair:
    """A gold column and a predicted one, seen in the type that both can take."""

    def __init__(self, gold: ColumnView, predicted: ColumnView, tolerance: Tolerance) -> None:
        self._views = (gold, predicted)
        self._view: View
        # Text is read as numbers or dates only where the other side has such: two text columns
        # are compared as text, so that codes stay codes.
        if gold.has_number or predicted.has_number:
            self.gold, self.predicted = gold.numeric, predicted.numeric
            self._view = "numeric"
        elif gold.has_date or predicted.has_date:
            self.gold, self.predicted = gold.dated, predicted.dated
            self._view = "dated"
        else:
            self.gold, self.predicted = gold.plain, predicted.plain
            self._view = "plain"
        self.tolerance = tolerance
        self.is_noisy = gold.is_noisy or predicted.is_noisy
        self.from_text = self.gold is not gold.plain or self.predicted is not predicted.plain

    def with_tolerance(self, tolerance: Tolerance) -> "Pair":
        """The same two columns under another tolerance."""
        return Pair(*self._views, tolerance)

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

    def same_cells(self) -> bool:
        """Whether the two columns, each on its own, hold the same cells: a necessary condition."""
        gold_counts, predicted_counts = (side.counts(self._view) for side in self._views)
        if gold_counts == predicted_counts:
            return True
        if not self.is_tolerant:
            return False
        return _rest(gold_counts) == _rest(predicted_counts) and self._same_numbers()

    def _same_numbers(self) -> bool:
        gold, predicted = _numbers(self.gold), _numbers(self.predicted)
        if len(gold) != len(predicted):
            return False
        if self.tolerance.relative >= 1:
            return True  # margins cross, so that sorting proves nothing; the rows will decide
        return all(
            self.tolerance.allows(g, p, noisy=self.is_noisy)
            for g, p in zip(gold, predicted, strict=True)
        )


def _numbers(forms: list[Form]) -> list[int | Decimal]:
    return sorted(form for form in forms if isinstance(form, int | Decimal))


def _rest(counts: Counter[Form]) -> dict[Form, int]:
    return {form: count for form, count in counts.items() if not is_number(form)}


def pair_up(gold: ColumnView, predicted: ColumnView, tolerance: Tolerance, *, loose: bool) -> Pair:
    """The pair with the tolerance that suits it.

    Whole numbers are counts, keys or years: 2024 is within 0.5 % of 2025. They are compared
    exactly, unless the case itself names a tolerance (`loose`) and the column is no key or year.
    """
    exact = gold.has_number and (
        _holds_years(gold) or (gold.is_whole and not (loose and not _is_named_key(gold)))
    )
    return Pair(gold, predicted, EXACT if exact else tolerance)


def _is_named_key(column: ColumnView) -> bool:
    name = column.name.replace(" ", "_")
    if name in {"id", "key", "code", "year", "month", "day", "week", "quarter", "number", "no"}:
        return True
    return name.endswith(("_id", "_key", "_code", "_year", "_month", "_number", "_no"))


def _holds_years(column: ColumnView) -> bool:
    numbers = [form for form in column.plain if isinstance(form, int | Decimal)]
    return all(1900 <= number <= 2100 and number == int(number) for number in numbers)
