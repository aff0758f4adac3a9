"""Which records may be compared, and what is named where they may not."""

from dataclasses import replace

import pytest

from goldsuite.comparison.comparable import obstacles_between
from goldsuite.model.run import JsonValue, RunRecord
from tests.comparison.made_runs import run_of, trial


def _other_suite(record: RunRecord) -> RunRecord:
    return replace(record, suite=replace(record.suite, sha256_at_grading="b" * 64))


def _codes(first: RunRecord, second: RunRecord) -> list[str]:
    return [obstacle.code for obstacle in obstacles_between(first, second)]


def test_the_same_suite_split_and_warehouse_are_comparable() -> None:
    assert _codes(run_of({"a": "+"}), run_of({"a": "-"}, number=2)) == []


def test_each_difference_is_named() -> None:
    record = run_of({"a": "+"})
    warehouse = replace(record.warehouse, url="duckdb:///y.duckdb")
    dated = replace(record.suite, as_of="2026-01-31")
    assert _codes(record, _other_suite(record)) == ["suite"]
    assert _codes(record, replace(record, split="all")) == ["split"]
    assert _codes(record, replace(record, warehouse=warehouse)) == ["warehouse"]
    assert _codes(record, replace(record, suite=dated)) == ["as_of"]


def test_the_texts_name_both_sides() -> None:
    record = run_of({"a": "+"})
    other = replace(_other_suite(record), split="all")
    assert [obstacle.text for obstacle in obstacles_between(record, other)] == [
        "the suite 'shop' was edited between the runs (sha256 aaaaaaaaaaaa, then bbbbbbbbbbbb)",
        "the split is train, then all",
    ]


GOLDS: list[tuple[JsonValue, JsonValue, bool]] = [
    (1, 1.0, True),
    (0.1 + 0.2, 0.3, True),  # the order of a sum
    (100, 101, False),
    ("North", "South", False),
    (None, 0, False),
    ([["a", 1], ["b", 2]], [["b", 2], ["a", 1]], True),
    ([["a", 1], ["a", 1]], [["a", 1]], False),
    ([["a", 1]], [["a", 2]], False),
    ([[1]], 1, False),
]


@pytest.mark.parametrize(("before", "after", "same"), GOLDS)
def test_a_gold_that_is_another_one_now_is_an_obstacle(
    before: JsonValue, after: JsonValue, same: bool
) -> None:
    first = run_of([trial("a", "+", gold_value=before)])
    second = run_of([trial("a", "-", gold_value=after)])
    assert _codes(first, second) == ([] if same else ["gold"])


def test_another_of_several_golds_is_no_other_gold() -> None:
    first = run_of([trial("a", "+", gold_sql="select 1", gold_value=1)])
    second = run_of([trial("a", "+", gold_sql="select 2", gold_value=2)])
    assert _codes(first, second) == []
    assert _codes(first, _other_suite(second)) == ["suite", "gold"]


def test_another_question_is_an_obstacle() -> None:
    first = run_of({"a": "+"})
    second = run_of([replace(trial("a", "+"), question="Something else?")])
    (obstacle,) = obstacles_between(first, second)
    assert (obstacle.code, obstacle.cases) == ("question", ("a",))
