"""The watch over DuckDB's statements in this process: one thread serves all."""

import threading
import time
from collections.abc import Iterator

import duckdb
import pytest

from goldsuite.warehouse.duckdb_limit import InterruptWatch

ENDLESS = "with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r"


@pytest.fixture
def watch() -> Iterator[InterruptWatch]:
    watch = InterruptWatch()
    yield watch
    watch.close()


@pytest.fixture
def root() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def test_one_thread_serves_all_statements_and_ends_with_the_watch(
    root: duckdb.DuckDBPyConnection,
) -> None:
    watch = InterruptWatch()
    before = threading.active_count()
    for _ in range(5):
        with watch.limit(root, 20) as first, watch.limit(root.cursor(), 20):
            root.execute("select 1").fetchall()
        assert not first.expired
        assert threading.active_count() == before + 1
    watch.close()
    assert threading.active_count() == before


def test_a_short_limit_is_kept_beside_a_long_one(
    watch: InterruptWatch, root: duckdb.DuckDBPyConnection
) -> None:
    started = time.monotonic()
    with watch.limit(root.cursor(), 20) as long:
        time.sleep(0.1)  # By now the thread sleeps for 20 s.
        with watch.limit(root, 0.2) as short, pytest.raises(duckdb.InterruptException):
            root.execute(ENDLESS).fetchall()
    assert (long.expired, short.expired) == (False, True)
    assert time.monotonic() - started < 2


def test_a_statement_after_the_limit_is_not_interrupted(
    watch: InterruptWatch, root: duckdb.DuckDBPyConnection
) -> None:
    with watch.limit(root, 0.05):
        pass
    time.sleep(0.15)
    counted = root.execute("select count(*) from range(10000000)").fetchone()
    assert counted == (10_000_000,)
