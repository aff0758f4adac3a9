"""Ties that a gold cuts through inside of itself are seen by a second query."""

import sqlite3

import pytest

from goldsuite.grading.inner_ties import cuts_inner_tie, inner_tie_probes
from goldsuite.model.result_set import Column, Execution, Problem, ResultSet

PLAYERS = [
    ("Ann", 30, 1, "red"),
    ("Bob", 20, 2, "red"),
    ("Cy", 20, 3, "blue"),
    ("Di", 20, 4, "blue"),
    ("Ed", 10, 5, "blue"),
]


def run(sql: str) -> Execution:
    with sqlite3.connect(":memory:") as db:
        db.execute("create table players (name text, points integer, shirt integer, team text)")
        db.executemany("insert into players values (?, ?, ?, ?)", PLAYERS)
        try:
            found = db.execute(sql)
        except sqlite3.Error as error:
            return Execution(sql=sql, problem=Problem(kind="failed", message=str(error)))
        columns = tuple(Column(name=each[0]) for each in found.description)
        return Execution(sql=sql, result=ResultSet(columns=columns, rows=tuple(found.fetchall())))


def cuts_a_tie(sql: str) -> bool:
    assert run(sql).problem is None
    return any(cuts_inner_tie(run(probe.sql), probe) for probe in inner_tie_probes(sql, "sqlite"))


RANKED = "select *, row_number() over (order by points desc) as n from players"
BY_TEAM = (
    "select name, shirt, row_number() over (partition by team order by points desc) n from players"
)
AMBIGUOUS = (
    "select count(*) from (select shirt from players order by points desc limit 2)",
    "select avg(shirt) from (select name, shirt from players order by points desc limit 3) t",
    "with top as (select * from players order by points desc limit 2) select sum(shirt) from top",
    (
        "with p as (select * from players), top as"
        " (select name from p order by points desc limit 2) select max(name) from top"
    ),
    (
        "select max(name) from players where shirt in"
        " (select shirt from players order by points desc limit 2)"
    ),
    f"select name from ({RANKED}) where n <= 2",
    f"select name from ({RANKED}) as t where t.n < 3",
    f"select name from ({RANKED}) where n = 2",
    f"select name from ({RANKED}) where n = 3",
    f"with r as ({RANKED}) select name from r where n <= 3 and shirt > 0",
    f"select name from ({BY_TEAM}) where n = 1",  # Cy and Di of the blues
    f"with r as ({BY_TEAM}) select sum(shirt) from r where n = 1",
)


@pytest.mark.parametrize("sql", AMBIGUOUS)
def test_a_cut_through_a_tie_inside_of_the_query_is_seen(sql: str) -> None:
    assert cuts_a_tie(sql)


SETTLED = (
    "select count(*) from (select shirt from players order by points desc limit 1)",
    "select count(*) from (select shirt from players order by points desc limit 4)",
    "select count(*) from (select shirt from players order by points desc, shirt limit 2)",
    "select sum(points) from (select points from players order by points desc limit 2)",
    "select name from players order by points desc limit 2",  # the outermost is looked at elsewhere
    f"select name from ({RANKED}) where n <= 1",
    f"select name from ({RANKED}) where n <= 4",
    f"select name from ({RANKED})",
    f"select name from ({RANKED}) where n >= 2",
    f"select name from ({RANKED.replace('row_number', 'rank')}) where n <= 2",  # takes both
    f"select name from ({RANKED.replace('row_number', 'dense_rank')}) where n <= 2",
    f"select name from ({RANKED.replace('desc', 'desc, shirt')}) where n <= 2",
    (
        "select points from (select points, row_number() over (order by points desc) n"
        " from players) where n <= 2"
    ),  # the tied rows are all 20
    (
        "select name from players p where shirt ="
        " (select q.shirt from players q where q.team = p.team order by q.points desc limit 1)"
    ),
    "select 1",
)


@pytest.mark.parametrize("sql", SETTLED)
def test_no_tie_is_claimed_where_none_is_cut_or_none_can_be_known(sql: str) -> None:
    assert not cuts_a_tie(sql)


def test_a_qualify_clause_is_read_and_what_is_no_query_has_no_probe() -> None:
    sql = "select a, row_number() over (partition by b order by c) as n from t qualify n = 1"
    (probe,) = inner_tie_probes(sql, "duckdb")
    assert "QUALIFY" not in probe.sql
    assert inner_tie_probes("no sql", "duckdb") == ()
    assert inner_tie_probes("delete from t", "duckdb") == ()


def test_a_probe_that_failed_claims_nothing() -> None:
    (probe,) = inner_tie_probes(AMBIGUOUS[0], "sqlite")
    assert not cuts_inner_tie(run("select nothing"), probe)
