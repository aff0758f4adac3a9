"""dbt metrics and saved queries that need no compiler become gold queries."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.errors import SuiteError
from goldsuite.suite.importers.base import Reading, Source
from goldsuite.suite.importers.dbt import read_dbt
from goldsuite.suite.key import load_key
from tests.command_line import goldsuite

OLDER: dict[str, Any] = {
    "semantic_models": [
        {
            "name": "orders",
            "model": "ref('fct_orders')",
            "entities": [{"name": "order", "type": "primary", "expr": "order_id"}],
            "dimensions": [{"name": "state", "expr": "status_cd"}, {"name": "channel"}],
            "measures": [
                {"name": "sales", "agg": "sum", "expr": "amount - discount"},
                {"name": "orders", "agg": "count_distinct", "expr": "order_id"},
                {"name": "spread", "agg": "percentile", "expr": "amount"},
            ],
        }
    ]
}


def read(**parts: Any) -> Reading:
    return read_dbt(Source(shown="source", text=yaml.safe_dump(OLDER | parts, sort_keys=False)))


def metric(name: str, measure: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": "simple", "type_params": {"measure": measure}, **more}


SALES = metric("sales_total", "sales", label="Net sales")
COUNT = metric("order_count", {"name": "orders"})
PAID = "{{ Dimension('order__state') }} = 'paid'"


METRICS = [
    (SALES, "What is Net sales?",
     "SELECT SUM(amount - discount) AS m FROM fct_orders"),
    (COUNT, "What is m?", "SELECT COUNT(DISTINCT order_id) AS m FROM fct_orders"),
    (metric("m", "sales", filter=PAID), "What is m?",
     "SELECT SUM(amount - discount) AS m FROM fct_orders WHERE (status_cd) = 'paid'"),
    (metric("m", "sales", meta={"question": "How much?"}), "How much?",
     "SELECT SUM(amount - discount) AS m FROM fct_orders"),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "question", "sql"), METRICS)
def test_a_simple_metric_is_an_aggregate_of_its_model(
    entry: dict[str, Any], question: str, sql: str
) -> None:
    (found,) = read(metrics=[{**entry, "name": "m"}]).candidates
    assert found.question == question
    assert found.gold_sql == (sql,)
    assert found.fields["metric"] == "m"


def test_a_ratio_of_two_metrics_of_one_model_is_a_division() -> None:
    ratio = {
        "name": "basket", "type": "ratio",
        "type_params": {"numerator": "sales_total", "denominator": "order_count"},
    }  # fmt: skip
    found = read(metrics=[SALES, COUNT, ratio]).candidates[2]
    assert found.gold_sql == (
        (
            "SELECT SUM(amount - discount) * 1.0 / NULLIF(COUNT(DISTINCT order_id), 0) "
            "AS basket FROM fct_orders"
        ),
    )


def test_a_metric_of_the_newer_files_stands_within_its_model() -> None:
    newer = {
        "models": [
            {
                "name": "fct_orders",
                "semantic_model": {"enabled": True},
                "columns": [{"name": "status_cd", "dimension": {"name": "state"}}],
                "metrics": [
                    {"name": "sales", "type": "simple", "agg": "sum", "expr": "amount",
                     "filter": PAID}
                ],
            }
        ]
    }  # fmt: skip
    (found,) = read_dbt(Source(shown="source", text=yaml.safe_dump(newer))).candidates
    assert found.gold_sql == (
        "SELECT SUM(amount) AS sales FROM fct_orders WHERE (status_cd) = 'paid'",
    )


def saved(**params: Any) -> dict[str, Any]:
    return {"name": "s", "description": "Sales by channel?", "query_params": params}


def test_a_saved_query_groups_metrics_by_dimensions() -> None:
    entry = saved(
        metrics=["sales_total", "order_count"],
        group_by=["Dimension('order__channel')"],
        where=[PAID],
    )
    found = read(metrics=[SALES, COUNT], saved_queries=[entry]).candidates[2]
    assert found.question == "Sales by channel?"
    assert found.gold_sql == (
        (
            "SELECT channel AS channel, SUM(amount - discount) AS sales_total, "
            "COUNT(DISTINCT order_id) AS order_count FROM fct_orders "
            "WHERE (status_cd) = 'paid' GROUP BY channel"
        ),
    )


def test_a_saved_query_with_sql_of_its_own_is_taken_as_it_is() -> None:
    entry = {"name": "s", "question": "How many?", "sql": "select  count(*) from t"}
    (found,) = read(saved_queries=[entry]).candidates
    assert (found.id, found.question, found.gold_sql) == (
        "s", "How many?", ("select  count(*) from t",),
    )  # fmt: skip


UNTAKEN = [
    (metric("m", "nowhere"), "its measure 'nowhere' is of no semantic model"),
    (metric("m", "spread"), "the aggregation 'percentile' needs dbt's compiler"),
    ({"name": "m", "type": "derived"}, "a derived metric needs dbt's compiler"),
    ({"name": "m", "type": "simple"}, "has no measure"),
    (metric("m", "sales", filter="{{ Metric('x') }} > 3"), "a filter by Metric needs"),
    (metric("m", "sales", filter="{{ Dimension('order__size') }} > 3"), "'order__size' is no"),
    (metric("m", "sales", filter="{% if x %} a {% endif %}"), "needs dbt's compiler"),
]


@pytest.mark.parametrize(("entry", "reason"), UNTAKEN)
def test_a_metric_that_needs_the_compiler_is_told(entry: dict[str, Any], reason: str) -> None:
    (untaken,) = read(metrics=[entry]).untaken
    assert reason in untaken.reason
    assert untaken.name == "m"


UNTAKEN_QUERIES = [
    (saved(), "'query_params.metrics' is empty"),
    (saved(metrics=["x"]), "there is no metric 'x'"),
    (saved(metrics=["sales_total"], group_by=["TimeDimension('metric_time', 'month')"]),
     "needs dbt's compiler"),
    (saved(metrics=["sales_total"], limit=3), "'query_params.limit' is not read"),
    (saved(metrics=[1]), "'query_params.metrics' is no list of texts"),
    ({"name": "s"}, "has neither 'sql' nor 'query_params'"),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "reason"), UNTAKEN_QUERIES)
def test_a_saved_query_that_needs_the_compiler_is_told(entry: dict[str, Any], reason: str) -> None:
    (untaken,) = read(metrics=[SALES], saved_queries=[entry]).untaken
    assert reason in untaken.reason


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version: 2\n", "source:1: neither `metrics` nor `saved_queries`"),
        ("metrics: 3\n", "source:1: 'metrics' is a list"),
        ("metrics:\n- a\n", "source:2: 'metrics' holds mappings"),
        ("metrics: [\n", "no valid YAML"),
    ],
)
def test_a_broken_dbt_file_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(SuiteError) as told:
        read_dbt(Source(shown="source", text=text))
    assert message in str(told.value)


def test_a_dbt_file_is_imported_from_end_to_end(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.sqlite") as shop:
        shop.executescript(
            "create table fct_orders (order_id, status_cd, channel, amount, discount);"
            "insert into fct_orders values (1, 'paid', 'web', 10, 1), (2, 'open', 'web', 5, 0);"
        )
    shop.close()
    metrics = [SALES, metric("paid_sales", "sales", filter=PAID)]
    (tmp_path / "metrics.yml").write_text(yaml.safe_dump(OLDER | {"metrics": metrics}))
    run = goldsuite("suite", "import", "dbt", "metrics.yml", "--out", "suite.yaml", "--warehouse",
                    "sqlite:///shop.sqlite", "--test-share", "50%", cwd=tmp_path)  # fmt: skip
    assert run.code == 0, run.err
    values = {case.id: case.gold_value for case in load_key(tmp_path / "suite.yaml").cases}
    # 10 - 1 + 5 - 0 and 10 - 1.
    assert values == {"sales_total": 14, "paid_sales": 9}
