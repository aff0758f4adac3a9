"""A gold's LIMIT that cuts through a tie: seen by a second query, and any of the tied is right."""

import sqlite3

import pytest

from goldsuite.grading.limit_ties import TieAtLimit, read_tie, tie_probe
from goldsuite.grading.verdicts import grade_answer
from goldsuite.model.answer import Reply
from goldsuite.model.grade import Grade
from goldsuite.model.key import GoldCase
from goldsuite.model.result_set import Column, Execution, Problem, ResultSet
from goldsuite.sqltext.shape import orders_at_top_level

PLAYERS = [("Ann", 30, 1), ("Bob", 20, 2), ("Cy", 20, 3), ("Di", 20, 4), ("Ed", 10, 5)]


def run(sql: str) -> Execution:
    with sqlite3.connect(":memory:") as db:
        db.execute("create table players (name text, points integer, shirt integer)")
        db.executemany("insert into players values (?, ?, ?)", PLAYERS)
        try:
            found = db.execute(sql)
        except sqlite3.Error as error:
            return Execution(sql=sql, problem=Problem(kind="failed", message=str(error)))
        columns = tuple(Column(name=each[0]) for each in found.description)
        return Execution(sql=sql, result=ResultSet(columns=columns, rows=tuple(found.fetchall())))


def tie_of(sql: str) -> TieAtLimit | None:
    probe, gold = tie_probe(sql, "sqlite"), run(sql)
    assert gold.result is not None, gold.problem
    return read_tie(gold.result, run(probe.sql), probe) if probe else None


TIED = (
    ("select name from players order by points desc limit 2", 1, "Bob Cy Di"),
    ("select name from players order by points desc limit 3", 1, "Bob Cy Di"),
    ("select name, points from players order by 2 desc limit 2", 1, "Bob Cy Di"),
    ("select name, points as p from players order by p desc limit 2", 1, "Bob Cy Di"),
    ("select name from players order by points desc limit 1 offset 2", 0, "Cy Di"),
    ("select * from players order by points desc limit 2", 1, "Bob Cy Di"),
    ("select name from players group by name order by max(points) desc limit 2", 1, "Bob Cy Di"),
    ("with p as (select * from players) select name from p order by -points limit 2", 1,
     "Bob Cy Di"),
    ("select name, points from players union select 'Zoe', 5 order by points desc limit 2", 1,
     "Bob Cy Di"),
)  # fmt: skip


@pytest.mark.parametrize(("sql", "above", "names"), TIED)
def test_a_limit_through_a_tie_is_seen(sql: str, above: int, names: str) -> None:
    tie = tie_of(sql)
    assert tie is not None
    assert tie.above == above
    assert sorted(str(row[0]) for row in tie.group) == sorted(names.split())


NOT_TIED = (
    "select name from players order by points desc limit 1",
    "select name from players order by points desc limit 4",
    "select name from players order by points desc limit 9",
    "select name from players order by points desc, shirt limit 2",
    "select points from players order by points desc limit 2",  # the tied rows are all 20
    "select name from players limit 2",
    "select name from players order by points",
    "select name from players order by points limit 1 + 1",
    "select distinct name from players order by points desc limit 2",
    "select * from players order by 2 desc limit 2",
    "select name from (select name from players order by points desc limit 2)",
    "select name from players order by random() limit 2",
    "no sql",
)


@pytest.mark.parametrize("sql", NOT_TIED[:-1])
def test_no_tie_is_claimed_where_none_is_cut_or_none_can_be_known(sql: str) -> None:
    assert tie_of(sql) is None


def test_what_is_no_query_has_no_probe() -> None:
    assert tie_probe("no sql", "sqlite") is None
    assert tie_probe("delete from players", "sqlite") is None
    assert tie_probe("select a from t order by b fetch first 3 rows with ties", "postgres") is None
    probe = tie_probe("select a from t order by b fetch first 3 rows only", "postgres")
    assert probe is not None
    assert "FETCH FIRST 1003 ROWS" in probe.sql


def test_a_probe_that_failed_or_shows_other_rows_tells_nothing() -> None:
    sql = "select name from players order by points desc limit 2"
    probe, gold = tie_probe(sql, "sqlite"), run(sql)
    assert probe is not None
    assert gold.result is not None
    assert read_tie(gold.result, run("select nothing"), probe) is None
    other = ResultSet(columns=gold.result.columns, rows=(("Ann",), ("Zed",)))
    assert read_tie(other, run(probe.sql), probe) is None


