"""Every case of the demo suite is true, and the context tells none of them."""

from collections import Counter
from datetime import date
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
import yaml

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
DATASET = FIXTURES / "context" / ".knowledge" / "datasets" / "kettlewick"


def read(file: Path) -> Any:
    """The file's data with every scalar as the text that was written."""
    # The base loader makes texts alone and is no less safe than the safe one.
    return yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506


CASES: list[dict[str, Any]] = read(FIXTURES / "gold-cases.yaml")["cases"]
DEFINED: list[dict[str, Any]] = read(DATASET / "metrics" / "index.yaml")["metrics"]
MISSING: list[dict[str, Any]] = read(FIXTURES / "metrics-to-add.yaml")["metrics"]
METRICS = {metric["name"]: metric for metric in [*DEFINED, *MISSING]}


def by_id(case: dict[str, Any]) -> str:
    return str(case["id"])


def golds(case: dict[str, Any]) -> list[str]:
    sql = case["gold_sql"]
    return [sql] if isinstance(sql, str) else list(sql)


def matches(stored: str, cell: object) -> bool:
    """Whether `cell`, rounded to as many places as `stored` shows, is `stored`."""
    if isinstance(cell, bool):
        return stored == str(cell).lower()
    if isinstance(cell, (int, float, Decimal)):
        number = Decimal(stored)
        return round(Decimal(str(cell)), -int(number.as_tuple().exponent)) == number
    if isinstance(cell, date):
        return stored == cell.isoformat()
    return stored == cell


@pytest.mark.parametrize("case", CASES, ids=by_id)
def test_every_gold_query_gives_the_stored_value(
    demo: duckdb.DuckDBPyConnection, case: dict[str, Any]
) -> None:
    stored = case["gold_value"]
    expected = stored if isinstance(stored, list) else [[stored]]
    for sql in golds(case):
        rows = demo.execute(sql).fetchall()
        if case.get("row_order") != "required":
            rows.sort()
        assert [len(row) for row in rows] == [len(row) for row in expected], rows
        cells = zip(chain(*expected), chain(*rows), strict=True)
        assert all(matches(want, got) for want, got in cells), rows


def test_the_suite_is_large_enough_and_of_many_kinds() -> None:
    splits = Counter(case["split"] for case in CASES)
    assert splits["train"] >= 28
    assert splits["test"] >= 12
    assert set(splits) == {"train", "test"}
    assert {"count", "currency", "rate", "days", None} == {case.get("unit") for case in CASES}
    assert {"text", "date", "boolean", "table", None} == {case.get("answer") for case in CASES}
    tags = {tag for case in CASES for tag in case["tags"]}
    assert {"median", "negative", "zero", "distinct", "fiscal", "week", "relative"} <= tags


def test_ids_and_questions_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert len({case["question"].lower() for case in CASES}) == len(CASES)


def test_money_names_its_currency() -> None:
    odd = [c["id"] for c in CASES if (c.get("unit") == "currency") != (c.get("currency") == "GBP")]
    assert odd == []


def test_a_third_of_the_cases_ask_for_a_metric_that_the_context_lacks() -> None:
    missing = {metric["name"] for metric in MISSING}
    asked = [case["metric"] for case in CASES if case.get("metric") in missing]
    assert set(asked) == missing
    assert len(CASES) / 4 < len(asked) < len(CASES) / 2
    assert {case["metric"] for case in CASES if "metric" in case} <= set(METRICS)


