"""Hostile statements against a real PostgreSQL: with the gate, and straight at the engine."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest
from sqlalchemy.exc import SQLAlchemyError

from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.servers import Accounts, connect_postgresql

ATTACKS = [
    # Files and programs.
    "select pg_read_file('/etc/passwd')",
    "select pg_catalog.pg_read_file('/etc/passwd')",
    "select ('/etc/passwd').pg_read_file",
    "select t.pg_read_file from unnest(array['/etc/passwd']) t",
    "select \"pg_read_file\"('/etc/passwd')",
    "select U&\"pg\\005fread_file\"('/etc/passwd')",
    "select pg_read_binary_file('/etc/passwd')",
    "select * from pg_ls_dir('/etc')",
    "select * from rows from (pg_ls_dir('/etc'))",
    "select pg_stat_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    "select lo_export(1, '/tmp/goldsuite-loot')",
    "copy customers to '/tmp/goldsuite-loot'",
    "copy customers to program 'cat > /tmp/goldsuite-loot'",
    "copy customers from program 'echo 1,2,3'",
    "copy (select 1) to stdout",
    "load 'auto_explain'",
    "select * from dblink('dbname=postgres', 'select 1') as t(a int)",
    # Writing.
    "insert into customers values (9, 'x', 'x')",
    "update customers set name = 'x'",
    "delete from customers",
    "with gone as (delete from customers returning id) select * from gone",
    "with put as (insert into customers values (9, 'x', 'x') returning id) select * from put",
    "explain analyze delete from customers",
    "select * into loot from customers",
    "create table loot as select 1",
    "create temporary table loot as select 1",
    "drop table customers",
    "truncate customers",
    "merge into customers c using orders o on false when matched then delete",
    "do $$ begin delete from customers; end $$",
    "call anything()",
    "select * from customers for update",
    "lock table customers",
    "vacuum customers",
    "refresh materialized view loot",
    # Several statements, and what hides them.
    "select 1; delete from customers",
    "commit; begin read write; delete from customers; commit",
    "select 1 /* ; */; drop table customers -- */",
    "select 1 /* /* */ */; delete from customers",
    "select $$a$$; delete from customers; select $$b$$",
    "select '\\'; delete from customers; select '\\'",
    # Settings, roles, sequences, locks, other sessions.
    "set statement_timeout = 0",
    "set session characteristics as transaction read write",
    "reset all",
    "reset session authorization",
    "set role postgres",
    "discard all",
    "select set_config('statement_timeout', '0', false)",
    "select set_config('transaction_read_only', 'off', false)",
    "select set_config('session_authorization', 'postgres', false)",
    "alter system set work_mem = '1GB'",
    "alter role current_user set work_mem = '1GB'",
    "select pg_reload_conf()",
    "select nextval('numbers')",
    "select setval('numbers', 1000)",
    "select pg_advisory_lock(1)",
    "select pg_sleep(60)",
    "select pg_notify('a', 'b')",
    "listen a",
    "prepare p as delete from customers",
    "select pg_terminate_backend(1)",
    "select lo_create(4711)",
    "select lo_from_bytea(4712, 'x')",
    "select query_to_xml('delete from customers returning *', true, true, '')",
    "select query_to_xml('select pg_read_file(''/etc/passwd'')', true, true, '')",
    "select * from ts_stat('select pg_read_file(''/etc/passwd'')::tsvector')",
    # Secrets, and what others run.
    "select * from pg_shadow",
    "select * from pg_catalog.pg_authid",
    "select * from pg_user_mappings",
    "select * from pg_stat_activity",
    "select * from pg_settings",
    "select * from pg_file_settings",
    "select current_setting('data_directory')",
]

# What an ordinary role may run without the gate: it neither writes nor reads a file, and what it
# leaves in the session ends with the session.
HARMLESS_WITHOUT_THE_GATE = (
    "set_config('statement",
    "pg_advisory_lock",
    "pg_notify",
    "pg_terminate_backend",
    "pg_settings",
    "pg_stat_activity",
    "pg_user_mappings",
    "lo_create(",
    "lo_from_bytea",
    "pg_sleep",
    "for update",
)


@pytest.fixture(scope="module")
def owned(postgresql: Accounts) -> Iterator[OpenWarehouse]:
    """Opened as the owner of the tables: the privileges keep nothing from it."""
    with open_warehouse(postgresql.owner, limits=Limits(timeout_s=0.1)) as opened:
        yield opened


@pytest.fixture(scope="module")
def watcher(postgresql: Accounts) -> Iterator["psycopg.Connection[Any]"]:
    with closing(connect_postgresql(postgresql.admin)) as connection:
        yield connection


def _state(watcher: "psycopg.Connection[Any]") -> list[Any]:
    """Rows, objects, roles, settings, sequences and large objects, as an administrator sees it."""
    return watcher.execute(
        """
        select string_agg(c::text, ',' order by id) from customers c
        union all select count(*)::text from orders
        union all select string_agg(relname::text || relkind::text, ',' order by oid) from pg_class
            where oid > 16383 and relnamespace::regnamespace::text not like 'pg_toast%'
        union all select count(*)::text from pg_proc
        union all select string_agg(r::text, ',' order by oid) from pg_authid r
        union all select string_agg(s::text, ',') from pg_db_role_setting s
        union all select string_agg(name || setting, ',' order by name) from pg_file_settings
        union all select last_value::text || is_called::text from numbers
        union all select count(*)::text from pg_largeobject_metadata
        """
    ).fetchall()


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_analysts_door_refuses(
    owned: OpenWarehouse, watcher: "psycopg.Connection[Any]", attack: str
) -> None:
    before = _state(watcher)
    problem = owned.analyst.execute(attack).problem
    assert problem is not None
    assert problem.kind == "refused", problem
    assert "the rule '" in problem.message
    assert _state(watcher) == before


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_engine_itself_refuses_an_ordinary_role(
    owned: OpenWarehouse, watcher: "psycopg.Connection[Any]", attack: str
) -> None:
    before = _state(watcher)
    rows: Any = None
    try:
        with owned.analyst.sqlalchemy_engine.connect() as connection:
            rows = connection.exec_driver_sql(attack).fetchall()
            connection.commit()
    except (SQLAlchemyError, psycopg.Error):
        rows = None
    if rows is not None:
        assert any(part in attack for part in HARMLESS_WITHOUT_THE_GATE), (attack, rows)
        assert "root:" not in str(rows)
    assert _state(watcher) == before


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_keys_door_lets_no_write_through(
    owned: OpenWarehouse, watcher: "psycopg.Connection[Any]", attack: str
) -> None:
    before = _state(watcher)
    owned.gold.execute(attack)
    assert _state(watcher) == before


def test_a_superusers_analyst_reads_as_a_role_that_cannot_go_back(postgresql: Accounts) -> None:
    with open_warehouse(postgresql.admin) as warehouse:
        assert warehouse.analyst.execute("select current_user, session_user").result is not None
        who = warehouse.analyst.execute("select current_user, session_user").result
        assert who is not None
        assert who.rows == (("pg_read_all_data", "pg_read_all_data"),)
        engine = warehouse.analyst.sqlalchemy_engine
        with engine.connect() as connection, pytest.raises(SQLAlchemyError, match="permission"):
            connection.exec_driver_sql("select set_config('role', 'postgres', true)")
        with engine.connect() as connection, pytest.raises(SQLAlchemyError, match="permission"):
            connection.exec_driver_sql("select pg_read_file('/etc/passwd')")


def test_a_superuser_is_warned_and_told_the_statements_for_a_role(postgresql: Accounts) -> None:
    with open_warehouse(postgresql.admin) as warehouse:
        (warning,) = warehouse.warnings
        assert "superuser 'postgres'" in warning
        assert "create role goldsuite login password '...';" in warning
    for url in (postgresql.owner, postgresql.reader):
        with open_warehouse(url) as warehouse:
            assert warehouse.warnings == ()


def test_the_roles_of_the_warning_can_be_made_and_read(postgresql: Accounts) -> None:
    from sqlalchemy.engine import make_url

    from goldsuite.warehouse.postgresql import PROPER_ROLE

    with closing(connect_postgresql(postgresql.admin)) as admin:
        admin.execute(PROPER_ROLE.replace("goldsuite", "made_by_test").replace("...", "secret"))
        made = make_url(postgresql.admin).set(username="made_by_test", password="secret")
        with open_warehouse(made.render_as_string(hide_password=False)) as warehouse:
            counted = warehouse.analyst.execute("select count(*) from orders").result
            assert counted is not None
            assert counted.rows == ((3,),)
            assert warehouse.warnings == ()
        admin.execute("drop role made_by_test")


def test_an_admitted_function_passes_and_only_it(postgresql: Accounts) -> None:
    with closing(connect_postgresql(postgresql.owner)) as owner:
        owner.execute("create function doubled(int) returns int return $1 * 2")
        owner.execute("create function tripled(int) returns int return $1 * 3")
    with open_warehouse(postgresql.reader, allow_functions=["Doubled"]) as warehouse:
        passed = warehouse.analyst.execute("select doubled(21)").result
        assert passed is not None
        assert passed.rows == ((42,),)
        refused = warehouse.analyst.execute("select tripled(14)").problem
        assert refused is not None
        assert "'tripled' is not known to be harmless" in refused.message
        hidden = warehouse.analyst.execute("select public.upper('a')").problem
        assert hidden is not None
        assert hidden.kind == "refused"
        assert warehouse.gold.execute("select tripled(14)").result is not None
