"""MySQL's side, on a real MariaDB: opening, sessions, limits, types, catalog, lost connections."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, datetime, timedelta
from datetime import time as daytime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from goldsuite.errors import PreflightError, WarehouseError
from goldsuite.model.result_set import Execution
from goldsuite.warehouse.base import ForeignKey, Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from goldsuite.warehouse.handout import hand_out
from tests.servers import PASSWORD, Accounts, connect_mariadb, free_port
from tests.waiting import comes_true

# Ten million pairs of rows of the server's own collations, and again, and again.
CROSS = (
    "select count(*) from information_schema.collations a, information_schema.collations b, "
    "information_schema.collations c, information_schema.collations d"
)
ROWS = "select a.id from information_schema.collations a, information_schema.collations b"
RUNAWAYS = [
    CROSS,
    "select sleep(60)",
    "select 1 as one, sleep(60) from customers",
    "select benchmark(100000000000, md5('a'))",
    (
        "select max(a.id) from information_schema.collations a, information_schema.collations b, "
        "information_schema.collations c, information_schema.collations d group by a.id order by 1"
    ),
]


@pytest.fixture(scope="module")
def shop(mariadb: Accounts) -> Iterator[OpenWarehouse]:
    with open_warehouse(mariadb.reader) as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def hasty(mariadb: Accounts) -> Iterator[OpenWarehouse]:
    """Stops each statement soon: for statements that never end by themselves."""
    with open_warehouse(mariadb.reader, limits=Limits(timeout_s=0.3)) as warehouse:
        yield warehouse


def _changed(url: str, **parts: Any) -> str:
    return make_url(url).set(**parts).render_as_string(hide_password=False)


def _sessions(mariadb: Accounts) -> int:
    user = make_url(mariadb.reader).username
    with closing(connect_mariadb(mariadb.admin)) as connection, connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from information_schema.processlist where user = %s", (user,)
        )
        row = cursor.fetchone()
    assert row is not None
    return int(row[0])


def test_every_spelling_of_the_url_opens(mariadb: Accounts) -> None:
    for name in ("mariadb", "mariadb+pymysql", "mysql", "mysql+pymysql"):
        with open_warehouse(f"{name}://" + mariadb.reader.partition("://")[2]) as warehouse:
            assert warehouse.dialect == "mysql"
            assert warehouse.engine.startswith("MariaDB 1")
            assert "***" in warehouse.masked_url


ABSENT: list[tuple[Callable[[str], str], str]] = [
    (lambda url: _changed(url, port=free_port()), "Is the server running"),
    (lambda url: _changed(url, password="wrong-" + PASSWORD), "Check user and password"),
    (lambda url: _changed(url, username="nobody_here"), "Check user and password"),
    (lambda url: _changed(url, database="nothing_here"), "check its name"),
    (lambda url: _changed(url, host="no-such-host.invalid"), "host"),
]


@pytest.mark.parametrize(("change", "hint"), ABSENT)
def test_what_is_not_there_is_told_with_what_to_try_and_without_the_password(
    mariadb: Accounts, change: Callable[[str], str], hint: str
) -> None:
    with pytest.raises(PreflightError) as caught:
        open_warehouse(change(mariadb.reader))
    message = str(caught.value)
    assert "`select 1` failed" in message
    assert hint in message
    assert PASSWORD not in message
    assert "p%40ss" not in message


def test_another_driver_is_told(mariadb: Accounts) -> None:
    with pytest.raises(WarehouseError, match="another driver than 'mysqldb'"):
        open_warehouse(_changed(mariadb.reader, drivername="mysql+mysqldb"))


@pytest.mark.parametrize("sql", RUNAWAYS)
def test_a_runaway_statement_ends_by_its_limit_and_is_no_answer(
    hasty: OpenWarehouse, sql: str
) -> None:
    execution = hasty.gold.execute(sql)
    assert execution.problem is not None, execution.result
    assert execution.problem.kind == "timed_out"
    assert "0.3 s" in execution.problem.message


def test_fifty_runaways_leave_no_thread_and_no_session(mariadb: Accounts) -> None:
    with open_warehouse(mariadb.reader, limits=Limits(timeout_s=0.1)) as warehouse:
        warehouse.analyst.execute("select 1")
        threads, sessions = threading.active_count(), _sessions(mariadb)
        with ThreadPoolExecutor(4) as pool:
            ended = list(pool.map(warehouse.analyst.execute, [CROSS] * 50))
        assert {e.problem.kind if e.problem else None for e in ended} == {"timed_out"}
        assert threading.active_count() == threads
        assert comes_true(lambda: _sessions(mariadb) == sessions)


CAPS = [
    (Limits(max_rows=10), "limit 10", 10, False),
    (Limits(max_rows=10), "limit 11", 10, True),
    # What is not fetched (tens of thousands of rows) is neither waited for nor left running.
    (Limits(max_rows=1500), "", 1500, True),
    # One row is one cell at 8 bytes; the eleventh is over.
    (Limits(max_bytes=80), "limit 11", 11, True),
]


@pytest.mark.parametrize(("limits", "ending", "kept", "truncated"), CAPS)
def test_rows_beyond_the_caps_are_cut_and_marked(
    mariadb: Accounts, limits: Limits, ending: str, kept: int, *, truncated: bool
) -> None:
    before = _sessions(mariadb)
    with open_warehouse(mariadb.reader, limits=limits) as warehouse:
        result = warehouse.analyst.execute(f"{ROWS} {ending}").result
    assert result is not None
    assert (len(result.rows), result.truncated) == (kept, truncated)
    assert comes_true(lambda: _sessions(mariadb) == before)


def test_nothing_that_a_statement_leaves_is_seen_by_the_next(mariadb: Accounts) -> None:
    with open_warehouse(mariadb.reader, concurrency=1) as warehouse:
        for sql in ("select @a := 42", "select get_lock('gold', 1)"):
            assert warehouse.gold.execute(sql).result is not None, sql
        seen = warehouse.gold.execute("select @a, is_used_lock('gold')").result
    assert seen is not None
    assert seen.rows == ((None, None),)


WAITERS = (
    "select id from information_schema.processlist "
    "where info like '%%get_lock%%' and id <> connection_id()"
)


def _ask_for_a_lock(mariadb: Accounts, *, lost: int) -> tuple[Execution, Execution]:
    """What becomes of a statement whose session ends so many times, and of the next one."""
    with (
        closing(connect_mariadb(mariadb.admin)) as admin,
        admin.cursor() as cursor,
        open_warehouse(mariadb.reader) as warehouse,
        ThreadPoolExecutor(1) as pool,
    ):
        ended: set[int] = set()

        def waiters() -> set[int]:
            cursor.execute(WAITERS)
            return {session for (session,) in cursor.fetchall()} - ended

        cursor.execute("select get_lock('held', 0)")
        cursor.fetchall()
        asked = pool.submit(warehouse.gold.execute, "select 42, get_lock('held', 600)")
        for _ in range(lost):
            assert comes_true(lambda: len(waiters()) == 1)
            (session,) = waiters()
            cursor.execute(f"kill {session}")
            ended.add(session)
        if lost < 2:
            assert comes_true(lambda: len(waiters()) == 1)
        cursor.execute("do release_lock('held')")
        return asked.result(), warehouse.gold.execute("select 1")


def test_a_lost_connection_is_tried_once_more(mariadb: Accounts) -> None:
    asked, _ = _ask_for_a_lock(mariadb, lost=1)
    assert asked.result is not None
    assert asked.result.rows == ((42, 1),)


def test_a_connection_that_is_lost_again_fails_that_statement_alone(mariadb: Accounts) -> None:
    asked, following = _ask_for_a_lock(mariadb, lost=2)
    assert asked.problem is not None
    assert asked.problem.kind == "failed"
    assert following.result is not None


ORDINARY = [
    "select count(*), sum(amount), avg(amount) from orders",
    "select 7 % 4, ':x', name like '%a' from customers",
    "select date_format(ordered_on, '%Y-%m') as m, sum(amount) from orders group by m",
    "select year(ordered_on), month(ordered_on), dayofweek(ordered_on) from orders",
    "select timestampdiff(day, ordered_on, '2025-03-01'), datediff(now(), ordered_on) from orders",
    "select date_add(ordered_on, interval 1 month), last_day(ordered_on) from orders",
    "select group_concat(name order by name separator ', ') from customers",
    "select ifnull(region, 'none'), if(id > 1, 'a', 'b'), coalesce(null, 1) from customers",
    "select id, row_number() over (partition by customer_id order by id) from orders",
    "with recursive r(i) as (select 1 union all select i + 1 from r where i < 5) select i from r",
    (
        "select c.name, count(o.id) from customers c left join orders o on o.customer_id = c.id "
        "group by c.name with rollup"
    ),
    "select json_extract('{\"a\": 1}', '$.a'), json_value('{\"a\": 1}', '$.a')",
    "select j.a from json_table('[{\"a\": 1}]', '$[*]' columns (a int path '$.a')) j",
    "select name regexp '^A', upper(name), concat_ws('-', id, name) from customers",
    "select round(amount, 1), amount div 2, amount mod 2, cast(amount as signed) from orders",
    "select distinct `region` from `customers` order by 1 limit 1, 5",
    "select id from customers except select customer_id from orders",
    "select str_to_date('2025-01-02', '%Y-%m-%d'), unix_timestamp('2025-01-01'), curdate()",
    "select 5--3, 'it''s', \"text\"",
    "show tables",
    "show columns from customers",
    "show create table orders",
    "describe orders",
    "select table_name from information_schema.tables where table_schema = database()",
]


@pytest.mark.parametrize("sql", ORDINARY)
def test_ordinary_queries_pass_the_analysts_door(shop: OpenWarehouse, sql: str) -> None:
    gold = shop.gold.execute(sql)
    assert gold.result is not None, gold.problem
    analyst = shop.analyst.execute(sql)
    assert analyst.result is not None, analyst.problem
    assert analyst.result.columns == gold.result.columns


CELLS: list[tuple[str, str, Any]] = [
    ("big bigint unsigned", "18446744073709551615", 18446744073709551615),
    ("flag tinyint(1)", "1", 1),
    ("bits bit(12)", "b'000000000101'", 5),
    ("y year", "2025", 2025),
    (
        "d decimal(30, 2)",
        "1234567890123456789012345678.50",
        Decimal("1234567890123456789012345678.50"),
    ),
    ("f double", "0.1", 0.1),
    ("t varchar(9)", "'é'", "é"),
    ("b varbinary(9)", "x'00ff'", b"\x00\xff"),
    ("e enum('a', 'b')", "'b'", "b"),
    ("day date", "'2025-02-28'", date(2025, 2, 28)),
    ("day date", "'0000-00-00'", "0000-00-00"),
    (
        "at datetime(1)",
        "'2025-01-02 03:04:05.6'",
        datetime(2025, 1, 2, 3, 4, 5, 600000),  # noqa: DTZ001 - the type has no zone
    ),
    ("at datetime", "'0000-00-00 00:00:00'", "0000-00-00 00:00:00"),
    ("clock time", "'03:04:05'", daytime(3, 4, 5)),
    ("clock time", "'36:00:00'", timedelta(hours=36)),
    ("clock time", "'-01:00:00'", timedelta(hours=-1)),
    ("j json", "'{\"b\": 1}'", '{"b": 1}'),
    ("n int", "null", None),
]


@pytest.mark.parametrize(("column", "literal", "expected"), CELLS)
def test_a_value_keeps_its_type_and_all_its_digits(
    mariadb: Accounts, shop: OpenWarehouse, column: str, literal: str, expected: object
) -> None:
    with closing(connect_mariadb(mariadb.admin)) as admin, admin.cursor() as cursor:
        cursor.execute("set sql_mode = 'ALLOW_INVALID_DATES'")
        cursor.execute(f"create or replace table cells ({column})")
        cursor.execute(f"insert into cells values ({literal})")
        result = _as(mariadb.owner, "select * from cells")
        cursor.execute("drop table cells")
    assert (result, type(result)) == (expected, type(expected))


def _as(url: str, sql: str) -> Any:
    with open_warehouse(url) as warehouse:
        execution = warehouse.analyst.execute(sql)
    assert execution.result is not None, execution.problem
    return execution.result.rows[0][0]


def test_duplicate_and_nameless_columns_are_kept(shop: OpenWarehouse) -> None:
    result = shop.analyst.execute("select 1 as a, 2 as a, 3, 4 as ` `").result
    assert result is not None
    assert [column.name for column in result.columns] == ["a", "a", "3", ""]
    assert result.rows == ((1, 2, 3, 4),)


def test_both_doors_are_in_utc(shop: OpenWarehouse) -> None:
    sql = "select timestampdiff(second, utc_timestamp(), now()), from_unixtime(0)"
    for door in (shop.gold, shop.analyst):
        result = door.execute(sql).result
        assert result is not None
        assert result.rows == ((0, datetime(1970, 1, 1)),)  # noqa: DTZ001 - the type has no zone


def test_the_catalog_tells_tables_keys_comments_and_values(mariadb: Accounts) -> None:
    with open_warehouse(mariadb.owner) as warehouse:
        tables = {(t.schema, t.name): t for t in warehouse.catalog().tables}
    names = sorted(name for _, name in tables if name != "numbers")
    assert names == ["customers", "eu_customers", "orders"]
    assert {schema for schema, _ in tables} == {None}
    customers, orders = tables[None, "customers"], tables[None, "orders"]
    assert customers.comment == "Who buys"
    region = next(c for c in customers.columns if c.name == "region")
    assert (region.comment, region.values) == ("Sales region", ("EU", "US"))
    assert customers.primary_key == ("id",)
    assert orders.foreign_keys == (
        ForeignKey(columns=("customer_id",), table="customers", referred_columns=("id",)),
    )
    assert (orders.row_count, orders.row_count_estimated) == (3, False)
    assert tables[None, "eu_customers"].kind == "view"


def test_the_url_is_handed_out_as_it_is(mariadb: Accounts, tmp_path: Path) -> None:
    handed = hand_out(mariadb.reader, tmp_path)
    assert (handed.url, handed.copied) == (mariadb.reader, False)
    assert PASSWORD not in handed.note


def test_no_problem_tells_the_password(hasty: OpenWarehouse) -> None:
    for sql in ("select nothing", "select * from mysql.user", "select sleep(9)"):
        assert PASSWORD not in str(hasty.gold.execute(sql))
        assert PASSWORD not in str(hasty.analyst.execute(sql))
