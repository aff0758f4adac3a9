"""The cells of one column as keys: quick for columns of one plain type, one by one for all others.

A column of one type is brought to its form by distinct value; where types mix, equal values of two
types (1 and true) may have two forms, so each cell is read on its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from operator import attrgetter, contains
from types import NoneType
from typing import Any

import numpy as np

from goldsuite.grading.cells import Form, is_number, to_form
from goldsuite.grading.columns import PLAIN_KINDS, kind_of
from goldsuite.grading.traits import is_whole
from goldsuite.grading.vocabulary import Keys, Vocabulary
from goldsuite.model.result_set import Cell

__all__ = ["Encoded", "encode"]

MOST_DIGITS = 15
"""A decimal of so many is the shortest text of the float nearest to it."""
_EXACT_WHOLE = 2**53
_SMALLEST_WHOLE_FLOAT = 1e16
"""From here on, a float's shortest text may have no fraction."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Encoded:
    """A column as keys, and what only its cells tell."""

    keys: Keys
    kinds: frozenset[str]
    """As in `ColumnTraits`."""
    is_noisy: bool
    is_whole: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Solid:
    """The cells of a column that are not NULL, all of one type."""

    keys: Keys
    kinds: frozenset[str]
    is_whole: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class _Words:
    """How the cells of a comparison are read."""

    vocabulary: Vocabulary
    case_sensitive: bool


def encode(cells: Sequence[Cell], vocabulary: Vocabulary, *, case_sensitive: bool) -> Encoded:
    """One column."""
    words = _Words(vocabulary=vocabulary, case_sensitive=case_sensitive)
    types = set(map(type, cells))
    solid = types - {NoneType}
    is_noisy = any(issubclass(kind, float) for kind in types)
    reader = _READERS.get(next(iter(solid))) if len(solid) == 1 else None
    if reader is None:
        found = _read_each(cells, words)
    elif NoneType in types:
        found = _with_nulls(cells, reader, words)
    else:
        found = reader(cells, words)
    return Encoded(keys=found.keys, kinds=found.kinds, is_noisy=is_noisy, is_whole=found.is_whole)


def _with_nulls(cells: Sequence[Cell], reader: "_Reader", words: _Words) -> _Solid:
    found = reader([cell for cell in cells if cell is not None], words)
    keys = np.full(len(cells), words.vocabulary.key(None), np.int64)
    keys[np.fromiter((cell is not None for cell in cells), np.bool_, len(cells))] = found.keys
    return _Solid(keys=keys, kinds=found.kinds, is_whole=found.is_whole)


def _read_each(cells: Sequence[Any], words: _Words) -> _Solid:
    forms = [to_form(cell, case_sensitive=words.case_sensitive) for cell in cells]
    return _Solid(
        keys=words.vocabulary.keys(forms),
        kinds=frozenset({kind_of(form) for form in forms if form is not None}),
        is_whole=all(is_whole(form) for form in forms if is_number(form)),
    )


def _read_ints(cells: Sequence[Any], words: _Words) -> _Solid:
    try:
        numbers = np.array(cells, np.int64)
    except OverflowError:
        return _read_each(cells, words)
    keys = numbers.astype(np.float64).view(np.int64)
    large = np.flatnonzero((numbers > _EXACT_WHOLE) | (numbers < -_EXACT_WHOLE))
    keys[large] = words.vocabulary.keys([cells[at] for at in large.tolist()])
    return _Solid(keys=keys, kinds=frozenset({"number"}))


def _read_floats(cells: Sequence[Any], words: _Words) -> _Solid:
    numbers = np.array(cells, np.float64) + 0.0  # -0.0 is 0.0
    keys = numbers.view(np.int64)
    odd = np.flatnonzero(~np.isfinite(numbers))
    keys[odd] = words.vocabulary.keys([to_form(cells[at]) for at in odd.tolist()])
    small = np.abs(numbers) < _SMALLEST_WHOLE_FLOAT
    return _Solid(
        keys=keys,
        kinds=_number_kinds(len(cells), odd.size),
        is_whole=not small.any()
        and all(is_whole(form) for cell in cells if is_number(form := to_form(cell))),
    )


def _number_kinds(cells: int, odd: int) -> frozenset[str]:
    """NaN and the infinities are of a kind of their own."""
    return frozenset({kind for kind, n in (("number", cells - odd), ("float", odd)) if n})


def _read_decimals(cells: Sequence[Any], words: _Words) -> _Solid:
    texts = list(map(str, cells))
    try:
        numbers = np.fromiter(map(float, texts), np.float64, len(texts)) + 0.0
    except ValueError:  # a NaN that signals, or carries a payload
        return _read_each(cells, words)
    keys = numbers.view(np.int64)
    long = np.fromiter(map(len, texts), np.int64, len(texts)) > MOST_DIGITS
    written = "".join(texts)  # to look for a letter in all of them at once
    if "E" in written:
        long |= np.fromiter(("E" in text for text in texts), np.bool_, len(texts))
    for at in np.flatnonzero(long).tolist():
        text = texts[at]
        long[at] = "E" in text or len(text.strip("-")) - ("." in text) > MOST_DIGITS
    odd = np.flatnonzero(long | ~np.isfinite(numbers))
    keys[odd] = words.vocabulary.keys([to_form(cells[at]) for at in odd.tolist()])
    infinite = sum(not cells[at].is_finite() for at in odd.tolist())
    return _Solid(
        keys=keys,
        kinds=_number_kinds(len(cells), infinite),
        is_whole="." not in written and "E" not in written,
    )


def _read_texts(cells: Sequence[Any], words: _Words) -> _Solid:
    forms: Sequence[Form] = cells
    if not (words.case_sensitive and _are_normal(cells)):
        normal = {
            cell: to_form(cell, case_sensitive=words.case_sensitive)
            for cell in dict.fromkeys(cells)
        }
        forms = [normal[cell] for cell in cells]
    return _Solid(keys=words.vocabulary.codes(forms, len(cells)), kinds=frozenset({"str"}))


def _are_normal(texts: Sequence[str]) -> bool:
    """Whether `normal_text` would leave them all as they are; seen quickly, and never wrongly."""
    return (
        all(map(str.isascii, texts))
        and list(map(str.strip, texts)) == texts
        and not any(map(contains, texts, [".0"] * len(texts)))
    )


def _read_dates(cells: Sequence[Any], words: _Words) -> _Solid:
    return _Solid(keys=words.vocabulary.codes(cells, len(cells)), kinds=frozenset({"date"}))


def _read_moments(cells: Sequence[Any], words: _Words) -> _Solid:
    if set(map(attrgetter("tzinfo"), cells)) != {None}:
        # One instant in two time zones is one value in Python, and two forms here.
        return _read_each(cells, words)
    return _read_distinct(cells, words)


def _read_distinct(cells: Sequence[Any], words: _Words) -> _Solid:
    forms = {
        cell: to_form(cell, case_sensitive=words.case_sensitive) for cell in dict.fromkeys(cells)
    }
    keys = {cell: words.vocabulary.key(form) for cell, form in forms.items()}
    return _Solid(
        keys=np.fromiter(map(keys.__getitem__, cells), np.int64, len(cells)),
        kinds=frozenset({PLAIN_KINDS[type(cells[0])]}),
    )


_Reader = Callable[[Sequence[Any], _Words], _Solid]

_READERS: dict[type, _Reader] = {
    int: _read_ints,
    float: _read_floats,
    Decimal: _read_decimals,
    str: _read_texts,
    bool: _read_distinct,
    date: _read_dates,
    datetime: _read_moments,
}
