"""Days and moments as whole numbers, their text, and the calendar table.

Day 0 is the first day of trade, 2023-01-01; a moment is a number of seconds since its midnight.
"""

from collections.abc import Iterator
from datetime import date, timedelta

FIRST_DAY = date(2023, 1, 1)
LAST_DAY = date(2025, 12, 31)
DAY_COUNT = (LAST_DAY - FIRST_DAY).days + 1
DAY_SECONDS = 86_400
END = DAY_COUNT * DAY_SECONDS
"""The first moment that the warehouse knows nothing of."""

CALENDAR_FIRST = date(2022, 7, 1)
CALENDAR_LAST = date(2026, 6, 30)
FISCAL_START_MONTH = 7
BANK_HOLIDAYS = ((1, 1), (12, 25), (12, 26))

_TEXTS = [(FIRST_DAY + timedelta(days=n)).isoformat() for n in range(DAY_COUNT)]
_CLOCK = [
    f"{hour:02}:{minute:02}:{second:02}"
    for hour in range(24)
    for minute in range(60)
    for second in range(60)
]


def index_of(day: date) -> int:
    """The number of `day`; negative before the first day of trade."""
    return (day - FIRST_DAY).days


def date_of(index: int) -> date:
    return FIRST_DAY + timedelta(days=index)


def day_text(index: int) -> str:
    return _TEXTS[index] if 0 <= index < DAY_COUNT else date_of(index).isoformat()


def moment_text(moment: int | None) -> str | None:
    """`2025-03-01 14:05:09`; None stays None."""
    if moment is None:
        return None
    return f"{_TEXTS[moment // DAY_SECONDS]} {_CLOCK[moment % DAY_SECONDS]}"


def fiscal(day: date) -> tuple[int, int]:
    """Fiscal year, named by the year in which it ends, and fiscal quarter."""
    year = day.year + (day.month >= FISCAL_START_MONTH)
    return year, (day.month - FISCAL_START_MONTH) % 12 // 3 + 1


def calendar_rows() -> Iterator[tuple[object, ...]]:
    """One row per day of four whole fiscal years."""
    for offset in range((CALENDAR_LAST - CALENDAR_FIRST).days + 1):
        day = CALENDAR_FIRST + timedelta(days=offset)
        fiscal_year, fiscal_quarter = fiscal(day)
        yield (
            day.isoformat(),
            day.year,
            (day.month + 2) // 3,
            day.month,
            (day - timedelta(days=day.weekday())).isoformat(),
            fiscal_year,
            fiscal_quarter,
            day.weekday() >= 5,
            (day.month, day.day) in BANK_HOLIDAYS,
        )
