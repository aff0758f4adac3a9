"""Every pair of fixtures/result_pairs.yml."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.grading.result_sets import ComparisonPolicy, compare_result_sets
from goldsuite.grading.tolerance import Tolerance
from goldsuite.model.result_set import Cell, Column, ResultSet

TABLE: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parents[2] / "fixtures" / "result_pairs.yml").read_text(encoding="utf-8")
)
PAIRS = [(kind, pair) for kind in TABLE for pair in TABLE[kind]]


def result(table: list[list[Any]]) -> ResultSet:
    names, *rows = table
    return ResultSet(
        columns=tuple(Column(name=name) for name in names),
        rows=tuple(tuple(cell(value) for value in row) for row in rows),
    )


def cell(value: Any) -> Cell:
    if isinstance(value, dict):
        return Decimal(value["d"])
    known: Cell = value
    return known


def policy(given: dict[str, Any]) -> ComparisonPolicy:
    absolute = given.get("absolute")
    return ComparisonPolicy(
        tolerance=Tolerance(
            relative=Decimal(given.get("tolerance", "0.005")),
            absolute=None if absolute is None else Decimal(absolute),
        ),
        loose_integers=given.get("loose", False),
        ordered=given.get("ordered", False),
        sort_columns=tuple(given["sort"]) if "sort" in given else None,
        max_extra_columns=given.get("extra", 2),
        case_sensitive=given.get("case_sensitive", True),
    )


def test_the_table_is_large_and_its_names_are_unique() -> None:
    names = [pair["name"] for _, pair in PAIRS]
    assert len(names) >= 120
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("kind", "pair"), PAIRS, ids=[f"{k}: {p['name']}" for k, p in PAIRS])
def test_a_pair_compares_as_worked_out_by_hand(kind: str, pair: dict[str, Any]) -> None:
    found = compare_result_sets(
        result(pair["gold"]), result(pair["predicted"]), policy=policy(pair.get("policy", {}))
    )
    assert found.equal is pair["equal"]
    assert [mismatch.code for mismatch in found.mismatches] == pair.get("codes", [])
    assert list(found.flags) == pair.get("flags", [])
    assert found.exact is (pair["equal"] and pair.get("exact", True))


def test_a_truncated_result_is_never_equal() -> None:
    whole = ResultSet(columns=(Column(name="a"),), rows=((1,),))
    cut = ResultSet(columns=(Column(name="a"),), rows=((1,),), truncated=True)
    assert [m.code for m in compare_result_sets(whole, cut).mismatches] == ["truncated"]
    assert [m.code for m in compare_result_sets(cut, whole).mismatches] == ["truncated"]


def test_a_mismatch_shows_the_offending_rows() -> None:
    gold = result([["n", "q"], ["Ann", 1], ["Bob", 2], ["Cid", 3]])
    predicted = result([["n", "q"], ["Ann", 1], ["Bob", 7]])
    found = compare_result_sets(gold, predicted)
    count, missing, extra = found.mismatches
    assert count.message == "2 rows instead of 3"
    assert missing.gold_rows == (("Bob", 2), ("Cid", 3))
    assert extra.predicted_rows == (("Bob", 7),)


def test_offending_rows_are_right_where_names_and_numbers_of_rows_both_differ() -> None:
    gold = result([["n", "q"], ["Ann", 1], ["Bob", 2], ["Cid", 3]])
    predicted = result([["count", "who"], [3, "Cid"], [1, "Ann"]])
    _, missing = compare_result_sets(gold, predicted).mismatches
    assert missing.code == "missing_rows"
    assert missing.gold_rows == (("Bob", 2),)


def test_float_noise_in_other_columns_and_names_hides_no_missing_row() -> None:
    gold = result([["a", "b"], [0.3, 7.5], [20.5, 90.5], [40.5, 80.5]])
    predicted = result([["y", "x"], [7.5, 0.30000000000000004], [80.5, 40.5]])
    _, missing = compare_result_sets(gold, predicted).mismatches
    assert missing.gold_rows == ((20.5, 90.5),)


def test_a_partial_score_counts_cells() -> None:
    # 4 of the gold's 6 cells are there: Ann and 1, Bob, and no more; the answer has 4 cells,
    # of which Ann, 1 and Bob agree. precision 3/4, recall 3/6, F1 = 2 * 3/4 * 1/2 / (5/4) = 0.6
    gold = result([["n", "q"], ["Ann", 1], ["Bob", 2], ["Cid", 3]])
    predicted = result([["n", "q"], ["Ann", 1], ["Bob", 7]])
    score = compare_result_sets(gold, predicted).score
    assert score is not None
    assert (score.precision, score.recall) == (0.75, 0.5)
    assert score.f1 == pytest.approx(0.6)


def test_an_assignment_tells_which_column_is_meant() -> None:
    gold = result([["n", "q"], ["Ann", 1], ["Bob", 2]])
    predicted = result([["i", "count", "name"], [8, 1, "Ann"], [9, 2, "Bob"]])
    found = compare_result_sets(gold, predicted)
    assert found.assignment == (2, 1)
    assert found.extra_columns == (0,)
