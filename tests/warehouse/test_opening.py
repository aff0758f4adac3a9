"""Opening: every way in which a warehouse can be absent, and what the error tells."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from goldsuite.errors import PreflightError, WarehouseError
from goldsuite.warehouse import duckdb_file, sqlite_file
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import open_warehouse


def _error(url: str, base_dir: Path | None = None) -> WarehouseError:
    with pytest.raises(WarehouseError) as caught:
        open_warehouse(url, base_dir=base_dir)
    return caught.value


def test_a_relative_path_counts_from_the_base_folder(
    duckdb_path: Path, sqlite_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    for path, backend in ((duckdb_path, "duckdb"), (sqlite_path, "sqlite")):
        url = f"{backend}:///{path.name}"
        with open_warehouse(url, base_dir=path.parent) as warehouse:
            assert warehouse.masked_url == url
            assert warehouse.gold.execute("select count(*) from orders").result is not None


def test_an_open_warehouse_names_engine_and_dialect(duckdb_path: Path, sqlite_path: Path) -> None:
    with open_warehouse(f"duckdb:///{duckdb_path}") as duck:
        assert duck.dialect == "duckdb"
        assert duck.engine.startswith("DuckDB 2.")
    with open_warehouse(f"sqlite+pysqlite:///{sqlite_path}") as lite:
        assert lite.dialect == "sqlite"
        assert lite.engine == f"SQLite {sqlite3.sqlite_version}"


@pytest.mark.parametrize("backend", ["duckdb", "sqlite"])
def test_a_missing_file_is_an_error_and_is_not_created(backend: str, tmp_path: Path) -> None:
    error = _error(f"{backend}:///{tmp_path}/missing.db")
    assert isinstance(error, PreflightError)
    assert "no file" in str(error)
    assert list(tmp_path.iterdir()) == []


def test_a_misspelt_file_is_met_with_the_one_that_is_there(duckdb_path: Path) -> None:
    error = _error("duckdb:///shop_here.duckdb", base_dir=duckdb_path.parent)
    assert "Did you mean 'shop here.duckdb'?" in str(error)


def test_a_wrong_name_is_met_with_the_databases_of_the_folder(duckdb_path: Path) -> None:
    error = _error("duckdb:///zzz", base_dir=duckdb_path.parent)
    assert "Database files there: 'shop here.duckdb'" in str(error)


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    error = _error(f"duckdb:///{tmp_path}")
    assert isinstance(error, PreflightError)
    assert "is a folder" in str(error)


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    assert "nor its folder" in str(_error(f"duckdb:///{tmp_path}/no/such.duckdb"))


@pytest.mark.parametrize("content", [b"", b"hello", b"x" * 100_000])
def test_a_file_that_is_no_duckdb_database_is_told(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "junk.duckdb"
    path.write_bytes(content)
    error = _error(f"duckdb:///{path}")
    assert isinstance(error, PreflightError)
    assert "select 1" in str(error)
    assert "no DuckDB database" in str(error)
    assert path.read_bytes() == content


def test_a_file_that_is_no_sqlite_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "junk.sqlite"
    path.write_bytes(b"x" * 100_000)
    error = _error(f"sqlite:///{path}")
    assert isinstance(error, PreflightError)
    assert "no SQLite database" in str(error)


def test_a_damaged_duckdb_file_is_told(duckdb_path: Path) -> None:
    whole = duckdb_path.read_bytes()
    duckdb_path.write_bytes(whole[:20] + b"\xff" * 9_000 + whole[9_020:])
    assert isinstance(_error(f"duckdb:///{duckdb_path}"), PreflightError)


def test_the_other_engines_file_is_recognised(duckdb_path: Path, sqlite_path: Path) -> None:
    assert str(_error(f"duckdb:///{sqlite_path}")).endswith(f"use sqlite:///{sqlite_path}.")
    assert str(_error(f"sqlite:///{duckdb_path}")).endswith(f"use duckdb:///{duckdb_path}.")


def test_a_file_that_another_process_writes_is_told(duckdb_path: Path) -> None:
    hold = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print(1, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(duckdb_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        error = _error(f"duckdb:///{duckdb_path}")
        writer.communicate(b"\n")
    assert isinstance(error, PreflightError)
    assert "Another process is writing" in str(error)


def test_the_hint_itself_never_fails(tmp_path: Path) -> None:
    gone = tmp_path / "gone.duckdb"
    assert duckdb_file.open_hint(OSError("no permission"), gone) == ""
    assert "no SQLite database" in sqlite_file.open_hint(_not_a_database(), gone)


def _not_a_database() -> sqlite3.Error:
    error = sqlite3.DatabaseError("file is not a database")
    error.sqlite_errorname = "SQLITE_NOTADB"
    return error


@pytest.mark.parametrize(
    "url",
    [
        "duckdb:///:memory:",
        "duckdb://",
        "duckdb:///",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file:x?mode=memory&uri=true",
        "duckdb://warehouse/demo.duckdb",
    ],
)
def test_a_url_without_a_file_is_refused(url: str) -> None:
    error = _error(url)
    assert not isinstance(error, PreflightError)
    assert "nothing" not in str(error)
    assert "///" in str(error) or "slashes" in str(error)


@pytest.mark.parametrize(
    "url",
    [
        "oracle://ann:hunter2@db/sales",
        "mssql+pyodbc://ann:hunter2@db/sales",
        "sqlite+aiosqlite:///x.db",
    ],
)
def test_an_engine_that_is_not_supported_is_told_without_its_password(url: str) -> None:
    error = _error(url)
    assert "duckdb:///PATH and sqlite:///PATH" in str(error)
    assert "hunter2" not in str(error)


def test_one_file_is_open_with_different_limits_at_once(duckdb_path: Path) -> None:
    url = f"duckdb:///{duckdb_path}"
    sql = "select current_setting('memory_limit')"
    with (
        open_warehouse(url, limits=Limits(memory_bytes=500 * 2**20)) as first,
        open_warehouse(url, limits=Limits(memory_bytes=600 * 2**20)) as second,
    ):
        told = [warehouse.gold.execute(sql).result for warehouse in (first, second)]
    assert [result and result.rows for result in told] == [(("500.0 MiB",),), (("600.0 MiB",),)]


def test_a_file_that_this_process_has_open_in_another_way_is_told(duckdb_path: Path) -> None:
    with duckdb.connect(str(duckdb_path), read_only=True):
        error = _error(f"duckdb:///{duckdb_path}")
    assert isinstance(error, PreflightError)
    assert "other settings" in str(error)


def test_a_warehouse_that_went_away_fails_its_next_preflight(sqlite_path: Path) -> None:
    with open_warehouse(f"sqlite:///{sqlite_path}") as warehouse:
        sqlite_path.unlink()
        with pytest.raises(PreflightError, match="select 1"):
            warehouse.preflight()


def test_a_closed_warehouse_answers_with_a_problem(duckdb_path: Path) -> None:
    warehouse = open_warehouse(f"duckdb:///{duckdb_path}")
    warehouse.close()
    assert warehouse.gold.execute("select 1").problem is not None


def test_a_sqlite_file_in_write_ahead_mode_is_read(sqlite_path: Path) -> None:
    with closing(sqlite3.connect(sqlite_path)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("insert into customers values (4, 'Di', 'EU')")
        connection.commit()
        with open_warehouse(f"sqlite:///{sqlite_path}") as warehouse:
            result = warehouse.gold.execute("select count(*) from customers").result
    assert result is not None
    assert result.rows == ((4,),)
