"""How long a service asks to wait."""

from datetime import UTC, datetime

import pytest

from goldsuite.analysts.retry_after import retry_after_s

NOW = datetime(2025, 12, 31, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "3", "retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "Wed, 31 Dec 2025 12:01:30 GMT"}, 90.0),
        ({"retry-after": "Wed, 31 Dec 2025 11:00:00 GMT"}, 0.0),
        ({"retry-after": "later"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
    ],
)
def test_a_time_to_wait_is_read_in_every_form(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_s(headers, now=NOW) == seconds
