"""`goldsuite check` tells what the warehouse is and refuses, with a suite and without one."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from tests.command_line import goldsuite
from tests.servers import PASSWORD, Accounts, postgresql_accounts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as db, db:
        db.execute("create table sales (amount integer)")
        db.execute("create view large as select * from sales where amount > 9")
    with closing(duckdb.connect(str(tmp_path / "shop.duckdb"))) as duck:
        duck.execute("create table sales (amount integer)")
    return tmp_path


@pytest.fixture(scope="module")
def accounts() -> Iterator[Accounts]:
    with postgresql_accounts() as found:
        yield found


@pytest.mark.parametrize(
    ("url", "engine", "tables", "snapshot"),
    [
        ("sqlite:///shop.db", "SQLite", 2, "unchanged file"),
        ("duckdb:///shop.duckdb", "DuckDB", 1, "read-only file"),
    ],
)
def test_without_a_suite_the_warehouse_alone_is_checked(
    folder: Path, url: str, engine: str, tables: int, snapshot: str
) -> None:
    run = goldsuite("check", "--warehouse", url, "--format", "json", cwd=folder)
    assert run.code == 0, run.err
    found = json.loads(run.out)
    assert found["engine"] == f"{engine} {found['version']}"
    assert found["dialect"] == engine.lower()
    assert (found["read_only"], found["time_zone"]) == (True, "UTC")
    assert (found["tables"], found["snapshot"]) == (tables, snapshot)
    assert found["limits"]["timeout_s"] == 60
    assert {a["door"]: a["outcome"] for a in found["write_attempts"]} == {
        "gold": "refused", "analyst": "refused",
    }  # fmt: skip
    assert (found["suite"], found["cases"], found["sound"]) == (None, [], True)


def test_a_server_is_checked_without_its_password_being_seen(
    tmp_path: Path, accounts: Accounts
) -> None:
    run = goldsuite("check", "--warehouse", accounts.admin, cwd=tmp_path)
    assert run.code == 0, run.err
    assert "dialect postgres, time zone UTC" in run.out
    assert "snapshot   exported" in run.out
    assert "read-only  yes" in run.out
    assert "superuser" in run.out
    run = goldsuite("check", "--warehouse", accounts.owner, "--format", "json", cwd=tmp_path)
    assert json.loads(run.out)["limits"]["memory_bytes"] is None
    assert PASSWORD not in run.out + run.err


def test_a_suite_that_was_named_must_be_there(folder: Path) -> None:
    options = ("--warehouse", "sqlite:///shop.db")
    assert goldsuite("check", *options, "--suite", "gold-cases.yaml", cwd=folder).code == 2
    (folder / "goldsuite.toml").write_text('suite = "golds.yaml"\n')
    assert goldsuite("check", *options, cwd=folder).code == 2


def test_a_warehouse_that_is_absent_is_an_error(folder: Path) -> None:
    run = goldsuite("check", "--warehouse", "sqlite:///shopp.db", cwd=folder)
    assert run.code == 3
    assert "Did you mean 'shop.db'?" in run.err
