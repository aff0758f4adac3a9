"""What it costs to look for luck: `python benchmarks/coincidence.py`. Asserts nothing.

Every pair of fixtures/coincidence.yml is examined on a small DuckDB with more and more databases;
the last column tells how many of the lucky ones are found. The figures depend on the machine.
"""

import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).parents[1]))

from goldsuite.diagnosis.coincidence.examine import Bounds, Examiner
from goldsuite.model.coincidence import CoincidenceVerdict
from goldsuite.warehouse.engines import open_warehouse
from tests.diagnosis.coincidence.cinema import PAIRS, build

BUDGETS = (25, 50, 100, 200, 400)


def main() -> None:
    """Build the warehouse in a folder that is removed afterwards, and measure."""
    print(
        f"{'databases':>9}{'median ms':>11}{'p95 ms':>9}{'max ms':>9}{'statements':>12}{'found':>8}"
    )
    with tempfile.TemporaryDirectory() as folder:
        with duckdb.connect(str(Path(folder) / "cinema.duckdb")) as connection:
            build(connection.execute)
        with open_warehouse("duckdb:///cinema.duckdb", base_dir=Path(folder)) as warehouse:
            for budget in BUDGETS:
                examiner = Examiner(
                    warehouse.catalog(),
                    dialect="duckdb",
                    execute=warehouse.analyst.execute,
                    bounds=Bounds(databases=budget),
                )
                with closing(examiner):
                    _measure(examiner, budget)


def _measure(examiner: Examiner, budget: int) -> None:
    times, statements, found, lucky = [], 0, 0, 0
    for pair in PAIRS:
        started = time.perf_counter()
        result = examiner.examine(pair.gold, pair.analyst)
        times.append(1000 * (time.perf_counter() - started))
        statements += result.executions
        lucky += pair.verdict == "refuted"
        found += pair.verdict == "refuted" and result.verdict is CoincidenceVerdict.REFUTED
    p95 = statistics.quantiles(times, n=20)[-1]
    print(
        f"{budget:>9}{statistics.median(times):>11.0f}{p95:>9.0f}{max(times):>9.0f}"
        f"{statements:>12}{found:>5}/{lucky}"
    )


if __name__ == "__main__":
    main()
