"""Clock functions are answered with the suite's date; nothing else is touched."""

import sqlite3
from datetime import date

import duckdb
import pytest

from goldsuite.sqltext.clock import asks_clock, set_clock

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


COMPARED = [
    # What a date for sure is compared with is one too; a column may be a text.
    ("select 1 where current_date = 'today'", True, False),
    ("select 1 from t where d::date >= 'yesterday'", True, False),
    ("select 1 from t where (d + 1)::date between 'yesterday' and 'today'", True, False),
    ("select 1 from t where date_trunc('day', d) in ('today', 'tomorrow')", True, False),
    ("select 1 from t where 'today' > d::timestamp", True, False),
    ("select 1 from t where d >= 'today'", True, True),
    ("select 1 from t where d = ' Now '", True, True),
    # Beside a date the column is one, or the query is an error.
    ("select 1 from t where d between 'yesterday' and current_date", True, False),
    ("select 1 from t where d between 'yesterday' and 'today'", True, True),
    ("select 1 from t where note = 'todays'", False, False),
    ("select 'today' from t", False, False),
]


@pytest.mark.parametrize(("sql", "dependent", "unanswered"), COMPARED)
def test_a_bare_word_is_answered_or_told_where_postgresql_may_read_the_clock(
    sql: str, dependent: bool, unanswered: bool
) -> None:
    reading = set_clock(sql, "postgres", AS_OF)
    assert (reading.dependent, reading.unanswered) == (dependent, unanswered)
    for word in ("'today'", "'yesterday'", "'tomorrow'"):
        assert word not in reading.sql or unanswered or not dependent
    assert asks_clock([sql], "postgres", AS_OF) is unanswered
    assert asks_clock([sql], "postgres") is dependent
    assert not set_clock(sql.replace("current_date", "d"), "duckdb", AS_OF).unanswered


def test_without_a_date_a_clock_is_told_but_not_touched() -> None:
    reading = set_clock("select current_date", "duckdb", None)
    assert reading.sql == "select current_date"
    assert reading.dependent
