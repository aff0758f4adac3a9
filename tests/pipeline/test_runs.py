"""Whole runs on a small warehouse: asked, locked, graded, resumed, refused."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from goldsuite.records.latest import record_paths
from tests.command_line import Run, environment, goldsuite

BROKEN = """\
  - id: broken
    question: "What does the missing table hold?"
    split: train
    gold_sql: select x from missing
"""

SUITE = """\
name: shop
cases:
  - id: count
    question: "How many sales are there?"
    split: train
    gold_sql: select count(*) from sales
    gold_value: 3
    unit: count
  - id: total
    question: "What is the total of sales?"
    split: train
    gold_sql: select sum(amount) from sales
    gold_value: 60.0
    must_pass: true
  - id: best
    question: "Which shop sold most?"
    split: train
    gold_sql: select shop from sales order by amount desc limit 1
    gold_value: North
  - id: shops
    question: "How many shops are there?"
    split: train
    gold_sql: select count(distinct shop) from sales
    gold_value: 3
  - id: held-out
    question: "What is the largest sale?"
    split: test
    gold_sql: select max(amount) from sales
    gold_value: 31.25
"""

AGENT = """\
import os, pathlib, sys, time
question = sys.stdin.read().rsplit("Question: ", 1)[1].strip()
log, answers = pathlib.Path(sys.argv[1]), {
    "How many sales are there?": ("3", "select count(*) from sales"),
    "What is the total of sales?": ("60", "select sum(amount) from sales"),
    "Which shop sold most?": ("South", "select shop from sales order by amount limit 1"),
    "How many shops are there?": ("3", "select count(distinct shop) from sales"),
    "What does the missing table hold?": ("1", "select 1"),
    "What is the largest sale?": ("31.25", "select max(amount) from sales"),
}
with log.open("a") as file:
    file.write(question + "\\n")
if os.environ.get("BREAK_ON", "-") in question:
    sys.exit("broken on purpose")
time.sleep(float(os.environ.get("SLOW", "0")))
value, sql = answers[question]
print(f"analyst_value: {value}\\nanalyst_query: {sql}\\ndefinition_source: my own choice")
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
    command = shlex.join([sys.executable, "agent.py", str(tmp_path / "asked.log")])
    (tmp_path / "goldsuite.toml").write_text(
        f'warehouse = "sqlite:///shop.db"\nanalyst = {json.dumps("command:" + command)}\n'
        'pass_env = ["BREAK_ON", "SLOW"]\n'
    )
    return tmp_path


def _asked(shop: Path) -> list[str]:
    return (shop / "asked.log").read_text().splitlines()


def _run_id(shop: Path) -> str:
    (folder,) = (path for path in (shop / "runs").iterdir() if path.is_dir())
    return folder.name


def test_every_selected_case_has_one_verdict_and_the_totals_add_up(shop: Path) -> None:
    (shop / "gold-cases.yaml").write_text(SUITE + BROKEN)
    run = goldsuite("eval", "--format", "json", cwd=shop)
    assert run.verdicts() == {
        "count": "correct", "total": "correct", "best": "wrong", "shops": "correct",
        "broken": "gold_error",
    }  # fmt: skip
    aggregate = run.record["aggregate"]
    assert [aggregate[k] for k in ("selected", "gradable", "passed", "failed", "errors")] == [
        5, 4, 3, 1, 0,
    ]  # fmt: skip
    assert aggregate["gold_errors"] == 1
    assert aggregate["accuracy"] == pytest.approx(3 / 4)


def test_a_gold_at_fault_is_graded_around_and_ends_with_its_own_code(shop: Path) -> None:
    assert goldsuite("eval", cwd=shop).code == 0
    (shop / "gold-cases.yaml").write_text(SUITE + BROKEN)
    run = goldsuite("eval", cwd=shop)
    assert run.code == 3
    assert "the gold itself is at fault in broken" in run.err


def test_the_key_is_opened_after_the_lock_and_checked_before_the_run(shop: Path) -> None:
    record = goldsuite("eval", "--format", "json", cwd=shop).record
    times = [record[k] for k in ("started_at", "answers_locked_at", "key_opened_at", "finished_at")]
    assert times == sorted(times)
    assert record["key_checked_at"] <= record["started_at"]
    answers = shop / "runs" / record["run_id"] / "answers.jsonl"
    assert answers.stat().st_mode & 0o222 == 0


def _without_times(record: dict[str, Any]) -> dict[str, Any]:
    moving = {"run_id", "answers_sha256", "record_sha256", "environment"}
    moving |= {key for key in record if key.endswith("_at")}
    return {key: _timeless(value) for key, value in record.items() if key not in moving}


def _timeless(value: Any) -> Any:
    """Without whatever is measured in milliseconds, at any depth."""
    if isinstance(value, list):
        return [_timeless(each) for each in value]
    if isinstance(value, dict):
        return {k: _timeless(v) for k, v in value.items() if not k.endswith("_ms")}
    return value


