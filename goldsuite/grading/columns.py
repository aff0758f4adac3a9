"""Columns of a result, as lists of one-form cells, and two columns brought to one type."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache, cached_property
from math import isfinite
from types import NoneType
from typing import Literal, TypeAlias

from goldsuite.grading.cells import Form, is_number, numeral, to_form
from goldsuite.grading.dates import read_date
from goldsuite.grading.tolerance import EXACT, Tolerance
from goldsuite.model.result_set import Cell, ResultSet

__all__ = ["ColumnView", "Pair", "columns_of", "kind_of", "pair_up"]


View: TypeAlias = Literal["plain", "numeric", "dated"]


class ColumnView:
    """One column; each typed view is computed once, when a partner needs it."""

    def __init__(self, name: str, cells: Sequence[Cell], *, case_sensitive: bool) -> None:
        self.name = " ".join(name.split()).casefold()
        """For comparing names: without case and repeated white space."""
        types = set(map(type, cells))
        self.plain = _forms(cells, types, case_sensitive=case_sensitive)
        self.is_noisy = any(issubclass(kind, float) for kind in types)
        """True where binary floats occur, whose last digits mean nothing."""
        self.kinds = _kinds(self.plain, types)
        """The types that occur: all numbers are one, and so are dates; NULL is none."""
        self._counts: dict[View, dict[Form, int]] = {}
        self._numbers: dict[View, list[int | Decimal]] = {}
        self._rest: dict[View, dict[Form, int]] = {}

    @property
    def has_number(self) -> bool:
        return "number" in self.kinds

    @property
    def has_date(self) -> bool:
        return "date" in self.kinds

    @cached_property
    def is_whole(self) -> bool:
        """True where every number is of a whole type: counts, keys, years."""
        return all(_is_whole(form) for form in self.plain if is_number(form))

    @cached_property
    def numeric(self) -> list[Form]:
        """With text that is plainly a number as that number."""
        return self.plain if "str" not in self.kinds else _convert(self.plain, numeral)

    @cached_property
    def dated(self) -> list[Form]:
        """With text that is plainly a date as that date."""
        return self.plain if "str" not in self.kinds else _convert(self.plain, read_date)

    def counts(self, view: View) -> dict[Form, int]:
        """How often each cell occurs in that view."""
        if view not in self._counts:
            # A dict: comparing two Counters is ten times slower, since they ignore zeros.
            self._counts[view] = dict(Counter(getattr(self, view)))
        return self._counts[view]

    def numbers(self, view: View) -> list[int | Decimal]:
        """The numbers of that view in ascending order."""
        if view not in self._numbers:
            forms: list[Form] = getattr(self, view)
            self._numbers[view] = sorted(f for f in forms if isinstance(f, int | Decimal))
        return self._numbers[view]

    def rest(self, view: View) -> dict[Form, int]:
        """How often each cell that is no number occurs in that view."""
        if view not in self._rest:
            counts = self.counts(view)
            self._rest[view] = {f: n for f, n in counts.items() if not is_number(f)}
        return self._rest[view]


def _is_whole(form: Form) -> bool:
    return type(form) is int or (
        isinstance(form, Decimal) and form.is_finite() and form.as_tuple().exponent == 0
    )


def _forms(cells: Sequence[Cell], types: set[type], *, case_sensitive: bool) -> list[Form]:
    """All cells in their one form; columns of one plain type are taken over as they are."""
    if types <= {int, NoneType} or types <= {date, NoneType}:
        return list(cells)  # type: ignore[arg-type]
    if types == {float} and isfinite(sum(cells)):  # type: ignore[arg-type]
        return [Decimal(repr(cell)) for cell in cells]
    return [to_form(cell, case_sensitive=case_sensitive) for cell in cells]


def _kinds(forms: list[Form], types: set[type]) -> frozenset[str]:
    known = [_PLAIN_KINDS.get(kind) for kind in types]
    if all(known):
        return frozenset(kind for kind in known if kind and kind != "null")
    return frozenset({kind_of(form) for form in forms if form is not None})


_PLAIN_KINDS = {int: "number", str: "str", date: "date", datetime: "date", NoneType: "null"}
"""Kinds that the Python type alone tells; a float or Decimal may be NaN."""


def kind_of(form: Form) -> str:
    """`number`, `date`, `str`, `boolean`, ...: cells of two kinds are never equal."""
    if isinstance(form, str):
        return "str"
    if isinstance(form, int | Decimal):
        return "number"
    if isinstance(form, tuple):
        return form[0]
    return "date" if isinstance(form, date) else type(form).__name__


def _convert(
    forms: list[Form], read: Callable[[str], Decimal | date | datetime | None]
) -> list[Form]:
    """Text that `read` understands as what it means."""
    read_once = cache(read)
    return [
        (form if (value := read_once(form)) is None else value) if isinstance(form, str) else form
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

    def equal_cells(self) -> bool:
        """Whether the two columns, each on its own, hold the same cells with no tolerance."""
        gold, predicted = self._views
        return gold.counts(self._view) == predicted.counts(self._view)

    @cached_property
    def same_cells(self) -> bool:
        """The same with tolerance: a necessary condition for the rows to be equal."""
        gold, predicted = self._views
        if self._view == "plain" and gold.kinds != predicted.kinds:
            return False
        if self.equal_cells():
            return True
        if not self.is_tolerant or gold.rest(self._view) != predicted.rest(self._view):
            return False
        numbers = gold.numbers(self._view), predicted.numbers(self._view)
        if len(numbers[0]) != len(numbers[1]):
            return False
        if self.tolerance.relative >= 1:
            return True  # margins cross, so that sorting proves nothing; the rows will decide
        return all(
            self.tolerance.allows(g, p, noisy=self.is_noisy) for g, p in zip(*numbers, strict=True)
        )


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
