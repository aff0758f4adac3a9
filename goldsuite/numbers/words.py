"""Whole numbers spelled out, such as `twenty-three` or `two hundred thousand`."""

from decimal import Decimal

__all__ = ["NUMBER_WORDS", "read_words"]

_ONE_TO_NINE = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUE = {word: n for n, word in enumerate(("zero", *_ONE_TO_NINE, *_TEENS))} | {
    word: 10 * n for n, word in enumerate(_TENS, start=2)
}
_BIG = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

NUMBER_WORDS = (*_VALUE, "hundred", *_BIG)
"""Every word that a number may be spelled with, beside `and`, `minus` and `negative`."""


def read_words(text: str) -> Decimal | None:
    """The number that `text` spells, in the order that English has; else None."""
    words = [w for w in text.lower().replace("-", " ").split() if w != "and"]
    negative = words[:1] in (["minus"], ["negative"])
    total, limit = 0, 10**15
    rest = words[1:] if negative else words
    if not rest:
        return None
    chunk: list[str] = []
    for word in rest:
        if word not in _BIG:
            chunk.append(word)
            continue
        below = _read_below_thousand(chunk)
        if not below or _BIG[word] >= limit:
            return None
        total, limit, chunk = total + below * _BIG[word], _BIG[word], []
    if chunk:
        below = _read_below_thousand(chunk)
        if below is None or (below == 0 and len(rest) > 1):
            return None
        total += below
    return Decimal(-total if negative else total)


def _read_below_thousand(words: list[str]) -> int | None:
    hundreds = 0
    if "hundred" in words[1:2]:
        if words[0] not in _ONE_TO_NINE:
            return None
        hundreds, words = 100 * _VALUE[words[0]], words[2:]
        if not words:
            return hundreds
    if len(words) == 1 and words[0] in _VALUE:
        return hundreds + _VALUE[words[0]]
    if len(words) == 2 and words[0] in _TENS and words[1] in _ONE_TO_NINE:
        return hundreds + _VALUE[words[0]] + _VALUE[words[1]]
    return None
