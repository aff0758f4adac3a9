"""Clock functions are answered with the suite's date; nothing else is touched."""

import sqlite3
from datetime import date

import duckdb
import pytest

from goldsuite.sqltext.clock import set_clock

AS_OF = date(2025, 3, 31)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select current_date", date(2025, 3, 31)),
        ("select today() - 1", date(2025, 3, 30)),
        ("select cast(now() as date)", date(2025, 3, 31)),
        ("select year(current_timestamp)", 2025),
        ("select date_diff('day', date '2025-03-01', current_date)", 30),
        ("select 'today'::date", date(2025, 3, 31)),
        ("select max(d) from (select current_date as d)", date(2025, 3, 31)),
        ("select month(get_current_timestamp())", 3),
        # Summer time began the day before: Berlin is two hours ahead.
        ("select hour(now() at time zone 'Europe/Berlin')", 2),
        ("select current_localtimestamp()::date", date(2025, 3, 31)),
        ("select 'yesterday'::date", date(2025, 3, 30)),
        ("select date_part('year', age(date '2020-03-31'))", 5),
    ],
)
def test_duckdb_reads_the_given_date(sql: str, expected: object) -> None:
    reading = set_clock(sql, "duckdb", AS_OF)
    assert reading.dependent
    row = duckdb.connect().execute(reading.sql).fetchone()
    assert row == (expected,)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select current_date", "2025-03-31"),
        ("select date('now')", "2025-03-31"),
        ("select date('now', 'start of year')", "2025-01-01"),
        ("select date()", "2025-03-31"),
        ("select datetime()", "2025-03-31 00:00:00"),
        ("select strftime('%Y', 'now')", "2025"),
        ("select julianday('now') - julianday('2025-03-01')", 30.0),
        ("select date(current_timestamp, '-1 day')", "2025-03-30"),
    ],
)
def test_sqlite_reads_the_given_date(sql: str, expected: object) -> None:
    reading = set_clock(sql, "sqlite", AS_OF)
    assert reading.dependent
    assert sqlite3.connect(":memory:").execute(reading.sql).fetchone() == (expected,)


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("SELECT  1 -- current_date", "duckdb"),
        ("select 'now'", "sqlite"),
        ("select x from t where note = 'today'", "duckdb"),
        ("select date('2025-01-01')", "sqlite"),
        ('select "current_date" from t', "duckdb"),
        ("select age(a, b) from t", "duckdb"),
        ("select (((", "duckdb"),
        ("", "duckdb"),
        ("select current_date; select 1", "duckdb"),
    ],
)
def test_a_query_without_a_clock_is_left_to_the_letter(sql: str, dialect: str) -> None:
    reading = set_clock(sql, dialect, AS_OF)
    assert reading.sql == sql
    assert not reading.dependent


def test_without_a_date_a_clock_is_told_but_not_touched() -> None:
    reading = set_clock("select current_date", "duckdb", None)
    assert reading.sql == "select current_date"
    assert reading.dependent
