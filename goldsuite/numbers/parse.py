"""The one way in: text to number, or the reason why not."""

import re
from decimal import Decimal

from goldsuite.errors import NumberError
from goldsuite.numbers.cleaning import clean, unwrap
from goldsuite.numbers.mention import DIVISION, find_mentions
from goldsuite.numbers.parsed import DecimalMark, ParsedNumber
from goldsuite.numbers.prose import read_prose, whole
from goldsuite.numbers.words import read_words

__all__ = ["MAX_TEXT", "parse_number"]

MAX_TEXT = 20_000
"""Characters; an answer that is longer is no number."""

_NO_VALUES = ("nan", "inf", "infinity", "infinite", "∞", "none", "null", "na", "n/a")
_NO_NUMBERS = frozenset((*_NO_VALUES, "true", "false", "yes", "no"))
_RATIO = re.compile(
    r"(?P<above>[^\s:]+)\s*(?P<sign>:|\bin\b|\bout of\b)\s*(?P<below>[^\s:]+)", re.IGNORECASE
)
_CLOCK = re.compile(r"\d{1,2}\s*:\s*[0-5]\d")
_YEAR = re.compile(r"(?:19|20)\d{2}")


def parse_number(text: str, *, decimal_mark: DecimalMark = "auto") -> ParsedNumber:
    """The one number that `text` states, by the rules in the docstring of `goldsuite.numbers`.

    Raises:
        NumberError: there is no number, or it cannot be told for sure which one is meant;
            `candidates` are the numbers seen, `reason` says why none was taken.
    """
    if len(text) > MAX_TEXT:
        raise NumberError(text[:80], f"it is longer than {MAX_TEXT} characters")
    cleaned = unwrap(unwrap(clean(text)).removeprefix("="))
    if not cleaned:
        raise NumberError(text, "it is empty")
    if cleaned.lstrip("+-").lower() in _NO_NUMBERS:
        raise NumberError(text, "it is the word for no number")
    mention = whole(cleaned, decimal_mark)
    if mention is not None:
        if mention.problem or mention.number is None:
            raise NumberError(text, mention.problem or "it cannot be read", (mention.text,))
        return mention.number
    return (
        _read_ratio(cleaned, decimal_mark)
        or _read_spelled(cleaned)
        or read_prose(cleaned, text, decimal_mark)
    )


def _read_ratio(text: str, decimal_mark: DecimalMark) -> ParsedNumber | None:
    """`3:1`, `1 in 4`, `1 out of 4`; not `10:30`, which may be a time of day."""
    match = _RATIO.fullmatch(text)
    if match is None or _CLOCK.fullmatch(text) or _YEAR.fullmatch(match["below"]):
        return None
    parts = []
    for name in ("above", "below"):
        found = find_mentions(match[name], decimal_mark)
        if len(found) != 1 or found[0].number is None or found[0].text != match[name]:
            return None
        if found[0].number.unit or found[0].number.value < 0:
            return None
        parts.append(found[0].number.value)
    above, below = parts
    if not below:
        return None
    return ParsedNumber(value=DIVISION.divide(above, below), unit="ratio")


def _read_spelled(text: str) -> ParsedNumber | None:
    value = read_words(text)
    return None if value is None else ParsedNumber(value=value, precision=Decimal(1))
