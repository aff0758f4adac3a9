"""Closeness of SQL texts, against a table that was worked out by hand."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.sqltext.similarity import compare_sql

TABLE = Path(__file__).parents[2] / "fixtures" / "sql_pairs.yml"
PAIRS: list[dict[str, Any]] = yaml.safe_load(TABLE.read_text())


def test_the_table_has_no_pair_twice_and_enough_of_them() -> None:
    seen = Counter((pair["a"], pair["b"], pair.get("dialect")) for pair in PAIRS)
    assert [pair for pair, count in seen.items() if count > 1] == []
    assert len(PAIRS) >= 80


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['a']} | {pair['b']}"[:80])
def test_a_pair_is_as_close_as_the_table_says(pair: dict[str, Any]) -> None:
    similar = compare_sql(pair["a"], [pair["b"]], pair.get("dialect", "duckdb"))
    assert similar.query_diff == pair["diff"]
    assert similar.parsed is pair.get("parsed", True)
    if "similarity" in pair:
        assert similar.query_similarity == pytest.approx(float(Fraction(pair["similarity"])))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['a']} | {pair['b']}"[:80])
def test_closeness_is_the_same_both_ways(pair: dict[str, Any]) -> None:
    dialect = pair.get("dialect", "duckdb")
    there = compare_sql(pair["a"], [pair["b"]], dialect)
    back = compare_sql(pair["b"], [pair["a"]], dialect)
    assert there == back


def test_the_nearest_of_several_golds_counts() -> None:
    golds = ["select b from u", "select a from t where c", "select a from t"]
    similar = compare_sql("SELECT a FROM t", golds, "duckdb")
    assert (similar.gold_index, similar.query_diff, similar.query_similarity) == (2, "identical", 1)


def test_an_identical_gold_is_nearer_than_one_of_the_same_tokens() -> None:
    golds = ["select b - a from t", "select a - b from t"]
    assert compare_sql("select a - b from t", golds, "duckdb").gold_index == 1


def test_of_equally_near_golds_the_first_counts() -> None:
    assert compare_sql("select a from t", ["select b from t", "select c from t"], "duckdb") == (
        compare_sql("select a from t", ["select b from t"], "duckdb")
    )


def test_no_gold_to_compare_with_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no gold SQL"):
        compare_sql("select 1", [], "duckdb")
