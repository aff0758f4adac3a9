"""The trend: whole and unaltered runs of one kind, and what changed between them."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from goldsuite.comparison.trend import METRICS, Trend, trend_of
from goldsuite.errors import RecordError, UsageError
from goldsuite.model.run import ContextState, RunRecord
from goldsuite.records.file import record_json
from goldsuite.records.header import RunHeader, header_of
from tests.comparison.made_runs import run_of, trial


def _header(record: RunRecord) -> RunHeader:
    return header_of(json.loads(record_json(record)), file=f"{record.run_id}.json")


def _trend(records: Sequence[RunRecord], **options: str) -> Trend:
    return trend_of([_header(record) for record in records], **options)  # type: ignore[arg-type]


def _context(*metrics: str) -> ContextState:
    state = run_of({"a": "+"}).context_state
    assert state is not None
    return replace(state, metrics=metrics, count=len(metrics))


def test_the_accuracy_stands_run_over_run_with_its_interval() -> None:
    trend = _trend([run_of({"a": "+", "b": "-"}, number=1), run_of({"a": "+", "b": "+"}, number=2)])
    assert [point.value for point in trend.points] == [0.5, 1.0]
    # Wilson, 1 of 2 and 2 of 2: 2 / (2 + 1.96²) = 0.3424.
    assert trend.points[0].interval == pytest.approx((0.0945, 0.9055), abs=1e-4)
    assert trend.points[1].interval == pytest.approx((0.3424, 1.0), abs=1e-4)
    assert [(point.passed, point.gradable) for point in trend.points] == [(1, 2), (2, 2)]


def test_parts_of_a_split_and_changed_records_never_enter() -> None:
    whole = run_of({"a": "+", "b": "-"}, number=1)
    parts = [
        replace(run_of({"b": "+"}, number=number), selection={name: "x"})
        for number, name in enumerate(("case", "failed_from", "tag", "trying"), start=2)
    ]
    changed = replace(run_of({"a": "+", "b": "+"}, number=6), altered=True)
    trend = _trend([whole, *parts, changed])
    assert [point.run_id for point in trend.points] == [whole.run_id]
    assert trend.partial == 4
    assert trend.altered == (changed.run_id,)


def test_the_growth_of_the_context_is_told() -> None:
    states = [_context("orders"), _context("orders", "revenue"), None, _context("revenue")]
    trend = _trend(
        [
            replace(run_of({"a": "+"}, number=number), context_state=state)
            for number, state in enumerate(states, start=1)
        ]
    )
    assert [(point.metrics_defined, point.gained, point.lost) for point in trend.points] == [
        (1, (), ()),
        (2, ("revenue",), ()),
        (None, (), ("orders", "revenue")),
        (1, ("revenue",), ()),
    ]


def test_an_edited_suite_is_marked_where_it_holds_from() -> None:
    first, second, third = (run_of({"a": "+"}, number=number) for number in (1, 2, 3))
    edited = replace(first.suite, sha256_at_grading="d" * 64, cases=5)
    trend = _trend([first, replace(second, suite=edited), replace(third, suite=edited)])
    assert [point.suite_changed for point in trend.points] == [False, True, False]
    assert trend.points[1].marks == ("suite edited (aaaaaaaa → dddddddd, 3 → 5 cases)",)


def test_another_warehouse_analyst_or_repetition_is_marked() -> None:
    first, second = run_of({"a": "+"}, number=1), run_of({"a": "++"}, number=2)
    other = replace(
        second,
        warehouse=replace(second.warehouse, url="duckdb:///y.duckdb"),
        suite=replace(second.suite, as_of=None),
        model="m-2",
    )
    assert _trend([first, other]).points[1].marks == (
        "today is 2025-12-31 → not set",
        "warehouse duckdb:///x.duckdb → duckdb:///y.duckdb",
        "analyst baseline → baseline m-2",
        "asked 1 → 2 times each",
    )


def test_one_trend_is_of_one_split_and_suite() -> None:
    train, test = run_of({"a": "+"}, number=1), run_of({"a": "-"}, number=2, split="test")
    other = run_of({"a": "-"}, number=3)
    other = replace(other, suite=replace(other.suite, name="other"))
    runs = [train, test, other]
    assert _trend(runs).suite == "other"
    assert [point.value for point in _trend(runs, suite="shop").points] == [0.0]
    assert [point.value for point in _trend(runs, split="train", suite="shop").points] == [1.0]


@pytest.mark.parametrize(
    ("metric", "value", "interval"),
    [
        # Of 4: one exact, one right with an adjustment, one wrong, one error.
        ("accuracy", 0.5, True),
        ("accuracy_graded", 2 / 3, True),
        ("strict_accuracy", 0.25, True),
        ("faithfulness", None, False),
        ("avg_latency_ms", None, False),
        ("total_cost", None, False),
    ],
)
def test_every_figure_has_a_trend(metric: str, value: float | None, *, interval: bool) -> None:
    cases = [
        trial("a", "+"),
        replace(trial("b", "+"), matched="unit_adjusted", unit_adjusted=True),
        trial("c", "-"),
        trial("d", "!"),
    ]
    (point,) = _trend([run_of(cases)], metric=metric).points
    assert point.value == value
    assert (point.interval is not None) is interval


def test_a_tag_is_followed_over_its_cases() -> None:
    def run(number: int, sign: str) -> RunRecord:
        cases = [trial("a", sign, tags=("money",)), trial("b", "-"), trial("c", "-")]
        return run_of(cases, number=number)

    trend = _trend([run(1, "-"), run(2, "+")], tag="money")
    assert [(point.value, point.gradable) for point in trend.points] == [(0.0, 1), (1.0, 1)]
    # Wilson, 1 of 1: 1 / (1 + 1.96²) = 0.2065.
    assert trend.points[1].interval == pytest.approx((0.2065, 1.0), abs=1e-4)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metric": "acuracy"}, "Did you mean 'accuracy'"),
        ({"metric": "nonsense"}, METRICS[0]),
        ({"metric": "total_cost", "tag": "x"}, "--metric accuracy alone"),
    ],
)
def test_what_has_no_trend_is_said(options: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        _trend([run_of({"a": "+"})], **options)


def test_without_a_whole_run_there_is_no_trend() -> None:
    part = replace(run_of({"a": "+"}), selection={"case": "a"})
    with pytest.raises(RecordError, match="1 asked only a part"):
        _trend([part])
    with pytest.raises(RecordError, match="no run of split test yet"):
        _trend([run_of({"a": "+"})], split="test")
