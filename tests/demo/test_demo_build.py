"""Building the embedded warehouse: the same rows everywhere, once, and whole."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from warehouse.build import build, main, stamp_of

# Recorded, not worked out: they are there to notice that the data have drifted, since every gold
# of the demo suite hangs on them. A change on purpose needs new golds first and then these.
CONTENT = {
    "addresses": "f40a70a46dd622395620367e4bc399a0",
    "ad_spend": "e95bae488d7b349f6313a3673cd7058b",
    "calendar": "3350ada060f8afa0abc3139dbb7265bb",
    "customers": "082175484e80ebfb655514e50c32a87e",
    "daily_sales": "6c1cd9e8692c7ed2c4e4d02e1ba630c3",
    "order_lines": "36a7c265b8498c47c9948b9e55b6b46b",
    "orders": "9de17500e9b8de020e719c900c4901dc",
    "orders_backup": "0f489f2cc74638b0bac1077fa80ce9f5",
    "products": "4f0828e5dd93f058cc869030c481215d",
    "refunds": "9885a0a21f0adcc57ced0b5d1c208b9c",
    "web_sessions": "a409b7cc170eb6a5800c6fc48b087762",
}


def content_md5(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    """A hash of all cells of `table`, in the order of all its columns."""
    names = [row[0] for row in connection.execute(f"describe {table}").fetchall()]
    cells = ", ".join(f"coalesce(cast({name} as varchar), '~')" for name in names)
    query = f"select md5(string_agg(concat_ws('|', {cells}), '\n' order by all_)) from (select *, "
    query += f"row_number() over (order by {', '.join(names)}) as all_ from {table})"
    row = connection.execute(query).fetchone()
    assert row is not None
    return str(row[0])


def test_the_rows_of_every_table_are_those_of_every_other_machine(fresh_file: Path) -> None:
    with duckdb.connect(str(fresh_file), read_only=True) as connection:
        tables = [row[0] for row in connection.execute("show tables").fetchall()]
        assert {table: content_md5(connection, table) for table in tables} == CONTENT


def test_a_second_build_leaves_the_file_alone(fresh_file: Path) -> None:
    before = fresh_file.stat()
    assert build(fresh_file) is False
    assert fresh_file.stat().st_mtime_ns == before.st_mtime_ns


def test_only_the_warehouse_and_its_stamp_are_left_behind(fresh_file: Path) -> None:
    assert sorted(fresh_file.parent.iterdir()) == [fresh_file, stamp_of(fresh_file)]


@pytest.fixture
def quick_writer(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """In place of the generator, one that writes three bytes and notes that it was called."""
    calls: list[Path] = []

    def write(target: Path, scratch: Path) -> None:
        assert scratch.is_dir()
        calls.append(target)
        target.write_bytes(b"new")

    monkeypatch.setattr("warehouse.store.write_database", write)
    return calls


def test_a_file_that_was_changed_is_built_again(quick_writer: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "out.duckdb"
    assert build(target) is True
    target.write_bytes(b"meddled with")
    assert build(target) is True
    assert target.read_bytes() == b"new"
    assert len(quick_writer) == 2


@pytest.mark.parametrize("stamp", ["", "{", "[]", '{"generator": "older"}'])
def test_a_stamp_that_does_not_fit_means_building_again(
    quick_writer: list[Path], tmp_path: Path, stamp: str
) -> None:
    target = tmp_path / "out.duckdb"
    target.write_bytes(b"new")
    stamp_of(target).write_text(stamp)
    assert build(target) is True
    assert len(quick_writer) == 1


def test_a_build_that_fails_leaves_the_old_file_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(target: Path, scratch: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("warehouse.store.write_database", write)
    target = tmp_path / "out.duckdb"
    target.write_bytes(b"old")
    assert main([str(target)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_missing_folder_is_an_error_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none" / "out.duckdb")]) == 2
    assert capsys.readouterr().err == (
        f"error: {tmp_path / 'none'}: no such folder. Create it first.\n"
    )


def test_a_folder_in_the_place_of_the_file_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert f"{tmp_path}: is a folder. Name a file" in capsys.readouterr().err


def test_the_script_runs_from_any_folder(fresh_file: Path, root: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(root / "warehouse" / "build.py"), fresh_file.name],
        cwd=fresh_file.parent,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"{fresh_file.name}: is current\n"
