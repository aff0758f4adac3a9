"""The three invented warehouses, built once, each behind its guarded door."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.bench import Bench
from goldsuite.model.result_set import Execution
from goldsuite.warehouse.engines import open_warehouse
from tests.diagnosis.schemas import SCHEMAS, build


@pytest.fixture(scope="session")
def benches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Bench]]:
    """A bench with an empty dictionary for each warehouse, by its name."""
    folder = tmp_path_factory.mktemp("invented")
    opened: list[Any] = []
    found: dict[str, Bench] = {}
    for schema in SCHEMAS:
        path = build(schema, folder / f"{schema.name}.duckdb")
        warehouse = open_warehouse(f"duckdb:///{path}")
        opened.append(warehouse)
        execute = lru_cache(maxsize=None)(warehouse.analyst.execute)
        found[schema.name] = Bench(
            execute=execute, dictionary=MetricDictionary(), catalog=warehouse.catalog()
        )
    yield found
    for warehouse in opened:
        warehouse.close()


@dataclass
class Counting:
    """A door that counts what passes it."""

    bench: Bench
    count: int = 0

    def execute(self, sql: str) -> Execution:
        self.count += 1
        assert self.bench.execute is not None
        return self.bench.execute(sql)
