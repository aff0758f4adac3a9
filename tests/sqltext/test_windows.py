"""A window of time reads the same in every spelling; different windows never do."""

import pytest

from goldsuite.sqltext.shape import read_shape

YEAR = "t.d >= '2025-01-01' AND t.d < '2026-01-01'"
MARCH = "t.d >= '2025-03-01' AND t.d < '2025-04-01'"


def window_of(condition: str, dialect: str = "duckdb", dates: frozenset[str] = frozenset()) -> str:
    shape = read_shape(f"select 1 from t where {condition}", dialect, dates=dates)
    assert shape is not None
    assert all(p.temporal for p in shape.predicates)
    return " / ".join(p.text for p in shape.predicates)


@pytest.mark.parametrize(
    ("condition", "dialect", "expected"),
    [
        ("d >= '2025-01-01' and d < '2026-01-01'", "duckdb", YEAR),
        ("d < '2026-01-01' and d >= '2025-01-01'", "duckdb", YEAR),
        ("'2025-01-01' <= d and '2026-01-01' > d", "duckdb", YEAR),
        ("d >= date '2025-01-01' and d < date '2026-01-01'", "duckdb", YEAR),
        ("d >= '2025-01-01'::timestamp and d < '2026-01-01 00:00:00'", "duckdb", YEAR),
        ("d >= date '2025-01-01' and d < date '2025-12-31' + interval 1 day", "duckdb", YEAR),
        ("year(d) = 2025", "duckdb", YEAR),
        ("extract(year from d) = 2025", "duckdb", YEAR),
        ("date_part('year', d) = 2025", "duckdb", YEAR),
        ("date_trunc('year', d) = '2025-01-01'", "duckdb", YEAR),
        ("date_trunc('year', d) = date '2025-01-01'", "duckdb", YEAR),
        ("strftime(d, '%Y') = '2025'", "duckdb", YEAR),
        ("strftime('%Y', d) = '2025'", "sqlite", YEAR),
        ("extract(year from d) = 2025", "postgres", YEAR),
        ("year(d) = 2025", "mysql", YEAR),
        ("cast(d as date) between '2025-01-01' and '2025-12-31'", "duckdb", YEAR),
        ("date(d) between '2025-01-01' and '2025-12-31'", "sqlite", YEAR),
        ("d::date >= '2025-01-01' and d::date <= '2025-12-31'", "postgres", YEAR),
        ("strftime('%Y-%m', d) = '2025-03'", "sqlite", MARCH),
        ("date_trunc('month', d) = date '2025-03-01'", "duckdb", MARCH),
        ("cast(d as date) = '2025-03-01'", "duckdb", "t.d >= '2025-03-01' AND t.d < '2025-03-02'"),
        ("cast(d as date) > '2025-02-28'", "duckdb", "t.d >= '2025-03-01'"),
        ("date_trunc('quarter', d) = date '2025-04-01'", "duckdb",
         "t.d >= '2025-04-01' AND t.d < '2025-07-01'"),
        ("d >= '2025-01-01' and d >= '2025-03-01' and d < '2025-04-01'", "duckdb", MARCH),
    ],
)  # fmt: skip
def test_one_window_in_many_spellings(condition: str, dialect: str, expected: str) -> None:
    assert window_of(condition, dialect) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("d between '2025-01-01' and '2025-12-31'", "t.d >= '2025-01-01' AND t.d <= '2025-12-31'"),
        ("d > '2025-01-01' and d <= '2026-01-01'", "t.d > '2025-01-01' AND t.d <= '2026-01-01'"),
        ("d >= '2025-01-01 06:30:00'", "t.d >= '2025-01-01 06:30:00'"),
        ("d <= '9999-12-31'", "t.d <= '9999-12-31'"),
        ("cast(d as date) <= '9999-12-31'", "t.d <= '9999-12-31'"),
    ],
)
def test_the_ends_of_a_window_are_kept_as_they_are(condition: str, expected: str) -> None:
    assert window_of(condition) == expected


def test_the_last_day_is_whole_where_a_column_holds_days() -> None:
    condition = "d between '2025-01-01' and '2025-12-31'"
    assert window_of(condition, dates=frozenset({"t.d"})) == YEAR
    assert window_of(condition, dates=frozenset({"t.e"})) != YEAR


@pytest.mark.parametrize(
    "condition", ["d >= '20250101'", "d = '2025'", "d < 'soon'", "d >= 2025", "d = 'A-1'"]
)
def test_what_only_looks_like_a_date_is_no_window(condition: str) -> None:
    shape = read_shape(f"select 1 from t where {condition}", "duckdb")
    assert shape is not None
    assert [p.temporal for p in shape.predicates] == [False]


def test_windows_of_two_columns_stay_apart() -> None:
    text = window_of("d >= '2025-01-01' and e >= '2025-02-01'")
    assert text == "t.d >= '2025-01-01' / t.e >= '2025-02-01'"


def test_a_year_of_a_calendar_is_about_time() -> None:
    assert window_of("fiscal_year = 2025") == "t.fiscal_year = 2025"