CUSTOMER_TIER = "customers.tier = 'trade'"
# Case, window of the metric's own time column, and what the question adds to the metric.
COMPOSED = [
    ("sales-march", "2025-03-01", "2025-04-01", "true"),
    ("app-orders-q4", "2025-10-01", "2026-01-01", "orders.sales_channel = 'app'"),
    ("refunds-fiscal-year", "2024-07-01", "2025-07-01", "true"),
    ("social-spend", "2024-01-01", "2025-01-01", "ad_spend.channel = 'social'"),
    ("visits-last-30-days", "2025-12-02", "2026-01-01", "true"),
    ("plus-signups", "2025-01-01", "2026-01-01", "customers.tier = 'plus'"),
    ("cancellations-june", "2025-06-01", "2025-07-01", "true"),
    ("sales-fiscal-quarter", "2024-10-01", "2025-01-01", "true"),
    ("desktop-visits-may", "2025-05-01", "2025-06-01", "web_sessions.device = 'desktop'"),
    ("revenue-q4", "2025-10-01", "2026-01-01", "true"),
    ("revenue-fiscal-year", "2024-07-01", "2025-07-01", "true"),
    ("revenue-wholesale", "2025-01-01", "2026-01-01", "orders.sales_channel = 'wholesale'"),
    ("revenue-march", "2025-03-01", "2025-04-01", "true"),
    ("aov-november", "2025-11-01", "2025-12-01", "true"),
    ("active-december", "2025-12-01", "2026-01-01", "true"),
    ("active-trade", "2025-01-01", "2026-01-01", CUSTOMER_TIER),
    ("active-fiscal-year", "2024-07-01", "2025-07-01", "true"),
    ("conversion-may", "2025-05-01", "2025-06-01", "true"),
    ("conversion-mobile", "2025-01-01", "2026-01-01", "web_sessions.device = 'mobile'"),
    ("refund-rate-q1", "2025-01-01", "2025-04-01", "true"),
    ("margin-2025", "2025-01-01", "2026-01-01", "true"),
    ("margin-drinkware", "2025-01-01", "2026-01-01", "products.family = 'Drinkware'"),
    ("on-time-october", "2025-10-01", "2025-11-01", "true"),
]


@pytest.mark.parametrize(("case_id", "start", "end", "condition"), COMPOSED)
def test_the_definition_of_a_metric_gives_the_gold(
    demo: duckdb.DuckDBPyConnection, case_id: str, start: str, end: str, condition: str
) -> None:
    case = next(case for case in CASES if case["id"] == case_id)
    metric = METRICS[case["metric"]]
    joins = " ".join(f"join {join}" for join in metric.get("joins", []))
    window = f"{metric['time_column']} >= '{start}' and {metric['time_column']} < '{end}'"
    where = " and ".join(["true", *metric.get("filters", []), window, condition])
    row = demo.execute(f"select {metric['sql']} from {metric['source']} {joins} where {where}")
    assert matches(case["gold_value"], row.fetchall()[0][0])


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric["name"])
def test_every_definition_names_its_columns_by_table(metric: dict[str, Any]) -> None:
    parts = [metric["sql"], *metric.get("filters", []), metric["time_column"]]
    for part in parts:
        columns = sqlglot.parse_one(part, dialect="duckdb").find_all(sqlglot.exp.Column)
        assert all(column.table for column in columns), part


def test_the_context_names_no_metric_that_it_lacks() -> None:
    text = "\n".join(
        file.read_text(encoding="utf-8").lower()
        for file in sorted((FIXTURES / "context").rglob("*"))
        if file.is_file()
    )
    wordings = [metric["label"].lower() for metric in MISSING]
    assert len(wordings) == 7
    assert [wording for wording in wordings if wording in text] == []


def test_the_context_tells_no_gold() -> None:
    verified = read(DATASET / "verified_queries.yaml")
    told = {canonical(entry["sql"]) for entry in verified}
    asked = {entry["question"].lower() for entry in verified}
    assert told.isdisjoint(canonical(sql) for case in CASES for sql in golds(case))
    assert asked.isdisjoint(case["question"].lower() for case in CASES)


def test_every_verified_query_gives_one_value(demo: duckdb.DuckDBPyConnection) -> None:
    for entry in read(DATASET / "verified_queries.yaml"):
        ((value,),) = demo.execute(entry["sql"]).fetchall()
        assert value


def canonical(sql: str) -> str:
    return sqlglot.parse_one(sql, dialect="duckdb").sql(dialect="duckdb", comments=False)
