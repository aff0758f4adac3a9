"""Whole runs within a budget, with repeats, over earlier failures, and of several analysts."""

import json
import shlex
import sqlite3
import sys
from pathlib import Path

import pytest

from goldsuite.records.latest import record_paths
from tests.command_line import goldsuite

SUITE = """\
name: shop
cases:
  - id: count
    question: "How many sales are there?"
    split: train
    gold_sql: select count(*) from sales
    paraphrases: ["Number of sales?", "Count the sales."]
  - id: total
    question: "What is the total of sales?"
    split: train
    gold_sql: select sum(amount) from sales
  - id: best
    question: "Which shop sold most?"
    split: train
    gold_sql: select shop from sales order by amount desc limit 1
  - id: shops
    question: "How many shops are there?"
    split: train
    gold_sql: select count(distinct shop) from sales
  - id: held-out
    question: "What is the largest sale?"
    split: test
    gold_sql: select max(amount) from sales
"""

AGENT = """\
import json, os, pathlib, sys
question = sys.stdin.read().rsplit("Question: ", 1)[1].strip()
log = pathlib.Path(sys.argv[1])
asked = log.read_text().splitlines() if log.exists() else []
with log.open("a") as file:
    file.write(question + "\\n")
if os.environ.get("BREAK_ON", "-") in question:
    sys.exit("broken on purpose")
answers = {"How many sales": "3", "Number of sales": "4", "Count": "3", "What is the total": "60",
           "Which shop": "South", "How many shops": "3", "What is the largest": "1"}
value = next(v for start, v in answers.items() if question.startswith(start))
if question.startswith("What is the total") and question in asked:
    value = "61"  # right the first time only
reply = {"analyst_value": value}
if "COST" in os.environ:
    reply |= {"cost": float(os.environ["COST"]), "usage": {"input_tokens": 1000}}
print(json.dumps(reply))
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "shop.db") as db:
        db.execute("create table sales (shop text, amount real)")
        db.executemany(
            "insert into sales values (?, ?)", [("North", 31.25), ("South", 10.0), ("West", 18.75)]
        )
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "goldsuite.toml").write_text(
        f'warehouse = "sqlite:///shop.db"\nanalyst = {json.dumps(_agent(tmp_path))}\n'
        'pass_env = ["BREAK_ON", "COST"]\nconcurrency = 1\n'
    )
    return tmp_path


def _agent(shop: Path) -> str:
    return "command:" + shlex.join([sys.executable, "agent.py", str(shop / "asked.log")])


def _asked(shop: Path) -> list[str]:
    path = shop / "asked.log"
    return path.read_text().splitlines() if path.exists() else []


def _run_id(shop: Path) -> str:
    (folder,) = (path for path in (shop / "runs").iterdir() if path.is_dir())
    return folder.name


COST = {"COST": "0.30"}


def test_a_run_that_used_up_its_budget_can_be_resumed_with_more(shop: Path) -> None:
    stopped = goldsuite("eval", "--max-cost", "0.95", cwd=shop, env=COST)
    assert stopped.code == 4
    assert "--max-cost $0.9500 would be passed: $0.9000 spent by 3 answers" in stopped.err
    assert f"goldsuite eval --resume {_run_id(shop)}" in stopped.err
    assert len(_asked(shop)) == 3
    assert record_paths(shop / "runs") == ()
    # 3,000 tokens are spent already.
    again = goldsuite("eval", "--resume", _run_id(shop), "--max-tokens", "3500", cwd=shop, env=COST)
    assert (again.code, len(_asked(shop))) == (4, 3)
    assert "--max-tokens 3,500 tokens would be passed" in again.err
    run = goldsuite("eval", "--resume", _run_id(shop), "--format", "json", cwd=shop, env=COST)
    assert run.code == 0, run.err
    assert sorted(_asked(shop)) == sorted(set(_asked(shop)))
    assert run.record["aggregate"]["total_cost"] == pytest.approx(1.2)


def test_an_analyst_that_tells_no_cost_is_not_run_on_under_a_limit(shop: Path) -> None:
    run = goldsuite("eval", "--max-cost", "1", cwd=shop)
    assert run.code == 4
    assert "--max-cost cannot be kept" in run.err
    assert len(_asked(shop)) == 1


def test_a_cost_known_for_the_whole_run_is_in_the_record_and_in_no_case(shop: Path) -> None:
    run = goldsuite("eval", "--run-cost", "$1.50", "--format", "json", cwd=shop)
    record = run.record
    assert record["run_cost"] == record["aggregate"]["total_cost"] == 1.5
    assert [case["cost"] for case in record["cases"]] == [None] * 4
    # Three of four are right.
    assert record["aggregate"]["cost_per_correct"] == pytest.approx(0.5)
    assert "told by" not in goldsuite("report", cwd=shop).out
    later = ("--resume", record["run_id"], "--run-cost", "3", "--format", "json")
    assert goldsuite("eval", *later, cwd=shop).record["run_cost"] == 3
    assert len(_asked(shop)) == 4


def test_each_question_is_asked_so_often_and_every_case_weighs_alike(shop: Path) -> None:
    run = goldsuite("eval", "--repeat", "2", "--format", "json", cwd=shop)
    assert run.code == 0, run.err
    record = run.record
    assert [(case["id"], case["trial"], case["passed"]) for case in record["cases"]] == [
        ("count", 1, True), ("count", 2, True), ("total", 1, True), ("total", 2, False),
        ("best", 1, False), ("best", 2, False), ("shops", 1, True), ("shops", 2, True),
    ]  # fmt: skip
    # 1, 1/2, 0 and 1.
    assert record["aggregate"]["accuracy"] == pytest.approx(5 / 8)
    assert (record["repeat"], record["aggregate"]["cases"]) == (2, 4)
    assert (record["aggregate"]["selected"], record["aggregate"]["passed"]) == (8, 5)
    report = goldsuite("report", cwd=shop).out
    assert "5 of 8 gradable trials of 4 cases" in report
    assert "total (trial 2)" in report


def test_paraphrases_are_asked_and_told_apart(shop: Path) -> None:
    run = goldsuite("eval", "--case", "count", "--paraphrases", "--format", "json", cwd=shop)
    assert [(c["trial"], c["paraphrase"], c["passed"]) for c in run.record["cases"]] == [
        (1, None, True), (2, "Number of sales?", False), (3, "Count the sales.", True),
    ]  # fmt: skip
    assert run.record["paraphrased"]
    assert run.record["aggregate"]["accuracy"] == pytest.approx(2 / 3)


def test_a_repeated_run_is_resumed_trial_by_trial(shop: Path) -> None:
    options = ("--case", "shops", "--case", "count", "--repeat", "2")
    stopped = goldsuite("eval", *options, "--max-cost", "0.95", cwd=shop, env=COST)
    assert (stopped.code, len(_asked(shop))) == (4, 3)
    run = goldsuite("eval", "--resume", _run_id(shop), "--format", "json", cwd=shop, env=COST)
    assert run.code == 0, run.err
    assert len(_asked(shop)) == len(run.record["cases"]) == 4


def test_only_failed_cases_are_asked_again_and_the_record_is_a_partial_one(shop: Path) -> None:
    first = goldsuite("eval", "--format", "json", cwd=shop, env={"BREAK_ON": "How many shops"})
    run_id = first.record["run_id"]
    failed = goldsuite("eval", "--failed-from", run_id, "--format", "json", cwd=shop)
    assert [case["id"] for case in failed.record["cases"]] == ["best"]
    assert failed.record["selection"] == {"failed_from": run_id}
    both = ("--errors-from", run_id, "--failed-from", run_id)
    again = goldsuite("eval", *both, "--format", "json", cwd=shop)
    assert [case["id"] for case in again.record["cases"]] == ["best", "shops"]
    nothing = goldsuite("eval", "--errors-from", failed.record["run_id"], cwd=shop)
    assert nothing.code == 2
    assert "no case that ended in an error" in nothing.err


def test_failures_of_the_held_out_split_are_asked_as_such(shop: Path) -> None:
    run_id = goldsuite("eval", "test", "--format", "json", cwd=shop).record["run_id"]
    run = goldsuite("eval", "--failed-from", run_id, cwd=shop)
    assert run.code == 2
    assert f"goldsuite eval test --failed-from {run_id}" in run.err


def test_several_analysts_answer_the_same_cases_with_a_record_each(shop: Path) -> None:
    analysts = ("--analyst", _agent(shop), "--analyst", "baseline")
    run = goldsuite("eval", *analysts, "--fail-under", "80%", cwd=shop)
    assert run.code == 1
    assert len(record_paths(shop / "runs")) == 2
    *_, heads, agent, baseline = run.out.splitlines()
    assert heads.split()[:2] == ["analyst", "accuracy"]
    assert agent.startswith("command:")
    assert "75.0 %" in agent
    assert baseline.startswith("baseline")
    run = goldsuite("eval", *analysts, "--format", "json", cwd=shop)
    assert [record["analyst"][:7] for record in json.loads(run.out)] == ["command", "baselin"]


def test_an_analyst_that_breaks_at_once_keeps_no_other_from_being_run(shop: Path) -> None:
    analysts = ("--analyst", _agent(shop), "--analyst", "baseline")
    run = goldsuite("eval", *analysts, cwd=shop, env={"BREAK_ON": "How many sales"})
    assert run.code == 4
    assert "broken on purpose" in run.err
    assert run.out.splitlines()[-1].startswith("baseline")


def test_a_dry_run_says_what_would_be_asked_and_leaves_nothing_behind(shop: Path) -> None:
    run = goldsuite("eval", "--dry-run", "--repeat", "3", "--slice", "2", cwd=shop)
    assert run.code == 0, run.err
    assert "6 questions for 2 cases of shop, split train" in run.out
    assert "count, total" in run.out
    found = json.loads(goldsuite("eval", "--dry-run", "--format", "json", cwd=shop).out)
    assert (found["trials"], found["cases"]) == (4, ["count", "total", "best", "shops"])
    assert (found["input_tokens"], found["input_cost"]) == (None, None)
    assert not (shop / "runs").exists()
    assert _asked(shop) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--fail-under", "80"], "80 % is 0.8"),
        (["--fail-under", "high"], "a share from 0 to 1"),
        (["--max-errors", "1.5"], "a share such as 0.05 or 5%"),
        (["--max-cost", "cheap"], "US dollars are expected"),
        (["--run-cost", "-1"], "US dollars are expected"),
        (["--repeat", "0"], "greater than or equal to 1"),
        (["--failed-from", "no-such-run"], "no record of a run 'no-such-run'"),
        (["--resume", "x", "--repeat", "2"], "--repeat does not go with --resume"),
        (["--resume", "x", "--analyst", "a", "--analyst", "b"], "a second --analyst does not go"),
    ],
)
def test_what_cannot_be_meant_is_said_before_anything_is_asked(
    shop: Path, arguments: list[str], words: str
) -> None:
    run = goldsuite("eval", *arguments, cwd=shop)
    assert run.code == 2, run.err
    assert words in " ".join(run.err.split())
    assert _asked(shop) == []


def test_check_offers_the_formats_that_it_prints(shop: Path) -> None:
    assert "<text|json>" in goldsuite("check", "--help", cwd=shop).out
    assert goldsuite("check", "--format", "markdown", cwd=shop).code == 2


def test_a_record_that_is_none_is_named_and_not_asked_again(shop: Path) -> None:
    (shop / "broken.json").write_text('{"schema_version": 1, "cases": [1]}')
    run = goldsuite("eval", "--failed-from", "broken.json", cwd=shop)
    assert run.code == 2
    assert "no run record of goldsuite" in run.err
