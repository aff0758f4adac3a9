"""Hostile statements against real databases: with the gate, and straight at the engine."""

import hashlib
import sqlite3
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from sqlalchemy.exc import SQLAlchemyError

from goldsuite.model.result_set import Problem
from goldsuite.warehouse.door import SqlDoor
from goldsuite.warehouse.engines import OpenWarehouse

DUCKDB_ATTACKS = [
    "select * from read_text('{secret}')",
    "select * from read_blob('{secret}')",
    "select * from read_csv('{secret}')",
    "select * from '{secret}'",
    "select * from glob('{folder}/*')",
    "select * from sniff_csv('{secret}')",
    "select * from read_json('{secret}')",
    "select * from query('select * from read_text(''{secret}'')')",
    "copy customers to '{loot}'",
    "copy (select 1) to '{loot}'",
    "export database '{folder}/export'",
    "import database '{folder}'",
    "attach '{loot}'",
    "attach ':memory:' as m",
    "install httpfs",
    "load '{loot}'",
    "set enable_external_access = true",
    "set global memory_limit = '9GB'",
    "set lock_configuration = false",
    "set TimeZone = 'Asia/Tokyo'",
    "reset TimeZone",
    "pragma threads = 1",
    "set global profiling_output = '{loot}'",
    "pragma enable_profiling",
    "call enable_logging()",
    "create secret (type s3)",
    "insert into customers values (9, 'x', 'x')",
    "update customers set name = 'x'",
    "delete from customers",
    "with gone as (delete from customers returning id) select * from gone",
    "with put as (insert into customers values (9, 'x', 'x') returning id) select * from put",
    "explain analyze delete from customers",
    "drop table customers",
    "create table loot as select 1",
    "create or replace view customers as select 1",
    "alter table customers add column x int",
    "select 1; delete from customers",
    "select 1 /* ; */; drop table customers -- */",
    "select 1 /* /* */ ; delete from customers -- */ */",
    "begin; delete from customers; commit",
    "merge into customers using orders on false when matched then delete",
    "select nextval('s')",
    "select getenv('HOME')",
    "from which_secret('s3://a', 's3')",
    "checkpoint",
    # Files by other names and other ways.
    "select * from parquet_scan('{secret}')",
    "select * from parquet_metadata('{secret}')",
    "select * from read_ndjson_objects('{secret}')",
    "select * from read_csv_auto(['{secret}', '{secret}'])",
    'select * from "{secret}"',
    "from '{secret}' select count(*)",
    "select * from 'file://{secret}'",
    "select * from 'https://example.com/a.csv'",
    "select (select content from read_text('{secret}'))",
    "with f as (from read_text('{secret}')) select * from f",
    "select * from customers where name in (select content from read_text('{secret}'))",
    "select * from customers, lateral (select * from read_text('{secret}')) f",
    "select * from query_table('{secret}')",
    "select * from customers union all select 1, content, '' from read_text('{secret}')",
    "copy customers from '{secret}'",
    "copy (select 1) to '/dev/stdout'",
    "attach '{secret}' as gold (read_only)",
    "detach shop",
    "use memory",
    # Settings, secrets, what the machine is, and what hides a second statement.
    "set variable a = 1",
    "set search_path = 'main'",
    "pragma database_list",
    "select * from duckdb_secrets()",
    "select * from duckdb_settings()",
    "select * from duckdb_databases()",
    "select * from pragma_database_list()",
    "select current_setting('temp_directory')",
    "prepare p as delete from customers",
    "execute p",
    "create temp table loot as select 1",
    "create macro loot() as 1",
    "create sequence loot",
    "truncate customers",
    "insert or replace into customers values (1, 'x', 'x')",
    "vacuum",
    "select 1;; delete from customers",
    "select $$a$$; delete from customers; select $$b$$",
    "select 1 -- \r; \n; delete from customers",
    "select 1;\u00a0delete from customers",
    "select E'\\''; delete from customers; --'",
]

