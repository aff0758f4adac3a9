"""Named periods: days, months, quarters, halves, years and fiscal years, each by its wordings.

`FY25` is 2025. A quarter is fiscal only where the question says so; `Q4 2025` is the calendar's.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from goldsuite.analysts.baseline import windows
from goldsuite.analysts.baseline.plan import UnresolvedError
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.windows import Window
from goldsuite.analysts.baseline.words import word_list

_MONTHS = word_list(
    "january february march april may june july august september october november december"
)
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4}
_ORDINALS |= {"4th": 4}

_MONTH = (
    "(?P<month>"
    + "|".join(
        f"{name[:3]}(?:{name[3:]})?" if name != "september" else "sept?(?:ember)?"
        for name in _MONTHS
    )
    + ")"
)
_FULL_MONTH = "(?P<month>" + "|".join(m for m in _MONTHS if m not in {"may", "march"}) + ")"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_FISCAL = r"(?:fy|fiscal(?: year)?) ?(?P<year>(?:19|20)\d\d|\d\d)"
_ORDINAL = r"(?P<nth>first|1st|second|2nd|third|3rd|fourth|4th)"
_QUARTER = rf"(?:q(?P<n>[1-4])|{_ORDINAL} quarter)"
_HALF = rf"(?:h(?P<n>[12])|{_ORDINAL} half)"
_OF = r"(?:of |in )?(?:the )?"
_LEAD = r"(?:in|for|during|of|since|before|after|from|to|between|and|through|until|by|on|or)"
# A bare number after one of these is a bound, not a year.
_NO_YEAR = r"(?<!than )(?<!over )(?<!above )(?<!under )(?<!below )(?<!least )(?<!most )(?<!top )"

Make: TypeAlias = Callable[[dict[str, str | None], int, int], Window]
"""From the pattern's groups, the year, and the month in which the fiscal year starts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A period at its place in the question."""

    where: range
    """Indices of its words."""
    window: Callable[[int], Window]
    """The days, given the year to take where the question names none."""
    has_year: bool
    relative: bool = False
    """True if today's date went into it."""


def _number(groups: dict[str, str | None]) -> int:
    return int(groups["n"] or 0) or _ORDINALS[groups["nth"] or "first"]


def _month_number(groups: dict[str, str | None]) -> int:
    return next(i for i, m in enumerate(_MONTHS, 1) if m.startswith((groups["month"] or "")[:3]))


def _day(groups: dict[str, str | None], year: int, _start: int) -> Window:
    return windows.one_day(date(year, _month_number(groups), int(groups["day"] or 0)))


def _iso_day(groups: dict[str, str | None], _year: int, _start: int) -> Window:
    return windows.one_day(date.fromisoformat(groups["iso"] or ""))


def _month(groups: dict[str, str | None], year: int, _start: int) -> Window:
    return windows.month(year, _month_number(groups))


def _iso_month(groups: dict[str, str | None], year: int, _start: int) -> Window:
    return windows.month(year, int(groups["mm"] or 0))


def _quarter(groups: dict[str, str | None], year: int, _start: int) -> Window:
    return windows.quarter(_number(groups), year)


def _fiscal_quarter(groups: dict[str, str | None], year: int, start: int) -> Window:
    return windows.quarter(_number(groups), year, year_start=start)


def _half(groups: dict[str, str | None], year: int, _start: int) -> Window:
    return windows.half(_number(groups), year)


def _fiscal_half(groups: dict[str, str | None], year: int, start: int) -> Window:
    return windows.half(_number(groups), year, year_start=start)


def _year(_groups: dict[str, str | None], year: int, _start: int) -> Window:
    return windows.year(year)


def _fiscal_year(_groups: dict[str, str | None], year: int, start: int) -> Window:
    return windows.year(year, year_start=start)


_TABLE: tuple[tuple[str, Make], ...] = (
    (r"(?P<iso>\d{4}-\d{2}-\d{2})", _iso_day),
    (rf"{_MONTH} {_DAY} (?:of )?{_YEAR}", _day),
    (rf"{_DAY} (?:of )?{_MONTH} (?:of )?{_YEAR}", _day),
    (rf"fiscal {_QUARTER} {_OF}{_YEAR}", _fiscal_quarter),
    (rf"(?:fiscal )?{_QUARTER} {_OF}{_FISCAL}", _fiscal_quarter),
    (rf"{_FISCAL} {_QUARTER}", _fiscal_quarter),
    (rf"(?:fiscal )?{_HALF} {_OF}{_FISCAL}", _fiscal_half),
    (rf"{_FISCAL} {_HALF}", _fiscal_half),
    (rf"{_QUARTER} {_OF}{_YEAR}", _quarter),
    (rf"{_YEAR} {_QUARTER}", _quarter),
    (rf"{_HALF} {_OF}{_YEAR}", _half),
    (rf"{_YEAR} {_HALF}", _half),
    (rf"(?:financial |fiscal )year {_YEAR}", _fiscal_year),
    (rf"{_YEAR} (?:financial|fiscal) year", _fiscal_year),
    (_FISCAL, _fiscal_year),
    (rf"{_MONTH} (?:of )?{_YEAR}", _month),
    (rf"{_YEAR} {_MONTH}", _month),
    (rf"{_YEAR} (?P<mm>0[1-9]|1[0-2])", _iso_month),
    (rf"{_NO_YEAR}(?:(?:calendar )?year )?{_NO_YEAR}{_YEAR}", _year),
    (rf"fiscal {_QUARTER}", _fiscal_quarter),
    (_QUARTER, _quarter),
    (_HALF, _half),
    (rf"(?<=on )(?:the )?{_DAY} (?:of )?{_MONTH}", _day),
    (rf"{_LEAD} {_MONTH} {_DAY}", _day),
    (_FULL_MONTH, _month),
    (rf"{_LEAD} {_MONTH}", _month),
)
"""Longer wordings first: each takes its words before the next one looks."""

_RULES = tuple((re.compile(rf"(?<!\S){pattern}(?!\S)"), make) for pattern, make in _TABLE)


def named_periods(reading: Reading, year_start: int) -> Iterator[Found]:
    """Every period that `reading` names, in the order of the table.

    Raises:
        UnresolvedError: a day that no calendar has, such as 30 February.
    """
    for rule, make in _RULES:
        for match, where in reading.places(rule):
            own = where[1:] if re.match(rf"{_LEAD} ", match[0]) else where
            yield _found(match, own, make, year_start)
            reading = reading.take(own)


def _found(match: re.Match[str], where: range, make: Make, year_start: int) -> Found:
    groups = match.groupdict()
    stated = groups.get("year")
    year = None if stated is None else int(stated) + (2000 if len(stated) == 2 else 0)
    if groups.get("iso"):
        year = 1  # the wording holds its own

    def window(fallback: int) -> Window:
        try:
            return make(groups, fallback if year is None else year, year_start)
        except (ValueError, OverflowError) as error:
            raise UnresolvedError(f"{match[0]!r} is no date: {error}") from None

    return Found(where=where, window=window, has_year=year is not None)
