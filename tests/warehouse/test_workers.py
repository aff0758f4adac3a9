"""Worker processes: what an analyst's statement does there ends there."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

import duckdb
import pytest

from goldsuite.model.result_set import Cell
from goldsuite.warehouse import worker_pool
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.cells import json_cell, to_cell
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from goldsuite.warehouse.worker_connection import WorkerConnection
from goldsuite.warehouse.worker_pool import OverdueError
from tests.waiting import LIVENESS_S, comes_true, falls_idle

ENDLESS = "with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r"
# One call of a function, in which neither engine looks whether it was interrupted; but memory may
# be refused to it, or it may end, before it is killed.
DEAF = {
    "duckdb": "select length(printf('%999999999d', 1))",
    "sqlite": "select replace(hex(zeroblob(500000)), '0', 'a') like '%" + "a" * 49_000 + "b'",
}
ENGINES = ["duckdb", "sqlite"]
IN_CI = os.environ.get("CI") == "true"
linux_only = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="/proc and this limit are Linux's"
)


@pytest.fixture(params=ENGINES)
def url(request: pytest.FixtureRequest) -> str:
    path: Path = request.getfixturevalue(f"{request.param}_path")
    return f"{request.param}:///{path}"


def _workers(warehouse: OpenWarehouse) -> list[int]:
    return list(warehouse._adapter.worker_processes())  # type: ignore[attr-defined]


def _is_busy(warehouse: OpenWarehouse) -> bool:
    return bool(warehouse._adapter._pool._busy)  # type: ignore[attr-defined]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return _state(pid) != "Z"


def _has_ended(child: int) -> bool:
    """Whether all threads of our `child` are gone, which it must be before its pipes break."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


@contextmanager
def _asked(warehouse: OpenWarehouse, sql: str) -> Iterator[threading.Thread]:
    """Run `sql` at the analyst's door in another thread, whose name becomes what went wrong."""

    def ask() -> None:
        problem = warehouse.analyst.execute(sql).problem
        thread.name = problem.kind if problem else "answered"

    thread = threading.Thread(target=ask)
    thread.start()
    assert comes_true(lambda: _is_busy(warehouse))
    time.sleep(0.2)
    yield thread
    thread.join(LIVENESS_S)


def _sum_of_orders(warehouse: OpenWarehouse) -> object:
    result = warehouse.analyst.execute("select count(*) from orders").result
    return result and result.rows


def test_what_ignores_an_interrupt_is_killed(url: str) -> None:
    with open_warehouse(url) as warehouse:
        warehouse.analyst.execute("select 1")
        (worker,) = _workers(warehouse)
        with closing(warehouse.analyst.sqlalchemy_engine.raw_connection()) as connection:
            raw = connection.driver_connection
            assert isinstance(raw, WorkerConnection)
            # A process that is stopped hears nothing at all.
            os.kill(worker, signal.SIGSTOP)
            with pytest.raises(OverdueError), raw.time_limit(0.1) as deadline:
                raw.cursor().execute("select 1")
        assert deadline.expired
        assert not _is_running(worker)
        assert _sum_of_orders(warehouse) == ((3,),)


def test_a_call_in_which_an_engine_hears_nothing_ends_too(url: str) -> None:
    with open_warehouse(url, limits=Limits(timeout_s=0.1)) as warehouse:
        problem = warehouse.analyst.execute(DEAF[warehouse.dialect]).problem
        assert problem is not None
        assert problem.kind in {"timed_out", "too_large"}
        assert _sum_of_orders(warehouse) == ((3,),)
        assert falls_idle(lambda: _cpu_s(warehouse))


