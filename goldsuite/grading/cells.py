"""One form for each cell, so that equal values are equal in Python and hash alike.

int, Decimal, float and numpy forms of one number are one value (a float by its shortest text, so
0.1 is a tenth). A timestamp at midnight is its date. Text is in Unicode normal form C without outer
white space. A boolean is no number, and NaN equals nothing but NaN.
"""

import re
import unicodedata
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TypeAlias

from goldsuite.errors import NumberError
from goldsuite.numbers import parse_number

__all__ = ["Form", "is_number", "money_value", "normal_text", "numeral", "to_form"]

Form: TypeAlias = (
    int | Decimal | str | date | datetime | time | timedelta | tuple[str, object] | None
)
"""A cell in its one form. Tuples carry what must not be mistaken for another type."""

_NUMERAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_ZERO_FRACTION = re.compile(r"(-?(?:0|[1-9]\d*))\.0+")
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_MONEY_SIGN = re.compile(r"[$€£¥₹]")
_MIDNIGHT = time()


def to_form(cell: object, *, case_sensitive: bool = True) -> Form:
    """The one form of a cell."""
    if cell is None or type(cell) is int:
        return cell
    if isinstance(cell, str):
        return normal_text(cell, case_sensitive=case_sensitive)
    if isinstance(cell, bool):
        return ("boolean", cell)
    if isinstance(cell, float):
        text = float.__repr__(cell)  # numpy's own repr names its type
        return ("float", text) if text in {"nan", "inf", "-inf"} else Decimal(text)
    if isinstance(cell, Decimal):
        return cell if cell.is_finite() else ("float", str(cell).lower().removesuffix("inity"))
    if isinstance(cell, datetime):
        return _datetime_form(cell)
    if isinstance(cell, (date, time, timedelta)):
        return cell
    if isinstance(cell, (bytes, bytearray, memoryview)):
        return ("bytes", bytes(cell))
    if isinstance(cell, int):
        return int(cell)
    item = getattr(cell, "item", None)  # a numpy scalar
    return to_form(item(), case_sensitive=case_sensitive) if callable(item) else str(cell)


def _datetime_form(moment: datetime) -> date | datetime:
    if moment.tzinfo is not None and not moment.utcoffset():
        moment = moment.replace(tzinfo=None)
    return moment.date() if moment.tzinfo is None and moment.time() == _MIDNIGHT else moment


def normal_text(text: str, *, case_sensitive: bool = True) -> str:
    """Unicode normal form C, no outer white space; `305.00` as `305`; case folded if asked."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    text = text.strip()
    # A UNION of mixed types writes whole numbers as text with an empty fraction.
    if text.endswith("0") and (zero_fraction := _ZERO_FRACTION.fullmatch(text)):
        text = zero_fraction[1]
    return text if case_sensitive else text.casefold()


def is_number(form: object) -> bool:
    """True for a finite number in its one form."""
    return type(form) is int or type(form) is Decimal


def numeral(text: str) -> Decimal | None:
    """The number that a text cell is, if it is written as a plain number or as money.

    None for codes: `007` has a leading zero that a number would lose.
    """
    if _NUMERAL.fullmatch(text):
        return Decimal(text)
    return money_value(text)


def money_value(text: str) -> Decimal | None:
    """The number of `1,234.50` or `$1,234.50`; None where neither groups nor a sign show it."""
    if not (_GROUPED.fullmatch(text) or (_MONEY_SIGN.search(text) and len(text) <= 40)):
        return None
    try:
        number = parse_number(text)
    except NumberError:
        return None
    return number.value if number.unit in {None, "currency"} and not number.approximate else None
