"""Half-open windows of days: months, quarters, halves, years and fiscal years.

A fiscal year carries the name of the calendar year in which it ends, so with a start in February
fiscal 2025 runs from 1 February 2024 to 31 January 2025. With a start in January it is the
calendar year.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class Grain(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


_MONTHS_IN = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12}
_DAYS_IN = {Grain.DAY: 1, Grain.WEEK: 7}


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Window:
    """Days from `start` on, before `end`."""

    start: date | None
    """None: open to the past."""
    end: date | None
    """The first day after the window; None: open to the future."""

    def shifted(self, grain: Grain, count: int) -> "Window":
        """The window moved by `count` units; both ends move alike."""
        return Window(
            start=self.start and shift(self.start, grain, count),
            end=self.end and shift(self.end, grain, count),
        )

    @property
    def days(self) -> int | None:
        """Length in days; None where an end is open."""
        if self.start is None or self.end is None:
            return None
        return (self.end - self.start).days


def shift(day: date, grain: Grain, count: int) -> date:
    """`day` moved by `count` units; a day that the month lacks becomes its last one."""
    if grain in _DAYS_IN:
        return day + timedelta(days=_DAYS_IN[grain] * count)
    months = day.year * 12 + day.month - 1 + _MONTHS_IN[grain] * count
    first = date(months // 12, months % 12 + 1, 1)
    last = (_next_month(first) - timedelta(days=1)).day
    return first.replace(day=min(day.day, last))


def _next_month(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def floor(day: date, grain: Grain, *, year_start: int = 1) -> date:
    """The first day of the unit that holds `day`; weeks start on Monday.

    `year_start`: the month in which years, and so quarters, begin.
    """
    if grain is Grain.DAY:
        return day
    if grain is Grain.WEEK:
        return day - timedelta(days=day.weekday())
    into = (day.month - year_start) % _MONTHS_IN[grain]
    return shift(day.replace(day=1), Grain.MONTH, -into)


def unit_of(day: date, grain: Grain, *, year_start: int = 1) -> Window:
    """The whole day, week, month, quarter or year that holds `day`."""
    start = floor(day, grain, year_start=year_start)
    return Window(start=start, end=shift(start, grain, 1))


def one_day(day: date) -> Window:
    return Window(start=day, end=day + timedelta(days=1))


def month(year: int, number: int) -> Window:
    return unit_of(date(year, number, 1), Grain.MONTH)


def year(number: int, *, year_start: int = 1) -> Window:
    """The calendar year, or the fiscal year that ends in it."""
    first = _first_day(number, year_start)
    return Window(start=first, end=shift(first, Grain.YEAR, 1))


def _first_day(number: int, year_start: int) -> date:
    return date(number if year_start == 1 else number - 1, year_start, 1)


def quarter(number: int, of: int, *, year_start: int = 1) -> Window:
    """Quarter 1 to 4 of year `of`."""
    return _part(number, of, 3, year_start)


def half(number: int, of: int, *, year_start: int = 1) -> Window:
    """Half 1 or 2 of year `of`."""
    return _part(number, of, 6, year_start)


def _part(number: int, of: int, months: int, year_start: int) -> Window:
    first = shift(_first_day(of, year_start), Grain.MONTH, months * (number - 1))
    return Window(start=first, end=shift(first, Grain.MONTH, months))
