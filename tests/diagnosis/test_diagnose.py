"""Budget, deadline, what the method cannot do, rows, and many failures at once."""

import math
import time
from dataclasses import replace

import pytest

from goldsuite.diagnosis.bench import Bench
from goldsuite.diagnosis.diagnose import diagnose, diagnose_all
from goldsuite.diagnosis.failure import Failure
from goldsuite.model.diagnosis import Cause, FailureMode
from goldsuite.model.result_set import Execution, Problem
from tests.diagnosis.conftest import Counting

PAID = "select sum(gross) from sales where state = 'paid'"
ALL = "select sum(gross) from sales"


def failure(gold: str, predicted: str | None, question: str = "What was taken?") -> Failure:
    return Failure(
        question=question,
        gold_sql=gold,
        predicted_sql=predicted,
        definition_source=None,
        reason="The value differs.",
        metric=None,
        dialect="duckdb",
    )


def test_the_repair_says_what_to_do_and_what_it_returns(benches: dict[str, Bench]) -> None:
    found = diagnose(failure(PAID, ALL), benches["shop"])
    assert found.repair is not None
    assert found.repair.edits == ("Add the filter `sales.state = 'paid'`.",)
    assert found.root == "wrong-filter: needs sales.state = 'paid'"
    assert found.method == "counterfactual"
    assert found.confidence == "high"
    assert found.mode is FailureMode.WRONG_FILTER


def test_a_query_that_reads_no_table_is_said_to_read_none(benches: dict[str, Bench]) -> None:
    found = diagnose(failure(PAID, "select 1"), benches["shop"])
    assert found.repair is not None
    assert found.repair.edits == (
        "Write the query over `sales` as the gold does; the analyst's is over no table.",
    )


def test_the_same_missing_condition_has_the_same_root(benches: dict[str, Bench]) -> None:
    one = diagnose(failure(PAID, ALL), benches["shop"])
    other = diagnose(
        failure(
            "select count(*) from sales s where s.state = 'paid' and s.sold_at >= '2025-01-01'",
            "select count(*) from sales where sold_at >= '2025-01-01'",
        ),
        benches["shop"],
    )
    assert one.root == other.root


def test_with_no_budget_nothing_is_executed(benches: dict[str, Bench]) -> None:
    door = Counting(benches["shop"])
    found = diagnose(failure(PAID, ALL), replace(benches["shop"], execute=door.execute, budget=0))
    assert door.count == 0
    assert (found.method, found.mode, found.executions) == (
        "structure", FailureMode.WRONG_FILTER, None,
    )  # fmt: skip


@pytest.mark.parametrize("budget", [1, 2, 3, 5])
def test_a_budget_is_never_exceeded(budget: int, benches: dict[str, Bench]) -> None:
    door = Counting(benches["shop"])
    bench = replace(benches["shop"], execute=door.execute, budget=budget)
    wrong = "select avg(s.tax) from sales_backup s join lines l using (sale_id) where way = 'web'"
    found = diagnose(failure(PAID, wrong), bench)
    assert door.count <= budget
    assert found.executions == door.count


def test_after_the_deadline_nothing_new_is_executed(benches: dict[str, Bench]) -> None:
    door = Counting(benches["shop"])
    bench = replace(benches["shop"], execute=door.execute, deadline_s=-math.inf)
    found = diagnose(failure(PAID, ALL), bench)
    assert door.count == 0
    assert found.mode is FailureMode.WRONG_FILTER


@pytest.mark.parametrize(
    ("predicted", "reason"),
    [
        (
            """with recursive r as (select 1 as n union all select n + 1 from r where n < 9)
            select sum(n) from r""",
            "recursive",
        ),
        ("select sum(gross) * random() from sales", "another result each time"),
        ("select sum(x) from sales, unnest([gross, tax]) as t(x)", "taken apart"),
        ("select sum(gross) from sales using sample 10%", "another result each time"),
    ],
)
def test_where_the_method_does_not_apply_it_says_why(
    predicted: str, reason: str, benches: dict[str, Bench]
) -> None:
    found = diagnose(failure(PAID, predicted), benches["shop"])
    if found.method != "counterfactual":
        assert reason in (found.not_applicable or ""), found
        assert found.evidence


