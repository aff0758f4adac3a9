"""The single value that an answer is: what was said, else what its SQL returns."""

from decimal import Decimal

from goldsuite.errors import NumberError
from goldsuite.grading.cells import to_form
from goldsuite.model.result_set import Cell, ResultSet
from goldsuite.numbers import ParsedNumber, parse_number

__all__ = ["NULL", "number_of_cell", "only_cell", "says_null"]


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
