"""`--since`: a span before now, or a date."""

import re
from datetime import UTC, datetime, timedelta

from goldsuite.errors import UsageError

__all__ = ["read_since"]

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SPAN = re.compile(r"(\d{1,6})([mhdw])")


def read_since(text: str, now: datetime, *, option: str = "--since") -> datetime:
    """`7d`, `12h`, `30m` and `2w` before `now`; `2026-01-31` and `2026-01-31T08:00` are in UTC.

    Raises:
        UsageError: it is neither, or it lies in the future.
    """
    word = text.strip()
    span = _SPAN.fullmatch(word)
    try:
        if span is not None:
            return now - timedelta(**{_UNITS[span[2]]: int(span[1])})
        found = datetime.fromisoformat(word)
    except (ValueError, OverflowError):
        raise UsageError(
            f"{option} {text!r}: a span such as 7d, 12h, 30m or 2w is expected, or a date such as "
            "2026-01-31"
        ) from None
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    if found > now:
        raise UsageError(f"{option} {text!r}: lies in the future")
    return found
