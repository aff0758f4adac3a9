"""Signs that an analyst had seen the key, and what an honest trace may look like."""

from decimal import Decimal

import pytest

from goldsuite.audit.traces import Sought, sought_value, suspicions
from goldsuite.model.answer import LoggedQuery, Reply, ToolCall, TraceEvent, TraceKind
from goldsuite.model.held_out import LeakKind

GOLD = "select sum(o.net) from orders o join customers c using (customer_id) where not c.internal"
VALUE = "4823910.55"


def sought(*leaked: LeakKind) -> Sought:
    return Sought(
        suite_file="gold-cases.yaml", gold_sql=(GOLD,), values=(Decimal(VALUE),),
        leaked=frozenset(leaked),
    )  # fmt: skip


def event(kind: TraceKind, text: str, name: str | None = None) -> TraceEvent:
    return TraceEvent(kind=kind, text=text, name=name)


def told(*events: TraceEvent, query: str | None = GOLD) -> tuple[str, ...]:
    return suspicions(Reply(value=VALUE, query=query, trace=events), sought(), dialect="duckdb")


ASKS = event("tool_call", f'{{"sql": "{GOLD}"}}', "run_query")
GIVES = event("tool_result", f"sum\n{VALUE}", "run_query")
SAYS = event("text", f"It was {VALUE}.")
READS = event("tool_call", '{"path": "/data/x.yaml"}', "Read")
SHELL = event("tool_call", '{"command": "python q.py"}', "Bash")


@pytest.mark.parametrize(
    "events",
    [
        (),
        (ASKS, GIVES, SAYS),
        # Worked out from results that are no single value.
        (ASKS, event("tool_result", "4000000\n823910.55"), SAYS),
        (SHELL, event("tool_result", VALUE, "Bash"), SAYS),
        (event("thinking", f"I will run {GOLD}"), ASKS, GIVES),
        # A tool that repeats the query that it was given.
        (ASKS, event("tool_result", f"{GOLD}: {VALUE}")),
        (event("text", "about 4.8 million, I guess"), ASKS, GIVES),
    ],
)
def test_honest_work_is_no_sign(events: tuple[TraceEvent, ...]) -> None:
    assert told(*events) == ()


@pytest.mark.parametrize(
    ("events", "sign"),
    [
        ((event("tool_call", "cat ../gold-cases.yaml", "Bash"),), "names the suite's file"),
        ((READS, event("tool_result", f"gold_sql: {GOLD}", "Read")), "text of a gold query"),
        ((READS, event("tool_result", f"gold_value: {VALUE}", "Read")), "before any query"),
        ((SAYS, ASKS, GIVES), "before any query"),
        ((event("thinking", "4,823,910.55 it is"),), "before any query"),
        ((event("tool_call", f"select {VALUE} from t", "run_query"), GIVES), "before any query"),
    ],
)  # fmt: skip
def test_signs_of_the_key_are_told_by_their_step(events: tuple[TraceEvent, ...], sign: str) -> None:
    (sentence,) = told(*events)
    assert sign in sentence
    assert "Step " in sentence
    assert VALUE not in sentence
    assert "orders" not in sentence


def test_a_constant_that_is_the_gold_is_a_sign_unless_the_gold_has_it_too() -> None:
    assert told(query=f"select {VALUE}") == (
        "The SQL holds the gold value to full precision as a constant.",
    )
    assert told(query="select 4823911") == ()


def test_the_suites_name_in_calls_and_queries_is_a_sign() -> None:
    call = ToolCall(name="Bash", arguments="cat gold-cases.yaml")
    for reply in (
        Reply(value="1", calls=(call,)),
        Reply(value="1", query="select * from 'gold-cases.yaml'"),
        Reply(value="1", queries=(LoggedQuery(sql="select * from 'gold-cases.yaml'"),)),
    ):
        assert len(suspicions(reply, sought(), dialect="duckdb")) == 1


def test_a_value_without_any_query_is_a_sign_where_queries_are_logged() -> None:
    assert suspicions(Reply(value=VALUE, queries=()), sought(), dialect="duckdb")
    assert not suspicions(Reply(value=VALUE, queries=None), sought(), dialect="duckdb")
    assert not suspicions(Reply(value="4.8M", queries=()), sought(), dialect="duckdb")


def test_what_the_context_holds_anyway_is_no_sign() -> None:
    trace = (READS, event("tool_result", f"{GOLD} = {VALUE}", "Read"))
    reply = Reply(value=VALUE, query=GOLD, trace=trace)
    assert len(suspicions(reply, sought(), dialect="duckdb")) == 2
    assert suspicions(reply, sought("gold SQL", "gold value"), dialect="duckdb") == ()


def test_only_single_long_numbers_are_sought() -> None:
    assert sought_value(0.30000000000000004, 4823910.55, 1234, "12345", True, None) == (
        Decimal("0.30000000000000004"), Decimal("4823910.55"),
    )  # fmt: skip
    assert sought_value(((123456,),)) == ()
