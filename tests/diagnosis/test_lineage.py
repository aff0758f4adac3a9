"""What a query reads is told with certainty, and nothing is told of what it may do."""

import pytest

from goldsuite.context.dictionary import Metric, MetricDictionary
from goldsuite.diagnosis.claims import check_claim
from goldsuite.diagnosis.lineage import check_reads
from goldsuite.diagnosis.lineage_rules import LineageRules, read_pattern

COLUMNS = {
    "customers": ["id", "email", "name"],
    "orders": ["id", "customer_id", "total", "state"],
}


def _flags(sql: str, *, forbid: tuple[str, ...] = (), require: tuple[str, ...] = ()) -> list[str]:
    rules = LineageRules(forbid=forbid, require=require)
    return [f.flag for f in check_reads(sql, rules, dialect="duckdb", columns=COLUMNS)]


@pytest.mark.parametrize(
    ("sql", "reads_email"),
    [
        ("select email from customers", True),
        ("select c.EMAIL from Customers as c", True),
        ("select name from customers where email like '%x'", True),
        ("select * from customers", True),
        ("select o.*, c.* from orders o join customers c on c.id = o.customer_id", True),
        ("select c from customers c", True),
        ("with x as (select * from customers) select name from x", True),
        ("select x.email from (select email from customers) x", True),
        ("select total, (select max(email) from customers) from orders", True),
        ("select email from orders join customers on customers.id = customer_id", True),
        ("select 1 from orders o where exists (select 1 from customers where email = 'x')", True),
        ("select name from customers", False),
        ("select count(*) from customers", False),
        ("select o.* from orders o join customers c on c.id = o.customer_id", False),
        ("select 'customers.email' from orders -- customers.email", False),
        ("with customers as (select 1 as email) select email from customers", False),
        ("select total as email from orders", False),
    ],
)  # fmt: skip
def test_a_forbidden_column_is_found_wherever_it_is_read(sql: str, reads_email: bool) -> None:
    assert _flags(sql, forbid=("customers.email",)) == ["forbidden_read"] * reads_email


@pytest.mark.parametrize(
    ("pattern", "sql", "fits"),
    [
        ("staging.*", "select a from staging.raw", True),
        ("staging.*", "select a from raw", False),
        ("staging.*", "select a from main.staging", True),
        ("tmp_*", "select a from tmp_orders", True),
        ("tmp_*", "select a from orders", False),
        ("*.email", "select email from customers", True),
        ("hr.people.salary", "select salary from hr.people", True),
        ("hr.people.salary", "select name from hr.people", False),
        ("hr.people.salary", "select salary from people", False),
    ],
)
def test_a_pattern_means_a_table_a_column_or_a_schema(pattern: str, sql: str, fits: bool) -> None:
    assert _flags(sql, forbid=(pattern,)) == ["forbidden_read"] * fits


def test_of_each_required_pattern_something_must_be_read() -> None:
    sql = "select sum(total) from mart.orders"
    assert _flags(sql, require=("mart.*",)) == []
    assert _flags(sql, require=("mart.*", "customers")) == ["required_read_missing"]


def test_the_evidence_names_what_was_read_and_the_rule() -> None:
    rules = LineageRules(forbid=("customers.*",))
    (found,) = check_reads(
        "select name, email from customers", rules, dialect="duckdb", columns=COLUMNS
    )
    assert found.evidence == (
        "The SQL reads `customers.email`, `customers.name`; `customers.*` is forbidden."
    )


def test_sql_that_cannot_be_read_is_said_to_be_unchecked() -> None:
    assert _flags("select from where", forbid=("a",)) == ["lineage_unread"]
    assert _flags("select from where") == []


@pytest.mark.parametrize("text", ["", "a..b", "*", "*.*", "a.b.c.d"])
def test_a_text_that_is_no_pattern_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no pattern"):
        read_pattern(text)


SALES = Metric(
    name="gross_sales",
    synonyms=("turnover",),
    sql="sum(orders.total)",
    source="orders",
    filters=("orders.state <> 'cancelled'",),
)
VISITS = Metric(name="visits", sql="count(*)", source="sessions")


def _claim(
    sql: str,
    *,
    question: str = "What were gross sales?",
    source: str | None = "metric dictionary",
    metrics: tuple[Metric, ...] = (SALES, VISITS),
) -> str | None:
    found = check_claim(
        question=question,
        definition_source=source,
        sql=sql,
        dictionary=MetricDictionary(metrics=metrics),
        dialect="duckdb",
        columns={},
    )
    return None if found is None else found.evidence


def test_a_claim_is_borne_out_by_table_measure_and_filters() -> None:
    assert _claim("select sum(o.total) from orders o where o.state <> 'cancelled'") is None
    assert _claim("select sum(total) from (select * from orders)") is None


@pytest.mark.parametrize(
    ("sql", "lacking"),
    [
        ("select sum(total) from orders", "the filter `orders.state <> 'cancelled'`"),
        (
            "select sum(amount) from daily where state <> 'cancelled'",
            "the table `orders`, the column `orders.total`",
        ),
    ],
)
def test_what_the_sql_lacks_of_the_definition_is_named(sql: str, lacking: str) -> None:
    assert _claim(sql) == (
        f"The analyst claims the metric dictionary, and the SQL lacks of `gross_sales`: {lacking}."
    )


@pytest.mark.parametrize(
    ("question", "source", "metrics"),
    [
        ("What were gross sales?", "my own choice", (SALES,)),
        ("What were gross sales?", None, (SALES,)),
        # In prose there is nothing to compare with.
        ("What were gross sales?", "metric dictionary", (Metric(name="gross_sales"),)),
        ("What was that?", "metric dictionary", (SALES, Metric(name="other"))),
    ],
)
def test_nothing_is_told_where_it_cannot_be_known(
    question: str, source: str | None, metrics: tuple[Metric, ...]
) -> None:
    sql = "select max(day) from calendar"
    assert _claim(sql, question=question, source=source, metrics=metrics) is None


def test_a_claim_on_an_empty_dictionary_is_no_claim() -> None:
    told = _claim("select 1", metrics=())
    assert told == "The analyst claims the metric dictionary, which has no metric."


def test_a_question_that_names_no_metric_may_use_any_of_them() -> None:
    assert _claim("select count(*) from sessions", question="How many came?") is None
    told = _claim("select max(day) from calendar", question="How many came?")
    assert told == "The analyst claims the metric dictionary, and the SQL has no definition of it."
