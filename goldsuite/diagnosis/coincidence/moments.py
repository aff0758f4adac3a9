"""Dates and times: read from what queries and catalogs write, and their neighbours."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta

__all__ = ["around", "as_moment", "moments_of_parts"]

_DAY, _SECOND = timedelta(days=1), timedelta(seconds=1)
_YEARS = range(1900, 2201)


def as_moment(value: object) -> datetime | None:
    """A date or a time that a value says; None where it says none."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001 - no zone is meant
    if not isinstance(value, str) or not 8 <= len(value) <= 32:
        return None
    with suppress(ValueError):
        return datetime.fromisoformat(value.strip()).replace(tzinfo=None)
    return None


def around(moment: datetime) -> Iterator[datetime]:
    """The moment itself, then one second and one day to either side, and the noon of its day."""
    yield moment
    with suppress(OverflowError):
        for near in (_SECOND, _DAY):
            yield moment - near
            yield moment + near
        yield moment.replace(hour=12, minute=0, second=0)


def moments_of_parts(values: Iterable[object], known: Iterable[datetime]) -> list[datetime]:
    """Moments that have the parts which `values` say: a year, a month, `2025-03`.

    Args:
        known: moments that the same column is compared with, which tell a year for a month.
    """
    numbers = [n for value in values for n in _numbers(value)]
    years = [n for n in numbers if n in _YEARS] or sorted({m.year for m in known})
    months = [n for n in numbers if 1 <= n <= 12]
    found: list[datetime] = []
    for year in years or ([2024, 2025] if months else []):
        found += [datetime(year, 1, 1), datetime(year, 12, 31, 23, 59, 59)]  # noqa: DTZ001
        found += [datetime(year - 1, 7, 1), datetime(year + 1, 7, 1)]  # noqa: DTZ001
        # A number up to four may be a quarter as well as a month.
        wanted = {*months, *(3 * n for n in months if n <= 4)} or {7}
        found += [datetime(year, month, 15) for month in sorted(wanted)]  # noqa: DTZ001
    return found


def _numbers(value: object) -> list[int]:
    if isinstance(value, bool) or as_moment(value) is not None:
        return []
    if isinstance(value, int):
        return [value]
    if not isinstance(value, str):
        return []
    parts = value.replace("Q", "").split("-")
    return [int(part) for part in parts] if all(part.isdecimal() for part in parts) else []
