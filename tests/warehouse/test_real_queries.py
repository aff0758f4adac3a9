"""Ordinary SQL of other authors passes the gate of the analyst's door."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.sqltext.gate import check_query
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse

SHARED = Path(__file__).parents[2].parent / "shared"
CASES = SHARED / "cases"
DIAGNOSIS = SHARED / "diagnosis"

pytestmark = pytest.mark.skipif(
    not CASES.is_dir() or not DIAGNOSIS.is_dir(), reason=f"no real cases in {SHARED}"
)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _pairs() -> Iterator[tuple[Path, str, str]]:
    """Database, dialect and SQL of every query of the pairs."""
    for pair in _lines(CASES / "pairs.jsonl"):
        lite, duck = CASES / pair["sqlite"], CASES / pair["duckdb"]
        own = [pair["gold_sql"], pair["predicted_sql"], *pair["gold_alternatives"]]
        if pair["dialect"] == "sqlite":
            yield from ((lite, "sqlite", sql) for sql in own if sql)
        for name in ("gold_sql_duckdb", "predicted_sql_duckdb"):
            if pair[name]:
                yield duck, "duckdb", pair[name]
    nba = yaml.safe_load((CASES / "nba.yaml").read_text(encoding="utf-8"))
    for case in nba["cases"]:
        yield CASES / "db/nba_roster.sqlite", "sqlite", case["gold_sql"]


def _both(warehouse: OpenWarehouse, sql: str) -> str | None:
    """What the analyst's door says where the gold door, and so the engine, runs `sql`."""
    gold = warehouse.gold.execute(sql)
    if gold.result is None:
        assert gold.problem is not None
        # Both doors must agree that it is the engine's own failure.
        return gold.problem.message if gold.problem.kind == "refused" else None
    analyst = warehouse.analyst.execute(sql)
    if analyst.problem is not None:
        return analyst.problem.message
    assert analyst.result is not None
    assert analyst.result.columns == gold.result.columns
    return None


def test_every_query_of_the_pairs_that_runs_passes() -> None:
    by_database: dict[tuple[Path, str], list[str]] = {}
    for path, dialect, sql in _pairs():
        by_database.setdefault((path, dialect), []).append(sql)
    refused = []
    for (path, dialect), queries in by_database.items():
        with open_warehouse(f"{dialect}:///{path}") as warehouse:
            told = [(path.name, sql, _both(warehouse, sql)) for sql in queries]
            refused += [entry for entry in told if entry[2] is not None]
    assert sum(map(len, by_database.values())) > 250
    assert refused == []


def test_every_query_of_the_failures_passes_the_gate() -> None:
    queries = [
        row[name]
        for file in ("failures.jsonl", "equivalence.jsonl")
        for row in _lines(DIAGNOSIS / file)
        for name in ("gold_sql", "analyst_sql")
        if row[name]
    ]
    refused = [
        (sql, str(refusal))
        for sql in queries
        if (refusal := check_query(sql, "duckdb", guarded=True)) is not None
    ]
    assert len(queries) > 150
    assert refused == []
