"""What an outside program gets: a copy of its own, whole, read-only, and far from the project."""

import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from goldsuite.errors import PreflightError, WarehouseError
from goldsuite.warehouse.engines import open_warehouse
from goldsuite.warehouse.handout import hand_out


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside folder"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("backend", ["duckdb", "sqlite"])
def test_a_file_is_handed_out_as_a_read_only_copy(
    backend: str, duckdb_path: Path, sqlite_path: Path, outside: Path
) -> None:
    original = duckdb_path if backend == "duckdb" else sqlite_path
    handed = hand_out(f"{backend}:///{original.name}", outside, base_dir=original.parent)
    copy = outside / f"warehouse.{backend}"
    assert handed.copied
    assert handed.url == f"{backend}:///{copy}"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o444
    assert [p.name for p in outside.iterdir()] == [copy.name]
    with open_warehouse(handed.url) as warehouse:
        result = warehouse.gold.execute("select count(*) from orders").result
        assert result is not None
        assert result.rows == ((3,),)


def test_a_copy_is_made_while_the_original_is_open(duckdb_path: Path, outside: Path) -> None:
    url = f"duckdb:///{duckdb_path}"
    write = "import duckdb, sys; duckdb.connect(sys.argv[1])"
    with open_warehouse(url) as warehouse:
        assert hand_out(url, outside).copied
        assert warehouse.gold.execute("select count(*) from orders").result is not None
        # The copying must not have dropped the lock that keeps writers out.
        writer = subprocess.run(
            [sys.executable, "-c", write, str(duckdb_path)], capture_output=True, text=True
        )
        assert writer.returncode != 0
        assert "lock" in writer.stderr


def test_a_copy_replaces_an_earlier_one(duckdb_path: Path, outside: Path) -> None:
    url = f"duckdb:///{duckdb_path}"
    first = hand_out(url, outside)
    with duckdb.connect(str(duckdb_path)) as connection:
        connection.execute("insert into customers values (4, 'Di', 'EU')")
    assert hand_out(url, outside) == first
    with open_warehouse(first.url) as warehouse:
        result = warehouse.gold.execute("select count(*) from customers").result
        assert result is not None
        assert result.rows == ((4,),)


def test_what_stands_in_duckdbs_log_is_copied_too(duckdb_path: Path, outside: Path) -> None:
    crash = (
        "import duckdb, os, sys; c = duckdb.connect(sys.argv[1]); "
        "c.execute('pragma disable_checkpoint_on_shutdown'); "
        "c.execute(\"insert into customers values (4, 'Di', 'EU')\"); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", crash, str(duckdb_path)], check=True)
    assert Path(f"{duckdb_path}.wal").exists()
    handed = hand_out(f"duckdb:///{duckdb_path}", outside)
    with open_warehouse(handed.url) as warehouse:
        result = warehouse.gold.execute("select count(*) from customers").result
        assert result is not None
        assert result.rows == ((4,),)


def test_a_sqlite_copy_is_whole_and_out_of_write_ahead_mode(
    sqlite_path: Path, outside: Path
) -> None:
    with closing(sqlite3.connect(sqlite_path)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("insert into customers values (4, 'Di', 'EU')")
        connection.commit()
        handed = hand_out(f"sqlite:///{sqlite_path}", outside)
    copy = handed.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as connection:
        assert connection.execute("select count(*) from customers").fetchone() == (4,)
        assert connection.execute("pragma journal_mode").fetchone() == ("delete",)


def test_a_large_file_is_handed_out_as_it_is_and_said_so(duckdb_path: Path, outside: Path) -> None:
    handed = hand_out(
        f"duckdb:///{duckdb_path.name}", outside, base_dir=duckdb_path.parent, max_bytes=10
    )
    assert not handed.copied
    assert handed.url == f"duckdb:///{duckdb_path}"
    assert "original" in handed.note
    assert list(outside.iterdir()) == []


def test_a_server_is_handed_out_as_it_is(outside: Path) -> None:
    handed = hand_out("postgresql://ann:hunter2@db/sales", outside)
    assert (handed.url, handed.copied) == ("postgresql://ann:hunter2@db/sales", False)
    assert "hunter2" not in handed.note


def test_a_file_that_cannot_be_copied_is_told(tmp_path: Path, outside: Path) -> None:
    junk = tmp_path / "junk.duckdb"
    junk.write_bytes(b"x" * 5000)
    with pytest.raises(WarehouseError, match="no copy could be made"):
        hand_out(f"duckdb:///{junk}", outside)
    with pytest.raises(PreflightError):
        hand_out(f"sqlite:///{tmp_path}/missing.sqlite", outside)
    assert list(outside.iterdir()) == []
