"""Clauses are compared as sets, with aliases resolved."""

import pytest

from goldsuite.model.grade import Component
from goldsuite.sqltext.components import component_match, exact_match, nearest_components


@pytest.mark.parametrize(
    ("predicted", "gold"),
    [
        ("SELECT o.a AS z FROM t o", "select a from t"),
        ("select b, a from t", "select a, b from t"),
        ("select a from t where x = 1 and y = 2", "select a from t where y = 2 and x = 1"),
        ("select t.a from u join t on t.i = u.i", "select t.a from t inner join u on u.i = t.i"),
        ("select a from t where x between 1 and 2", "select a from t where x >= 1 and x <= 2"),
        ("select a from t where x >= date '2025-01-01'", "select a from t where x >= '2025-01-01'"),
        (
            "select a from t where x between cast('2025-01-01' as date) and '2025-01-31'",
            "select a from t where x >= '2025-01-01' and x <= date '2025-01-31'",
        ),
        ("select a, count(*) from t group by 1", "select a, count(*) as n from t group by a"),
        ("select a from t order by 1", "select a from t order by a asc"),
    ],
)
def test_the_same_clauses_in_other_words_are_an_exact_match(predicted: str, gold: str) -> None:
    assert exact_match(predicted, gold, "duckdb") is True


@pytest.mark.parametrize(
    ("predicted", "gold", "differing"),
    [
        ("select a from t", "select b from t", {Component.SELECT}),
        ("select distinct a from t", "select a from t", {Component.SELECT}),
        ("select a from t", "select a from u", {Component.SELECT, Component.FROM}),
        (
            "select t.a from t left join u on t.i = u.i",
            "select t.a from t join u on t.i = u.i",
            {Component.JOINS},
        ),
        (
            "select t.a from t join u on t.i = u.j",
            "select t.a from t join u on t.i = u.i",
            {Component.JOINS},
        ),
        ("select a from t where x > 5", "select a from t where x < 5", {Component.WHERE}),
        (
            "select a from t where x = date '2025-01-01'",
            "select a from t where x = '2025-01-02'",
            {Component.WHERE},
        ),
        (
            "select a from t where x = cast('5' as integer)",
            "select a from t where x = '5'",
            {Component.WHERE},
        ),
        ("select a from t where x = 'A'", "select a from t where x = 'a'", {Component.WHERE}),
        ("select a from t", "select a from t where x", {Component.WHERE}),
        ("select a from t group by a", "select a from t group by b", {Component.GROUP_BY}),
        (
            "select a from t group by a having count(*) > 1",
            "select a from t group by a having count(*) > 2",
            {Component.HAVING},
        ),
        ("select a from t order by a", "select a from t order by a desc", {Component.ORDER_BY}),
        ("select a from t order by a, b", "select a from t order by b, a", {Component.ORDER_BY}),
        ("select a from t limit 1", "select a from t limit 2", {Component.LIMIT}),
        (
            "select a from t union select a from u",
            "select a from t union all select a from u",
            {Component.SET_OPERATIONS},
        ),
    ],
)
def test_only_the_clause_that_differs_is_no_match(
    predicted: str, gold: str, differing: set[Component]
) -> None:
    matches = component_match(predicted, gold, "duckdb")
    assert matches is not None
    assert {component for component, same in matches.items() if not same} == differing
    assert exact_match(predicted, gold, "duckdb") is False


def test_a_clause_that_neither_has_is_not_measured() -> None:
    assert component_match("select a from t", "select a from t", "duckdb") == {
        Component.SELECT: True,
        Component.FROM: True,
    }


def test_what_cannot_be_read_has_no_match_at_all() -> None:
    assert component_match("select a from", "select a from t", "duckdb") is None
    assert exact_match("select 1", "select 1; select 2", "duckdb") is None


def test_the_gold_that_shares_most_clauses_counts() -> None:
    golds = ["select b from u", "select a from t where c = 1", "select a from t order by a"]
    # 0 of 2 clauses, 2 of 3, 2 of 3: of equals the first.
    assert nearest_components("SELECT a FROM t", golds, "duckdb") == {
        Component.SELECT: True,
        Component.FROM: True,
        Component.WHERE: False,
    }
    assert nearest_components("select b from u", golds, "duckdb") == {
        Component.SELECT: True,
        Component.FROM: True,
    }


@pytest.mark.parametrize(
    ("predicted", "golds", "measured"),
    [
        ("select a from t", [], False),
        ("select a from", ["select a from t"], False),
        ("select a from t", ["select a from"], False),
        ("select a from t", ["select a from", "select a from t"], True),
    ],
)
def test_only_what_can_be_read_is_near(predicted: str, golds: list[str], measured: bool) -> None:
    assert (nearest_components(predicted, golds, "duckdb") is not None) is measured
