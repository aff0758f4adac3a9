"""Read-only is tried at each door, and the attempt leaves nothing behind."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import Engine, create_engine
from sqlalchemy.pool import NullPool

from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from goldsuite.warehouse.sqlite_file import SQLiteFile
from goldsuite.warehouse.worker_pool import TimeLimit
from goldsuite.warehouse.write_attempt import WriteOutcome, attempt_writes
from tests.servers import Accounts, connect_mariadb, connect_postgresql


def _outcomes(warehouse: OpenWarehouse) -> list[tuple[str, WriteOutcome]]:
    return [(attempt.door, attempt.outcome) for attempt in attempt_writes(warehouse)]


REFUSED = [("gold", WriteOutcome.REFUSED), ("analyst", WriteOutcome.REFUSED)]


def test_a_file_refuses_a_write_at_both_doors(warehouse: OpenWarehouse) -> None:
    assert _outcomes(warehouse) == REFUSED


@pytest.mark.parametrize("account", ["reader", "owner", "admin"])
def test_postgresql_refuses_a_write_at_both_doors(postgresql: Accounts, account: str) -> None:
    with open_warehouse(getattr(postgresql, account)) as warehouse:
        attempts = attempt_writes(warehouse)
        assert [(a.door, a.outcome) for a in attempts] == REFUSED
        said = {str(a.message) for a in attempts}
        # Of an account that may write, the transaction is what refuses.
        assert account == "reader" or any("read-only transaction" in text for text in said)
    with closing(connect_postgresql(postgresql.admin)) as admin:
        assert admin.execute("select count(*) from customers").fetchone() == (3,)


@pytest.mark.parametrize("account", ["reader", "owner", "admin"])
def test_mariadb_refuses_a_write_at_both_doors(mariadb: Accounts, account: str) -> None:
    with open_warehouse(getattr(mariadb, account)) as warehouse:
        assert _outcomes(warehouse) == REFUSED
    with closing(connect_mariadb(mariadb.admin)) as admin, admin.cursor() as cursor:
        cursor.execute("select count(*) from customers")
        assert cursor.fetchone() == (3,)


class _WritableFile(SQLiteFile):
    """A SQLite file that nothing locks: what an engine without a lock-down looks like."""

    def engine(self, *, guarded: bool) -> Engine:  # noqa: ARG002
        return create_engine(f"sqlite:///{self._path}", poolclass=NullPool)

    @contextmanager
    def time_limit(self, *given: Any) -> Iterator[TimeLimit]:  # type: ignore[override]
        yield TimeLimit(given[1])


def _opened(adapter: SQLiteFile) -> OpenWarehouse:
    return OpenWarehouse(
        adapter,
        masked_url="sqlite:///x",
        limits=Limits(),
        concurrency=1,
        allow_functions=(),
        hint=str,
    )


def test_a_write_that_is_let_through_is_told_and_changes_nothing(sqlite_path: Path) -> None:
    with _opened(_WritableFile(sqlite_path, Limits())) as warehouse:
        assert _outcomes(warehouse) == [
            ("gold", WriteOutcome.LET_THROUGH),
            ("analyst", WriteOutcome.LET_THROUGH),
        ]
    with closing(sqlite3.connect(sqlite_path)) as connection:
        assert connection.execute("select count(*) from customers").fetchone() == (3,)


def test_without_a_table_nothing_is_tried(tmp_path: Path) -> None:
    path = tmp_path / "empty.sqlite"
    sqlite3.connect(path).close()
    with open_warehouse(f"sqlite:///{path}") as warehouse:
        assert {outcome for _, outcome in _outcomes(warehouse)} == {WriteOutcome.NOT_TRIED}
