"""A suite, or the answers of a run, in the files of other tools."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.command_line import Run, goldsuite

SUITE = """\
name: shop
cases:
  - id: n
    question: How many?
    split: train
    unit: count
    gold_sql: |
      select count(*) -- all of them
      from orders
    gold_value: 2
  - id: who
    question: Who?
    split: train
    gold_sql: select 'Ann'
    gold_value: Ann
  - id: open
    question: Which are open?
    split: train
    gold_sql: select n from orders
  - id: money
    question: Sum?
    split: test
    gold_sql: select 12.5
    gold_value: 12.5
    tolerance: 0.1
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    return tmp_path


def exported(shop: Path, kind: str, *options: str) -> tuple[Run, str]:
    run = goldsuite("suite", "export", kind, "--out", "out", *options, cwd=shop)
    return run, (shop / "out").read_text() if (shop / "out").exists() else ""


@pytest.mark.parametrize("kind", ["spider", "bird"])
def test_golds_stand_on_one_line_each_with_the_database(shop: Path, kind: str) -> None:
    run, text = exported(shop, kind, "--database", "db1")
    assert run.code == 0, run.err
    assert text == (
        "SELECT COUNT(*) FROM orders\tdb1\nselect 'Ann'\tdb1\nselect n from orders\tdb1\n"
    )


def test_promptfoo_tests_compare_within_the_tolerance(shop: Path) -> None:
    run, text = exported(shop, "promptfoo", "--split", "all", "--reveal", "--peek", "a try")
    assert run.code == 0, run.err
    assert "without    a stored value: open" in run.out
    tests = json.loads(text)
    assert [test["vars"]["question"] for test in tests] == [
        "How many?", "Who?", "Which are open?", "Sum?",
    ]  # fmt: skip
    said = "String(output).trim() !== '' && "
    # 10 % of 12.5 are 1.25; a count is exact.
    assert [test["assert"] for test in tests] == [
        [{"type": "javascript", "value": f"{said}Math.abs(Number(output) - (2)) <= 0"}],
        [{"type": "equals", "value": "Ann"}],
        [],
        [{"type": "javascript", "value": f"{said}Math.abs(Number(output) - (12.5)) <= 1.25"}],
    ]


def test_an_inspect_dataset_has_input_target_and_id(shop: Path) -> None:
    _, text = exported(shop, "inspect")
    samples = json.loads(text)
    assert [(each["id"], each["input"], each["target"]) for each in samples] == [
        ("n", "How many?", "2"), ("who", "Who?", "Ann"), ("open", "Which are open?", ""),
    ]  # fmt: skip


def test_held_out_cases_are_not_exported_unasked(shop: Path) -> None:
    run, text = exported(shop, "inspect", "--split", "test")
    assert run.code == 5
    assert "--reveal" in run.err
    assert text == ""
    run, text = exported(shop, "inspect", "--split", "test", "--reveal")
    assert run.code == 5
    assert "--peek" in run.err
    assert text == ""


def test_an_export_of_held_out_cases_is_counted_with_its_reason(shop: Path) -> None:
    where = ("--split", "test", "--reveal", "--peek", "for Bob", "--ledger", "looks.jsonl")
    run, text = exported(shop, "inspect", *where)
    assert run.code == 0, run.err
    assert json.loads(text)[0]["target"] == "12.5"
    assert "for Bob" in (shop / "looks.jsonl").read_text()


def test_predictions_of_a_run_are_read_back_by_grade(shop: Path) -> None:
    with sqlite3.connect(shop / "shop.sqlite") as connection:
        connection.executescript("create table orders (n); insert into orders values (1), (2);")
    connection.close()
    answers = [{"id": "n", "analyst_query": "select 2"}, {"id": "who", "analyst_query": "select 1"}]
    (shop / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)))
    warehouse = ("--warehouse", "sqlite:///shop.sqlite", "--luck-budget", "0", "--format", "json")
    first = goldsuite("grade", "answers.jsonl", "--split", "train", *warehouse, cwd=shop)
    run, text = exported(shop, "bird", "--run", first.record["run_id"])
    assert run.code == 0, run.err
    assert "without    SQL: open" in run.out
    assert json.loads(text)["0"] == "select 2\t----- bird -----\tshop"
    again = goldsuite("grade", "out", "--answers-format", "bird", "--split", "train", *warehouse,
                      cwd=shop)  # fmt: skip
    assert again.verdicts() == {"n": "correct", "who": "wrong", "open": "no_answer"}
    run, _ = exported(shop, "inspect", "--run", "latest")
    assert run.code == 2
    assert "is there already" in run.err
