"""How often and how fast causes are found: `python -m benchmarks.diagnosis`. Asserts nothing.

Faults are put into right queries over three invented warehouses, one alone and two together, as the
tests do with a sample of them. The times depend on the machine: compare those of one machine only.
"""

import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.bench import Bench
from goldsuite.diagnosis.parents import causes_in_order
from goldsuite.model.diagnosis import Diagnosis
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.diagnosis.schemas import SCHEMAS, build
from tests.diagnosis.test_mutations import Broken, diagnosed, pairs, singles


def main() -> None:
    """Measure in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        opened = {
            schema.name: open_warehouse(
                f"duckdb:///{build(schema, Path(folder) / f'{schema.name}.duckdb')}"
            )
            for schema in SCHEMAS
        }
        benches = {name: _bench(warehouse) for name, warehouse in opened.items()}
        _measure("one fault", list(singles(benches)), benches)
        _measure("two faults", list(pairs(benches, one_in=8)), benches)
        for warehouse in opened.values():
            warehouse.close()


def _bench(warehouse: OpenWarehouse) -> Bench:
    execute = lru_cache(maxsize=None)(warehouse.analyst.execute)
    return Bench(execute=execute, dictionary=MetricDictionary(), catalog=warehouse.catalog())


def _measure(title: str, broken: Sequence[Broken], benches: dict[str, Bench]) -> None:
    found = [(each, diagnosed(each, benches)) for each in broken]
    right = [d.cause is causes_in_order(b.causes)[0] for b, d in found]
    exact = [set(d.causes) == set(b.causes) for b, d in found]
    print(f"{title}: {len(found)} failures")
    print(f"  primary cause right  {sum(right) / len(found):8.1%}")
    print(f"  causes exactly right {sum(exact) / len(found):8.1%}")
    _print_costs([d for _, d in found])
    missed = Counter(
        str(causes_in_order(b.causes)[0]) for (b, _), ok in zip(found, right, strict=True) if not ok
    )
    for cause, count in missed.most_common():
        print(f"  missed {cause}: {count}")


def _print_costs(found: Sequence[Diagnosis]) -> None:
    times = sorted(d.elapsed_ms or 0.0 for d in found)
    runs = sorted(d.executions or 0 for d in found)
    at_95 = int(0.95 * (len(found) - 1))
    print(f"  ms          median {statistics.median(times):7.1f}  p95 {times[at_95]:7.1f}")
    print(f"  executions  median {statistics.median(runs):7.1f}  p95 {runs[at_95]:7}")


if __name__ == "__main__":
    main()
