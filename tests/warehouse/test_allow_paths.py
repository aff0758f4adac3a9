"""DuckDB's views of Parquet and CSV files: what is allowed is read, all else stays out of reach."""

import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from sqlalchemy.exc import SQLAlchemyError

from goldsuite.errors import WarehouseError
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.confine import can_forbid_changes
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse

VIEWS = ("sales", "relative", "one", "outside")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of views, their data in a folder and a file, and a secret beside them."""
    folder = tmp_path_factory.mktemp("lake")
    (folder / "it's data").mkdir()
    (folder / "keys").mkdir()
    (folder / "keys" / "secret.csv").write_text("a\nanswer-42\n")
    (folder / "one.csv").write_text("a,b\n1,x\n2,y\n")
    (folder / "it's data" / "link.csv").symlink_to(folder / "keys" / "secret.csv")
    data = str(folder / "it's data").replace("'", "''")
    with duckdb.connect(str(folder / "lake.duckdb")) as raw:
        raw.execute(
            f"copy (select range as id, range * 2.5 as amount from range(4)) "
            f"to '{data}/part.parquet'"
        )
        raw.execute(f"create view sales as select * from read_parquet('{data}/*.parquet')")
        raw.execute(f"create view one as select * from '{folder}/one.csv'")
        raw.execute(f"create view outside as select * from '{folder}/keys/secret.csv'")
        before = Path.cwd()
        os.chdir(folder)
        raw.execute("create view relative as select * from 'it''s data/part.parquet'")
        os.chdir(before)
    return folder


@pytest.fixture(scope="module")
def lake(folder: Path) -> Iterator[OpenWarehouse]:
    with open_warehouse(
        "duckdb:///lake.duckdb",
        base_dir=folder,
        limits=Limits(memory_bytes=400_000_000),
        allow_paths=(folder / "it's data", folder / "one.csv"),
    ) as warehouse:
        yield warehouse


READ = [
    # 0 + 2.5 + 5 + 7.5
    ("select count(*), sum(amount) from sales", (4, 15)),
    ("select count(*), sum(amount) from relative", (4, 15)),
    ("select sum(a), min(b) from one", (3, "x")),
]


@pytest.mark.parametrize(("sql", "row"), READ)
def test_views_of_allowed_files_are_read_at_both_doors(
    lake: OpenWarehouse, sql: str, row: tuple[object, ...]
) -> None:
    for door in (lake.gold, lake.analyst):
        result = door.execute(sql).result
        assert result is not None, door.execute(sql).problem
        assert result.rows == (row,)


def test_the_catalog_lists_the_views_and_their_columns(lake: OpenWarehouse) -> None:
    tables = {table.name: table for table in lake.catalog().tables}
    assert sorted(tables) == sorted(VIEWS)
    assert [column.name for column in tables["sales"].columns] == ["id", "amount"]


def test_without_the_setting_no_file_is_read(folder: Path) -> None:
    with open_warehouse(f"duckdb:///{folder}/lake.duckdb") as warehouse:
        for view in VIEWS:
            problem = warehouse.gold.execute(f"select * from {view}").problem
            assert problem is not None
            assert problem.kind == "refused"


ATTACKS = [
    "select * from outside",
    "select * from '{keys}/secret.csv'",
    "select * from read_csv('{keys}/secret.csv')",
    "select * from read_text('{keys}/secret.csv')",
    "select * from read_text('{data}/../keys/secret.csv')",
    "select * from read_text('{data}/link.csv')",
    "select * from read_text('{folder}/one.csv/../keys/secret.csv')",
    "select * from read_text('keys/secret.csv')",
    "select * from read_text('./keys/secret.csv')",
    "select * from read_text('file:{keys}/secret.csv')",
    "select * from read_text('file://{keys}/secret.csv')",
    "select * from read_text('{folder}/k*/*')",
    "select * from glob('{folder}/*')",
    "select * from glob('{keys}/*')",
    "select * from glob('/etc/*')",
    "select * from read_text('/etc/passwd')",
    "select * from read_text('/proc/self/environ')",
    "set allowed_directories = ['/']",
    "set global allowed_paths = ['/etc/passwd']",
    "set enable_external_access = true",
    "reset allowed_directories",
    "copy (select 1) to '{data}/part.parquet' (use_tmp_file false)",
    "copy (select 1) to '{data}/new.csv'",
    "copy (select 1) to '{folder}/one.csv' (use_tmp_file false)",
    "copy (select 1) to '{folder}/one.csv'",
    "copy (select 1) to '{keys}/new.csv'",
    "copy (select 1 as a) to '{data}' (format parquet, partition_by (a), overwrite true)",
    "export database '{data}/export'",
    "attach '{data}/new.db' as loot (read_write)",
    "attach '{data}/part.parquet' as loot (read_write)",
]


def _state(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
    }


def _filled(attack: str, folder: Path) -> str:
    data = str(folder / "it's data").replace("'", "''")
    return attack.format(folder=folder, keys=folder / "keys", data=data)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_analyst_is_refused_all_else(lake: OpenWarehouse, folder: Path, attack: str) -> None:
    before = _state(folder)
    execution = lake.analyst.execute(_filled(attack, folder))
    assert execution.problem is not None, execution.result
    assert execution.problem.kind in {"refused", "failed"}
    assert "answer-42" not in execution.problem.message
    assert _state(folder) == before


@pytest.mark.skipif(not can_forbid_changes(), reason="this system has no Landlock")
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_engine_and_the_system_refuse_all_else_without_the_gate(
    lake: OpenWarehouse, folder: Path, attack: str
) -> None:
    before = _state(folder)
    try:
        with lake.analyst.sqlalchemy_engine.connect() as connection:
            result = connection.exec_driver_sql(_filled(attack, folder))
            rows = list(result.cursor.fetchall()) if result.returns_rows else []
    except (SQLAlchemyError, duckdb.Error, RuntimeError, ValueError):
        rows = []
    assert "answer-42" not in repr(rows)
    assert "root:" not in repr(rows)
    assert "secret.csv" not in repr(rows)
    assert _state(folder) == before
    kept = lake.gold.execute("select current_setting('enable_external_access')").result
    assert kept is not None
    assert kept.rows == ((False,),)


WRONG = [
    ("sqlite:///x.sqlite", "/tmp", "duckdb:/// alone"),
    ("postgresql://ann@host/db", "/tmp", "duckdb:/// alone"),
    ("duckdb:///lake.duckdb", "nowhere", "absolute path"),
    ("duckdb:///lake.duckdb", "/no/such/folder", "no file or folder"),
    ("duckdb:///lake.duckdb", "/", "every file"),
]


@pytest.mark.parametrize(("url", "path", "told"), WRONG)
def test_a_path_that_cannot_be_meant_is_told(folder: Path, url: str, path: str, told: str) -> None:
    with pytest.raises(WarehouseError, match=told):
        open_warehouse(url, base_dir=folder, allow_paths=(Path(path),))
