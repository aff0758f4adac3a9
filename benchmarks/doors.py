"""What the doors cost: `python benchmarks/doors.py`. Prints a table and asserts nothing.

Both doors run their statements in worker processes. The figures depend on the machine: compare
those of one machine only.
"""

import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import duckdb

from goldsuite.sqltext.gate import check_query
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.door import SqlDoor
from goldsuite.warehouse.engines import open_warehouse

SMALL = "select region, count(*), sum(amount) from orders where id < 500 group by region"
SMALL_RUNS = 400
ROWS = 200_000
NUMBERS = "select id, id + 1, amount * 1.5, id % 7, region from orders"
DECIMALS = "select id, price, price, ordered_on, ordered_on from orders"
ENDLESS = "with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r"
DEAF = {
    "duckdb": "select length(printf('%999999999d', 1))",
    "sqlite": "select replace(hex(zeroblob(500000)), '0', 'a') like '%" + "a" * 49_000 + "b'",
}


def main() -> None:
    """Measure both engines in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        urls = (_build_duckdb(Path(folder)), _build_sqlite(Path(folder)))
        print(f"{'':36}" + "".join(f"{name:>16}" for name in _names()))
        columns = [column for url in urls for column in _measure(url)]
        for label in columns[0]:
            print(f"{label:36}" + "".join(f"{column[label]:>16}" for column in columns))


def _names() -> list[str]:
    return [f"{engine} {door}" for engine in ("duckdb", "sqlite") for door in ("gold", "analyst")]


def _measure(url: str) -> list[dict[str, str]]:
    columns = []
    for name in ("gold", "analyst"):
        with open_warehouse(url, limits=Limits(timeout_s=60)) as warehouse:
            columns.append(_figures(getattr(warehouse, name), guarded=name == "analyst"))
        with open_warehouse(url, limits=Limits(timeout_s=1)) as warehouse:
            door = getattr(warehouse, name)
            door.execute("select 1")
            columns[-1] |= _overruns(door, warehouse.dialect)
    return columns


def _figures(door: SqlDoor, *, guarded: bool) -> dict[str, str]:
    first = _seconds(lambda: door.execute("select 1"))
    for _ in range(20):
        door.execute(SMALL)
    gate = _seconds(lambda: [_gate(door, guarded=guarded) for _ in range(SMALL_RUNS)])
    alone = _seconds(lambda: [door.execute(SMALL) for _ in range(SMALL_RUNS)])
    with ThreadPoolExecutor(4) as pool:
        together = _seconds(lambda: list(pool.map(door.execute, [SMALL] * SMALL_RUNS)))
    return {
        "first statement, ms": f"{first * 1000:.0f}",
        "small query, ms": f"{alone / SMALL_RUNS * 1000:.2f}",
        "of it in the parse gate, ms": f"{gate / SMALL_RUNS * 1000:.2f}",
        "small query, 4 threads, ms": f"{together / SMALL_RUNS * 1000:.2f}",
        f"{ROWS:,} rows of numbers, s": f"{_seconds(lambda: door.execute(NUMBERS)):.2f}",
        f"{ROWS:,} rows of decimals, dates, s": f"{_seconds(lambda: door.execute(DECIMALS)):.2f}",
    }


def _gate(door: SqlDoor, *, guarded: bool) -> object:
    return check_query(SMALL, door.dialect, guarded=guarded, allow_functions=frozenset())


def _overruns(door: SqlDoor, dialect: str) -> dict[str, str]:
    threads = threading.active_count()
    return {
        "endless query at 1 s, s": f"{_seconds(lambda: door.execute(ENDLESS)):.2f}",
        "deaf query at 1 s, s": f"{_seconds(lambda: door.execute(DEAF[dialect])):.2f}",
        "statement after it, ms": f"{_seconds(lambda: door.execute('select 1')) * 1000:.0f}",
        "threads left": str(threading.active_count() - threads),
    }


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _build_duckdb(folder: Path) -> str:
    path = folder / "bench.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            """create table orders as select range as id, ['EU', 'US', 'APAC'][range % 3 + 1]
            as region, range * 0.25::double as amount, (range / 100)::decimal(12, 2) as price,
            date '2025-01-01' + (range % 365)::integer as ordered_on from range(?)""",
            [ROWS],
        )
    return f"duckdb:///{path}"


def _build_sqlite(folder: Path) -> str:
    path = folder / "bench.sqlite"
    rows = (
        (i, ("EU", "US", "APAC")[i % 3], i * 0.25, i / 100, f"2025-01-{i % 28 + 1:02}")
        for i in range(ROWS)
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "create table orders (id integer primary key, region, amount, price, ordered_on)"
        )
        connection.executemany("insert into orders values (?, ?, ?, ?, ?)", rows)
    return f"sqlite:///{path}"


if __name__ == "__main__":
    main()
