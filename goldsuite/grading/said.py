"""The single value that an answer is: what was said, else what its SQL returns."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from goldsuite.errors import NumberError
from goldsuite.grading.cells import to_form
from goldsuite.grading.tolerance import DEFAULT, is_stated
from goldsuite.model.result_set import Cell, ResultSet
from goldsuite.numbers import SEVERAL, DecimalMark, ParsedNumber, parse_number

__all__ = ["NULL", "SaidNumber", "number_of_cell", "only_cell", "read_said_number", "says_null"]


class _Null:
    """The answer NULL, which is not the same as no answer."""


NULL = _Null()

_NULL_WORDS = frozenset({"null", "none", "n/a", "na", "nan", "nil"})


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
    """The number of a text. Where it leaves several, the one that its own SQL returns.

    That looks at no gold: a text that names exactly one value of the agent's own result says it.

    Raises:
        NumberError: it cannot be told which number is meant.
    """
    try:
        return SaidNumber(number=parse_number(text, decimal_mark=decimal_mark))
    except NumberError as error:
        chosen = None
        if error.reason == SEVERAL:
            chosen = _chosen_by_own_result(error.candidates, own_result, decimal_mark)
        if chosen is None:
            raise
        return SaidNumber(number=chosen, flags=("from_prose",))


def _chosen_by_own_result(
    candidates: Sequence[str], own_result: ResultSet | None, decimal_mark: DecimalMark
) -> ParsedNumber | None:
    cell = only_cell(own_result)
    own = number_of_cell(cell[0]) if cell else None
    if own is None:
        return None
    equal = []
    for candidate in candidates:
        try:
            number = parse_number(candidate, decimal_mark=decimal_mark)
        except NumberError:
            continue
        if DEFAULT.allows(own.value, number.value) and is_stated(
            number.value, number.precision, own.value
        ):
            equal.append(number)
    return equal[0] if len(equal) == 1 else None