def graded(gold_sql: str, *, value: str | None = None, sql: str | None = None) -> Grade:
    return grade_answer(
        reply=Reply(value=value, query=sql),
        key=GoldCase(id="c", question="q", line=1, gold_sql=(gold_sql,)),
        golds=[run(gold_sql)],
        predicted=run(sql) if sql else None,
        gold_orders=[bool(orders_at_top_level(gold_sql, "sqlite"))],
        dialect="sqlite",
        gold_ties=[tie_of(gold_sql)],
    )


TOP_TWO = "select name, points from players order by points desc limit 2"
ANSWERS = (
    ("select name, points from players where name in ('Ann', 'Di') order by shirt", True),
    ("select points, name, shirt from players where name in ('Ann', 'Cy') order by shirt", True),
    ("select name, points from players where name in ('Di', 'Cy')", False),  # Ann is fixed
    ("select name, points from players where name in ('Ann', 'Ed') order by shirt", False),
    ("select name, 20 from players where name in ('Ann', 'Cy') order by shirt", False),
    ("select name, points from players where name in ('Ann', 'Di') order by points", False),
    ("select name, points from players where points > 10", False),
    ("select 'Ann', 30 union all select 'Di', 10", False),
)


@pytest.mark.parametrize(("sql", "right"), ANSWERS)
def test_rows_above_are_fixed_and_the_rest_is_any_of_the_tied(sql: str, right: bool) -> None:
    found = graded(TOP_TWO, sql=sql)
    assert found.passed == right, found.reason
    assert "gold_tie_at_limit" in found.flags


def test_the_tolerance_holds_for_the_tied_rows_too() -> None:
    gold = "select name, points / 7.0 as p from players order by points desc limit 2"
    near = "select name, points * {} / 7.0 from players where name in ('Ann', 'Cy') order by shirt"
    assert graded(gold, sql=near.format("1.004")).matched == "within_tolerance"
    assert not graded(gold, sql=near.format("1.006")).passed


def test_any_order_holds_within_the_tied_rows() -> None:
    gold = "select name, points from players order by points desc limit 3"
    for names in ("'Di', 'Bob'", "'Bob', 'Di'", "'Cy', 'Di'"):
        first = names.partition(",")[0]
        sql = (
            f"select name, points from players where name in ('Ann', {names}) "
            f"order by points desc, name <> {first}"
        )
        assert graded(gold, sql=sql).passed, names


@pytest.mark.parametrize(("value", "right"), [("Bob", 1), ("Di", 1), ("Ann", 0), ("Ed", 0)])
def test_any_of_the_tied_values_is_right_where_one_is_asked(value: str, right: int) -> None:
    gold = "select name from players where points < 30 order by points desc limit 1"
    found = graded(gold, value=value)
    assert found.passed == bool(right), found.reason
    assert found.gold_value == "Bob"
    assert found.flags == ("gold_tie_at_limit",)


def test_a_gold_that_ties_with_many_values_accepts_its_own_alone() -> None:
    gold = (
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 30) "
        "select i * 100 from n order by 1 > 0 limit 1"
    )
    assert graded(gold, value="100").passed
    assert not graded(gold, value="300").passed


def test_every_gold_needs_its_tie_or_none_any() -> None:
    with pytest.raises(ValueError, match="1 golds, but 1 orders and 2 ties"):
        grade_answer(
            reply=Reply(value="1"),
            key=GoldCase(id="c", question="q", line=1, gold_sql=("select 1",)),
            golds=[run("select 1")],
            predicted=None,
            gold_orders=[False],
            gold_ties=[None, None],
        )


FAULTY_GOLDS = (
    ("select nothing", "gold_failed"),
    ("select name from players where points > 99", "gold_no_row"),
    ("select name from players", "gold_several_values"),
    ("select null", "gold_null"),
    ("select 'many'", "gold_type"),
)


@pytest.mark.parametrize(("sql", "flag"), FAULTY_GOLDS)
def test_a_gold_that_gives_nothing_to_compare_with_is_flagged(sql: str, flag: str) -> None:
    found = grade_answer(
        reply=Reply(value="1"),
        key=GoldCase(id="c", question="q", line=1, gold_sql=(sql,), answer="number"),
        golds=[run(sql)],
        predicted=None,
        gold_orders=[False],
        dialect="sqlite",
    )
    assert (found.verdict, found.flags) == ("gold_error", (flag,))
