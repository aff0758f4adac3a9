"""A result's single value as plain text."""

from datetime import date, datetime, time
from decimal import Decimal

from goldsuite.model.result_set import Cell, ResultSet

_DIGITS = 12
"""Of a floating-point value: what is said must not depend on the order in which rows are summed."""


def single_value(result: ResultSet) -> str | None:
    """Digits, an ISO date or text; None where there is no single value, and the rows speak."""
    if len(result.rows) != 1 or len(result.rows[0]) != 1:
        return None
    return as_text(result.rows[0][0])


def as_text(cell: Cell) -> str | None:
    """One cell as an analyst would write it; None for NULL and for bytes."""
    match cell:
        case None | bytes():
            return None
        case bool():
            return "true" if cell else "false"
        case int():
            return str(cell)
        case Decimal():
            return _plain(cell)
        case float():
            return _plain(Decimal(f"{cell:.{_DIGITS}g}"))
        case datetime() if cell.time() == time():
            return cell.date().isoformat()
        case datetime():
            return cell.isoformat(sep=" ")
        case date() | time():
            return cell.isoformat()
    return str(cell)


def _plain(number: Decimal) -> str:
    """Without an exponent; NaN and infinities by name."""
    return format(number, "f") if number.is_finite() else str(number)