SQLITE_ATTACKS = [
    "attach '{loot}' as other",
    "attach ':memory:' as other",
    "vacuum into '{loot}'",
    "vacuum",
    "select load_extension('{loot}')",
    "select writefile('{loot}', 'x')",
    "select readfile('{secret}')",
    "select fts3_tokenizer('simple')",
    "pragma query_only = off",
    "pragma writable_schema = on",
    "pragma trusted_schema = on",
    "pragma journal_mode = wal",
    "pragma database_list",
    "select * from pragma_database_list",
    "insert into customers values (9, 'x', 'x')",
    "replace into customers values (1, 'x', 'x')",
    "update customers set name = 'x'",
    "delete from customers",
    "delete from customers returning *",
    "with a as (select 1) delete from customers",
    "with a as (select 1) insert into customers select 9, 'x', 'x'",
    "update sqlite_master set sql = 'x'",
    "update sqlite_master set type = 'x'",
    "create table loot (i)",
    "create temp table loot (i)",
    "create virtual table loot using fts5(a)",
    "drop table customers",
    "alter table customers rename to loot",
    "reindex",
    "analyze",
    "begin immediate",
    "savepoint s",
    "select 1; delete from customers",
    "select 1 /* ; */; drop table customers -- */",
    # Files and settings in other words.
    "attach database '{secret}' as gold",
    "detach main",
    "select * from readfile('{secret}')",
    "select edit('a', 'cat {secret}')",
    "select * from fsdir('{folder}')",
    "select * from sqlite_dbpage",
    "create virtual table loot using csv(filename='{secret}')",
    "create virtual table temp.loot using fts5(a)",
    "pragma temp_store_directory = '{folder}'",
    "pragma data_store_directory = '{folder}'",
    "pragma user_version = 7",
    "pragma application_id = 7",
    "pragma main.journal_mode = off",
    "pragma locking_mode = exclusive",
    "pragma optimize",
    "pragma wal_checkpoint",
    "pragma incremental_vacuum",
    "pragma mmap_size = 0",
    "select * from pragma_module_list",
    "select * from pragma_function_list",
    "select * from pragma_compile_options",
    # Writing in other words.
    "insert or ignore into customers values (9, 'x', 'x')",
    "insert into customers values (1, 'x', 'x') on conflict (id) do update set name = 'x'",
    "insert into customers default values",
    "update customers set name = 'x' returning name",
    "update or replace customers set id = 1",
    "create trigger loot after insert on orders begin delete from customers; end",
    "create index loot on customers (name)",
    "create view loot as select 1",
    "drop view eu_customers",
    "commit",
    "rollback",
    "explain delete from customers",
    "select 1;; delete from customers",
    "select 1 -- \r; \n; delete from customers",
]


def _assert_told(problem: Problem) -> None:
    """A refusal that says whose it is; or the engine's own, that it is no SQL at all."""
    if problem.kind == "failed":
        assert "syntax error" in problem.message
    else:
        assert problem.kind == "refused"
        assert problem.message.startswith(("refused by the rule '", "refused by the engine's own"))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _fill(attack: str, folder: Path) -> str:
    secret = folder / "gold.yaml"
    secret.write_text("answer-42")
    return attack.format(secret=secret, loot=folder / "loot.bin", folder=folder)


def _files(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.rglob("*"))


@pytest.mark.parametrize("attack", DUCKDB_ATTACKS)
def test_duckdb_refuses_at_the_analysts_door(
    duck: OpenWarehouse, attack: str, tmp_path: Path
) -> None:
    sql = _fill(attack, tmp_path)
    files = _files(tmp_path)
    execution = duck.analyst.execute(sql)
    assert execution.problem is not None, execution.result
    _assert_told(execution.problem)
    assert _files(tmp_path) == files
    assert duck.gold.execute("select count(*) from customers").result is not None


