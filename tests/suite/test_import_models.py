"""Semantic models, Genie spaces and gold YAML files of other tools become gold files."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.errors import SuiteError
from goldsuite.suite.importers.base import Reading, Source
from goldsuite.suite.importers.genie import read_genie
from goldsuite.suite.importers.gold_yaml import read_gold_yaml
from goldsuite.suite.importers.snowflake import read_snowflake
from goldsuite.suite.key import load_key
from tests.command_line import ROOT, goldsuite

PUBLIC = ROOT.parent / "shared" / "cases"


def source(text: str) -> Source:
    return Source(shown="source", text=text)


MODEL = """\
name: sales
tables:
  - name: deals
    base_table: {database: MART, schema: PUBLIC, table: FCT_DEALS}
    dimensions:
      - {name: region, expr: reg_cd}
    time_dimensions:
      - {name: closed_on, expr: close_dt}
    facts:
      - {name: net, expr: amt - tax}
  - name: people
    base_table: {schema: PUBLIC, table: DIM_PEOPLE}
    dimensions:
      - {name: person, expr: full_nm}
verified_queries:
  - name: net by region
    question: Net per region?
    verified_by: Ann
    verified_at: 1735689600
    use_as_onboarding_question: true
    sql: SELECT region, SUM(net) AS total FROM __deals GROUP BY region
"""


def verified(sql: str) -> Reading:
    """The model with one query of that SQL."""
    model = yaml.safe_load(MODEL)
    model["verified_queries"] = [{"name": "q", "question": "Q?", "sql": sql}]
    return read_snowflake(source(yaml.safe_dump(model)))


def test_a_verified_query_keeps_who_trusts_it_and_since_when() -> None:
    (found,) = read_snowflake(source(MODEL)).candidates
    assert (found.id, found.question, found.place) == (
        "net by region",
        "Net per region?",
        "line 16",
    )
    # 1735689600 s after 1970 is 2025-01-01T00:00:00Z.
    assert {name: str(value) for name, value in found.fields.items()} == {
        "verified_by": "Ann",
        "verified_at": "2025-01-01",
    }


PHYSICAL = [
    (
        "SELECT region, SUM(net) AS total FROM __deals GROUP BY region",
        (
            "SELECT __deals.reg_cd AS region, SUM((__deals.amt - __deals.tax)) AS total "
            "FROM MART.PUBLIC.FCT_DEALS AS __deals GROUP BY __deals.reg_cd"
        ),
    ),
    (
        "SELECT d.net FROM __deals AS d JOIN __people AS p ON d.id = p.id WHERE person = 'x'",
        (
            "SELECT d.amt - d.tax AS net FROM MART.PUBLIC.FCT_DEALS AS d "
            "JOIN PUBLIC.DIM_PEOPLE AS p ON d.id = p.id WHERE p.full_nm = 'x'"
        ),
    ),
    (
        "WITH a AS (SELECT closed_on FROM __deals) SELECT MAX(closed_on) FROM a",
        (
            "WITH a AS (SELECT __deals.close_dt AS closed_on "
            "FROM MART.PUBLIC.FCT_DEALS AS __deals) SELECT MAX(closed_on) FROM a"
        ),
    ),
    # Nothing logical in it: as it was written.
    ("select  count( * ) from fct_deals", "select  count( * ) from fct_deals"),
]


@pytest.mark.parametrize(("sql", "expected"), PHYSICAL)
def test_logical_names_become_those_of_the_base_tables(sql: str, expected: str) -> None:
    (found,) = verified(sql).candidates
    assert found.gold_sql == (expected,)


def test_an_unknown_logical_table_is_told() -> None:
    (untaken,) = verified("SELECT 1 FROM __nowhere").untaken
    assert "no table 'nowhere'" in untaken.reason


def space(*questions: Any) -> str:
    return json.dumps({"version": 2, "benchmarks": {"questions": list(questions)}})


ORDERS = {
    "id": "a1",
    "question": ["How many ", "orders?"],
    "answer": [{"format": "SQL", "content": ["SELECT count(*)\n", "FROM orders"]}],
}


@pytest.mark.parametrize("wrap", [False, True], ids=["exported", "as the API returns it"])
def test_a_genie_space_gives_its_benchmark(wrap: bool) -> None:
    text = space(ORDERS)
    reading = read_genie(source(json.dumps({"serialized_space": text}) if wrap else text))
    (found,) = reading.candidates
    assert found.id == "a1"
    assert found.question == "How many orders?"
    assert found.gold_sql == ("SELECT count(*)\nFROM orders",)


def test_the_answer_format_of_the_sdk_is_known_and_several_answers_are_alternatives() -> None:
    sdk = {"format": "GENIE_AGENT_BENCHMARK_ANSWER_FORMAT_SQL", "content": "SELECT 2"}
    both = {**ORDERS, "answer": [*ORDERS["answer"], sdk]}
    (found,) = read_genie(source(space(both))).candidates
    assert found.gold_sql[1] == "SELECT 2"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({"id": "b", "question": ["Q?"]}, "has no answer"),
        ({"id": "b", "question": ["Q?"], "answer": [{"format": "TEXT", "content": ["x"]}]},
         'its answer is no SQL but "TEXT"'),
        ({"id": "b", "question": [], "answer": ORDERS["answer"]}, "'question' is missing or empty"),
        ({"id": "b", "question": [1], "answer": ORDERS["answer"]}, "'question' is no text"),
    ],
)  # fmt: skip
def test_a_genie_question_that_is_no_case_is_told(question: dict[str, Any], reason: str) -> None:
    reading = read_genie(source(space(ORDERS, question)))
    assert len(reading.candidates) == 1
    (untaken,) = reading.untaken
    assert str(untaken) == f"benchmarks.questions[1] (b): {reason}"


GOLD = """\
as_of: 2025-12-31
defaults: {unit: currency}
cases:
  - id: a
    question: Total?
    split: test
    gold_sql: [select 1, select 1.0]
    gold_value: 1
    tolerance: 0.01
    owner: Ann
  - id: b
    question: Who?
    gold_query: select 'Ann'
    gold_rows: [[Ann]]
    gold_answer_text: It is Ann
    unit: null
