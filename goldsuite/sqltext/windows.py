"""Conditions on time, brought to one shape: half-open windows of moments.

`BETWEEN`, `YEAR(x) = 2025`, `strftime('%Y-%m', x) = '2025-03'` and a pair of comparisons say the
same in different words; here they become bounds on the plain column.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, TypeAlias

from sqlglot import exp

__all__ = ["Bound", "is_temporal", "moment", "read_bounds", "write_window"]

BoundSign: TypeAlias = Literal[">", ">=", "<", "<="]

_SIGNS: dict[type[exp.Expr], BoundSign] = {
    exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=",
}  # fmt: skip
_TO_DATE = (exp.Date, exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.TimestampTrunc, exp.DateTrunc)
_MONTHS = {"year": 12, "quarter": 3, "month": 1}
_YEAR_FORMATS = {"%Y": "year", "%Y-%m": "month", "%Y-%m-%d": "day"}
_CLOCK = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime, exp.Interval)
_TIME_FUNCTIONS = (
    exp.Year, exp.Month, exp.Day, exp.Quarter, exp.Extract, exp.TimeToStr, exp.DateAdd, exp.DateSub,
    exp.DateDiff, exp.TimestampDiff, *_TO_DATE, *_CLOCK,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """One end of a window."""

    column: exp.Column
    sign: BoundSign
    at: str
    """ISO date, or date and time where it is not midnight."""


def moment(node: exp.Expr) -> str | None:
    """The ISO moment that a constant stands for; None for anything else."""
    if isinstance(node, exp.Cast | exp.TsOrDsToDate | exp.Date | exp.Paren | exp.TsOrDsToTimestamp):
        return moment(node.this) if isinstance(node.this, exp.Expr) else None
    if not isinstance(node, exp.Literal) or not node.is_string:
        return None
    try:
        parsed = datetime.fromisoformat(node.name.strip())
    except ValueError:
        return None
    if len(node.name.strip()) < len("2025-01-01"):
        return None  # fromisoformat also reads "20250101", which may be any number
    return _iso(parsed)


def is_temporal(node: exp.Expr) -> bool:
    """Whether a condition is about time, as far as its text tells."""
    return any(isinstance(n, _TIME_FUNCTIONS) or moment(n) is not None for n in node.walk())


def read_bounds(node: exp.Expr, dates: frozenset[str]) -> tuple[Bound, ...]:
    """The bounds that one condition sets on one column; none where it is no window.

    `dates` names the columns, as `table.column`, known to hold days without a time of day.
    """
    if isinstance(node, exp.Between):
        if not (isinstance(node.args.get("low"), exp.Expr) and not node.args.get("symmetric")):
            return ()
        ends = node.copy()  # a node put under another parent leaves its own
        low = read_bounds(exp.GTE(this=ends.this, expression=ends.args["low"]), dates)
        high = read_bounds(exp.LTE(this=ends.this, expression=ends.args["high"]), dates)
        return (*low, *high) if low and high else ()
    if isinstance(node, exp.EQ):
        return _read_period(node) or _read_day(node, dates)
    sign = _SIGNS.get(type(node))
    at = moment(node.expression) if sign and isinstance(node, exp.Binary) else None
    if sign is None or at is None or not isinstance(node, exp.Binary):
        return ()
    column, whole_days = _column_of(node.this, dates)
    if column is None:
        return ()
    if whole_days and sign in (">", "<=") and (next_day := _next_day(at)) is not None:
        sign, at = (">=" if sign == ">" else "<"), next_day
    return (Bound(column=column, sign=sign, at=at),)


def write_window(column: str, bounds: list[Bound]) -> str:
    """The narrowest window that all `bounds` leave, in words of SQL."""
    lowers = [b for b in bounds if b.sign in (">", ">=")]
    uppers = [b for b in bounds if b.sign in ("<", "<=")]
    lower = max(lowers, key=lambda b: (b.at, b.sign == ">"), default=None)
    upper = min(uppers, key=lambda b: (b.at, b.sign == "<="), default=None)
    return " AND ".join(f"{column} {b.sign} '{b.at}'" for b in (lower, upper) if b is not None)


def _column_of(node: exp.Expr, dates: frozenset[str]) -> tuple[exp.Column | None, bool]:
    """The column below casts to a date, and whether only its day counts."""
    whole_days = False
    while isinstance(node, exp.Cast | exp.Date | exp.TsOrDsToDate | exp.Paren):
        if not isinstance(node.this, exp.Expr):
            return None, False
        if isinstance(node, exp.Cast):
            whole_days = whole_days or node.to.is_type("date")
        elif not isinstance(node, exp.Paren):
            whole_days = True
        node = node.this
    if not isinstance(node, exp.Column):
        return None, False
    return node, whole_days or f"{node.table}.{node.name}" in dates


def _read_day(node: exp.EQ, dates: frozenset[str]) -> tuple[Bound, ...]:
    at = moment(node.expression)
    column, whole_days = _column_of(node.this, dates)
    end = _next_day(at) if at is not None else None
    if at is None or end is None or column is None or not whole_days:
        return ()
    return _between(column, at, end)


def _read_period(node: exp.EQ) -> tuple[Bound, ...]:
    """`YEAR(x) = 2025`, in the spellings of several dialects."""
    unit, inner = _period_parts(node.this)
    if unit is None or inner is None:
        return ()
    column, _ = _column_of(inner, frozenset())
    value = node.expression.this if isinstance(node.expression, exp.Cast) else node.expression
    if column is None or not isinstance(value, exp.Literal):
        return ()
    padded = {"year": "-01-01", "month": "-01"}.get(unit, "") if len(value.name) < 10 else ""
    try:
        start = date.fromisoformat(value.name + padded)
        end = _after(start, unit)
    except ValueError:
        return ()
    return _between(column, start.isoformat(), end.isoformat()) if end is not None else ()


def _period_parts(node: exp.Expr) -> tuple[str | None, exp.Expr | None]:
    """The unit and the moment that a function cuts to it."""
    if isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.INTEGER_TYPES):
        node = node.this
    if isinstance(node, exp.Year):
        return "year", _unwrapped(node.this)
    if isinstance(node, exp.Extract) and node.name.lower() == "year":
        return "year", _unwrapped(node.expression)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "date_part":
        part, *rest = node.expressions
        return ("year", rest[0]) if part.name.lower() == "year" and len(rest) == 1 else (None, None)
    if isinstance(node, exp.TimeToStr):
        return _YEAR_FORMATS.get(node.text("format")), _unwrapped(node.this)
    if isinstance(node, exp.TimestampTrunc | exp.DateTrunc):
        unit = node.text("unit").lower()
        return (unit if unit in _MONTHS else None), _unwrapped(node.this)
    return None, None


def _unwrapped(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.TsOrDsToTimestamp | exp.TsOrDsToDate) and isinstance(
        node.this, exp.Expr
    ):
        node = node.this
    return node


def _between(column: exp.Column, start: str, end: str) -> tuple[Bound, Bound]:
    return Bound(column=column, sign=">=", at=start), Bound(column=column, sign="<", at=end)


def _after(start: date, unit: str) -> date | None:
    """The first day past the period; None where `start` is not its first."""
    if unit == "day":
        return start + timedelta(days=1)
    length = _MONTHS[unit]
    if start.day != 1 or (start.month - 1) % length:
        return None
    months = start.year * 12 + start.month - 1 + length
    return date(months // 12, months % 12 + 1, 1)


def _next_day(at: str) -> str | None:
    day = datetime.fromisoformat(at).replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        return _iso(day + timedelta(days=1))
    except OverflowError:  # 9999-12-31, which some warehouses use for "never"
        return None


def _iso(at: datetime) -> str:
    if at.tzinfo is None and (at.hour, at.minute, at.second, at.microsecond) == (0, 0, 0, 0):
        return at.date().isoformat()
    return at.isoformat(sep=" ")
