"""Limits: they end what runs, leave nothing behind, and mark what they cut."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.waiting import falls_idle

ENDLESS = "with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r"
RUNAWAYS = {
    "duckdb": [
        "select count(*) from range(1000000) a, range(1000000) b, range(1000000) c",
        "select a.range from range(1000000) a, range(1000000) b order by hash(a.range + b.range)",
        ENDLESS,
        "with recursive r(i) as (select 1 union all select i + 1 from r) select i from r",
    ],
    "sqlite": [
        ENDLESS,
        """with recursive r(i) as (select 1 union all select i + 1 from r limit 100000)
        select count(*) from r a, r b""",
        """with recursive r(i) as (select 1 union all select i + 1 from r)
        select i from r where i < 0""",
    ],
}


def test_a_runaway_query_ends_by_its_limit_at_both_doors(hasty: OpenWarehouse) -> None:
    for sql in RUNAWAYS[hasty.dialect]:
        for door in (hasty.gold, hasty.analyst):
            problem = door.execute(sql).problem
            assert problem is not None
            assert problem.kind in {"timed_out", "too_large"}, problem


def test_a_timed_out_statement_says_the_limit(hasty: OpenWarehouse) -> None:
    problem = hasty.gold.execute(ENDLESS).problem
    assert problem is not None
    assert problem.kind == "timed_out"
    assert "0.3 s" in problem.message


def test_runaway_queries_leave_no_thread_and_no_work_behind(
    duckdb_path: Path, sqlite_path: Path
) -> None:
    limits = Limits(timeout_s=0.05)
    for url in (f"duckdb:///{duckdb_path}", f"sqlite:///{sqlite_path}"):
        with open_warehouse(url, limits=limits) as warehouse:
            warehouse.analyst.execute("select 1")
            before = threading.active_count()
            for _ in range(10):
                problem = warehouse.analyst.execute(ENDLESS).problem
                assert problem is not None
                assert problem.kind == "timed_out"
            assert threading.active_count() == before
            assert falls_idle(time.process_time)


def test_the_door_still_works_after_a_timeout(duckdb_path: Path, sqlite_path: Path) -> None:
    # A second is enough for a count of three rows, even on a busy machine.
    limits = Limits(timeout_s=1)
    for url in (f"duckdb:///{duckdb_path}", f"sqlite:///{sqlite_path}"):
        with open_warehouse(url, limits=limits) as warehouse, ThreadPoolExecutor(4) as pool:
            slow = pool.submit(warehouse.analyst.execute, ENDLESS)
            quick = pool.submit(warehouse.analyst.execute, "select count(*) from orders").result()
            assert slow.result().problem is not None
            after = warehouse.analyst.execute("select count(*) from orders")
            for counted in (quick, after):
                assert counted.result is not None, counted.problem
                assert counted.result.rows == ((3,),)


SERIES = (
    "with recursive r(i) as (select 1 union all select i + 1 from r where i < {rows}) "
    "select i, 'abcdefgh' as t from r"
)
# One row is two cells at 8 bytes, and a text of 8: 24 bytes.
CAPS = [
    (Limits(max_rows=10), 10, 10, False),
    (Limits(max_rows=10), 11, 10, True),
    (Limits(max_rows=2500), 5000, 2500, True),
    (Limits(max_bytes=24 * 10), 10, 10, False),
    (Limits(max_bytes=24 * 10), 5000, 11, True),
]


@pytest.mark.parametrize(("limits", "rows", "kept", "truncated"), CAPS)
def test_a_result_over_the_cap_is_cut_and_marked(
    duckdb_path: Path, sqlite_path: Path, limits: Limits, rows: int, kept: int, truncated: bool
) -> None:
    for url in (f"duckdb:///{duckdb_path}", f"sqlite:///{sqlite_path}"):
        with open_warehouse(url, limits=limits) as warehouse:
            result = warehouse.gold.execute(SERIES.format(rows=rows)).result
            assert result is not None
            assert (len(result.rows), result.truncated) == (kept, truncated)


def test_a_huge_result_is_cut_without_being_computed(duckdb_path: Path) -> None:
    # All of them would take hours, and hundreds of gigabytes.
    limits = Limits(max_rows=5, timeout_s=600)
    with open_warehouse(f"duckdb:///{duckdb_path}", limits=limits) as warehouse:
        result = warehouse.gold.execute("select range from range(100000000000)").result
        assert result is not None
        assert result.rows == ((0,), (1,), (2,), (3,), (4,))
        assert result.truncated


def test_a_query_that_takes_too_much_memory_is_too_large(duckdb_path: Path) -> None:
    limits = Limits(timeout_s=600, memory_bytes=50_000_000)
    with open_warehouse(f"duckdb:///{duckdb_path}", limits=limits) as warehouse:
        sql = "select count(*) from (select distinct hash(range) from range(50000000))"
        problem = warehouse.analyst.execute(sql).problem
        assert problem is not None
        assert problem.kind == "too_large"


def test_a_value_that_is_too_large_is_no_failure_of_the_query(sqlite_path: Path) -> None:
    limits = Limits(max_bytes=1_000_000)
    with open_warehouse(f"sqlite:///{sqlite_path}", limits=limits) as warehouse:
        problem = warehouse.analyst.execute("select hex(zeroblob(1000000))").problem
        assert problem is not None
        assert problem.kind == "too_large"
