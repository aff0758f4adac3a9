"""Dates and times as answers write them; an order of day and month that is open is no date."""

import re
from datetime import date, datetime, time

__all__ = ["read_date"]

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
_NAME = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+)?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_TIME = (
    r"(?:[\sT]+(?:at\s+)?(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)"
    r"\s*(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})?)?"
)
_WRITTEN = tuple(
    re.compile(_WEEKDAY + pattern + _TIME, re.IGNORECASE)
    for pattern in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
        r"(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})",
        r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})",
        rf"(?P<name>{_NAME})\.?\s+{_DAY},?\s+(?P<year>\d{{4}})",
        rf"{_DAY}(?:\s+of)?[\s-]+(?P<name>{_NAME})\.?,?[\s-]+(?P<year>\d{{4}})",
    )
)
_NUMERIC = re.compile(r"(?P<first>\d{1,2})([/.-])(?P<second>\d{1,2})\2(?P<year>\d{4})" + _TIME)


def read_date(text: str) -> date | datetime | None:
    """The day or moment that `text` names, midnight as the day; None where it names none for sure.

    Read are ISO forms, `2025/03/04`, `20250304`, `March 4, 2025`, `4 Mar 2025`, each with a weekday
    before it or a time behind it, and `13/04/2025`, whose order is settled by a number above 12.
    `03/04/2025` is open, unless both numbers are equal.
    """
    text = text.strip().rstrip(".").strip()
    for pattern in _WRITTEN:
        if match := pattern.fullmatch(text):
            parts = match.groupdict()
            month = _MONTHS[parts["name"].lower()] if parts.get("name") else int(parts["month"])
            return _moment(int(parts["year"]), month, int(parts["day"]), match)
    match = _NUMERIC.fullmatch(text)
    if match is None:
        return None
    first, second = int(match["first"]), int(match["second"])
    if first <= 12 and second <= 12 and first != second:
        return None
    month, day = (first, second) if second > 12 else (second, first)
    return _moment(int(match["year"]), month, day, match)


def _moment(year: int, month: int, day: int, match: re.Match[str]) -> date | datetime | None:
    try:
        when = date(year, month, day)
        clock = _clock(match["time"]) if match["time"] else time()
        if match["zone"] and match["zone"].upper() not in {"Z", "UTC", "+00:00", "+0000"}:
            return datetime.fromisoformat(f"{when}T{clock}{match['zone']}")
    except ValueError:
        return None
    return when if clock == time() else datetime.combine(when, clock)


def _clock(text: str) -> time:
    whole, _, fraction = text.partition(".")
    hours, minutes, *seconds = map(int, whole.split(":"))
    micros = int(fraction[:6].ljust(6, "0")) if fraction else 0
    return time(hours, minutes, seconds[0] if seconds else 0, micros)
