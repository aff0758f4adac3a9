"""Limits and allowed paths: read from the settings, kept by the warehouse, told by `check`."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from goldsuite.errors import ConfigurationError
from goldsuite.pipeline.settings import Settings, read_settings
from tests.command_line import goldsuite

SUITE = """\
name: lake
cases:
  - id: total
    question: "What is the total amount?"
    split: train
    gold_sql: select sum(amount) from sales
    gold_value: 15
  - id: rows
    question: "Which ids are there?"
    split: train
    gold_sql: select id from sales
"""
CONFIGURATION = """\
warehouse = "duckdb:///lake.duckdb"
allow_paths = ["data"]
query_timeout = 7
max_rows = 3
max_bytes = "5 MB"
memory_bytes = "0.5 GiB"
"""


def _read(folder: Path, **environ: str) -> Settings:
    return read_settings({}, folder=folder, environ=environ)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A suite over a view of Parquet files, which stands relative to its folder."""
    (tmp_path / "data").mkdir()
    with duckdb.connect(str(tmp_path / "lake.duckdb")) as raw:
        # 0 + 2.5 + 5 + 7.5 = 15
        raw.execute(
            f"copy (select range as id, range * 2.5 as amount from range(4)) "
            f"to '{tmp_path}/data/part.parquet'"
        )
        raw.execute(f"create view sales as select * from '{tmp_path}/data/*.parquet'")
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    (tmp_path / "goldsuite.toml").write_text(CONFIGURATION)
    return tmp_path


def test_limits_are_read_with_their_units(folder: Path) -> None:
    settings = _read(folder)
    assert settings.query_timeout == 7.0
    assert settings.max_rows == 3
    assert settings.max_bytes == 5_000_000
    assert settings.memory_bytes == 536_870_912
    assert settings.allow_paths == (folder / "data",)


def test_variables_come_before_the_file(folder: Path) -> None:
    settings = _read(
        folder,
        GOLDSUITE_QUERY_TIMEOUT="1.5",
        GOLDSUITE_MAX_ROWS="10",
        GOLDSUITE_MEMORY_BYTES="100mb",
        GOLDSUITE_ALLOW_PATHS="/tmp/a b:c",
    )
    assert (settings.query_timeout, settings.max_rows) == (1.5, 10)
    assert settings.memory_bytes == 100_000_000
    assert settings.allow_paths == (Path("/tmp/a b"), folder / "c")


SIZES = [
    ("60000000", 60_000_000),
    ("'60000000'", 60_000_000),
    ("'60 MB'", 60_000_000),
    ("'64MiB'", 67_108_864),
    ("'1.5 GB'", 1_500_000_000),
    ("'60000000 B'", 60_000_000),
]


@pytest.mark.parametrize(("text", "size"), SIZES)
def test_a_size_is_a_number_of_bytes_or_has_a_unit(tmp_path: Path, text: str, size: int) -> None:
    (tmp_path / "goldsuite.toml").write_text(f"memory_bytes = {text}\n")
    assert _read(tmp_path).memory_bytes == size


WRONG = [
    ("query_timeout = 0", "above 0"),
    ("max_rows = 0", "from 1 on"),
    ("max_rows = 1.5", "a whole number"),
    ("max_bytes = 'much'", "500 MB"),
    ("max_bytes = true", "a number"),
    ("max_bytes = '0 GB'", "from 1 byte"),
    ("memory_bytes = '1 MB'", "50,000,000 bytes or more"),
    ("memory_bytes = '4 XB'", "500 MB"),
    ("allow_paths = 'data'", "list of paths"),
    ("allow_paths = [1]", "not empty"),
]


@pytest.mark.parametrize(("text", "words"), WRONG)
def test_a_limit_that_cannot_be_meant_is_told(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "goldsuite.toml").write_text(text + "\n")
    with pytest.raises(ConfigurationError) as caught:
        _read(tmp_path)
    assert words in str(caught.value)


def _check(folder: Path) -> dict[str, Any]:
    run = goldsuite("check", "--format", "json", cwd=folder)
    found: dict[str, Any] = json.loads(run.out)
    return found


def test_check_tells_the_limits_and_the_golds_keep_to_them(folder: Path) -> None:
    found = _check(folder)
    assert found["limits"] == {
        "timeout_s": 7.0,
        "max_rows": 3,
        "max_bytes": 5_000_000,
        "memory_bytes": 536_870_912,
        "concurrency": 4,
    }
    by_id = {case["id"]: case for case in found["cases"]}
    assert (by_id["total"]["status"], by_id["total"]["value"]) == ("sound", 15)
    # Four rows, of which three may be fetched.
    assert by_id["rows"]["status"] == "broken"


@pytest.mark.parametrize("path", ["", ".", "gold-cases.yaml", ".."])
def test_no_path_may_be_allowed_that_holds_the_key_or_the_runs(folder: Path, path: str) -> None:
    allowed = folder / path
    (folder / "goldsuite.toml").write_text(
        f'warehouse = "duckdb:///lake.duckdb"\nallow_paths = ["{allowed}"]\n'
    )
    run = goldsuite("check", cwd=folder)
    assert run.code == 2
    assert "which no query may read" in run.err


def test_a_folder_without_a_warehouse_is_told_how_to_begin(tmp_path: Path) -> None:
    run = goldsuite("check", cwd=tmp_path)
    assert run.code == 2
    assert "goldsuite init" in run.err