@pytest.mark.parametrize("attack", SQLITE_ATTACKS)
def test_sqlite_refuses_at_the_analysts_door(
    lite: OpenWarehouse, sqlite_original: Path, attack: str, tmp_path: Path
) -> None:
    before = _digest(sqlite_original)
    sql = _fill(attack, tmp_path)
    files = _files(tmp_path)
    execution = lite.analyst.execute(sql)
    assert execution.problem is not None, execution.result
    _assert_told(execution.problem)
    assert _files(tmp_path) == files
    assert _digest(sqlite_original) == before


def _bare(door: SqlDoor, sql: str) -> list[object]:
    """Run `sql` as the driver would, past the gate and all checks of ours."""
    try:
        with door.sqlalchemy_engine.connect() as connection:
            result = connection.exec_driver_sql(sql)
            return list(result.cursor.fetchall()) if result.returns_rows else []
    except (SQLAlchemyError, duckdb.Error, sqlite3.Error, ValueError):
        return []


@pytest.mark.parametrize("attack", DUCKDB_ATTACKS)
def test_duckdb_itself_lets_nothing_be_read_or_written(
    duck: OpenWarehouse, attack: str, tmp_path: Path
) -> None:
    sql = _fill(attack, tmp_path)
    files = _files(tmp_path)
    rows = _bare(duck.analyst, sql)
    assert "answer-42" not in repr(rows)
    assert _files(tmp_path) == files
    counted = duck.gold.execute("select count(*), min(name) from customers").result
    assert counted is not None
    assert counted.rows == ((3, "Ada"),)
    settings = (
        "select current_setting('enable_external_access'), current_setting('TimeZone'), "
        "current_setting('lock_configuration')"
    )
    kept = duck.gold.execute(settings).result
    assert kept is not None
    assert kept.rows == ((False, "UTC", True),)


@pytest.mark.parametrize("attack", SQLITE_ATTACKS)
def test_sqlite_itself_lets_nothing_be_read_or_written(
    lite: OpenWarehouse, sqlite_original: Path, attack: str, tmp_path: Path
) -> None:
    before = _digest(sqlite_original)
    sql = _fill(attack, tmp_path)
    files = _files(tmp_path)
    rows = _bare(lite.analyst, sql)
    assert "answer-42" not in repr(rows)
    assert str(sqlite_original) not in repr(rows)
    assert _files(tmp_path) == files
    assert _digest(sqlite_original) == before


def test_python_variables_are_no_tables(duck: OpenWarehouse) -> None:
    hidden = pd.DataFrame({"gold": [42]})
    execution = duck.gold.execute("select * from hidden")
    assert len(hidden) == 1
    assert execution.problem is not None


def test_an_error_does_not_tell_where_the_warehouse_lies(
    duck: OpenWarehouse, duck_file: Path
) -> None:
    inside = f"select * from read_text('{duck_file.parent}/gold.yaml')"
    problem = duck.gold.execute(inside).problem
    assert problem is not None
    assert problem.kind == "refused"
    assert str(duck_file.parent) not in problem.message


# sqlglot reads none of these; DuckDB does.
UNREAD = [
    ("show customers", True, True),
    ("table 'customers'", True, True),
    ("table '{secret}'", False, False),
    ("explain select 1", False, False),
    ("pivot customers on region using count(*) group by name order by name", True, True),
    ("pivot read_text('{secret}') on content using count(*) order by 1", False, False),
    ("pivot '{secret}' on content using count(*) order by 1", False, False),
    ("pivot duckdb_databases() on path using count(*) order by 1", True, False),
    ("pivot customers on region using count(*) order by 1; delete from customers", False, False),
]


@pytest.mark.parametrize(("sql", "gold", "analyst"), UNREAD)
def test_what_sqlglot_cannot_read_is_judged_by_duckdbs_own_tree(
    duck: OpenWarehouse, sql: str, gold: bool, analyst: bool, tmp_path: Path
) -> None:
    text = _fill(sql, tmp_path)
    assert (duck.gold.execute(text).result is not None) is gold
    assert (duck.analyst.execute(text).result is not None) is analyst