def test_two_runs_give_the_same_record_but_for_times_and_ids(shop: Path) -> None:
    first, second = (goldsuite("eval", "--format", "json", cwd=shop).record for _ in range(2))
    assert first["run_id"] != second["run_id"]
    assert _without_times(first) == _without_times(second)


def test_a_held_out_run_shows_no_gold_unless_it_is_asked_for(shop: Path) -> None:
    run = goldsuite("eval", "test", cwd=shop)
    assert run.code == 0, run.err
    assert "held-out" in run.out
    assert "31.25" not in run.out
    assert "max(amount)" not in run.out
    assert "31.25" in goldsuite("report", "--reveal", "--peek", "a test", cwd=shop).out


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (["--slice", "1"], ["How many sales are there?"]),
        (["--case", "total", "--case", "count"], ["How many sales", "What is the total"]),
    ],
)
def test_a_narrowed_run_asks_only_what_was_named(
    shop: Path, options: list[str], asked: list[str]
) -> None:
    run = goldsuite("eval", *options, "--format", "json", cwd=shop)
    assert run.code == 0, run.err
    assert len(run.record["cases"]) == len(asked)
    assert all(any(line.startswith(a) for a in asked) for line in _asked(shop))
    assert run.record["selection"] != {}


def test_thresholds_decide_the_exit_code(shop: Path) -> None:
    assert goldsuite("eval", "--fail-under", "0.75", cwd=shop).code == 0
    low = goldsuite("eval", "--fail-under", "0.76", cwd=shop)
    assert low.code == 1
    assert "below --fail-under" in low.err


def test_a_broken_first_question_stops_the_run_before_the_others(shop: Path) -> None:
    stopped = goldsuite("eval", cwd=shop, env={"BREAK_ON": "How many"})
    assert stopped.code == 4
    assert "broken on purpose" in stopped.err
    assert f"goldsuite eval --resume {_run_id(shop)}" in stopped.err
    assert _asked(shop) == ["How many sales are there?"]
    assert record_paths(shop / "runs") == ()


def test_a_stopped_run_is_resumed_and_asks_the_error_again(shop: Path) -> None:
    goldsuite("eval", cwd=shop, env={"BREAK_ON": "How many"})
    run = goldsuite("eval", "--resume", _run_id(shop), "--format", "json", cwd=shop)
    assert run.code == 0, run.err
    assert run.verdicts()["count"] == "correct"
    assert sorted(_asked(shop)).count("How many sales are there?") == 2


def test_an_error_later_on_is_a_verdict_of_its_own(shop: Path) -> None:
    run = goldsuite("eval", "--format", "json", cwd=shop, env={"BREAK_ON": "total"})
    assert run.code == 4
    assert run.verdicts()["total"] == "analyst_error"
    # It stays in the denominator: 2 of 4 gradable cases passed.
    assert run.record["aggregate"]["accuracy"] == pytest.approx(2 / 4)


def test_errors_of_a_graded_run_can_be_asked_again_under_a_new_lock(shop: Path) -> None:
    first = goldsuite("eval", "--format", "json", cwd=shop, env={"BREAK_ON": "total"}).record
    again = goldsuite("eval", "--resume", first["run_id"], "--format", "json", cwd=shop)
    assert again.code == 0, again.err
    assert again.verdicts()["total"] == "correct"
    (old,) = again.record["earlier_locks"]
    assert old["answers_sha256"] == first["answers_sha256"]
    assert _asked(shop).count("Which shop sold most?") == 1
    assert list((shop / "runs" / first["run_id"]).glob("record-1.json"))


def test_a_run_resumed_with_other_settings_is_refused(shop: Path) -> None:
    goldsuite("eval", cwd=shop, env={"BREAK_ON": "How many"})
    other = goldsuite("eval", "--resume", _run_id(shop), "--analyst", "baseline", cwd=shop)
    assert other.code == 2
    assert "another analyst" in other.err


def test_changed_answers_are_noticed(shop: Path) -> None:
    record = goldsuite("eval", "--format", "json", cwd=shop).record
    assert goldsuite("report", cwd=shop).code == 0
    answers = shop / "runs" / record["run_id"] / "answers.jsonl"
    answers.chmod(0o644)
    answers.write_text(answers.read_text().replace("South", "North"))
    report = goldsuite("report", cwd=shop)
    assert report.code == 5
    assert "BROKEN" in report.out


def test_a_suite_edited_in_mid_run_keeps_the_answers(shop: Path) -> None:
    process = _start(shop, SLOW="1.5")
    _wait_for(shop, asked=2)
    (shop / "gold-cases.yaml").write_text(SUITE.replace("id: best", "id: finest"))
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "'best' is no longer in it" in err
    (shop / "gold-cases.yaml").write_text(SUITE)
    run = goldsuite("eval", "--resume", _run_id(shop), "--format", "json", cwd=shop)
    assert run.code == 0, run.err
    assert len(_asked(shop)) == 4


