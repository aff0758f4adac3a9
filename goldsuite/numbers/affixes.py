"""What stands directly beside the digits: sign, currency, parentheses, scale and unit."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from goldsuite.numbers.parsed import NumberUnit
from goldsuite.numbers.vocabulary import (
    BOUNDS,
    CURRENCIES,
    HEDGES,
    MAGNITUDE_LETTERS,
    MAGNITUDES,
    UNITS,
)

__all__ = ["RANGE", "Left", "Right", "read_left", "read_right"]

RANGE = "a range"
"""The problem of both ends of `10-20`."""

_REACH = 48
"""Characters before the digits that may belong to the number: two words, a sign, a currency."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    """What stands before the digits."""

    start: int
    """Where the number with its signs begins."""
    start_inside: int
    """The same behind an opening parenthesis."""
    opened: bool
    minuses: int
    pluses: int
    currencies: tuple[str, ...]
    hedged: bool
    glued: bool
    problem: str | None
    prose_problem: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Right:
    """What stands behind the digits."""

    end: int
    scale: Decimal
    unit: NumberUnit | None
    currencies: tuple[str, ...]
    minuses: int
    closed: bool
    glued: bool
    problem: str | None


def _any_of(words: Iterable[str], *, before: str = "", after: str = "") -> str:
    """An alternation, longest first, each word bounded where it begins or ends in a letter."""
    parts = []
    for word in sorted(set(words), key=lambda w: (-len(w), w)):
        head = before if word[0].isalpha() else ""
        tail = after if word[-1].isalpha() else ""
        parts.append(head + re.escape(word) + tail)
    return "|".join(parts)


_NO_LETTER_BEFORE = r"(?<![^\W_])"
_NO_LETTER_AFTER = r"(?![^\W\d_])"
_CODES = [c for c in CURRENCIES if not c.islower() or len(c) <= 3]
_MONEY_WORDS = [c for c in CURRENCIES if c not in _CODES]
_MONEY = (
    f"(?:{_any_of(_CODES, before=_NO_LETTER_BEFORE)})"
    f"|(?i:{_any_of(_MONEY_WORDS, before=_NO_LETTER_BEFORE)})"
)
_LEFT = re.compile(
    rf"(?P<hedge>(?i:{_any_of(HEDGES, before=_NO_LETTER_BEFORE)})\s*)?"
    rf"(?P<word>(?i:{_NO_LETTER_BEFORE}(?:minus|negative))\s+)?"
    rf"(?P<open>\(\s*)?"
    rf"(?P<sign>[+-]\s*)?"
    rf"(?P<money>(?:{_MONEY})\s?)?"
    rf"(?P<inner>\(\s*)?"
    rf"(?P<sign2>[+-]\s*)?\Z"
)
_BOUND = re.compile(rf"(?i:{_any_of(BOUNDS, before=_NO_LETTER_BEFORE)})\s*\Z")
_SINGLE = [u for u in UNITS if len(u) == 1 and u.isalpha()]
_SUFFIX = re.compile(
    rf"\s{{0,2}}(?:"
    rf"(?P<glue>(?i:{'|'.join(MAGNITUDE_LETTERS)}))(?={'|'.join(c for c in _CODES if c.isupper())})"
    rf"|(?P<unit>(?:(?i:{_any_of(set(UNITS) - set(_SINGLE), after=_NO_LETTER_AFTER)})"
    rf"|(?:{_any_of([*_SINGLE, 'X'], after=_NO_LETTER_AFTER)})))"
    rf"|(?P<magnitude>(?i:{_any_of(MAGNITUDES, after=_NO_LETTER_AFTER)}))\.?"
    rf"|(?P<money>(?:{_any_of(_CODES, after=_NO_LETTER_AFTER)})"
    rf"|(?i:{_any_of(_MONEY_WORDS, after=_NO_LETTER_AFTER)})))"
)
_CLOSE = re.compile(r"\s?\)")
_TRAILING_MINUS = re.compile(r"\s?-(?=\s|\)|\Z)")
_RANGE = re.compile(r"\s?(?:-\s?|\bto\s|\.\.\.?)[$€£]?\d")
_COMPOUND = re.compile(r"-[^\W\d_]|[^\W_]|\^|_")


def read_left(text: str, start: int) -> Left:
    """What belongs to the digits that begin at `start`."""
    offset = max(0, start - _REACH)
    match = _LEFT.search(text[offset:start])
    assert match is not None  # noqa: S101 - every part is optional, so the empty match remains
    at = offset + match.start()
    signs = (match["sign"] or "")[:1] + (match["sign2"] or "")[:1]
    opened = match["open"] or match["inner"]
    before = text[:at].rstrip()[-1:] if _is_loose(match) else text[at - 1 : at] if at else ""
    problem, prose_problem, glued = _judge_sign(match, text, at, before)
    if _BOUND.search(text[max(0, at - _REACH) : at]):
        problem = "a limit or a denial, not a value"
    return Left(
        start=at,
        start_inside=start if not match["open"] else offset + match.end("open"),
        opened=bool(opened),
        minuses=signs.count("-") + bool(match["word"]),
        pluses=signs.count("+"),
        currencies=CURRENCIES[_known(match["money"])] if match["money"] else (),
        hedged=bool(match["hedge"]),
        glued=glued,
        problem=problem,
        prose_problem=prose_problem,
    )


def _is_loose(match: re.Match[str]) -> bool:
    """True where white space stands between the sign and the number."""
    return any(len(match[group] or "") > 1 for group in ("sign", "sign2"))


def _judge_sign(
    match: re.Match[str], text: str, at: int, before: str
) -> tuple[str | None, str | None, bool]:
    """Problem, problem in prose, glued: what the character before the number makes of it."""
    signed = bool(match["sign"] or (match["sign2"] and not match["money"] and not match["inner"]))
    directly = text[at - 1 : at] if at else ""
    if signed and directly and (directly.isdigit() or directly in "%)$€£"):
        return RANGE, None, False
    if not match[0] or signed:
        glued = bool(directly) and (directly.isalpha() or directly in "_^")
        if glued:
            return None, None, True
    if _is_loose(match) and before:
        return None, "a dash that may be a minus", False
    return None, None, False


def _known(written: str) -> str:
    """The vocabulary's form of a currency as written."""
    word = written.strip()
    return word if word in CURRENCIES else word.lower()


