"""One case for someone who mends it: all that is known, nothing hostile, nothing held-out."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from goldsuite.model.answer import Answer, Reply, TraceEvent
from goldsuite.model.diagnosis import (
    CaseLabel,
    Cause,
    FailureCluster,
    FailureMode,
    Repair,
    RootCluster,
    Suggestion,
)
from goldsuite.model.run import CaseRecord
from goldsuite.report.case_formats import case_json, case_markdown, print_case
from goldsuite.report.case_view import view_case
from goldsuite.report.failures import failures_json, failures_markdown, failures_text
from goldsuite.report.held_out import visible
from goldsuite.report.labelled import labelled
from tests.sample_run import sample_record

TRACE = (
    TraceEvent(kind="thinking", text="which\ntable?"),
    TraceEvent(kind="tool_call", name="run_sql", text="select 1 \x1b[31m"),
)


def _failed() -> CaseRecord:
    case = sample_record().cases[1]
    assert case.diagnosis is not None
    repair = Repair(edits=("Add the filter `paid`.",), sql="select sum(net) from o", returns="7")
    return replace(case, diagnosis=replace(case.diagnosis, repair=repair))


def _text(case: CaseRecord, answer: Answer | None = None) -> str:
    out = io.StringIO()
    print_case(view_case(sample_record(), case, answer), out)
    return out.getvalue()


def _answer(trace: tuple[TraceEvent, ...]) -> Answer:
    return Answer(id="net-revenue", trial=1, reply=Reply(trace=trace))


def test_the_text_has_every_part_in_the_order_of_reading() -> None:
    text = _text(_failed(), _answer(TRACE))
    parts = ("What was net revenue", "- analyst", "+ gold", "- SELECT", "* The dictionary does not")
    places = [text.index(part) for part in (*parts, "* Add the filter", "returned 7", "thinking:")]
    assert places == sorted(places)
    assert "  tool call run_sql: select 1 \\u001b[31m\n" in text
    assert "\x1b" not in text


def test_a_long_trace_is_cut_and_says_by_how_much() -> None:
    steps = tuple(TraceEvent(kind="text", text=f"step {number}") for number in range(43))
    text = _text(_failed(), _answer(steps))
    assert "text: step 39\n" in text
    assert "step 40" not in text
    assert "... 3 steps more in answers.jsonl" in text


def test_queries_that_cannot_be_read_are_shown_as_they_are() -> None:
    text = _text(replace(_failed(), analyst_query="select (a\nfrom t"))
    assert "  - select (a\n  - from t\n  + select sum(net)\n  + from secret_orders\n" in text


def test_a_terminal_of_eighty_columns_holds_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    columns = " + ".join(f"orders.amount_{number}" for number in range(12))
    case = replace(_failed(), analyst_query=f"select sum({columns}) from orders")
    out = Screen()
    print_case(view_case(sample_record(), case, None), out)
    assert max(len(line.rstrip()) for line in out.getvalue().splitlines()) <= 80


def test_markdown_lets_no_text_out_of_its_block() -> None:
    hostile = replace(_failed(), analyst_query="select 1 -- ```\n<script>", question="# <b>|`x`|")
    text = case_markdown(view_case(sample_record(), hostile, None))
    assert "\\# \\<b\\>\\|\\`x\\`\\|" in text
    lines = [line for line in text.splitlines() if "<script>" in line or "```" in line]
    assert all(line.startswith("    ") for line in lines)


def test_json_is_the_case_of_the_record_with_difference_and_trace() -> None:
    plain = json.loads(case_json(view_case(sample_record(), _failed(), _answer(TRACE))))
    assert plain["case"]["gold_value"] == 1000.5
    assert plain["diff"][0]["lines"][0] == {
        "clause": "SELECT",
        "side": "analyst",
        "text": "SUM(orders.gross)",
    }
    assert [event["kind"] for event in plain["trace"]] == ["thinking", "tool_call"]


LABEL = CaseLabel(
    case="net-revenue",
    cause=Cause.WRONG_TIME_WINDOW,
    mode=FailureMode.WRONG_FILTER,
    note="fiscal year",
    labelled_at=datetime(2026, 1, 3, tzinfo=UTC),
)


def test_a_label_is_shown_beside_what_was_found() -> None:
    record = labelled(sample_record(), {"net-revenue": LABEL, "orders-2025": LABEL})
    assert [case.label for case in record.cases] == [None, LABEL, None]
    assert record.cases[1].failure_mode is FailureMode.UNDEFINED_METRIC_DRIFT
    assert [(m.mode, m.cases) for m in record.failure_modes] == [
        (FailureMode.WRONG_FILTER, ("net-revenue",))
    ]
    assert "labelled wrong-time-window by hand on 2026-01-03: fiscal year" in _text(record.cases[1])


def test_a_held_out_case_shows_neither_gold_nor_trace() -> None:
    record = visible(labelled(sample_record("test"), {"net-revenue": LABEL}), reveal=False)
    view = view_case(record, record.cases[1], _answer(TRACE))
    out = io.StringIO()
    print_case(view, out)
    for text in (out.getvalue(), case_markdown(view), case_json(view)):
        for secret in ("secret_orders", "1000.5", "1,000.5", "thinking", "fiscal", "run_sql"):
            assert secret not in text


def _cluster(name: str, *cases: str) -> RootCluster:
    suggestion = Suggestion(
        text=f"Define {name}.", file="metrics/index.yaml", entry=f"- {name}\n", metric=name
    )
    return RootCluster(
        id=f"define-{name}",
        cause=Cause.UNDEFINED_METRIC_DRIFT,
        root=f"undefined-metric-drift: {name}",
        cases=cases,
        proven=cases,
        flips=cases,
        suggestion=suggestion,
    )


def test_a_cluster_of_both_splits_keeps_its_train_cases_and_one_of_held_out_ones_goes() -> None:
    record = sample_record()
    failed = record.cases[1]
    mode = FailureCluster(
        mode=FailureMode.UNDEFINED_METRIC_DRIFT,
        count=3,
        cases=("net-revenue", "hidden-a", "hidden-b"),
        clusters=(_cluster("open", "net-revenue", "hidden-a"), _cluster("secret", "hidden-b")),
    )
    hidden = (replace(failed, id=name, split="test") for name in ("hidden-a", "hidden-b"))
    mixed = replace(record, cases=(*record.cases, *hidden), failure_modes=(mode,))
    for write in (failures_text, failures_markdown, failures_json):
        shown = write(mixed, reveal=False)
        assert "define-open" in shown
        assert "secret" not in shown
        assert "hidden-" not in shown
        assert "define-secret" in write(mixed, reveal=True)
    plain = json.loads(failures_json(mixed, reveal=False))
    assert (plain["failed"], plain["held_out"]) == (3, 2)
    assert [(c["count"], c["flips"]) for c in plain["clusters"]] == [(1, ["net-revenue"])]


def test_a_record_from_before_roots_were_told_says_so() -> None:
    assert "tells no roots" in failures_text(sample_record(), reveal=False)