def _start(shop: Path, **env: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "goldsuite", "eval", "--concurrency", "1"],
        cwd=shop, env=environment(env), text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def _wait_for(shop: Path, *, asked: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if (shop / "asked.log").exists() and len(_asked(shop)) >= asked:
            return
        time.sleep(0.02)
    pytest.fail(f"the analyst was not asked {asked} times within a minute")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_run_loses_no_answer_and_asks_none_again(
    shop: Path, number: signal.Signals
) -> None:
    process = _start(shop, SLOW="0.4")
    _wait_for(shop, asked=3)
    os.kill(process.pid, number)
    _, err = process.communicate(timeout=60)
    if number is not signal.SIGKILL:
        assert process.returncode == 130, err
        assert f"goldsuite eval --resume {_run_id(shop)}" in err
    journal = shop / "runs" / _run_id(shop) / "answers.jsonl"
    kept = [json.loads(line)["id"] for line in journal.read_text().splitlines()]
    assert kept == ["count", "total"]
    before = len(_asked(shop))
    run = goldsuite("eval", "--resume", _run_id(shop), "--format", "json", cwd=shop)
    assert run.code == 0, run.err
    assert len(run.verdicts()) == 4
    assert _asked(shop)[before:] == ["Which shop sold most?", "How many shops are there?"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--warehouse", "sqlite:///shopp.db"], 3, "shop.db"),
        (["--warehouse", "oracle://u:hunter2@h/x"], 3, "not supported"),
        (["--suite", "gold-case.yaml"], 2, "gold-cases.yaml"),
        (["--analyst", "basline"], 2, "unknown analyst 'basline'"),
        (["--case", "totl"], 2, "Did you mean 'total'?"),
        (["--context", "nowhere"], 2, "nowhere"),
        (["--resume", "no-such-run"], 2, "no-such-run"),
        (["--concurrency", "0"], 2, "from 1 to 1000"),
    ],
)
def test_bad_input_says_what_to_do_and_asks_nothing(
    shop: Path, arguments: list[str], code: int, words: str
) -> None:
    run = goldsuite("eval", *arguments, cwd=shop)
    assert run.code == code, run.err
    assert words in run.err
    assert "Traceback" not in run.err
    assert "hunter2" not in run.err
    assert not (shop / "asked.log").exists()


def test_every_fault_of_a_suite_is_listed_with_its_line(shop: Path) -> None:
    (shop / "gold-cases.yaml").write_text(
        SUITE.replace("unit: count", "tolerence: 0.1").replace("split: test", "split: tset")
    )
    run = goldsuite("eval", cwd=shop)
    assert run.code == 2
    assert "gold-cases.yaml:8" in run.err
    assert "Did you mean 'tolerance'?" in run.err
    assert "Did you mean 'test'?" in run.err


def test_check_finds_the_broken_gold_and_the_drift(shop: Path) -> None:
    drifted = SUITE.replace("gold_value: 60.0", "gold_value: 61.0")
    (shop / "gold-cases.yaml").write_text(drifted + BROKEN)
    run = goldsuite("check", "--format", "json", cwd=shop)
    assert run.code == 3, run.err
    status = {case["id"]: case["status"] for case in json.loads(run.out)["cases"]}
    assert status == {
        "count": "sound", "total": "drifted", "best": "sound", "shops": "sound",
        "held-out": "sound", "broken": "broken",
    }  # fmt: skip


def test_check_tells_nothing_of_a_held_out_gold(shop: Path) -> None:
    (shop / "gold-cases.yaml").write_text(SUITE.replace("31.25", "99.5"))
    run = goldsuite("check", cwd=shop)
    assert "held-out" in run.out
    assert "99.5" not in run.out
    assert "31.25" not in run.out
    assert "99.5" in goldsuite("check", "--reveal", "--peek", "a test", cwd=shop).out


def test_init_writes_a_starter_that_is_true_and_overwrites_nothing(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "my shop.db") as db:
        db.execute('create table "order lines" (id integer)')
        db.execute('insert into "order lines" values (1), (2)')
    first = goldsuite("init", "sqlite:///my shop.db", cwd=tmp_path)
    assert first.code == 0, first.err
    assert goldsuite("check", cwd=tmp_path).code == 0
    again = goldsuite("init", "sqlite:///my shop.db", cwd=tmp_path)
    assert again.code == 2
    assert "not overwritten" in again.err
    away = goldsuite("init", "sqlite:///my shop.db", "--dir", "away", cwd=tmp_path)
    assert away.code == 0, away.err
    assert goldsuite("check", cwd=tmp_path / "away").code == 0
    graded: Run = goldsuite("eval", "all", "--format", "json", cwd=tmp_path)
    assert graded.code == 0, graded.err
    assert len(graded.record["cases"]) == 2
