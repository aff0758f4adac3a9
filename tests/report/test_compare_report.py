"""A comparison in three formats, byte for byte, and what it says of held-out cases."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from goldsuite.comparison.compare import Comparison, compare_records
from goldsuite.model.diagnosis import FailureMode
from goldsuite.model.process import ProcessScores
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report.compare_json import compare_json
from goldsuite.report.compare_markdown import compare_markdown
from goldsuite.report.compare_text import compare_text
from goldsuite.report.compare_view import view_comparison
from tests.comparison.made_runs import run_of, trial

GOLDEN = Path(__file__).parent / "golden"


def _first() -> RunRecord:
    cases = [
        trial("kept", "+", analyst_value="5", cost=0.25, latency_ms=900, query_similarity=1.0),
        trial(
            "fixed", "-", analyst_value="<b>7|\x1b[2J", cost=0.25, latency_ms=1100,
            query_similarity=0.5, failure_mode=FailureMode.WRONG_GRAIN,
        ),
        trial("broken", "+", analyst_value="31,200", cost=0.25, latency_ms=1000),
        trial("waited", "+", cost=0.25),
    ]  # fmt: skip
    return replace(run_of(cases), changelog="before")


def _second() -> RunRecord:
    cases = [
        trial("kept", "+", analyst_value="5", cost=0.5, latency_ms=1000, query_similarity=1.0),
        trial("fixed", "+", analyst_value="8", cost=0.5, latency_ms=1000, query_similarity=1.0),
        trial("broken", "!", cost=0.5),
        trial("waited", "s"),
    ]
    record = run_of(cases, number=2)
    assert record.context_state is not None
    state = replace(record.context_state, metrics=("net_revenue", "orders"), count=2)
    return replace(record, changelog="after", context_state=state, model="m-2")


def _comparison() -> Comparison:
    return compare_records(_first(), _second())


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("compare.txt", lambda found: compare_text(view_comparison(found))),
        ("compare.md", lambda found: compare_markdown(view_comparison(found))),
        ("compare.json", compare_json),
    ],
)
def test_each_format_is_the_golden_file(name: str, write: Callable[[Comparison], str]) -> None:
    assert write(_comparison()) == (GOLDEN / name).read_text(encoding="utf-8")


def _held_out(sign: str, number: int) -> RunRecord:
    case: CaseRecord = trial(
        "hidden", sign, split="test", analyst_value="SECRET-1", analyst_query="SECRET-2",
        gold_sql="SECRET-3", gold_value="SECRET-4", reason="SECRET-5", query_similarity=0.123,
        process=ProcessScores(score=0.9 / number), failure_mode=FailureMode.FAN_OUT,
    )  # fmt: skip
    return run_of([case], number=number, split="test")


def test_held_out_cases_show_ids_and_verdicts_alone() -> None:
    found = compare_records(_held_out("+", 1), _held_out("-", 2))
    view = view_comparison(found)
    for text in (compare_text(view), compare_markdown(view), compare_json(found)):
        assert "SECRET" not in text
        assert "hidden" in text
    (case,) = json.loads(compare_json(found))["cases"]
    assert set(case) == {
        "id", "split", "state", "why_not", "first_verdicts", "second_verdicts", "difference",
    }  # fmt: skip
    assert view.drops == (
        "process score of the run fell: 0.90 → 0.45",
        "1 held-out case with a score that fell",
    )


def test_records_that_are_not_comparable_are_marked_in_every_format() -> None:
    other = replace(_second(), split="all")
    found = compare_records(_first(), other)
    view = view_comparison(found)
    assert "NOT COMPARABLE: the split is train, then all\n" in compare_text(view)
    assert "> **Not comparable:** the split is train, then all\n" in compare_markdown(view)
    assert [each["code"] for each in json.loads(compare_json(found))["not_comparable"]] == ["split"]
