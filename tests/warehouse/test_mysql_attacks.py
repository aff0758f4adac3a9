"""Hostile statements against a real MariaDB, through the doors."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pymysql
import pytest
from sqlalchemy.exc import SQLAlchemyError

from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.servers import Accounts, connect_mariadb

ATTACKS = [
    # Files.
    "select load_file('/etc/passwd')",
    "select `load_file`('/etc/passwd')",
    "select 1 into outfile '/tmp/goldsuite-loot'",
    "select 1 into dumpfile '/tmp/goldsuite-loot'",
    "select * from customers into outfile '/tmp/goldsuite-loot'",
    "load data infile '/etc/passwd' into table customers",
    "load data local infile '/etc/passwd' into table customers",
    "install soname 'server_audit'",
    # Comments that are code, and code that looks like a comment.
    "select 1 /*!50000 , sleep(1) */",
    "select 1 /*! , load_file('/etc/passwd') */",
    "select 1 /*M! , sleep(1) */",
    "select 1 /*M!100000 , sleep(1) */",
    "/*!50000 delete from customers */",
    "select 1--sleep(1)",
    "select 1 /* /* */ , sleep(1) -- */ */",
    "select 1; delete from customers",
    "select 1 /* ; */; drop table customers -- */",
    # Variables and settings.
    "select @a := 1",
    "select (select @n := @n + 1) from customers",
    "select 1 into @a",
    "select @@datadir",
    "select @@global.secure_file_priv",
    "set global max_connections = 17",
    "set session transaction read write",
    "set statement max_statement_time = 0 for select sleep(1)",
    "select /*+ max_execution_time(0) */ 1",
    "flush tables",
    "reset query cache",
    "kill 1",
    # Waiting and locking.
    "select sleep(1)",
    "select sleep (1)",
    "select mysql.sleep(1)",
    "select benchmark(1000000000, md5('a'))",
    "select get_lock('a', 60)",
    "select release_all_locks()",
    "select master_pos_wait('a', 1, 60)",
    "select * from customers for update",
    "select * from customers lock in share mode",
    "lock tables customers write",
    "handler customers open",
    "do sleep(1)",
    # Writing.
    "insert into customers values (9, 'x', 'x')",
    "replace into customers values (1, 'x', 'x')",
    "update customers set name = 'x'",
    "delete from customers",
    "with x as (select 1) delete from customers",
    "truncate table customers",
    "drop table customers",
    "create table loot as select 1",
    "create temporary table loot as select 1",
    "create function f() returns int return 1",
    "create view loot as select 1",
    "alter table customers add column x int",
    "rename table customers to loot",
    "grant all on *.* to nobody",
    "create user loot",
    "call anything()",
    "prepare p from 'delete from customers'",
    "execute immediate 'delete from customers'",
    "analyze table customers",
    "optimize table customers",
    "explain delete from customers",
    "select nextval(numbers)",
    "select next value for numbers",
    "select setval(numbers, 1000)",
    "begin not atomic delete from customers; end",
    # Secrets, and what others run.
    "select * from mysql.user",
    "table mysql.user",
    "select * from mysql.global_priv",
    "select * from performance_schema.threads",
    "select * from information_schema.processlist",
    "select * from information_schema.global_variables",
    "show processlist",
    "show grants",
    "show variables",
    "show master status",
    "select connection_id()",
]

# What an account that may only select can still run without the gate.
PASSES_WITHOUT_THE_GATE = (
    "@",
    "sleep",
    "benchmark",
    "get_lock",
    "release_all_locks",
    "master_pos_wait",
    "load_file",
    "max_execution_time",
    "set session",
    "kill",
    "information_schema",
    "show ",
    "connection_id",
    "prepare p",
    "select 1 /* /* */",
    "begin not atomic",
    "create temporary",
    "lock in share mode",
    "handler",
)


@pytest.fixture(scope="module")
def owned(mariadb: Accounts) -> Iterator[OpenWarehouse]:
    """Opened as the owner of the tables: the privileges keep nothing from it."""
    with open_warehouse(mariadb.owner, limits=Limits(timeout_s=0.1)) as opened:
        yield opened


@pytest.fixture(scope="module")
def read(mariadb: Accounts) -> Iterator[OpenWarehouse]:
    with open_warehouse(mariadb.reader, limits=Limits(timeout_s=0.1)) as opened:
        yield opened


@pytest.fixture(scope="module")
def watcher(mariadb: Accounts) -> Iterator["pymysql.connections.Connection[Any]"]:
    with closing(connect_mariadb(mariadb.admin)) as connection:
        yield connection


def _state(watcher: "pymysql.connections.Connection[Any]") -> list[Any]:
    """Rows, objects, accounts, settings and sequences, as an administrator sees them."""
    queries = [
        "checksum table customers, orders, numbers",
        (
            "select table_name, table_type, table_comment from information_schema.tables "
            "where table_schema = database() order by 1"
        ),
        (
            "select column_name from information_schema.columns where table_schema = database() "
            "order by table_name, ordinal_position"
        ),
        "select routine_name from information_schema.routines order by 1",
        "select user, host from mysql.user order by 1, 2",
        "select grantee, privilege_type from information_schema.user_privileges order by 1, 2",
        "show global variables like 'max_connections'",
        "select plugin_name from information_schema.plugins where plugin_name = 'SERVER_AUDIT'",
    ]
    found: list[Any] = []
    with watcher.cursor() as cursor:
        for query in queries:
            cursor.execute(query)
            found.append(cursor.fetchall())
    return found


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_analysts_door_refuses(
    owned: OpenWarehouse, watcher: "pymysql.connections.Connection[Any]", attack: str
) -> None:
    before = _state(watcher)
    problem = owned.analyst.execute(attack).problem
    assert problem is not None
    assert problem.kind == "refused", problem
    assert "the rule '" in problem.message
    assert _state(watcher) == before


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_keys_door_lets_no_write_through(
    owned: OpenWarehouse, watcher: "pymysql.connections.Connection[Any]", attack: str
) -> None:
    before = _state(watcher)
    owned.gold.execute(attack)
    assert _state(watcher) == before


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_engine_itself_lets_no_write_of_a_reading_account_through(
    read: OpenWarehouse, watcher: "pymysql.connections.Connection[Any]", attack: str
) -> None:
    before = _state(watcher)
    rows: Any = None
    try:
        with read.analyst.sqlalchemy_engine.connect() as connection:
            outcome = connection.exec_driver_sql(attack)
            rows = outcome.fetchall() if outcome.returns_rows else ()
            connection.commit()
    except (SQLAlchemyError, pymysql.Error):
        rows = None
    assert "root:" not in str(rows)
    if rows is not None:
        assert any(part in attack for part in PASSES_WITHOUT_THE_GATE), (attack, rows)
    assert _state(watcher) == before


def test_an_account_that_may_write_is_warned_of_and_told_another(mariadb: Accounts) -> None:
    for url, warned in ((mariadb.admin, True), (mariadb.owner, True), (mariadb.reader, False)):
        with open_warehouse(url) as warehouse:
            assert bool(warehouse.warnings) is warned
            for warning in warehouse.warnings:
                assert "may do more than read (" in warning
                assert "create user goldsuite@'%' identified by '...';" in warning
                assert "grant select, show view on shop_" in warning


def test_with_other_quoting_rules_a_backslash_is_refused(mariadb: Accounts) -> None:
    # The gate reads '\\' as an escape, this server as a letter: the second text is hidden code.
    url = f"{mariadb.reader}?sql_mode=NO_BACKSLASH_ESCAPES"
    with open_warehouse(url) as warehouse:
        plain = warehouse.analyst.execute("select 'a'").result
        assert plain is not None
        problem = warehouse.analyst.execute("select '\\', sleep(1), '").problem
        assert problem is not None
        assert "NO_BACKSLASH_ESCAPES" in problem.message


def test_an_admitted_function_passes_and_only_it(mariadb: Accounts) -> None:
    with closing(connect_mariadb(mariadb.admin)) as admin, admin.cursor() as cursor:
        cursor.execute("create function doubled(a int) returns int deterministic return a * 2")
        cursor.execute("create function tripled(a int) returns int deterministic return a * 3")
    with open_warehouse(mariadb.owner, allow_functions=["doubled"]) as warehouse:
        passed = warehouse.analyst.execute("select doubled(21)").result
        assert passed is not None
        assert passed.rows == ((42,),)
        refused = warehouse.analyst.execute("select tripled(14)").problem
        assert refused is not None
        assert "'tripled' is not known to be harmless" in refused.message
    with closing(connect_mariadb(mariadb.admin)) as admin, admin.cursor() as cursor:
        cursor.execute("drop function doubled")
        cursor.execute("drop function tripled")
