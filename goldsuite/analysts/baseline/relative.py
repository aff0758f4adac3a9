"""Periods told from today: `last month`, `past 30 days`, `year to date`.

`last 30 days` are the 30 days that end with today; `last month` is the whole month before this one;
`last 3 full months` are whole months.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import TypeAlias

from goldsuite.analysts.baseline.periods import Found
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.windows import Grain, Window, floor, one_day, shift, unit_of
from goldsuite.analysts.baseline.words import NUMBER_WORDS

_COUNT = r"(?P<n>\d{1,3}|" + "|".join(NUMBER_WORDS) + ")"
_UNIT = "(?P<unit>day|week|month|quarter|year)"
_LAST = "(?:last|past|previous|prior|preceding|trailing)"
_TO_DATE = {"ytd": "year", "qtd": "quarter", "mtd": "month", "wtd": "week"}

Groups: TypeAlias = dict[str, str | None]
Make: TypeAlias = Callable[[Groups, date, int], Window]
"""From the pattern's groups, today, and the month in which years start."""


def _rolling(groups: Groups, today: date, _start: int) -> Window:
    end = today + timedelta(days=1)
    return Window(start=shift(end, _grain(groups), -_count(groups)), end=end)


def _full_units(groups: Groups, today: date, start: int) -> Window:
    end = floor(today, _grain(groups), year_start=start)
    return Window(start=shift(end, _grain(groups), -_count(groups)), end=end)


def _this(groups: Groups, today: date, start: int) -> Window:
    return unit_of(today, _grain(groups), year_start=start)


def _last(groups: Groups, today: date, start: int) -> Window:
    return _this(groups, today, start).shifted(_grain(groups), -1)


def _to_date(groups: Groups, today: date, start: int) -> Window:
    begin = floor(today, _grain(groups), year_start=start)
    return Window(start=begin, end=today + timedelta(days=1))


def _today(_groups: Groups, today: date, _start: int) -> Window:
    return one_day(today)


def _yesterday(_groups: Groups, today: date, _start: int) -> Window:
    return one_day(today - timedelta(days=1))


def _grain(groups: Groups) -> Grain:
    return Grain(groups.get("unit") or _TO_DATE[groups["short"] or "ytd"])


def _count(groups: Groups) -> int:
    said = groups.get("n") or "1"
    return NUMBER_WORDS.get(said) or int(said)


_TABLE: tuple[tuple[str, Make], ...] = (
    (rf"(?:the )?{_LAST} {_COUNT} (?:full|complete|calendar|whole) {_UNIT}s?", _full_units),
    (rf"(?:the )?{_LAST} {_COUNT} {_UNIT}s?", _rolling),
    (rf"(?P<fiscal>fiscal )?{_UNIT} to date", _to_date),
    (r"(?P<fiscal>fiscal )?(?P<short>ytd|qtd|mtd|wtd)", _to_date),
    (rf"so far this (?P<fiscal>fiscal )?{_UNIT}", _to_date),
    (rf"this (?P<fiscal>fiscal )?{_UNIT} so far", _to_date),
    (rf"the past {_UNIT}", _rolling),
    (rf"(?:this|the current|current) (?P<fiscal>fiscal )?{_UNIT}", _this),
    (rf"(?:the )?(?:last|previous|prior|past) (?P<fiscal>fiscal )?{_UNIT}", _last),
    ("today", _today),
    ("yesterday", _yesterday),
)

_RULES = tuple((re.compile(rf"(?<!\S){pattern}(?!\S)"), make) for pattern, make in _TABLE)


def relative_periods(reading: Reading, today: date, year_start: int) -> Iterator[Found]:
    """Every period that `reading` tells from `today`."""
    for rule, make in _RULES:
        for match, where in reading.places(rule):
            groups = match.groupdict()
            start = year_start if groups.get("fiscal") else 1
            window = make(groups, today, start)
            yield Found(
                where=where,
                window=lambda _year, found=window: found,  # type: ignore[misc]
                has_year=True,
                relative=True,
            )
            reading = reading.take(where)
