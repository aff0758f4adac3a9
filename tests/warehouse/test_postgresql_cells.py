"""What each type of PostgreSQL becomes."""

import math
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.servers import Accounts

NAIVE = datetime(2025, 1, 2, 3, 4, 5, 600000)  # noqa: DTZ001 - the type has no zone

CELLS: list[tuple[str, str, Any]] = [
    ("9007199254740993::int8", "int8", 9007199254740993),
    ("1::int2", "int2", 1),
    ("1.50::numeric", "numeric", Decimal("1.50")),
    (
        "123456789012345678901234567890.5::numeric",
        "numeric",
        Decimal("123456789012345678901234567890.5"),
    ),
    ("0.1::float8 + 0.2::float8", "float8", 0.30000000000000004),
    ("'inf'::float8", "float8", math.inf),
    ("true", "bool", True),
    ("'é'::text", "text", "é"),
    ("null::int", "int4", None),
    ("date '2025-02-28'", "date", date(2025, 2, 28)),
    ("'infinity'::date", "date", "infinity"),
    ("'0044-03-15 BC'::date", "date", "0044-03-15 BC"),
    ("timestamp '2025-01-02 03:04:05.6'", "timestamp", NAIVE),
    (
        "timestamptz '2025-01-02 03:04:05+02'",
        "timestamptz",
        datetime(2025, 1, 2, 1, 4, 5, tzinfo=UTC),
    ),
    ("'-infinity'::timestamptz", "timestamptz", "-infinity"),
    ("time '03:04:05'", "time", time(3, 4, 5)),
    ("time '24:00'", "time", "24:00:00"),
    ("interval '1 day 02:03:04.5'", "interval", timedelta(days=1, hours=2, minutes=3, seconds=4.5)),
    ("interval '-1 day'", "interval", timedelta(days=-1)),
    ("interval '14 months 3 days'", "interval", "1 year 2 mons 3 days"),
    ('\'{"b": 1.0, "a": [1, 2]}\'::json', "json", '{"a": [1, 2], "b": 1}'),
    ('\'{"b": null, "a": "x"}\'::jsonb', "jsonb", '{"a": "x", "b": null}'),
    ("array[1, null, 3]", "int4[]", "[1, null, 3]"),
    ("array['a', 'b,c']", "text[]", '["a", "b,c"]'),
    (
        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid",
        "uuid",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    ),
    ("'\\x00ff'::bytea", "bytea", b"\x00\xff"),
    ("b'101'", "bit", "101"),
    ("int4range(1, 5)", "int4range", "[1,5)"),
    ("'10.0.0.1'::inet", "inet", "10.0.0.1"),
    ("'EU'::name", "name", "EU"),
]


@pytest.fixture(scope="module")
def shop(postgresql: Accounts) -> Iterator[OpenWarehouse]:
    with open_warehouse(postgresql.reader) as warehouse:
        yield warehouse


@pytest.mark.parametrize(("expression", "kind", "expected"), CELLS)
def test_a_value_keeps_its_type_and_all_its_digits(
    shop: OpenWarehouse, expression: str, kind: str, expected: object
) -> None:
    execution = shop.gold.execute(f"select {expression} as v")
    assert execution.result is not None, execution.problem
    ((value,),) = execution.result.rows
    assert (value, type(value)) == (expected, type(expected))
    assert [(c.name, c.type) for c in execution.result.columns] == [("v", kind)]


def test_not_a_number_is_kept(shop: OpenWarehouse) -> None:
    result = shop.gold.execute("select 'NaN'::float8, 'NaN'::numeric").result
    assert result is not None
    number, exact = result.rows[0]
    assert isinstance(number, float)
    assert math.isnan(number)
    assert isinstance(exact, Decimal)
    assert exact.is_nan()


def test_the_session_is_in_utc_whatever_the_url_says(postgresql: Accounts) -> None:
    url = f"{postgresql.reader}?options=-c%20timezone%3DAsia/Tokyo"
    with open_warehouse(url) as warehouse:
        for door in (warehouse.gold, warehouse.analyst):
            result = door.execute("select timestamptz '2025-01-01 00:00', now()").result
            assert result is not None
            midnight, now = result.rows[0]
            assert midnight == datetime(2025, 1, 1, tzinfo=UTC)
            assert isinstance(now, datetime)
            assert now.utcoffset() == timedelta(0)


def test_duplicate_and_nameless_columns_are_kept(shop: OpenWarehouse) -> None:
    result = shop.analyst.execute("select 1 as a, 2 as a, 3").result
    assert result is not None
    assert [c.name for c in result.columns] == ["a", "a", "?column?"]
    assert result.rows == ((1, 2, 3),)
