"""A text that is more than one number: which number is its value, if any one surely is."""

import re
from collections.abc import Sequence

from goldsuite.errors import NumberError
from goldsuite.numbers.doubts import doubt_about
from goldsuite.numbers.mention import EXACT, Mention, find_mentions
from goldsuite.numbers.parsed import DecimalMark, ParsedNumber
from goldsuite.numbers.time_phrases import time_spans
from goldsuite.numbers.vocabulary import DIRECTIONS

__all__ = ["SEVERAL", "direction_problem", "quantities", "read_prose", "whole"]

SEVERAL = "it states several numbers"
"""The reason that more evidence of what is meant could settle."""

_LABEL = re.compile(r"(?<!\d):|:(?=\s)|(?<![<>!~≈])=")
_ANSWER = re.compile(r"\b(?:answer|result)\W*\Z", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_NAME_OF_RATE = re.compile(r"(?:[\s-]off)?[\s-](?:rate|ratio|share|percentage|count)\b")
_NESTED = re.compile(r"(?P<outer>.+?)\s*\(\s*(?P<inner>[^()]+?)\s*\)")


def whole(text: str, decimal_mark: DecimalMark) -> Mention | None:
    """The mention that is all of `text`; None where there is more to it."""
    mentions = find_mentions(text, decimal_mark)
    if len(mentions) == 1 and (mentions[0].start, mentions[0].end) == (0, len(text)):
        return None if mentions[0].glued else mentions[0]
    return None


def read_prose(text: str, original: str, decimal_mark: DecimalMark) -> ParsedNumber:
    """The value of a text that is not one plain number.

    Raises:
        NumberError: none or several numbers may be the value, or its sign is open.
    """
    found = _labelled(text, decimal_mark) or _restated(text, decimal_mark)
    if found is not None:
        return found
    candidates = quantities(text, decimal_mark)
    seen = _texts(candidates) or _texts(find_mentions(text, decimal_mark))
    problem = next((m.problem for m in candidates if m.problem), None)
    if not candidates:
        raise NumberError(original, "there is no number in it that is a quantity", seen)
    if len(candidates) > 1:
        raise NumberError(original, problem or SEVERAL, seen)
    only = candidates[0]
    problem = (
        problem or only.prose_problem or direction_problem(text[: only.start] + text[only.end :])
    )
    if text.count("(") != text.count(")"):
        problem = "half of a pair of parentheses, which may mean a minus"
    if not problem and only.number is not None:
        problem = doubt_about(only.number.value, text[: only.start], text[only.end :])
    if problem or only.number is None:
        raise NumberError(original, problem or "it cannot be read", seen)
    return only.number


def quantities(text: str, decimal_mark: DecimalMark) -> list[Mention]:
    """The numbers of a cleaned text that may say how much: no dates, years, ordinals or names."""
    spans = time_spans(text)
    return [
        mention
        for mention in find_mentions(text, decimal_mark)
        if not mention.glued and not any(s < mention.end and mention.start < e for s, e in spans)
    ]


def _texts(mentions: Sequence[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mention.text.strip() for mention in mentions))


def direction_problem(text: str) -> str | None:
    """Which word, if any, tells a sign that the number itself does not carry."""
    lowered = text.lower()
    for word in _WORD.finditer(lowered):
        # The name of a rate, such as a loss ratio, says nothing about its sign.
        if word[0] in DIRECTIONS and not _NAME_OF_RATE.match(lowered, word.end()):
            return f"the word {word[0]!r} leaves its sign open"
    return None


def _labelled(text: str, decimal_mark: DecimalMark) -> ParsedNumber | None:
    """The number behind the last `:` or `=`, unless an earlier part has one of its own."""
    *earlier, last = _LABEL.split(text)
    value = whole(last.strip().rstrip("}];,'\"").strip(), decimal_mark) if earlier else None
    if value is None or value.number is None or value.problem:
        return None
    if direction_problem(text[: len(text) - len(last)]):
        return None
    answers = sum(bool(_ANSWER.search(part)) for part in earlier)
    if _ANSWER.search(earlier[-1]) and answers == 1:
        return value.number
    if any(quantities(part, decimal_mark) for part in earlier[1:]):
        return None
    return value.number


def _restated(text: str, decimal_mark: DecimalMark) -> ParsedNumber | None:
    """`1.2M (1,204,000)` and `$5 million ($5,000,000)`: the finer of two equal numbers."""
    match = _NESTED.fullmatch(text)
    if match is None:
        return None
    outer, inner = (whole(match[part], decimal_mark) for part in ("outer", "inner"))
    if outer is None or inner is None or outer.number is None or inner.number is None:
        return None
    pair = sorted((outer.number, inner.number), key=lambda n: n.precision or 0)
    fine, coarse = pair
    if (fine.unit or coarse.unit) != (coarse.unit or fine.unit):
        return None
    distance = abs(EXACT.subtract(fine.value, coarse.value))
    if distance * 2 > (coarse.precision or 0):
        return None
    with_unit = fine if fine.unit else coarse
    return ParsedNumber(
        value=fine.value,
        unit=with_unit.unit,
        currency=with_unit.currency,
        currencies=with_unit.currencies,
        precision=fine.precision,
        approximate=fine.approximate,
    )