"""


def test_a_gold_yaml_keeps_what_it_says_and_counts_what_has_no_place() -> None:
    reading = read_gold_yaml(source(GOLD))
    first, second = reading.candidates
    assert first.gold_sql == ("select 1", "select 1.0")
    assert {key: str(value) for key, value in first.fields.items()} == {
        "unit": "currency", "split": "test", "tolerance": "0.01", "gold_value": "1",
    }  # fmt: skip
    assert second.fields == {"note": "Answer: It is Ann", "gold_value": "Ann"}
    assert reading.ignored == {"owner": 1}
    assert str(reading.as_of) == "2025-12-31"


BROKEN = [
    (read_snowflake, "name: x\ntables: []\n", "source:1: the semantic model has no"),
    (read_snowflake, "verified_queries: 3\n", "source:1: 'verified_queries' is a list"),
    (read_snowflake, "a: 1\nverified_queries:\n- b\n", "source:3: 'verified_queries' holds"),
    (read_snowflake, "- 1\n", "source:1: a semantic model is a mapping"),
    (read_snowflake, "a: [1\nb: 2\n", "source:2: no valid YAML"),
    (read_snowflake, "a: 1\na: 2\n", "source:2: the key 'a' is given twice"),
    (read_genie, "{", "source:1: no JSON"),
    (read_genie, "[]", "source: no list under"),
    (read_genie, '{"benchmarks": {"questions": [1]}}', "questions[0] is no object"),
    (read_genie, '{"serialized_space": "{"}', "source: serialized_space:1: no JSON"),
    (read_gold_yaml, "questions: []\n", "source:1: a list under `cases` is expected"),
    (read_gold_yaml, "cases:\n- 1\n", "source:2: 'cases' holds mappings"),
    (read_gold_yaml, "cases:\n- id: *x\n", "source:2: no valid YAML"),
]


@pytest.mark.parametrize(("reader", "text", "message"), BROKEN)
def test_a_broken_file_is_told_with_its_place(reader: Any, text: str, message: str) -> None:
    with pytest.raises(SuiteError) as told:
        reader(source(text))
    assert message in str(told.value)


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "shop.sqlite") as shop:
        shop.executescript("create table orders (n integer); insert into orders values (1), (2);")
    shop.close()
    return tmp_path


def test_a_genie_space_is_imported_from_end_to_end(orders: Path) -> None:
    (orders / "space.json").write_text(space(ORDERS, {**ORDERS, "id": "a2"}))
    run = goldsuite("suite", "import", "genie", "space.json", "--out", "suite.yaml",
                    "--warehouse", "sqlite:///shop.sqlite", "--from-dialect", "databricks",
                    cwd=orders)  # fmt: skip
    assert run.code == 0, run.err
    assert "1 case of 2" in run.out
    assert "asks what benchmarks.questions[0] (a1) asks, too" in run.out
    (case,) = load_key(orders / "suite.yaml").cases
    assert case.gold_value == 2


def test_the_public_nba_file_imports_and_grades(tmp_path: Path) -> None:
    if not (PUBLIC / "nba.yaml").is_file():
        pytest.skip("the public NBA cases are not beside this checkout")
    warehouse = f"sqlite:///{PUBLIC / 'db' / 'nba_roster.sqlite'}"
    run = goldsuite("suite", "import", "aievals", PUBLIC / "nba.yaml", "--out", "suite.yaml",
                    "--warehouse", warehouse, cwd=tmp_path)  # fmt: skip
    assert run.code == 0, run.err
    # 30 % of 40.
    assert "40 cases of 40 (28 train, 12 test)" in run.out
    suite = load_key(tmp_path / "suite.yaml")
    answers = [{"id": case.id, "analyst_query": case.gold_sql[0]} for case in suite.cases]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)))
    graded = goldsuite("grade", "answers.jsonl", "--suite", "suite.yaml", "--warehouse", warehouse,
                       "--luck-budget", "0", "--format", "json", cwd=tmp_path)  # fmt: skip
    assert graded.code == 0, graded.err
    assert set(graded.verdicts().values()) == {"correct"}
    assert not any(case["gold_drift"] for case in graded.record["cases"])
