"""What comparing large results costs: `python benchmarks/result_sets.py [ROWS]`. Asserts nothing.

Beside each figure stands what DuckDB's own EXCEPT ALL takes, both ways, on the same two tables,
measured right before it. On a busy machine look at the seconds of CPU: the engine uses all cores,
the comparison one. Every comparison runs in a process of its own, so that its peak of memory
is its own: it holds both results as Python rows, as a grading does, and no DuckDB. Compare figures
of one machine and one run only.
"""

import multiprocessing
import pickle
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import duckdb

from goldsuite.grading.result_sets import compare_result_sets
from goldsuite.model.result_set import Column, ResultSet

ROWS = 1_000_000
RUNS = 3
"""Of each, the fastest of which counts."""
GOLD = """
    create table gold as select
        i as id,
        'customer-' || hash(i) % 50000 as name,
        {amount} as amount,
        date '2020-01-01' + (hash(i * 3) % 1500)::int as day,
        hash(i * 5) % 20 as quantity
    from range({rows}) t(i)
"""
FLOAT = "(hash(i + 7) % 1000000 / 100)::double"
DECIMAL = "(hash(i + 7) % 1000000 / 100)::decimal(12, 2)"
SHUFFLED = "select * from gold order by hash(id + 1)"
NOISE = "select * replace (amount * (1 + 2e-16) as amount) from gold order by hash(id + 1)"
ONE_OFF = (
    "select * replace (amount + if(id = 7, 1000, 0) as amount) from gold order by hash(id + 1)"
)
OTHER_ROWS = """
    select a.id, a.name, b.amount, a.day, a.quantity
    from gold a join gold b on b.id = (a.id + 1) % (select count(*) from gold)
    order by hash(a.id)
"""
CASES = {
    "equal, rows shuffled": (FLOAT, SHUFFLED),
    "equal, in the same order": (FLOAT, "select * from gold"),
    "equal, decimals for floats": (DECIMAL, SHUFFLED),
    "equal, every name another": (FLOAT, SHUFFLED.replace("*", "columns(*) as 'x_\\0'")),
    "equal but for the noise of floats": (FLOAT, NOISE),
    "one value differs": (FLOAT, ONE_OFF),
    "one row is missing": (FLOAT, f"from ({SHUFFLED}) where id <> 7"),
    "every amount differs": (
        FLOAT,
        SHUFFLED.replace("*", "* replace (amount * 1.1 + 1 as amount)"),
    ),
    "amounts stand in other rows": (FLOAT, OTHER_ROWS),
}


class Seconds(NamedTuple):
    """What one piece of work took."""

    wall: float
    cpu: float


def main(rows: int) -> None:
    """Prints one line per case."""
    print(f"{rows:,} rows x 5 columns, read from DuckDB into Python")
    print(
        f"{'':36}{'EXCEPT ALL, s':>15}{'(CPU)':>8}{'compare, s':>12}{'(CPU)':>8}{'ratio':>8}"
        f"{'peak, MB':>10}{'of it rows':>12}  found"
    )
    for name, (amount, predicted) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            engine = _store(Path(folder), rows, amount, predicted)
            ours, peak, before, found = _in_a_process(Path(folder))
        print(
            f"{name:36}{engine.wall:>15.2f}{engine.cpu:>8.2f}{ours.wall:>12.2f}{ours.cpu:>8.2f}"
            f"{ours.wall / engine.wall:>8.2f}{peak:>10.0f}{before:>12.0f}  {found}",
            flush=True,
        )


def _fastest(work: Callable[[], object]) -> Seconds:
    runs = []
    for _ in range(RUNS):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        runs.append(Seconds(time.perf_counter() - wall, time.process_time() - cpu))
    return Seconds(min(run.wall for run in runs), min(run.cpu for run in runs))


def _store(folder: Path, rows: int, amount: str, predicted: str) -> Seconds:
    """Both results as files; returns the seconds of the engine's own comparison."""
    with duckdb.connect() as con:
        con.execute(GOLD.format(amount=amount, rows=rows))
        con.execute(f"create table predicted as {predicted}")
        for name in ("gold", "predicted"):
            result = con.execute(f"from {name}")
            columns = [entry[0] for entry in result.description or ()]
            with (folder / name).open("wb") as file:
                pickle.dump(columns, file)
                while batch := result.fetchmany(10_000):
                    pickle.dump(batch, file)
        return _fastest(lambda: _except_all(con))


def _except_all(con: duckdb.DuckDBPyConnection) -> None:
    for first, second in (("gold", "predicted"), ("predicted", "gold")):
        sql = f"select count(*) from (from {first} except all from {second})"  # noqa: S608
        con.execute(sql).fetchall()


def _in_a_process(folder: Path) -> tuple[Seconds, float, float, str]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_compare, args=(folder, theirs))
    process.start()
    found: tuple[Seconds, float, float, str] = ours.recv()
    process.join()
    return found


def _compare(folder: Path, pipe: Connection) -> None:
    gold, predicted = _load(folder / "gold"), _load(folder / "predicted")
    before = _peak_mb()
    seconds = _fastest(lambda: compare_result_sets(gold, predicted))
    found = compare_result_sets(gold, predicted)
    said = "; ".join(m.message for m in found.mismatches) or "equal"
    pipe.send((seconds, _peak_mb(), before, said))


def _load(path: Path) -> ResultSet:
    with path.open("rb") as file:
        columns = pickle.load(file)  # noqa: S301 - written above
        rows = []
        try:
            while True:
                rows += pickle.load(file)  # noqa: S301
        except EOFError:
            pass
    return ResultSet(columns=tuple(Column(name=name) for name in columns), rows=tuple(rows))


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(int(sys.argv[1].replace("_", "")) if len(sys.argv) > 1 else ROWS)