@pytest.mark.parametrize(
    "predicted",
    [
        "select",
        "drop table sales",
        "select 1; select 2",
        "select * from sales",
        "select * from (values (1, 2)) as t(a, b)",
        "pivot sales on state using sum(gross)",
        "select gross from sales order by 1 limit 1",
        "select sum(gross) over () from sales limit 1",
        "select (select max(tax) from sales) - (select min(tax) from sales)",
        "select sum(s.gross) from sales s, lateral (select 1) t",
        "select sum(gross) from sales where exists (select 1 from buyers)",
        "select sum(a.gross) from sales a natural join sales_backup b",
        "select sum(gross) from sales group by grouping sets ((state), ()) limit 1",
        "select sum(gross) filter (where state = 'paid') from sales qualify true",
        "\x00",
    ],
)
def test_no_query_breaks_the_diagnosis(predicted: str, benches: dict[str, Bench]) -> None:
    found = diagnose(failure(PAID, predicted), benches["shop"])
    assert found.causes
    assert found.evidence
    reverse = diagnose(failure(predicted, PAID), benches["shop"])
    assert reverse.causes


def test_rows_are_repaired_too_and_the_wrong_groups_are_told(benches: dict[str, Bench]) -> None:
    gold = "select state, count(*) as n from sales where way = 'web' group by state"
    found = diagnose(
        failure(gold, "select state, count(*) as n from sales group by state"), benches["shop"]
    )
    assert found.causes == (Cause.WRONG_FILTER,)
    assert any("`n` is too high in 3 of 3 groups" in sentence for sentence in found.evidence)


def test_a_repair_that_holds_by_chance_is_refused(benches: dict[str, Bench]) -> None:
    """Every sale has a positive gross, so that condition alone changes nothing today."""
    gold = "select sum(gross) from sales where state = 'paid' and gross > 0"
    asked: list[tuple[str, str]] = []

    def distinguishes(sql_a: str, sql_b: str) -> bool:
        asked.append((sql_a, sql_b))
        return "gross > 0" not in sql_a

    bench = replace(benches["shop"], distinguishes=distinguishes)
    found = diagnose(failure(gold, ALL), bench)
    assert asked
    assert found.causes == (Cause.WRONG_FILTER,)
    assert [s for s in found.latent if "gross > 0" in s], found


def test_many_failures_are_diagnosed_at_once_and_in_order(benches: dict[str, Bench]) -> None:
    failures = [
        failure(PAID, ALL), failure(PAID, None), failure(PAID, PAID.replace("gross", "tax")),
    ] * 3  # fmt: skip
    found = diagnose_all(failures, benches["shop"], workers=3)
    assert [d.cause for d in found] == [
        Cause.WRONG_FILTER, Cause.NO_ANSWER, Cause.WRONG_COLUMN,
    ] * 3  # fmt: skip


def test_nobody_at_work_is_an_error(benches: dict[str, Bench]) -> None:
    with pytest.raises(ValueError, match="0 workers"):
        diagnose_all([], benches["shop"], workers=0)


def test_a_door_that_refuses_everything_leaves_the_structure(benches: dict[str, Bench]) -> None:
    def refuse(sql: str) -> Execution:
        return Execution(sql=sql, problem=Problem(kind="refused", message="not today"))

    found = diagnose(failure(PAID, ALL), replace(benches["shop"], execute=refuse))
    assert (found.method, found.mode) == ("structure", FailureMode.WRONG_FILTER)


def test_the_time_is_told(benches: dict[str, Bench]) -> None:
    before = time.monotonic()
    found = diagnose(failure(PAID, ALL), benches["shop"])
    assert found.elapsed_ms is not None
    assert 0 <= found.elapsed_ms <= (time.monotonic() - before) * 1000 + 1
