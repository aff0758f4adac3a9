"""How long a service asks to wait, by the headers of its reply."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

__all__ = ["retry_after_s"]


def retry_after_s(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds from `now`; None where the service does not say, or says what is no time.

    `retry-after-ms` is more exact than `retry-after`, which holds seconds or a date (RFC 9110,
    10.2.3).
    """
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return exact / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return seconds
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max((until - (now or datetime.now(UTC))).total_seconds(), 0.0)


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if isfinite(value) and value >= 0 else None
