"""A case is added to a gold file whose every byte stays; its gold is run first."""

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from goldsuite.errors import SuiteError
from goldsuite.suite.append import append_case
from goldsuite.suite.key import load_key
from tests.command_line import Run, goldsuite

SUITE = """\
# Ours.
name: shop   # the name

cases:
  - id: "n"
    question: 'How many?'    # plain
    split: train
    gold_sql: >-
      select count(*)
      from orders
    tolerance: 0.10

  # - id: later
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.executescript("create table orders (n); insert into orders values (1), (2);")
    connection.close()
    return tmp_path


def added(shop: Path, *options: str, sql: str = "select sum(n) from orders") -> Run:
    return goldsuite("suite", "add", "--id", "total", "--question", "Total?", "--sql", sql,
                     "--warehouse", "sqlite:///shop.sqlite", *options, cwd=shop)  # fmt: skip


def test_a_case_is_added_with_its_value_and_nothing_else_changes(shop: Path) -> None:
    run = added(shop, "--unit", "count", "--tag", "sum")
    assert run.code == 0, run.err
    assert "value      3" in run.out
    assert (shop / "gold-cases.yaml").read_text() == SUITE + (
        "\n  - id: total\n"
        '    question: "Total?"\n'
        "    split: train\n"
        "    unit: count\n"
        "    tags: [sum]\n"
        '    gold_sql: "select sum(n) from orders"\n'
        "    gold_value: 3\n"
    )


@pytest.mark.parametrize(
    ("options", "sql", "message"),
    [
        ((), "select x from orders", "no such column: x"),
        ((), "delete from orders", "the SQL writes"),
        (("--unit", "curency"), "select 1", "unknown unit 'curency'. Did you mean 'currency'?"),
        (("--id", "n"), "select 1", "has a case 'n' already"),
        (("--question", "how  MANY?"), "select 1", "case 'n' asks that already"),
        (("--split", "all"), "select 1", "a case is of one split"),
    ],
)
def test_what_is_no_case_is_not_written(
    shop: Path, options: tuple[str, ...], sql: str, message: str
) -> None:
    run = added(shop, *options, sql=sql)
    assert run.code == 2
    assert message in run.err
    assert (shop / "gold-cases.yaml").read_text() == SUITE


NEW = {"id": "b", "question": "B?", "split": "train", "gold_sql": "select 2"}
CASE = "- {id: a, question: A?, split: train, gold_sql: select 1}\n"

PLACES = [
    # Not indented, without a line break at the end.
    (f"cases:\n{CASE}".rstrip(), f"cases:\n{CASE}\n- id: b\n"),
    # Deeper, and a key with its comment below.
    (f"cases:\n    {CASE}\n# about the name\nname: x\n", f"cases:\n    {CASE}\n    - id: b\n"),
    (f"cases:\r\n{CASE.rstrip()}\r\n", f"cases:\r\n{CASE.rstrip()}\r\n\r\n- id: b\r\n"),
]


@pytest.mark.parametrize(("text", "start"), PLACES)
def test_the_case_stands_below_the_others_as_they_are_written(
    tmp_path: Path, text: str, start: str
) -> None:
    path = tmp_path / "suite.yaml"
    path.write_bytes(text.encode())
    append_case(path, NEW, dialect=None)
    assert path.read_bytes().decode().startswith(start)
    assert [case.id for case in load_key(path).cases] == ["a", "b"]
    assert ("# about the name\nname: x\n" in text) == (load_key(path).name == "x")


def test_cases_in_brackets_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text("cases: [{id: a, question: A?, split: train, gold_sql: select 1}]\n")
    with pytest.raises(SuiteError, match="written in brackets"):
        append_case(path, NEW, dialect=None)


def test_a_held_out_answer_is_promoted_with_a_reason_alone(shop: Path) -> None:
    suite = shop / "gold-cases.yaml"
    suite.write_text(SUITE.replace("split: train", "split: test"))
    (shop / "answers.jsonl").write_text(json.dumps({"id": "n", "analyst_query": "select 2"}))
    where = ("--warehouse", "sqlite:///shop.sqlite")
    graded = goldsuite("grade", "answers.jsonl", *where, "--luck-budget", "0",
                       "--peek", "a try", cwd=shop)  # fmt: skip
    assert graded.code == 0, graded.err
    (shop / "other.yaml").write_text(f"cases:\n{CASE}")
    promote = ("suite", "promote", "latest", "n", "--reviewer", "Ann", "--runs-dir", "runs",
               "--ledger", "looks.jsonl", "--suite", "other.yaml", *where)  # fmt: skip
    for options, named in (((), "--reveal"), (("--reveal",), "--peek")):
        run = goldsuite(*promote, *options, cwd=shop)
        assert run.code == 5
        assert named in run.err
        assert "select 2" not in run.err + run.out
    run = goldsuite(*promote, "--reveal", "--peek", "for Bob", cwd=shop)
    assert run.code == 0, run.err
    assert "for Bob" in (shop / "looks.jsonl").read_text()
    assert load_key(shop / "other.yaml").by_id["n"].gold_sql == ("select 2",)


def test_a_reviewed_answer_becomes_a_case_of_another_suite(shop: Path) -> None:
    (shop / "answers.jsonl").write_text(
        json.dumps({"id": "n", "analyst_query": "select count(n) from orders"})
    )
    where = ("--warehouse", "sqlite:///shop.sqlite")
    graded = goldsuite("grade", "answers.jsonl", *where, "--luck-budget", "0", cwd=shop)
    assert graded.code == 0, graded.err
    other = shop / "other.yaml"
    other.write_text(f"cases:\n{CASE}")
    promote = ("suite", "promote", "latest", "n", "--reviewer", "Ann", "--runs-dir", "runs")
    run = goldsuite(*promote, *where, "--suite", "other.yaml", cwd=shop)
    assert run.code == 0, run.err
    case = load_key(other).by_id["n"]
    assert case.gold_sql == ("select count(n) from orders",)
    assert (case.gold_value, case.verified_by) == (2, "Ann")
    assert case.verified_at is not None
    assert (datetime.now(UTC).date() - case.verified_at).days in (0, 1)
    run = goldsuite(*promote, *where, cwd=shop)
    assert run.code == 2
    assert "has a case 'n' already" in run.err