def test_what_heeds_an_interrupt_keeps_its_process(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However busy the machine is, the process is not killed before it was heard.
    monkeypatch.setattr(worker_pool, "INTERRUPT_GRACE_S", 60.0)
    with open_warehouse(url, limits=Limits(timeout_s=0.2)) as warehouse:
        warehouse.analyst.execute("select 1")
        first = _workers(warehouse)
        problem = warehouse.analyst.execute(ENDLESS).problem
        assert problem is not None
        assert problem.kind == "timed_out"
        assert _workers(warehouse) == first
        assert _sum_of_orders(warehouse) == ((3,),)


@linux_only
def test_many_runaways_leave_threads_processes_and_cpu_as_before(url: str) -> None:
    with open_warehouse(url, limits=Limits(timeout_s=0.2)) as warehouse:
        warehouse.analyst.execute("select 1")
        before = (threading.active_count(), len(_workers(warehouse)), _open_files())
        for _ in range(50 if IN_CI else 6):
            problem = warehouse.analyst.execute(ENDLESS).problem
            assert problem is not None
            assert problem.kind == "timed_out"
        assert _sum_of_orders(warehouse) == ((3,),)
        assert (threading.active_count(), len(_workers(warehouse)), _open_files()) == before
        assert falls_idle(lambda: _cpu_s(warehouse))


@linux_only
def test_many_that_must_be_killed_leave_nothing_behind(url: str) -> None:
    with open_warehouse(url, limits=Limits(timeout_s=0.05)) as warehouse:
        warehouse.analyst.execute("select 1")
        before = (threading.active_count(), len(_workers(warehouse)), _open_files())
        for _ in range(10 if IN_CI else 3):
            assert warehouse.analyst.execute(DEAF[warehouse.dialect]).problem is not None
        assert _sum_of_orders(warehouse) == ((3,),)
        assert (threading.active_count(), len(_workers(warehouse)), _open_files()) == before


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _cpu_s(warehouse: OpenWarehouse) -> float:
    """Seconds that the workers have computed so far."""
    ticks = 0
    for pid in _workers(warehouse):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@linux_only
@pytest.mark.parametrize(
    "sql",
    [
        "select repeat('x', 2000000000)",
        "select length(repeat('x', 2000000000))",
        "select max(length(repeat('x', 400000000 + range))) from range(9)",
    ],
)
def test_a_huge_text_does_not_take_the_machines_memory(duckdb_path: Path, sql: str) -> None:
    limits = Limits(timeout_s=20, memory_bytes=1_000_000_000)
    with open_warehouse(f"duckdb:///{duckdb_path}", limits=limits) as warehouse:
        problem = warehouse.analyst.execute(sql).problem
        assert problem is not None
        assert problem.kind == "too_large"
        # A quarter of 1 GB for the engine, and 512 MiB and 16 MiB per CPU for all else.
        ceiling = 250_000_000 + (512 + 16 * (os.cpu_count() or 1)) * 2**20
        for pid in _workers(warehouse):
            soft, hard = resource.prlimit(pid, resource.RLIMIT_DATA)
            assert soft == hard == ceiling
        assert _sum_of_orders(warehouse) == ((3,),)


def test_a_huge_value_does_not_reach_the_door(duckdb_path: Path) -> None:
    limits = Limits(max_bytes=1_000_000)
    with open_warehouse(f"duckdb:///{duckdb_path}", limits=limits) as warehouse:
        problem = warehouse.analyst.execute("select repeat('x', 1000001)").problem
        assert problem is not None
        assert (problem.kind, "1,000,000 bytes" in problem.message) == ("too_large", True)
        assert warehouse.analyst.execute("select repeat('x', 1000000)").result is not None


def test_a_crash_of_the_engine_is_a_problem_of_its_statement_alone(url: str) -> None:
    with open_warehouse(url, limits=Limits(timeout_s=600)) as warehouse:
        with _asked(warehouse, ENDLESS) as asked:
            with ThreadPoolExecutor(1) as neighbour:
                running = _workers(warehouse)
                assert neighbour.submit(_sum_of_orders, warehouse).result() == ((3,),)
            for pid in running:
                os.kill(pid, signal.SIGSEGV)
        assert asked.name == "too_large"
        assert _sum_of_orders(warehouse) == ((3,),)


def test_the_death_of_an_idle_worker_is_not_noticed(url: str) -> None:
    with open_warehouse(url) as warehouse:
        assert _sum_of_orders(warehouse) == ((3,),)
        first = _workers(warehouse)
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        assert comes_true(lambda: all(map(_has_ended, first)))
        assert _sum_of_orders(warehouse) == ((3,),)
        assert set(_workers(warehouse)).isdisjoint(first)


def test_workers_are_started_when_needed_and_no_more_than_may_run_at_once(url: str) -> None:
    with open_warehouse(url, concurrency=2) as warehouse:
        warehouse.gold.execute("select 1")
        assert _workers(warehouse) == []
        warehouse.analyst.execute("select 1")
        assert len(_workers(warehouse)) == 1
        with ThreadPoolExecutor(6) as pool:
            asked = pool.map(warehouse.analyst.execute, ["select count(*) from orders"] * 30)
            assert {e.result and e.result.rows for e in asked} == {((3,),)}
        assert 1 <= len(_workers(warehouse)) <= 2


def test_closing_ends_every_worker_even_one_that_is_busy(url: str) -> None:
    warehouse = open_warehouse(url, limits=Limits(timeout_s=600))
    with _asked(warehouse, ENDLESS) as asked:
        assert _sum_of_orders(warehouse) == ((3,),)
        workers = _workers(warehouse)
        assert len(workers) == 2
        warehouse.close()
    assert asked.name == "too_large"  # Not "timed_out": nobody waited for its limit.
    assert not any(map(_is_running, workers))
    problem = warehouse.analyst.execute("select 1").problem
    assert problem is not None
    assert "closed" in problem.message


PARENT = """
import sys, threading
from goldsuite.warehouse.engines import open_warehouse
warehouse = open_warehouse(sys.argv[1])
warehouse.analyst.execute("select 1")
threading.Thread(target=warehouse.analyst.execute, args=(sys.argv[2],)).start()
print(*warehouse._adapter.worker_processes(), flush=True)
"""


def test_no_worker_outlives_a_killed_parent(url: str) -> None:
    dialect = url.partition(":")[0]
    command = [sys.executable, "-c", PARENT, url, DEAF[dialect]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        time.sleep(0.3)
        running = [pid for pid in workers if _is_running(pid)]
        parent.kill()
    assert len(running) == 1
    assert comes_true(lambda: not any(map(_is_running, workers)))


def test_ctrl_c_in_the_middle_of_a_statement_leaves_a_working_door(url: str) -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, interrupt)
    try:
        with open_warehouse(url, limits=Limits(timeout_s=600)) as warehouse:
            warehouse.analyst.execute("select 1")
            first = _workers(warehouse)
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(KeyboardInterrupt):
                warehouse.analyst.execute(ENDLESS)
            assert not any(map(_is_running, first))
            assert _sum_of_orders(warehouse) == ((3,),)
    finally:
        signal.signal(signal.SIGALRM, previous)


@linux_only
def test_a_worker_is_told_nothing_of_its_surroundings(
    url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GOLDSUITE_SUITE", "/somewhere/gold.yaml")
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    monkeypatch.chdir(tmp_path)
    with open_warehouse(url) as warehouse:
        warehouse.analyst.execute("select 1")
        (pid,) = _workers(warehouse)
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        names = {entry.partition(b"=")[0] for entry in environment if entry}
        assert names <= {b"PATH", b"LANG", b"TZ", b"LD_LIBRARY_PATH"}
        assert str(tmp_path).encode() not in Path(f"/proc/{pid}/cmdline").read_bytes()
        assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
        # Of descriptors: nothing of ours but the pipes, and the database.
        open_files = {str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir()}
        outside = {name for name in open_files if name.startswith("/") and "/dev/" not in name}
        assert all(Path(name).parent == tmp_path for name in outside), outside


@linux_only
def test_a_worker_of_duckdb_can_write_no_file(duckdb_path: Path) -> None:
    with open_warehouse(f"duckdb:///{duckdb_path}") as warehouse:
        warehouse.analyst.execute("select 1")
        (pid,) = _workers(warehouse)
        assert resource.prlimit(pid, resource.RLIMIT_FSIZE) == (0, 0)
        assert resource.prlimit(pid, resource.RLIMIT_CORE) == (0, 0)


def test_a_file_that_was_replaced_is_not_asked(url: str) -> None:
    path = Path(url.partition(":///")[2])
    with open_warehouse(url) as warehouse:
        shutil.copy(path, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)
        problem = warehouse.analyst.execute("select 1").problem
        assert problem is not None
        assert "was replaced" in problem.message


TABLES = {
    "duckdb": """select i, (i / 8)::decimal(12, 3) as d, date '2025-01-31' - (i % 900)::int as day,
        timestamp '2025-01-31 12:00:00' + to_seconds(i) as at,
        timestamptz '2025-01-31 12:00:00+02' as zoned, case when i % 3 = 0 then null else 'é' || i
        end as t, {'a': i} as s, i / 7 as f, i % 2 = 0 as b, '{"b": 1.0}'::json as j,
        time '12:30:00' as clock, interval '36 hours' as span, '\\xAA'::blob as raw,
        170141183460469231731687303715884105727::hugeint as h,
        case when i % 5 = 0 then null else 1.10::decimal(38, 2) end as maybe
        from range(25000) t(i)""",
    "sqlite": """with recursive r(i) as (select 1 union all select i + 1 from r where i < 25000)
        select i, i / 7.0, 'é' || i, case when i % 3 then null else x'00ff' end, 9e999 from r""",
}


def _of_the_driver(url: str, sql: str) -> list[tuple[Cell, ...]]:
    """What the driver itself gives in this process, as cells."""
    dialect, _, path = url.partition(":///")
    if dialect == "sqlite":
        with closing(sqlite3.connect(path)) as lite:
            return [tuple(map(to_cell, row)) for row in lite.execute(sql).fetchall()]
    with duckdb.connect(path, read_only=True) as duck:
        duck.execute("set TimeZone = 'UTC'")
        rows = duck.execute(sql).fetchall()
        json_at = [entry[0] for entry in duck.description or ()].index("j")
    return [
        tuple((json_cell if i == json_at else to_cell)(cell) for i, cell in enumerate(row))
        for row in rows
    ]


def test_both_doors_give_what_the_driver_gives(url: str) -> None:
    sql = TABLES[url.partition(":")[0]]
    expected = _of_the_driver(url, sql)
    assert len(expected) == 25_000
    with open_warehouse(url) as warehouse:
        gold, analyst = warehouse.gold.execute(sql).result, warehouse.analyst.execute(sql).result
    for result in (gold, analyst):
        assert result is not None
        assert list(result.rows) == expected
        assert [tuple(map(type, row)) for row in result.rows] == [
            tuple(map(type, row)) for row in expected
        ]


def test_a_session_goes_on_where_a_long_result_was_left(url: str) -> None:
    endless = "with recursive r(i) as (select 1 union all select i + 1 from r) select i from r"
    long = {"duckdb": "select range from range(100000000000)", "sqlite": endless}
    with open_warehouse(url) as warehouse:
        warehouse.analyst.execute("select 1")
        (worker,) = _workers(warehouse)
        engine = warehouse.analyst.sqlalchemy_engine
        with engine.connect() as connection:
            with closing(connection.exec_driver_sql(long[warehouse.dialect])) as left:
                assert len(left.cursor.fetchmany(3)) == 3
            # What was fetched ahead of time is not taken for this one's answer.
            assert connection.exec_driver_sql("select 42").scalar_one() == 42
            left = connection.exec_driver_sql(long[warehouse.dialect])
        assert _sum_of_orders(warehouse) == ((3,),)
        assert _workers(warehouse) == [worker]
