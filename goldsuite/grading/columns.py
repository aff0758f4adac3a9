"""Columns of a small result, as lists of one-form cells, and two columns brought to one type."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from math import isfinite
from operator import itemgetter
from types import NoneType

from goldsuite.grading.cells import Form, is_number, numeral, to_form
from goldsuite.grading.dates import read_date
from goldsuite.grading.traits import ColumnTraits, PairTraits, View, is_whole
from goldsuite.model.result_set import Cell, ResultSet

__all__ = ["PLAIN_KINDS", "ColumnView", "Pair", "cells_of", "columns_of", "kind_of", "reader_of"]

PLAIN_KINDS = {
    int: "number", str: "str", bool: "boolean", date: "date", datetime: "date", NoneType: "null",
}  # fmt: skip
"""Kinds that the Python type alone tells; a float or Decimal may be NaN."""

_FALSE: Form = ("boolean", False)
_TRUE: Form = ("boolean", True)


class ColumnView(ColumnTraits):
    """One column; each typed view is computed once, when a partner needs it."""

    def __init__(self, name: str, cells: Sequence[Cell], *, case_sensitive: bool) -> None:
        types = set(map(type, cells))
        self.plain = _forms(cells, types, case_sensitive=case_sensitive)
        super().__init__(
            name,
            _kinds(self.plain, types),
            is_noisy=any(issubclass(kind, float) for kind in types),
        )
        self._views: dict[View, list[Form]] = {"plain": self.plain}
        self._counts: dict[View, dict[Form, int]] = {}
        self._numbers: dict[View, list[int | Decimal]] = {}

    def __len__(self) -> int:
        return len(self.plain)

    def view(self, view: View) -> list[Form]:
        """All cells as that view reads them."""
        if view not in self._views:
            self._views[view] = self._read(view)
        return self._views[view]

    def _read(self, view: View) -> list[Form]:
        if view == "truth":
            return [reader_of(view)(form) for form in self.plain] if self.is_bits else self.plain
        if "str" not in self.kinds:
            return self.plain
        read = cache(reader_of(view))
        return [read(form) if isinstance(form, str) else form for form in self.plain]

    def counts(self, view: View) -> dict[Form, int]:
        """How often each cell occurs in that view."""
        if view not in self._counts:
            # A dict: comparing two Counters is ten times slower, since they ignore zeros.
            self._counts[view] = dict(Counter(self.view(view)))
        return self._counts[view]

    def numbers(self, view: View) -> list[int | Decimal]:
        """The numbers of that view in ascending order."""
        if view not in self._numbers:
            forms = self.view(view)
            self._numbers[view] = sorted(f for f in forms if isinstance(f, int | Decimal))
        return self._numbers[view]

    def rest(self, view: View) -> dict[Form, int]:
        """How often each cell that is no number occurs in that view."""
        return {f: n for f, n in self.counts(view).items() if not is_number(f)}

    def _find_whole(self) -> bool:
        return all(is_whole(form) for form in self.plain if is_number(form))

    def _find_years(self) -> bool:
        numbers = self.numbers("plain")
        return all(1900 <= number <= 2100 and number == int(number) for number in numbers)

    def _find_bits(self) -> bool:
        return set(self.numbers("plain")) <= {0, 1}


def reader_of(view: View) -> Callable[[Form], Form]:
    """What a view makes of one cell that it converts: text, or whole 0 and 1 for `truth`."""
    if view == "truth":
        return lambda form: form if form is None else (_TRUE if form else _FALSE)
    read: Callable[[str], Form] = numeral if view == "numeric" else read_date

    def convert(form: Form) -> Form:
        value = read(form) if isinstance(form, str) else None
        return form if value is None else value

    return convert


def _forms(cells: Sequence[Cell], types: set[type], *, case_sensitive: bool) -> list[Form]:
    """All cells in their one form; columns of one plain type are taken over as they are."""
    if types <= {int, NoneType} or types <= {date, NoneType}:
        return list(cells)  # type: ignore[arg-type]
    if types == {float} and isfinite(sum(cells)):  # type: ignore[arg-type]
        return [Decimal(repr(cell)) for cell in cells]
    return [to_form(cell, case_sensitive=case_sensitive) for cell in cells]


def _kinds(forms: list[Form], types: set[type]) -> frozenset[str]:
    known = [PLAIN_KINDS.get(kind) for kind in types]
    if all(known):
        return frozenset(kind for kind in known if kind and kind != "null")
    return frozenset({kind_of(form) for form in forms if form is not None})


def kind_of(form: Form) -> str:
    """`number`, `date`, `str`, `boolean`, ...: cells of two kinds are never equal."""
    if isinstance(form, str):
        return "str"
    if isinstance(form, int | Decimal):
        return "number"
    if isinstance(form, tuple):
        return form[0]
    return "date" if isinstance(form, date) else type(form).__name__


def cells_of(result: ResultSet) -> Iterator[list[Cell]]:
    """The cells of `result`, column by column."""
    # One column at a time, since zip(*rows) makes an iterator for every row.
    return (list(map(itemgetter(at), result.rows)) for at in range(len(result.columns)))


def columns_of(result: ResultSet, *, case_sensitive: bool) -> list[ColumnView]:
    """The columns of `result` in its order."""
    return [
        ColumnView(column.name, cells, case_sensitive=case_sensitive)
        for column, cells in zip(result.columns, cells_of(result), strict=True)
    ]


class Pair(PairTraits[ColumnView]):
    """Two columns as lists of forms."""

    @property
    def gold(self) -> list[Form]:
        return self._sides[0].view(self.view)

    @property
    def predicted(self) -> list[Form]:
        return self._sides[1].view(self.view)

    def equal_cells(self) -> bool:
        """Whether the columns, each on its own, hold the same cells with no tolerance."""
        gold, predicted = self._sides
        return gold.counts(self.view) == predicted.counts(self.view)

    def _close_cells(self) -> bool:
        gold, predicted = self._sides
        if gold.rest(self.view) != predicted.rest(self.view):
            return False
        numbers = gold.numbers(self.view), predicted.numbers(self.view)
        if len(numbers[0]) != len(numbers[1]):
            return False
        if self.tolerance.relative >= 1:
            return True  # margins cross, so that sorting proves nothing; the rows will decide
        return all(self.allows(g, p) for g, p in zip(*numbers, strict=True))

    def shared_cells(self) -> int:
        """Equal cells; under tolerance, each number of the gold that has a neighbour in reach."""
        gold, predicted = self._sides
        if self.is_tolerant:
            counts, others = gold.rest(self.view), predicted.rest(self.view)
        else:
            counts, others = gold.counts(self.view), predicted.counts(self.view)
        shared = sum(min(n, others.get(form, 0)) for form, n in counts.items())
        if not self.is_tolerant:
            return shared
        line = predicted.numbers(self.view)
        return shared + sum(self._has_neighbour(n, line) for n in gold.numbers(self.view))

    def _has_neighbour(self, number: int | Decimal, line: list[int | Decimal]) -> bool:
        at = bisect_left(line, number)
        return any(self.allows(number, near) for near in line[max(at - 1, 0) : at + 1])

    @property
    def holds_other_type(self) -> bool:
        """Whether no cell of one side has a type of the other; a column of NULLs fits any."""
        gold, predicted = (
            {kind_of(form) for form in side if form is not None}
            for side in (self.gold, self.predicted)
        )
        return bool(gold and predicted) and gold.isdisjoint(predicted)