def read_right(text: str, end: int, *, opened: bool) -> Right:
    """What belongs to the digits that end at `end`."""
    tail = _Tail(end=end)
    while tail.take_close(text, opened=opened) or tail.take_suffix(text):
        pass
    minus = _TRAILING_MINUS.match(text, tail.end)
    if minus:
        tail.end = minus.end()
        tail.take_close(text, opened=opened)
    return Right(
        end=tail.end,
        scale=tail.scale,
        unit=tail.unit,
        currencies=tail.currencies,
        minuses=int(bool(minus)),
        closed=tail.closed,
        glued=bool(_COMPOUND.match(text, tail.end)),
        problem=_right_problem(text, tail.end),
    )


@dataclass(slots=True)
class _Tail:
    """What was read so far behind the digits."""

    end: int
    scale: Decimal = Decimal(1)
    magnitudes: int = 0
    unit: NumberUnit | None = None
    currencies: tuple[str, ...] = ()
    closed: bool = False

    def take_close(self, text: str, *, opened: bool) -> bool:
        close = _CLOSE.match(text, self.end) if opened and not self.closed else None
        if close:
            self.end, self.closed = close.end(), True
        return bool(close)

    def take_suffix(self, text: str) -> bool:
        """Reads one word or sign; False where the next one does not belong to the number."""
        suffix = _SUFFIX.match(text, self.end)
        if suffix is None:
            return False
        if magnitude := suffix["magnitude"] or suffix["glue"]:
            if self.magnitudes == 2 or self.unit or self.currencies:
                return False
            self.scale *= MAGNITUDES[magnitude.lower()]
            self.magnitudes += 1
        elif suffix["unit"]:
            if self.unit:
                return False
            self.unit, factor = UNITS[suffix["unit"].lower()]
            self.scale *= factor
        elif self.currencies:
            return False
        else:
            self.currencies = CURRENCIES[_known(suffix["money"])]
        self.end = suffix.end()
        return True


def _right_problem(text: str, end: int) -> str | None:
    rest = text[end : end + 12]
    if rest.startswith("+"):
        return "a limit, not a value"
    if rest.lstrip().startswith("±"):
        return "a number with an error margin"
    return RANGE if _RANGE.match(text, end) else None
