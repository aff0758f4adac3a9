"""The demo warehouse: the one of the checkout, and one built anew."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from warehouse.build import DEFAULT_TARGET, build

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """The warehouse that `python warehouse/build.py` makes; built only where it is not current.

    A copy: DuckDB opens a file only once in a process unless all open it alike, and other tests of
    this process open the checkout's own.
    """
    build(DEFAULT_TARGET)
    copy = tmp_path_factory.mktemp("demo") / "demo.duckdb"
    shutil.copyfile(DEFAULT_TARGET, copy)
    with duckdb.connect(str(copy), read_only=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def fresh_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse built for this run, in a folder whose name has a space and a quote."""
    folder = tmp_path_factory.mktemp("Anna's new warehouse")
    build(folder / "built.duckdb")
    return folder / "built.duckdb"
