"""Every place of a text where a number stands, read with the signs and words that belong to it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from itertools import islice

from goldsuite.numbers import affixes
from goldsuite.numbers.affixes import Left, Right
from goldsuite.numbers.digits import MAX_DIGITS, BadDigits, read_digits
from goldsuite.numbers.parsed import DecimalMark, ParsedNumber

__all__ = ["DIVISION", "EXACT", "Mention", "find_mentions"]

EXACT = Context(prec=2 * MAX_DIGITS)
"""Wide enough that no stated digit is lost by scaling."""

MAX_EXPONENT = 300
MAX_MENTIONS = 100
"""A text with more numbers has no single one; the limit bounds the work."""

DIVISION = Context(prec=40)
"""For fractions, whose decimal digits never end."""

_RUN = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:\x20\d{3})+(?![\d ]\d)(?:[.,]\d+)?(?!\d)"
    r"|[.,]?\d+(?:[.,'_\u2009]\d+)*)"
)
_EXPONENT = re.compile(
    r"\.?[eE](?P<plain>[+-]?\d{1,6})(?!\w)|\s?[×x*·]\s?10(?:\^|\*\*)\{?(?P<power>[+-]?\d{1,6})\}?(?!\w)"
)
_FRACTION = re.compile(r"\s?/\s?(?P<below>[1-9]\d*)(?![\w/.,]*\d)(?!\w)")
_MIXED = re.compile(r"\s(?P<above>[1-9]\d{0,2})/(?P<below>[1-9]\d{0,2})(?![\w/])")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """One number of a text, or something that looks like one."""

    start: int
    end: int
    text: str
    number: ParsedNumber | None
    """None where `problem` says why it cannot be read."""
    problem: str | None = None
    """What keeps it from being a value anywhere."""
    prose_problem: str | None = None
    """What keeps it from being a value unless the text is nothing but this number."""
    glued: bool = False
    """Part of a word (`Q4`, `3rd`, `4xx`, `30-day`): a name, not a quantity."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Body:
    """The digits themselves, unsigned and without units."""

    end: int
    value: Decimal
    precision: Decimal | None


def find_mentions(text: str, decimal_mark: DecimalMark = "auto") -> tuple[Mention, ...]:
    """The first `MAX_MENTIONS` of a cleaned `text`; what one consumed is not read again."""
    return tuple(islice(_scan(text, decimal_mark), MAX_MENTIONS))


def _scan(text: str, decimal_mark: DecimalMark) -> Iterator[Mention]:
    position = 0
    while run := _RUN.search(text, position):
        mention = _read(text, run, decimal_mark)
        position = max(mention.end, run.end())
        yield mention


def _read(text: str, run: re.Match[str], decimal_mark: DecimalMark) -> Mention:
    left = affixes.read_left(text, run.start())
    try:
        body = _read_body(text, run, decimal_mark, indian="INR" in left.currencies)
    except BadDigits as bad:
        return Mention(start=left.start, end=run.end(), text=run[0], number=None, problem=str(bad))
    right = affixes.read_right(text, body.end, opened=left.opened)
    start = left.start if right.closed or not left.opened else left.start_inside
    if left.problem == affixes.RANGE:
        start = run.start()
    number, problem = _combine(body, left, right)
    return Mention(
        start=start,
        end=right.end,
        text=text[start : right.end],
        number=None if problem else number,
        problem=problem,
        prose_problem=_prose_problem(run[0], left, right),
        glued=left.glued or right.glued,
    )


def _read_body(text: str, run: re.Match[str], decimal_mark: DecimalMark, *, indian: bool) -> _Body:
    value, precision = read_digits(run[0], decimal_mark=decimal_mark, indian=indian)
    end = run.end()
    if exponent := _EXPONENT.match(text, end):
        power = int(exponent["plain"] or exponent["power"])
        if abs(power) > MAX_EXPONENT:
            raise BadDigits(f"an exponent beyond {MAX_EXPONENT}")
        return _Body(
            end=exponent.end(),
            value=value.scaleb(power, EXACT),
            precision=precision.scaleb(power, EXACT),
        )
    if run[0].isdigit() and not run[0].startswith("0"):
        if mixed := _MIXED.match(text, end):
            part = DIVISION.divide(Decimal(mixed["above"]), Decimal(mixed["below"]))
            return _Body(end=mixed.end(), value=EXACT.add(value, part), precision=None)
        if fraction := _FRACTION.match(text, end):
            below = Decimal(fraction["below"])
            return _Body(end=fraction.end(), value=DIVISION.divide(value, below), precision=None)
    return _Body(end=end, value=value, precision=precision)


def _combine(body: _Body, left: Left, right: Right) -> tuple[ParsedNumber, str | None]:
    """The number, and what is wrong with the signs and words around it."""
    scale = right.scale
    currencies = left.currencies or right.currencies
    minuses = left.minuses + right.minuses
    negative = minuses > 0 or (left.opened and right.closed)
    value = EXACT.multiply(body.value, scale)
    number = ParsedNumber(
        value=EXACT.minus(value) if negative and value else value,
        unit=right.unit or ("currency" if currencies else None),
        currency=currencies[0] if currencies else None,
        currencies=currencies,
        precision=None if body.precision is None else EXACT.multiply(body.precision, scale),
        approximate=left.hedged,
    )
    problem = left.problem or right.problem
    if minuses + left.pluses > 1:
        problem = "more than one sign"
    elif left.currencies and right.currencies and not set(left.currencies) & set(right.currencies):
        problem = "two currencies"
    return number, problem


def _prose_problem(run: str, left: Left, right: Right) -> str | None:
    if left.opened and right.closed and not left.minuses:
        return "parentheses that may mean a minus"
    if " " in run:
        return "a space that may group digits or part two numbers"
    if right.minuses:
        return "a minus behind the number that may be a dash"
    return left.prose_problem
