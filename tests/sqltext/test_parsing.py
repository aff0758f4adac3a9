"""SQL from outside is input: however bad, it gives an answer, in time, and no noise."""

import subprocess
import sys

import pytest

from goldsuite.sqltext.canonical import normal_form
from goldsuite.sqltext.components import exact_match
from goldsuite.sqltext.parsing import parse_query, parse_statements
from goldsuite.sqltext.shape import orders_at_top_level, read_shape
from goldsuite.sqltext.similarity import compare_sql

HOSTILE = {
    "brackets": "select " + "(" * 20_000 + "1" + ")" * 20_000,
    "subqueries": "select * from " + "(select * from " * 20_000 + "t" + ")" * 20_000,
    "open brackets": "select " + "(" * 50_000,
    "lists": "select " + "[" * 20_000 + "1" + "]" * 20_000,
    "negations": "select " + "not " * 20_000 + "a",
    "cases": "select " + "case when a then " * 20_000 + "1" + " end" * 20_000,
    "froms": "from " * 20_000 + "t",
    "joins": "select 1 from t" + " join t" * 20_000,
    "joins without a condition": "select 1 from t" + " join t" * 40,
    "indexes": "select a" + "[1]" * 20_000,
    "types": "select a::" + "struct<a " * 20_000 + "int" + ">" * 20_000,
    "dots": "select " + "a." * 20_000 + "b",
    "one quote": "select '",
    "a comment left open": "select 1 /* ",
    "prose": "I would need to know what you mean by revenue.",
}


@pytest.mark.parametrize("sql", HOSTILE.values(), ids=HOSTILE)
def test_hostile_sql_is_unreadable_and_nothing_worse(sql: str) -> None:
    assert parse_query(sql, "duckdb") is None
    assert read_shape(sql, "duckdb") is None
    assert orders_at_top_level(sql, "duckdb") is None
    assert exact_match(sql, "select 1", "duckdb") is None
    similar = compare_sql(sql, ["select 1"], "duckdb")
    assert not similar.parsed
    assert similar.query_diff == "changed"


@pytest.mark.parametrize(
    "sql",
    [
        "select " + "(" * 100 + "1" + ")" * 100,
        "select a from t where " + " and ".join(f"a{i} = {i}" for i in range(500)),
        "select a from t where a in (" + ", ".join(map(str, range(5000))) + ")",
        "select 1 " + "union all select 1 " * 200,
        "select 1 from t0 " + " ".join(f"join t{i} on t{i}.a = t0.a" for i in range(1, 60)),
        "select 1 from t0 " + " ".join(f"cross join t{i}" for i in range(1, 60)),
        "select 1 from t0 " + " ".join(f"natural join t{i}" for i in range(1, 60)),
    ],
    ids=["brackets", "conditions", "values", "unions", "joins", "cross joins", "natural joins"],
)
def test_long_but_honest_sql_is_read(sql: str) -> None:
    assert read_shape(sql, "duckdb") is not None
    assert compare_sql(sql, [sql], "duckdb").query_diff == "identical"


def test_characters_that_are_no_text_are_read_as_names() -> None:
    assert compare_sql("select \x00 \ud800", ["select 1"], "duckdb").query_diff == "changed"


@pytest.mark.parametrize("sql", ["", "  ", "-- only a comment", ";", "SHOW whatever this is"])
def test_what_holds_no_query_is_not_parsed(sql: str) -> None:
    assert parse_statements(sql, "duckdb") is None


@pytest.mark.parametrize("sql", ["select 1; select 2", "drop table t", "insert into t values (1)"])
def test_what_is_no_single_query_is_not_taken_for_one(sql: str) -> None:
    assert parse_query(sql, "duckdb") is None


def test_an_unknown_dialect_is_read_as_generic_sql() -> None:
    assert normal_form("select A from T", "no such dialect").parsed


def test_nothing_is_written_to_stderr() -> None:
    program = (
        "from goldsuite.sqltext.similarity import compare_sql\n"
        "compare_sql('SHOW whatever this is', ['select 1'], 'duckdb')\n"
        "compare_sql('ALTER TABLE t DO SOMETHING', ['VACUUM FULL t'], 'postgres')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
