"""`runs regrade` and `suite accept`: triage of golds after a run, with nobody asked again."""

import json
import sqlite3
from pathlib import Path

import pytest

from goldsuite.records.file import read_record
from tests.command_line import Run, goldsuite

SUITE = """\
# What our shop asks.
name: shop
cases:
  - id: net   # asked every month
    question: "How much did we sell?"
    split: train
    tags: [core, money]
    gold_sql: >-
      select sum(amount)
      from sales where kind <> 'refund'

  # Counts.
  - id: count
    question: "How many sales are there?"
    split: train
    tags: [core]
    must_pass: true
    unit: count
    gold_sql: select count(*) from sales
    gold_value: 3
  - id: held
    question: "What is the largest sale?"
    split: test
    gold_sql: select max(amount) from sales
"""
ANSWER = "select sum(amount) from sales"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "shop.db") as db:
        db.execute("create table sales (kind text, amount integer)")
        db.executemany("insert into sales values (?, ?)", [("a", 50), ("b", 30), ("refund", -20)])
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    (tmp_path / "goldsuite.toml").write_text('warehouse = "sqlite:///shop.db"\n')
    return tmp_path


def graded(shop: Path, *more: str) -> Run:
    rows = [{"id": "net", "analyst_query": ANSWER}, {"id": "count", "analyst_value": 3}]
    (shop / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return goldsuite("grade", "a.jsonl", "--format", "json", *more, cwd=shop)


def accept(shop: Path, *more: str, case: str = "net") -> Run:
    return goldsuite(
        "suite", "accept", "latest", case, "--reviewer", "Ann", "--reason", "refunds count", *more,
        cwd=shop,
    )  # fmt: skip


def test_an_accepted_query_is_one_more_gold_and_the_file_keeps_its_writing(shop: Path) -> None:
    run_id = graded(shop).record["run_id"]
    done = accept(shop)
    assert done.code == 0, done.err
    lines = (shop / "gold-cases.yaml").read_text().splitlines()
    at = lines.index("    gold_sql:")
    assert lines[at + 1 : at + 4] == [
        "      - >-",
        "        select sum(amount)",
        "        from sales where kind <> 'refund'",
    ]
    assert f"by Ann from run {run_id}: refunds count" in "\n".join(lines)
    assert '      - "select sum(amount) from sales"' in lines
    # All else stands as it stood.
    kept = [line for line in SUITE.splitlines() if "gold_sql: >-" not in line]
    assert [line for line in kept if line.strip() and line not in lines] == [
        "      select sum(amount)", "      from sales where kind <> 'refund'",
    ]  # fmt: skip
    assert accept(shop).code == 2  # it is a gold already


def test_what_cannot_be_accepted_says_why(shop: Path) -> None:
    graded(shop)
    for case, more, told in (
        ("nett", (), "Did you mean 'net'?"),
        ("count", (), "gives no SQL"),
        ("net", ("--trial", "4"), "has no trial 4"),
    ):
        run = accept(shop, *more, case=case)
        assert (run.code, told in run.err) == (2, True), run.err
    assert (shop / "gold-cases.yaml").read_text() == SUITE


def test_regrading_lists_what_changed_and_links_the_new_record_to_the_old(shop: Path) -> None:
    old = graded(shop).record
    assert {case["id"]: case["verdict"] for case in old["cases"]} == {
        "net": "wrong", "count": "correct",
    }  # fmt: skip
    label = goldsuite("runs", "label", "latest", "net", "wrong-filter", cwd=shop)
    assert label.code == 0, label.err
    accept(shop)
    run = goldsuite("runs", "regrade", old["run_id"], "--format", "json", cwd=shop)
    assert run.code == 0, run.err
    told = json.loads(run.out)
    assert told["regraded_from"] == old["run_id"]
    assert [(c["id"], c["before"], c["after"]) for c in told["changed"]] == [
        ("net", "wrong", "correct")
    ]
    assert (told["accuracy_before"], told["accuracy"], told["labels"]) == (0.5, 1.0, 1)
    new = read_record(shop / "runs" / f"{told['run_id']}.json")
    assert (new.regraded_from, new.answers_sha256) == (old["run_id"], old["answers_sha256"])
    assert new.analyst == old["analyst"]
    # The old record still tells what it told.
    assert read_record(shop / "runs" / f"{old['run_id']}.json").aggregate.accuracy == 0.5


def test_a_run_whose_cases_were_asked_several_times_is_regraded_trial_by_trial(
    shop: Path,
) -> None:
    old = goldsuite(
        "eval", "train", "--analyst", "baseline", "--repeat", "2", "--format", "json", cwd=shop
    )
    assert old.code == 0, old.err
    run = goldsuite("runs", "regrade", "--format", "json", cwd=shop)
    assert run.code == 0, run.err
    new = read_record(shop / "runs" / f"{json.loads(run.out)['run_id']}.json")
    assert [(case.id, case.trial, case.verdict.value) for case in new.cases] == [
        (case["id"], case["trial"], case["verdict"]) for case in old.record["cases"]
    ]
    assert (new.repeat, len(new.cases)) == (2, 4)


def test_a_case_that_is_gone_is_left_out_and_changed_answers_are_refused(shop: Path) -> None:
    run_id = graded(shop).record["run_id"]
    text = SUITE.replace("How many sales are there?", "How many sales were there?")
    (shop / "gold-cases.yaml").write_text(text)
    told = goldsuite("runs", "regrade", run_id, cwd=shop)
    assert told.code == 0, told.err
    assert "left out, as the suite asks them no longer: count" in told.out
    assert "no verdict changed" in told.out
    answers = shop / "runs" / run_id / "answers.jsonl"
    answers.chmod(0o644)
    answers.write_text(answers.read_text().replace("sum", "max"))
    refused = goldsuite("runs", "regrade", run_id, cwd=shop)
    assert (refused.code, "has changed since it was locked" in refused.err) == (5, True)


def test_a_gate_that_is_missed_ends_with_exit_1(shop: Path) -> None:
    run = graded(shop, "--gate", "core=90%", "--gate", "core-is-not=0")
    assert run.code == 1
    assert "accuracy 0.5000 of tag 'core' (1 of 2) is below --gate core=0.9" in run.err


def test_regrading_held_out_answers_is_no_second_look(shop: Path) -> None:
    (shop / "held.jsonl").write_text('{"id": "held", "analyst_value": 50}\n')
    assert goldsuite("grade", "held.jsonl", cwd=shop).code == 0
    run = goldsuite("runs", "regrade", "--format", "json", cwd=shop)
    assert run.code == 0, run.err
    new = read_record(shop / "runs" / f"{json.loads(run.out)['run_id']}.json")
    assert new.held_out is not None
    assert (new.held_out.looks, new.held_out.look) == (1, 1)
