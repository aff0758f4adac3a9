"""The single value that an answer is: what was said, else what its SQL returns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from goldsuite.errors import NumberError
from goldsuite.grading.cells import to_form
from goldsuite.grading.tolerance import DEFAULT, is_stated
from goldsuite.model.result_set import Cell, ResultSet
from goldsuite.numbers import SEVERAL, DecimalMark, ParsedNumber, parse_number
from goldsuite.numbers.cleaning import clean
from goldsuite.numbers.doubts import doubt_about
from goldsuite.numbers.mention import Mention
from goldsuite.numbers.prose import direction_problem, quantities

__all__ = ["SaidNumber", "number_of_cell", "only_cell", "read_said_number", "says_null"]

_NULL_WORDS = frozenset({"null", "none", "n/a", "na", "nan", "nil"})
_LEAVES_OPEN = re.compile(
    r"\b(?:or|either|neither|maybe|perhaps|possibly|probably|could|might|may|should|would|whether|"
    r"alternatively|otherwise|depending|depends|unless|if|versus|vs|not|no|but|however|instead|"
    r"although|though|actually|correct|corrected|wrong|estimate|expected|query|sql)\b"
    r"|n't\b",
    re.IGNORECASE,
)
"""Words that weigh one number against another, or say which one is the answer: the reader, and not
the SQL, would have to choose."""
_ANSWER = re.compile(r"\b(?:answer|final|result)\b", re.IGNORECASE)
_CALLED_ANSWER = re.compile(
    r"\b(?:final\s+)?(?:answer|result)\s*(?:[:=]|\bis\b|\bwas\b)\W*\Z", re.IGNORECASE
)
_ONLY_JOINED = re.compile(r"(?:[\W\d_]|\band\b|\bto\b|\bx\b)*", re.IGNORECASE)


def says_null(text: str) -> bool:
    """Whether a text is a word for NULL."""
    return text.strip().strip("'\"`.").lower() in _NULL_WORDS


def only_cell(result: ResultSet | None) -> tuple[Cell] | None:
    """The cell of a result that is one value, in a tuple since it may be None; else None."""
    if result is None or result.truncated or len(result.rows) != 1 or len(result.columns) != 1:
        return None
    return (result.rows[0][0],)


def number_of_cell(cell: Cell) -> ParsedNumber | None:
    """A cell as if it were said; its precision is that of its shortest text."""
    form = to_form(cell)
    if isinstance(form, str):
        try:
            return parse_number(form)
        except NumberError:
            return None
    if not isinstance(form, int | Decimal):
        return None
    value = Decimal(form)
    exponent = value.as_tuple().exponent
    precision = Decimal(1).scaleb(min(exponent, 0)) if isinstance(exponent, int) else None
    return ParsedNumber(value=value, precision=precision)


@dataclass(frozen=True, kw_only=True, slots=True)
class SaidNumber:
    """A number read from what was said."""

    number: ParsedNumber
    flags: tuple[str, ...] = ()


def read_said_number(
    text: str, own_result: ResultSet | None, *, decimal_mark: DecimalMark
) -> SaidNumber:
    """The number of a text; where its prose leaves several, the one that its own SQL returns.

    That looks at no gold. It is done only where the text states each number for sure and leaves
    nothing open: not in a choice (`5 or 6`), a condition, a bare list (`5, 6`), or a range; and not
    for a number in parentheses, which is an aside.

    Raises:
        NumberError: it cannot be told which number is meant.
    """
    try:
        return SaidNumber(number=parse_number(text, decimal_mark=decimal_mark))
    except NumberError as error:
        cell = only_cell(own_result)
        own = number_of_cell(cell[0]) if cell else None
        chosen = None
        if error.reason == SEVERAL and own is not None and not _LEAVES_OPEN.search(text):
            chosen = _chosen(clean(text), own, decimal_mark)
        if chosen is None:
            raise
        return SaidNumber(number=chosen, flags=("settled_by_sql",))


def _chosen(text: str, own: ParsedNumber, decimal_mark: DecimalMark) -> ParsedNumber | None:
    """The one quantity of a cleaned text that is `own`; None where none or several are."""
    found = quantities(text, decimal_mark)
    gaps = [text[one.end : other.start] for one, other in pairwise(found)]
    if any(mention.problem for mention in found) or any(map(_ONLY_JOINED.fullmatch, gaps)):
        return None
    if direction_problem(text):
        return None
    equal = [mention for mention in found if _is_own(mention.number, own)]
    if len(equal) != 1 or equal[0].prose_problem or _is_aside(text, equal[0]):
        return None
    number, (start, end) = equal[0].number, (equal[0].start, equal[0].end)
    if _ANSWER.search(text) and not _CALLED_ANSWER.search(text[:start]):
        return None
    # The words between this number and its neighbours are the ones that may take it back.
    before = text[max((m.end for m in found if m.end <= start), default=0) : start]
    after = text[end : min((m.start for m in found if m.start >= end), default=len(text))]
    return None if number is None or doubt_about(number.value, before, after) else number


def _is_own(number: ParsedNumber | None, own: ParsedNumber) -> bool:
    return number is not None and any(
        DEFAULT.allows(own.value, value) and is_stated(value, precision, own.value)
        for value, precision in _as_meant(number)
    )


def _as_meant(number: ParsedNumber) -> Iterator[tuple[Decimal, Decimal | None]]:
    """Value and precision; a percentage may also be the share of one."""
    yield number.value, number.precision
    if number.unit == "percent":
        hundredth = Decimal("0.01")
        yield (
            number.value * hundredth,
            None if number.precision is None else number.precision * hundredth,
        )


def _is_aside(text: str, mention: Mention) -> bool:
    before = text[: mention.start]
    return before.count("(") > before.count(")")
