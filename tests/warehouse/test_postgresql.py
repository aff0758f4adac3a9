"""PostgreSQL, on a real server: opening, sessions, limits, catalog, what a lost connection does."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from goldsuite.errors import PreflightError, WarehouseError
from goldsuite.warehouse.base import ForeignKey, Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from goldsuite.warehouse.handout import hand_out
from tests.servers import PASSWORD, Accounts, connect_postgresql, free_port
from tests.waiting import comes_true

ENDLESS = "with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r"
RUNAWAYS = [
    ENDLESS,
    "with recursive r(i) as (select 1 union all select i + 1 from r) select i from r where i < 0",
    "select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b",
    "select a from generate_series(1, 100000) a, generate_series(1, 100000) b order by a + b",
    "select pg_sleep(60)",
]


@pytest.fixture(scope="module")
def shop(postgresql: Accounts) -> Iterator[OpenWarehouse]:
    with open_warehouse(postgresql.reader) as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def hasty(postgresql: Accounts) -> Iterator[OpenWarehouse]:
    """Stops each statement soon: for statements that never end by themselves."""
    with open_warehouse(postgresql.reader, limits=Limits(timeout_s=0.3)) as warehouse:
        yield warehouse


def _changed(url: str, **parts: Any) -> str:
    return make_url(url).set(**parts).render_as_string(hide_password=False)


def _sessions(postgresql: Accounts) -> int:
    with closing(connect_postgresql(postgresql.admin)) as connection:
        row = connection.execute(
            "select count(*) from pg_stat_activity where application_name = 'goldsuite'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_every_spelling_of_the_url_opens(postgresql: Accounts) -> None:
    for name in ("postgresql", "postgresql+psycopg", "postgres"):
        url = f"{name}://" + postgresql.reader.partition("://")[2]
        with open_warehouse(url) as warehouse:
            assert warehouse.dialect == "postgres"
            assert warehouse.engine.startswith("PostgreSQL 1")
            assert "***" in warehouse.masked_url


ABSENT: list[tuple[Callable[[str], str], str]] = [
    (lambda url: _changed(url, port=free_port()), "Is the server running"),
    (lambda url: _changed(url, password="wrong-" + PASSWORD), "Check user and password"),
    (lambda url: _changed(url, username="nobody_here"), "Check user and password"),
    (lambda url: _changed(url, database="nothing_here"), "Check the database's name"),
    (lambda url: _changed(url, host="no-such-host.invalid"), "Check the host's name"),
]


@pytest.mark.parametrize(("change", "hint"), ABSENT)
def test_what_is_not_there_is_told_with_what_to_try_and_without_the_password(
    postgresql: Accounts, change: Callable[[str], str], hint: str
) -> None:
    with pytest.raises(PreflightError) as caught:
        open_warehouse(change(postgresql.reader))
    message = str(caught.value)
    assert "`select 1` failed" in message
    assert message.count(hint) == 1
    assert "?." not in message
    assert PASSWORD not in message
    assert "p%40ss" not in message
    assert caught.value.__cause__ is None


def test_another_driver_is_told(postgresql: Accounts) -> None:
    with pytest.raises(WarehouseError, match="another driver than 'psycopg2'"):
        open_warehouse(_changed(postgresql.reader, drivername="postgresql+psycopg2"))


@pytest.mark.parametrize("sql", RUNAWAYS)
def test_a_runaway_statement_ends_by_its_limit_at_both_doors(
    hasty: OpenWarehouse, sql: str
) -> None:
    doors = [hasty.gold] if "pg_sleep" in sql else [hasty.gold, hasty.analyst]
    for door in doors:
        problem = door.execute(sql).problem
        assert problem is not None
        assert problem.kind == "timed_out"
        assert "0.3 s" in problem.message


def test_fifty_runaways_leave_no_thread_and_no_session(postgresql: Accounts) -> None:
    with open_warehouse(postgresql.reader, limits=Limits(timeout_s=0.1)) as warehouse:
        warehouse.analyst.execute("select 1")
        threads, sessions = threading.active_count(), _sessions(postgresql)
        with ThreadPoolExecutor(4) as pool:
            ended = list(pool.map(warehouse.analyst.execute, [ENDLESS] * 50))
        assert {e.problem.kind if e.problem else None for e in ended} == {"timed_out"}
        assert threading.active_count() == threads
        assert comes_true(lambda: _sessions(postgresql) == sessions)


def test_one_timeout_does_not_stop_its_neighbours(postgresql: Accounts) -> None:
    limits = Limits(timeout_s=1.5)
    with open_warehouse(postgresql.reader, limits=limits) as shop, ThreadPoolExecutor(3) as pool:
        slow = pool.submit(shop.analyst.execute, ENDLESS)
        quick = [pool.submit(shop.analyst.execute, f"select {i} from orders") for i in range(10)]
        assert [q.result().problem for q in quick] == [None] * 10
        assert slow.result().problem is not None


def test_waiting_for_a_lock_of_somebody_else_ends_too(
    postgresql: Accounts, hasty: OpenWarehouse
) -> None:
    with closing(connect_postgresql(postgresql.owner)) as other:
        other.autocommit = False
        other.execute("lock table orders in access exclusive mode")
        problem = hasty.gold.execute("select count(*) from orders").problem
        other.rollback()
    assert problem is not None
    assert problem.kind == "timed_out"


# One row of the series is an int at 8 bytes and a text of 8 in another cell of 8: 24 bytes.
CAPS = [
    (Limits(max_rows=10), 10, 10, False),
    (Limits(max_rows=10), 11, 10, True),
    (Limits(max_rows=2500), 500_000, 2500, True),
    (Limits(max_bytes=240), 11, 11, True),
]


@pytest.mark.parametrize(("limits", "asked", "kept", "truncated"), CAPS)
def test_rows_beyond_the_caps_are_cut_and_marked(
    postgresql: Accounts, limits: Limits, asked: int, kept: int, *, truncated: bool
) -> None:
    with open_warehouse(postgresql.reader, limits=limits) as warehouse:
        result = warehouse.analyst.execute(
            f"select i, 'abcdefgh' as t from generate_series(1, {asked}) i"
        ).result
    assert result is not None
    assert (len(result.rows), result.truncated) == (kept, truncated)
    assert result.rows[0] == (1, "abcdefgh")


def test_nothing_that_a_statement_leaves_is_seen_by_the_next(postgresql: Accounts) -> None:
    with open_warehouse(postgresql.owner, concurrency=1) as warehouse:
        for sql in (
            "select set_config('search_path', 'nowhere', false)",
            "select set_config('goldsuite.secret', 'x', false)",
            "select pg_advisory_lock(77)",
        ):
            assert warehouse.gold.execute(sql).result is not None, sql
        seen = warehouse.gold.execute(
            "select current_setting('search_path'), current_setting('goldsuite.secret', true), "
            "(select count(*) from pg_locks where locktype = 'advisory'), count(*) from orders"
        ).result
    assert seen is not None
    assert seen.rows == (('"$user", public', None, 0, 3),)


WAITERS = (
    "select l.pid from pg_locks l join pg_stat_activity a using (pid) "
    "where l.locktype = 'advisory' and not l.granted and a.application_name = 'goldsuite'"
)


def test_a_lost_connection_is_tried_once_more(postgresql: Accounts) -> None:
    with (
        closing(connect_postgresql(postgresql.admin)) as admin,
        open_warehouse(postgresql.reader) as warehouse,
        ThreadPoolExecutor(1) as pool,
    ):

        def waiters() -> set[int]:
            return {pid for (pid,) in admin.execute(WAITERS).fetchall()}

        admin.execute("select pg_advisory_lock(4711)")
        sql = "select 42, pg_advisory_lock(4711)::text"
        asked = pool.submit(warehouse.gold.execute, sql)
        assert comes_true(lambda: len(waiters()) == 1)
        first = waiters()
        admin.execute("select pg_terminate_backend(%s)", [*first])
        assert comes_true(lambda: len(waiters() - first) == 1)
        admin.execute("select pg_advisory_unlock(4711)")
        result = asked.result().result
    assert result is not None
    assert result.rows == ((42, ""),)


def test_a_connection_that_is_lost_again_fails_that_statement_alone(postgresql: Accounts) -> None:
    sql = "select pg_terminate_backend(pg_backend_pid())"
    with open_warehouse(postgresql.reader) as warehouse:
        problem = warehouse.gold.execute(sql).problem
        assert problem is not None
        assert problem.kind == "failed"
        assert "terminating connection" in problem.message
        assert warehouse.gold.execute("select 1").result is not None


ORDINARY = [
    "select count(*), sum(amount), avg(amount) from orders",
    "select 7 % 4, ':x', '{\"a\":1}'::jsonb ->> 'a', name like '%a' from customers",
    "select date_trunc('month', ordered_on) as m, sum(amount) from orders group by 1 order by 1",
    "select to_char(ordered_on, 'YYYY-MM'), extract(dow from ordered_on) from orders",
    "select percentile_cont(0.5) within group (order by amount) from orders",
    "select region, count(*) filter (where name <> 'Ada') from customers group by rollup(region)",
    (
        "with x as materialized (select * from orders) select x.id, row_number() over w from x "
        "window w as (partition by x.customer_id order by x.ordered_on)"
    ),
    "select distinct on (customer_id) customer_id, amount from orders order by 1, 2 desc",
    (
        "select c.name, o.n from customers c cross join lateral "
        "(select count(*) as n from orders o where o.customer_id = c.id) o"
    ),
    "select * from generate_series(date '2025-01-01', date '2025-01-03', interval '1 day') d",
    "select string_agg(name, ', ' order by name), array_agg(id), json_agg(name) from customers",
    "select k.key, k.value from jsonb_each('{\"a\": 1}') k",
    "select a, n from unnest(array['x', 'y']) with ordinality as u(a, n)",
    "select coalesce(region, 'none'), nullif(name, 'Ada'), greatest(1, 2) from customers",
    "select regexp_replace(name, '[aeiou]', '', 'g'), split_part('a-b', '-', 2) from customers",
    "select age(timestamp '2025-03-01', timestamp '2025-01-01'), now() > timestamp '2020-01-01'",
    "select round(amount / nullif(lag(amount) over (order by id), 0) - 1, 4) from orders",
    "select id from orders where amount = any(array[5.50, 7.25]) and ordered_on is not null",
    "select id from customers except select customer_id from orders",
    "table customers",
    "values (1, 'a'), (2, 'b')",
    "(select 1) union all (select 2) order by 1 limit 1",
    "select width_bucket(amount, 0, 10, 5), floor(amount)::int, amount::text from orders",
    "select table_name, column_name from information_schema.columns where table_schema = 'public'",
    "select relname from pg_catalog.pg_class where relkind = 'r' limit 3",
    "select (row(1, 'a')::text), current_date - 7, current_timestamp at time zone 'UTC'",
]


@pytest.mark.parametrize("sql", ORDINARY)
def test_ordinary_queries_pass_the_analysts_door(shop: OpenWarehouse, sql: str) -> None:
    gold = shop.gold.execute(sql)
    assert gold.result is not None, gold.problem
    analyst = shop.analyst.execute(sql)
    assert analyst.result is not None, analyst.problem
    assert analyst.result.columns == gold.result.columns


def test_the_catalog_tells_tables_keys_comments_and_values(postgresql: Accounts) -> None:
    with closing(connect_postgresql(postgresql.owner)) as owner:
        owner.execute("create schema archive")
        owner.execute("create type mood as enum ('glad', 'sad')")
        owner.execute("create table archive.notes (id bigint, feeling mood)")
        owner.execute("insert into archive.notes values (1, 'sad'), (2, 'sad')")
        owner.execute("create materialized view totals as select count(*) as n from orders")
    with open_warehouse(postgresql.owner) as warehouse:
        tables = {(t.schema, t.name): t for t in warehouse.catalog().tables}
    with closing(connect_postgresql(postgresql.owner)) as owner:
        owner.execute("drop schema archive cascade")
        owner.execute("drop materialized view totals")
        owner.execute("drop type mood")
    assert sorted(tables, key=str) == sorted(
        [
            ("archive", "notes"),
            (None, "customers"),
            (None, "eu_customers"),
            (None, "orders"),
            (None, "totals"),
        ],
        key=str,
    )
    customers, orders = tables[None, "customers"], tables[None, "orders"]
    assert customers.comment == "Who buys"
    region = next(c for c in customers.columns if c.name == "region")
    assert (region.comment, region.values, region.nullable) == ("Sales region", ("EU", "US"), True)
    assert customers.primary_key == ("id",)
    assert orders.foreign_keys == (
        ForeignKey(columns=("customer_id",), table="customers", referred_columns=("id",)),
    )
    assert (orders.row_count, orders.row_count_estimated) == (3, False)
    assert [c.type for c in orders.columns] == ["INTEGER", "INTEGER", "NUMERIC(10, 2)", "DATE"]
    assert tables[None, "totals"].kind == tables[None, "eu_customers"].kind == "view"
    assert tables["archive", "notes"].columns[1].values == ("sad",)


def test_a_large_table_is_estimated_and_not_counted(postgresql: Accounts) -> None:
    with closing(connect_postgresql(postgresql.admin)) as admin:
        # What ANALYZE would note of a table of two million rows.
        admin.execute("update pg_class set reltuples = 2000000 where relname = 'orders'")
    try:
        with open_warehouse(postgresql.owner) as warehouse:
            orders = next(t for t in warehouse.catalog().tables if t.name == "orders")
    finally:
        with closing(connect_postgresql(postgresql.admin)) as admin:
            admin.execute("update pg_class set reltuples = -1 where relname = 'orders'")
    assert (orders.row_count, orders.row_count_estimated) == (2_000_000, True)


def test_the_url_is_handed_out_as_it_is(postgresql: Accounts, tmp_path: Path) -> None:
    handed = hand_out(postgresql.reader, tmp_path)
    assert (handed.url, handed.copied) == (postgresql.reader, False)
    assert PASSWORD not in handed.note
    assert list(tmp_path.iterdir()) == []


def test_no_problem_tells_the_password(hasty: OpenWarehouse) -> None:
    for sql in ("select nothing", "select 1/0", "select * from pg_shadow", ENDLESS):
        assert PASSWORD not in str(hasty.gold.execute(sql))
        assert PASSWORD not in str(hasty.analyst.execute(sql))
