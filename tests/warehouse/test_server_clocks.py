"""`as_of` and the pinned time zone, asked of real servers and files."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from goldsuite.model.result_set import Cell
from goldsuite.sqltext.clock import set_clock
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.servers import Accounts, connect_mariadb, connect_postgresql

AS_OF = date(2025, 3, 31)
MIDNIGHT = datetime(2025, 3, 31, tzinfo=UTC)
LOCAL_MIDNIGHT = datetime(2025, 3, 31)  # noqa: DTZ001


@pytest.fixture(scope="module")
def postgres_shop(postgresql: Accounts) -> Iterator[OpenWarehouse]:
    with open_warehouse(postgresql.reader) as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def maria_shop(mariadb: Accounts) -> Iterator[OpenWarehouse]:
    with open_warehouse(mariadb.reader) as warehouse:
        yield warehouse


def _value(warehouse: OpenWarehouse, sql: str) -> Cell:
    reading = set_clock(sql, warehouse.dialect, AS_OF)
    assert reading.dependent
    execution = warehouse.gold.execute(reading.sql)
    assert execution.result is not None, (reading.sql, execution.problem)
    return execution.result.rows[0][0]


POSTGRES: list[tuple[str, Cell]] = [
    ("current_date", AS_OF),
    ("current_date - 1", date(2025, 3, 30)),
    ("now()", MIDNIGHT),
    ("NOW()", MIDNIGHT),
    ("pg_catalog.now()", MIDNIGHT),
    ("current_timestamp(3)", MIDNIGHT),
    ("clock_timestamp()", MIDNIGHT),
    ("statement_timestamp()", MIDNIGHT),
    ("transaction_timestamp()", MIDNIGHT),
    ("localtimestamp", LOCAL_MIDNIGHT),
    ("localtimestamp(0)", LOCAL_MIDNIGHT),
    ("localtime", time(0, 0)),
    ("current_time::time", time(0, 0)),
    ("'now'::timestamp", LOCAL_MIDNIGHT),
    ("timestamptz 'now'", MIDNIGHT),
    ("cast('Today' as date)", AS_OF),
    ("date 'yesterday'", date(2025, 3, 30)),
    ("'tomorrow'::timestamp", datetime(2025, 4, 1)),  # noqa: DTZ001
    ("'now'::time", time(0, 0)),
    # Summer time began the day before: Berlin is two hours ahead.
    ("now() at time zone 'Europe/Berlin'", datetime(2025, 3, 31, 2, 0)),  # noqa: DTZ001
    ("extract(year from age(date '2020-03-31'))", Decimal(5)),
    ("extract(epoch from now())::bigint", 1743379200),
    ("date_trunc('month', now())", datetime(2025, 3, 1, tzinfo=UTC)),
    ("ordered_on::date < 'today' from orders where id = 10", True),
    ("date '2025-03-30' = 'yesterday'", True),
    ("timestamp '2025-03-31 00:00' in ('today', 'tomorrow')", True),
    ("timeofday()", "Mon Mar 31 00:00:00.000000 2025 UTC"),
    ("count(*) from orders where ordered_on < current_date", 3),
    ("count(*) from orders where ordered_on > now() - interval '60 days'", 1),
]


@pytest.mark.parametrize(("expression", "cell"), POSTGRES)
def test_postgresql_reads_the_given_date(
    postgres_shop: OpenWarehouse, expression: str, cell: Cell
) -> None:
    value = _value(postgres_shop, f"select {expression}")
    assert value == cell
    assert type(value) is type(cell)


MARIA: list[tuple[str, Cell]] = [
    ("now()", LOCAL_MIDNIGHT),
    ("now(6)", LOCAL_MIDNIGHT),
    ("sysdate()", LOCAL_MIDNIGHT),
    ("current_timestamp", LOCAL_MIDNIGHT),
    ("localtime", LOCAL_MIDNIGHT),
    ("localtimestamp()", LOCAL_MIDNIGHT),
    ("utc_timestamp", LOCAL_MIDNIGHT),
    ("utc_timestamp()", LOCAL_MIDNIGHT),
    ("curdate()", AS_OF),
    ("current_date", AS_OF),
    ("utc_date", AS_OF),
    ("utc_date()", AS_OF),
    ("curtime()", time(0, 0)),
    ("current_time", time(0, 0)),
    ("utc_time", time(0, 0)),
    ("unix_timestamp()", 1743379200),
    ("unix_timestamp(curdate())", 1743379200),
    ("year(now())", 2025),
    ("curdate() + 0", 20250331),
    ("date_sub(curdate(), interval 1 day)", date(2025, 3, 30)),
    ("datediff(now(), '2025-03-01')", 30),
    ("timestampdiff(month, '2025-01-31', now())", 2),
    # 719528 days lead to 1970-01-01, and 20178 from there.
    ("to_days(now())", 739706),
    ("count(*) from orders where ordered_on >= curdate() - interval 60 day", 1),
]


@pytest.mark.parametrize(("expression", "cell"), MARIA)
def test_mariadb_reads_the_given_date(
    maria_shop: OpenWarehouse, expression: str, cell: Cell
) -> None:
    value = _value(maria_shop, f"select {expression}")
    assert value == cell
    assert type(value) is type(cell)


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("select 'now'", "postgres"),
        ("select 'now'::text", "postgres"),
        ("select shop.now()", "postgres"),
        ("select shop.age(x) from t", "postgres"),
        ("select x::date, 'today' from t", "postgres"),
        ("select t.utc_date from t", "mysql"),
        ("select `utc_date` from t", "mysql"),
        ("select unix_timestamp('2025-01-01')", "mysql"),
    ],
)
def test_what_only_looks_like_a_clock_is_left_to_the_letter(sql: str, dialect: str) -> None:
    reading = set_clock(sql, dialect, AS_OF)
    assert reading.sql == sql
    assert not reading.dependent


def _both(warehouse: OpenWarehouse, sql: str) -> set[Cell]:
    values = set()
    for door in (warehouse.gold, warehouse.analyst):
        result = door.execute(sql).result
        assert result is not None, sql
        values.add(result.rows[0][0])
    return values


def test_postgresql_runs_in_utc_whatever_the_account_has(postgresql: Accounts) -> None:
    with closing(connect_postgresql(postgresql.admin)) as admin:
        admin.execute("alter role current_user set timezone = 'America/New_York'")
        try:
            with open_warehouse(postgresql.admin) as warehouse:
                assert warehouse.time_zone == "UTC"
                assert _both(
                    warehouse, "select extract(hour from timestamptz '2025-01-01 12:00Z')"
                ) == {Decimal(12)}
        finally:
            admin.execute("alter role current_user reset timezone")


def test_mariadb_runs_in_utc_whatever_the_server_has(mariadb: Accounts) -> None:
    with closing(connect_mariadb(mariadb.admin)) as admin, admin.cursor() as cursor:
        cursor.execute("set global time_zone = '-05:00'")
        try:
            with open_warehouse(mariadb.reader) as warehouse:
                assert warehouse.time_zone == "UTC"
                assert _both(warehouse, "select unix_timestamp('1970-01-02 00:00:00')") == {86400}
        finally:
            cursor.execute("set global time_zone = 'SYSTEM'")


FILES = [
    ("sqlite", "select datetime('2025-01-01 12:00:00', 'localtime')", "2025-01-01 12:00:00"),
    ("duckdb", "select strftime(timestamptz '2025-01-01 12:00:00Z', '%H:%M')", "12:00"),
]


@pytest.mark.parametrize(("engine", "sql", "value"), FILES)
def test_a_file_is_read_in_utc_wherever_the_machine_is(
    engine: str,
    sql: str,
    value: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path: Path = request.getfixturevalue(f"{engine}_path")
    monkeypatch.setenv("TZ", "America/New_York")
    with open_warehouse(f"{engine}:///{path}") as warehouse:
        assert warehouse.time_zone == "UTC"
        assert _both(warehouse, sql) == {value}
        today = _both(warehouse, "select current_date").pop()
        assert str(today) in {
            str((datetime.now(UTC) - timedelta(seconds=back)).date()) for back in (0, 60)
        }
