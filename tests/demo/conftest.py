"""The demo warehouse: the one of the checkout, and one built anew."""

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
def demo() -> Iterator[duckdb.DuckDBPyConnection]:
    """The warehouse that `python warehouse/build.py` makes; built only where it is not current."""
    build(DEFAULT_TARGET)
    with duckdb.connect(str(DEFAULT_TARGET), read_only=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def fresh_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse built for this run, in a folder whose name has a space and a quote."""
    folder = tmp_path_factory.mktemp("Anna's new warehouse")
    build(folder / "built.duckdb")
    return folder / "built.duckdb"
