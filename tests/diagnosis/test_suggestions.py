"""A definition is taken from the golds that ask for it, and is read back as what it was."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from goldsuite.context.dictionary import Metric, MetricDictionary
from goldsuite.context.read_dictionary import load_dictionary
from goldsuite.context.resolve import resolve_context
from goldsuite.diagnosis.definition import Asked, Definition, Join, definition_of
from goldsuite.diagnosis.suggestions import CaseFacts, Suggester
from goldsuite.model.diagnosis import Cause, Diagnosis, FailureMode, Suggestion
from goldsuite.model.question import Split

PAID = (
    "What was revenue in 2025?",
    (
        "select sum(i.amount) from invoices i join clients c on i.client_id = c.id "
        "where i.paid and not c.is_test and i.day >= '2025-01-01' and i.day < '2026-01-01'"
    ),
)
IN_SPAIN = (
    "What was revenue in Spain in March 2025?",
    (
        "select sum(i.amount) from invoices i join clients c on c.id = i.client_id "
        "where not c.is_test and i.paid and c.country = 'Spain' "
        "and i.day between '2025-03-01' and '2025-03-31'"
    ),
)
REVENUE = Definition(
    measure="SUM(invoices.amount)",
    source="invoices",
    joins=(Join(table="clients", condition="invoices.client_id = clients.id", inner=True),),
    filters=("invoices.paid", "NOT clients.is_test"),
    time_column="invoices.day",
)


def _asked(*pairs: tuple[str, str]) -> list[Asked]:
    return [Asked(question=question, gold_sql=sql) for question, sql in pairs]


def test_a_definition_is_the_gold_without_what_the_question_asks_for() -> None:
    assert definition_of(_asked(PAID), "duckdb", metric="revenue") == REVENUE


def test_a_slice_that_the_question_names_is_no_part_of_the_definition() -> None:
    assert definition_of(_asked(PAID, IN_SPAIN), "duckdb", metric="revenue") == REVENUE
    alone = definition_of(_asked(IN_SPAIN), "duckdb", metric="revenue")
    assert alone is not None
    assert set(alone.filters) == set(REVENUE.filters)


def test_a_condition_that_the_name_of_the_metric_says_is_a_part_of_it() -> None:
    refunds = (
        "What were refunds paid in May 2025?",
        (
            "select sum(amount) from refunds where status = 'paid' "
            "and day >= '2025-05-01' and day < '2025-06-01'"
        ),
    )
    found = definition_of(_asked(refunds), "duckdb", metric="refunds_paid")
    assert found is not None
    assert found.filters == ("refunds.status = 'paid'",)


def test_a_join_that_only_the_question_needs_is_left_out() -> None:
    by_region = (
        "What was revenue per region in 2025?",
        (
            "select r.name, sum(i.amount) from invoices i join regions r on i.region_id = r.id "
            "where i.paid and i.day >= '2025-01-01' group by r.name"
        ),
    )
    plain = ("What was revenue?", "select sum(amount) from invoices where paid")
    found = definition_of(_asked(by_region, plain), "duckdb", metric="revenue")
    assert found is not None
    assert found.joins == ()
    assert found.filters == ("invoices.paid",)


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) from (select a from t group by a having count(*) > 1)",
        "with x as (select 1 as a) select sum(a) from x",
        "select sum(a) from t union select sum(b) from u",
        "select a from t",
        "select sum(a), count(*) from t",
        "select sum(x.a) from t x join t y on x.id = y.parent",
        (
            "select sum(a) filter (where d >= '2025-02-01')"
            " / sum(a) filter (where d < '2024-03-01') from t"
        ),
        "select sum(a",
    ],
)
def test_a_query_of_another_shape_gives_no_definition(sql: str) -> None:
    assert definition_of(_asked(("How much?", sql)), "duckdb", metric="m") is None


def _facts(question: str, sql: str, split: Split = "train", metric: str = "revenue") -> CaseFacts:
    return CaseFacts(question=question, split=split, gold_sql=sql, metric=metric, unit="currency")


def _suggest(facts: Sequence[CaseFacts], root: str = "revenue") -> Suggestion:
    named = {f"case-{number}": each for number, each in enumerate(facts)}
    suggester = Suggester(named, dictionary=MetricDictionary(), dialect="duckdb")
    cause = Cause.UNDEFINED_METRIC_DRIFT
    found = suggester.suggest(cause, f"{cause.value}: {root}", tuple(named))
    assert found is not None
    return found


def test_the_entry_is_read_back_as_the_definition(tmp_path: Path) -> None:
    found = _suggest([_facts(*PAID), _facts(*IN_SPAIN)])
    assert (found.file, found.metric) == ("metrics/index.yaml", "revenue")
    metrics = tmp_path / ".knowledge" / "datasets" / "shop" / "metrics"
    metrics.mkdir(parents=True)
    (tmp_path / ".knowledge" / "active.yaml").write_text("active: shop\n")
    (metrics / "index.yaml").write_text(f"metrics:\n{found.entry}")
    (metric,) = load_dictionary(resolve_context(tmp_path)).metrics
    assert metric == Metric(
        name="revenue",
        label="Revenue",
        sql="SUM(invoices.amount)",
        source="invoices",
        joins=("clients on invoices.client_id = clients.id",),
        filters=("invoices.paid", "NOT clients.is_test"),
        time_column="invoices.day",
        unit="currency",
    )


def test_an_outer_join_has_no_key_so_the_definition_is_told_in_words() -> None:
    sql = (
        "select count(distinct r.id) / count(distinct o.id) from orders o "
        "left join refunds r on r.order_id = o.id where o.sent"
    )
    entry = _suggest([_facts("What is the refund rate?", sql)]).entry
    assert entry is not None
    words = " ".join(entry.split())
    assert "left joined with refunds on orders.id = refunds.order_id" in words or (
        "left joined with refunds on refunds.order_id = orders.id" in words
    )
    assert "where orders.sent" in words
    assert "sql:" not in words


def test_the_golds_of_held_out_cases_are_read_only_where_there_is_no_other() -> None:
    secret = _facts("What was revenue in 2024?", "select sum(secret) from vault", split="test")
    assert "vault" not in str(_suggest([secret, _facts(*PAID)]))
    assert "vault" in str(_suggest([secret]))


def test_where_no_entry_can_be_made_the_suggestion_says_so() -> None:
    found = _suggest([_facts("How many?", "select count(*) from (select a from t group by a)")])
    assert found.entry is None
    assert "by hand" in found.text


@pytest.mark.parametrize(
    ("cause", "what", "text"),
    [
        (
            Cause.FAN_OUT,
            "orders repeated by order_items",
            (
                "Joining order_items repeats the rows of orders: aggregate first, to one row for"
                " each row of orders, or filter by IN, before anything is summed or counted."
            ),
        ),
        (
            Cause.WRONG_FILTER,
            "needs NOT clients.is_test",
            "Keep to rows with `NOT clients.is_test`, unless the question asks for others.",
        ),
        (
            Cause.WRONG_SOURCE,
            "daily_sales instead of orders",
            "Read orders, not daily_sales, for figures of this kind.",
        ),
        (
            Cause.WRONG_JOIN,
            "extra-join order_lines",
            "Leave order_lines out of figures of this kind, unless the question needs it.",
        ),
    ],
)
def test_other_roots_have_a_line_for_the_notes(cause: Cause, what: str, text: str) -> None:
    suggester = Suggester({}, dictionary=MetricDictionary(), dialect="duckdb")
    found = suggester.suggest(cause, f"{cause.value}: {what}", ("a",))
    assert found == Suggestion(text=text, file="quirks.md", entry=f"- {text}\n")


def test_an_analyst_that_declined_may_have_lacked_the_metric() -> None:
    declined = Diagnosis(
        mode=FailureMode.UNCLASSIFIED,
        labels=(FailureMode.UNCLASSIFIED,),
        evidence=("It declined.",),
        confidence="high",
        cause=Cause.NO_ANSWER,
    )
    facts = {"a": _facts(*PAID)}
    lacking = Suggester(facts, dictionary=MetricDictionary(), dialect="duckdb")
    knowing = Suggester(
        facts, dictionary=MetricDictionary(metrics=(Metric(name="revenue"),)), dialect="duckdb"
    )
    assert lacking.root("a", declined) == "no-answer: revenue"
    assert knowing.root("a", declined) is None
