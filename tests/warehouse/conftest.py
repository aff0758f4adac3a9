"""Two small warehouses with the same tables, one DuckDB file and one SQLite file."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.servers import Accounts, mariadb_accounts, postgresql_accounts

TABLES = (
    "create table customers (id integer primary key, name varchar not null, region varchar)",
    """create table orders (
        id integer primary key, customer_id integer references customers (id),
        amount decimal(10, 2), ordered_on date)""",
    "insert into customers values (1, 'Ada', 'EU'), (2, 'Ben', 'US'), (3, 'Cy', null)",
    """insert into orders values (10, 1, 5.50, '2025-01-02'), (11, 1, 4.50, '2025-01-03'),
        (12, 2, 7.25, '2025-02-01')""",
    "create view eu_customers as select * from customers where region = 'EU'",
)

MODEST = Limits(memory_bytes=500_000_000)
HASTY = Limits(timeout_s=0.3, memory_bytes=500_000_000)


@pytest.fixture(scope="session")
def duckdb_original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("original") / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in TABLES:
            connection.execute(statement)
        connection.execute("comment on table customers is 'Who buys'")
        connection.execute("comment on column customers.region is 'Sales region'")
    return path


@pytest.fixture(scope="session")
def sqlite_original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("original") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in TABLES:
            connection.execute(statement)
    return path


@pytest.fixture
def duckdb_path(duckdb_original: Path, tmp_path: Path) -> Path:
    """A copy that the test may spoil; its name holds a space."""
    return Path(shutil.copy(duckdb_original, tmp_path / "shop here.duckdb"))


@pytest.fixture
def sqlite_path(sqlite_original: Path, tmp_path: Path) -> Path:
    """A copy that the test may spoil; its name holds a space."""
    return Path(shutil.copy(sqlite_original, tmp_path / "shop here.sqlite"))


@pytest.fixture(scope="session")
def duck_file(duckdb_original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copy(duckdb_original, tmp_path_factory.mktemp("open") / "duck.duckdb"))


@pytest.fixture(scope="session")
def duck(duck_file: Path) -> Iterator[OpenWarehouse]:
    """One open warehouse for all tests: what a test leaves behind would show in the next."""
    with open_warehouse(f"duckdb:///{duck_file}", limits=MODEST) as warehouse:
        yield warehouse


@pytest.fixture(scope="session")
def lite(sqlite_original: Path) -> Iterator[OpenWarehouse]:
    with open_warehouse(f"sqlite:///{sqlite_original}", limits=MODEST) as warehouse:
        yield warehouse


@pytest.fixture(params=["duckdb", "sqlite"])
def hasty(request: pytest.FixtureRequest) -> Iterator[OpenWarehouse]:
    """A warehouse that stops each statement soon: for statements that never end by themselves."""
    path: Path = request.getfixturevalue(f"{request.param}_original")
    with open_warehouse(f"{request.param}:///{path}", limits=HASTY) as warehouse:
        yield warehouse


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Accounts]:
    """One database server per test process."""
    with postgresql_accounts() as accounts:
        yield accounts


@pytest.fixture(scope="session")
def mariadb() -> Iterator[Accounts]:
    """One database server per test process."""
    with mariadb_accounts() as accounts:
        yield accounts


@pytest.fixture(params=["duck", "lite"])
def warehouse(request: pytest.FixtureRequest) -> OpenWarehouse:
    opened: OpenWarehouse = request.getfixturevalue(request.param)
    return opened
