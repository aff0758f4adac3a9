"""A run of digits and marks to its value: the one place that settles which mark is decimal."""

import re
from decimal import Decimal

from goldsuite.numbers.parsed import DecimalMark

__all__ = ["MAX_DIGITS", "BadDigits", "read_digits"]

MAX_DIGITS = 60
"""No warehouse returns more; it also bounds the work that a hostile text can cause."""

_GROUP_MARKS = re.compile(r"[ \u2009'_]")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:(?P<mark>[.,])\d{3})(?:(?P=mark)\d{3})*")
_INDIAN = re.compile(r"[1-9]\d?(?:,\d{2})*,\d{3}")
_SPACED = re.compile(r"[1-9]\d{0,2}(?:(?P<mark>[ \u2009'_])\d{3})(?:(?P=mark)\d{3})*")


class BadDigits(ValueError):  # noqa: N818 - said to the reader as a reason, never as an error
    """Digits and marks that make no number."""


def read_digits(
    run: str, *, decimal_mark: DecimalMark = "auto", indian: bool = False
) -> tuple[Decimal, Decimal]:
    """Value and precision of a run such as `1.234,50`; no sign, scale or unit.

    Raises:
        BadDigits: the marks contradict each other or `decimal_mark`.
    """
    if sum(map(str.isdigit, run)) > MAX_DIGITS:
        raise BadDigits(f"more than {MAX_DIGITS} digits")
    whole, fraction = _split(run, decimal_mark)
    bare = _ungroup(whole, indian=indian) or "0"
    value = Decimal(f"{bare}.{fraction}") if fraction else Decimal(bare)
    return value, Decimal(1).scaleb(-len(fraction))


def _split(run: str, decimal_mark: DecimalMark) -> tuple[str, str]:
    """The part with the groups, and the digits behind the decimal mark."""
    decimal = _decimal_mark(run) if decimal_mark == "auto" else decimal_mark
    if decimal is None or decimal not in run:
        return run, ""
    whole, _, fraction = run.partition(decimal)
    if not fraction.isdigit() and fraction:
        raise BadDigits("marks in an order that no convention has")
    return whole, fraction


def _decimal_mark(run: str) -> str | None:
    """Which of the two marks is decimal in `run`; None where there is none."""
    marks = [sign for sign in run if sign in ".,"]
    if not marks:
        return None
    if len(set(marks)) == 2:
        if marks.count(marks[-1]) > 1:
            raise BadDigits("marks in an order that no convention has")
        return marks[-1]
    if len(marks) > 1:
        return None
    if marks[0] == "." or _GROUP_MARKS.search(run):
        return marks[0]
    return None if _GROUPED.fullmatch(run) else ","


def _ungroup(whole: str, *, indian: bool) -> str:
    """The bare digits of a whole part whose groups are sound."""
    if whole.isdigit() or not whole:
        return whole
    shapes = (_GROUPED, _SPACED, _INDIAN) if indian else (_GROUPED, _SPACED)
    if not any(shape.fullmatch(whole) for shape in shapes):
        raise BadDigits("digits that are not grouped by threes")
    return re.sub(r"\D", "", whole)
