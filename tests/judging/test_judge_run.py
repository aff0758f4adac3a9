"""Judging whole runs, with the real SDK and the stand-in in place of the service."""

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from goldsuite.judging.instructions import question_block
from goldsuite.model.judge import verdict_of
from tests.analysts.claude_agents import only_the_stand_in
from tests.command_line import Run, goldsuite
from tests.stand_in.process import StandIn, error, fault, say, stand_in, text

COUNT, SALES, TALK, HELD = (
    "How many sales are there?", "What is the sum of sales?", "What may we ask you?",
    "What is the largest sale?",
)  # fmt: skip
SUITE = f"""\
name: shop
cases:
  - id: count
    question: {COUNT}
    split: train
    gold_sql: select count(*) from sales
    rubric:
      - criterion: The count is right.
        weight: 3
      - criterion: It is told in one line.
  - id: sum
    question: {SALES}
    split: train
    gold_sql: select sum(amount) from sales
    success_criteria: The sum is in euros.
  - id: talk
    question: {TALK}
    split: train
    success_criteria: It names the sales.
    expected_tools: [query]
    max_turns: 2
  - id: plain
    question: Which shop sold most?
    split: train
    gold_sql: select 'North'
    expected_tools: [query]
  - id: held
    question: {HELD}
    split: test
    gold_sql: select max(amount) from sales
    success_criteria: Secret criterion.
"""
ANSWERS: list[dict[str, Any]] = [
    {"id": "count", "analyst_value": "3", "analyst_query": "select count(*) from sales",
     "trace": [{"kind": "text", "text": f"step {n}"} for n in range(50)]},
    {"id": "sum", "analyst_value": "7", "analyst_query": None},
    {"id": "talk", "analyst_value": "Ask me of sales.", "tools": ["query", "query"], "turns": 2,
     "calls": [{"name": "query", "accepted": True}, {"name": "query", "accepted": False}]},
    {"id": "plain", "analyst_value": "North",
     "calls": [{"name": "query", "accepted": True}, {"name": "query", "accepted": False}]},
    {"id": "held", "analyst_value": "30", "analyst_query": "select 30"},
]  # fmt: skip
JUDGE = "claude-opus-5-5"
REVEAL = ("--reveal", "--peek", "a test")


@pytest.fixture(scope="module")
def service() -> Iterator[StandIn]:
    with stand_in() as running:
        yield running


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a graded run."""
    only_the_stand_in(monkeypatch)
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as connection, connection:
        connection.execute("create table sales (amount integer)")
        connection.execute("insert into sales values (5), (7), (30)")
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    (tmp_path / "answers.jsonl").write_text("".join(f"{json.dumps(a)}\n" for a in ANSWERS))
    graded = goldsuite(
        "grade", "answers.jsonl", "--split", "all", "--warehouse", "sqlite:///shop.sqlite",
        "--format", "json", cwd=tmp_path,
    )  # fmt: skip
    assert graded.code == 0, graded.err
    assert graded.verdicts() == {
        "count": "correct", "sum": "wrong", "talk": "no_gold", "plain": "correct",
        "held": "correct",
    }  # fmt: skip
    return tmp_path


def opinion(*scores: int, feedback: str = "Well done.") -> Any:
    """A reply with so many criteria."""
    judged = [
        {"criterion": n, "reasoning": "It shows.", "score": s, "verdict": verdict_of(s).value}
        for n, s in enumerate(scores, start=1)
    ]
    said = {"criteria": judged, "feedback": feedback, "recommendations": ["Say more."]}
    return say(text(json.dumps(said)))


def script(service: StandIn, **replies: list[Any]) -> None:
    named = {"count": COUNT, "sum": SALES, "talk": TALK, "held": HELD}
    steps = {question_block(named[name]): steps for name, steps in replies.items()}
    service.script({"*": [opinion(4)], **steps})


def judge(shop: Path, service: StandIn, *options: str | Path) -> Run:
    named = ("--format", "json") if "--format" not in options else ()
    return goldsuite("judge", "run", *options, *named, cwd=shop, env=service.environ)


def judged(run: Run) -> dict[str, Any]:
    return {case["id"]: case["judge"] for case in run.record["cases"] if case["judge"]}


def test_what_passed_and_has_a_rubric_is_judged_twice(shop: Path, service: StandIn) -> None:
    script(service, count=[opinion(4, 2), opinion(5, 2)])
    run = judge(shop, service, "--judge", JUDGE, "--rubric-only", *REVEAL)
    assert run.code == 0, run.err
    found = judged(run)
    assert sorted(found) == ["count", "held", "talk"]
    # By hand: (4.5 * 3 + 2 * 1) / 4
    assert found["count"]["score"] == 3.875
    assert (found["count"]["verdict"], found["count"]["passed"]) == ("PARTIAL", True)
    assert found["count"]["messages_left_out"] == 10
    assert [c["scores"] for c in found["count"]["criteria"]] == [[4, 5], [2, 2]]
    assert len(service.bodies()) == 6
    figures = run.record["aggregate"]["judge"]
    assert (figures["judged"], figures["passed"], figures["errors"]) == (3, 3, 0)
    # By hand: (3.875 + 4 + 4) / 3
    assert figures["avg_score"] == pytest.approx(11.875 / 3)
    assert figures["total_cost"] > 0


def test_no_verdict_and_no_cost_of_the_analyst_changes(shop: Path, service: StandIn) -> None:
    before = goldsuite("report", "--format", "json", *REVEAL, cwd=shop).record
    script(service, count=[opinion(0, 0)], talk=[opinion(5)])
    after = judge(shop, service, "--judge", JUDGE, "--judge-all", *REVEAL).record
    by_us = {"judge", "process"}
    for old, new in zip(before["cases"], after["cases"], strict=True):
        assert {k: v for k, v in old.items() if k not in by_us} == {
            k: v for k, v in new.items() if k not in by_us
        }
    assert after["aggregate"]["accuracy"] == before["aggregate"]["accuracy"] == 0.75
    assert after["aggregate"]["total_cost"] is None
    assert after["judge"]["model"] == JUDGE


def test_a_third_run_settles_what_two_left_open(shop: Path, service: StandIn) -> None:
    script(service, talk=[opinion(0), opinion(4), opinion(3)])
    found = judged(judge(shop, service, "--judge", JUDGE))["talk"]
    assert (found["score"], found["runs"]) == (3.0, 3)


@pytest.mark.parametrize(
    ("options", "cases"),
    [
        ((), ["count", "held", "plain", "talk"]),
        (("--rubric-only",), ["count", "held", "talk"]),
        (("--judge-all",), ["count", "held", "plain", "sum", "talk"]),
    ],
)
def test_a_judge_on_the_command_line_judges_every_case_that_passed(
    shop: Path, service: StandIn, options: tuple[str, ...], cases: list[str]
) -> None:
    script(service, count=[opinion(4, 4)])
    assert sorted(judged(judge(shop, service, "--judge", JUDGE, *options))) == cases


def test_a_judge_in_the_configuration_judges_rubrics_alone(shop: Path, service: StandIn) -> None:
    (shop / "goldsuite.toml").write_text(f'judge = "anthropic:{JUDGE} effort=low"\n')
    script(service, count=[opinion(4, 4)])
    run = judge(shop, service)
    assert sorted(judged(run)) == ["count", "held", "talk"]
    assert run.record["judge"]["options"] == {"effort": "low"}
    assert {body["output_config"]["effort"] for body in service.bodies()} == {"low"}


def test_the_composite_weighs_outcome_and_process(shop: Path, service: StandIn) -> None:
    script(service, count=[opinion(4, 4)])
    found = judged(judge(shop, service, "--judge", JUDGE))
    # By hand: 0.5 * 4/5 + 0.2 (its tool was used) + 0.2 * 1/2 + 0.1 (no fewer calls were seen)
    assert found["plain"]["composite"] == pytest.approx(0.8)
    # `talk` has no gold, so that no fewest calls are known; `count` asks for no process.
    assert found["talk"]["composite"] is found["count"]["composite"] is None


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([say(text("I give it 5."))], "no JSON"),
        ([opinion(4), say(text("{}"))], "no whole opinion"),
        ([opinion(4, 4)], "criterion 2"),
        ([say(text("No."), stop="refusal")], "refused"),
        ([say(text('{"criteria": ['), stop="max_tokens")], "cut off"),
        ([error(400, "invalid_request_error", "bad")], "refused the request"),
        ([fault("raw", body="<html>", type="text/html")], "malformed reply"),
    ],
)
def test_a_failing_judge_is_an_error_and_never_a_score(
    shop: Path, service: StandIn, steps: list[Any], told: str
) -> None:
    script(service, count=[opinion(4, 4)], talk=steps)
    run = judge(shop, service, "--judge", JUDGE)
    assert run.code == 4
    found = judged(run)
    assert found["talk"]["score"] is None
    assert found["talk"]["passed"] is None
    assert told in found["talk"]["error"]
    assert found["count"]["score"] == 4
    assert run.record["aggregate"]["judge"]["errors"] == 1


def test_only_what_failed_is_judged_again(shop: Path, service: StandIn) -> None:
    script(service, count=[opinion(4, 4)], talk=[say(text("Hm."))])
    assert judge(shop, service, "--judge", JUDGE).code == 4
    script(service, talk=[opinion(5)])
    run = judge(shop, service, "--judge", JUDGE, "--judge-pass", "production")
    assert run.code == 0
    assert len(service.bodies()) == 2
    found = judged(run)
    assert (found["talk"]["score"], found["count"]["score"]) == (5, 4)
    assert run.record["judge"]["pass_at"] == 4
    # Another line asks nobody again; another judge asks for all of them.
    script(service, count=[opinion(1, 1)])
    run = judge(shop, service, "--judge", JUDGE, "--judge-pass", "4.5")
    assert service.bodies() == []
    assert [judged(run)[case]["passed"] for case in ("talk", "count")] == [True, False]
    run = judge(shop, service, "--judge", JUDGE, "--again")
    assert judged(run)["count"]["score"] == 1
    [folder] = [path for path in (shop / "runs").iterdir() if path.is_dir()]
    assert len(list(folder.glob("record-*.json"))) == 4


def test_what_was_judged_stays_when_the_account_runs_dry(shop: Path, service: StandIn) -> None:
    spent = error(429, "rate_limit_error", code="enforced_spend_limit_reached")
    script(service, count=[opinion(4, 4)], talk=[spent])
    (shop / "goldsuite.toml").write_text("concurrency = 1\n")
    run = judge(shop, service, "--judge", JUDGE)
    assert run.code == 4
    assert "can spend no more" in run.err
    [count, *rest] = goldsuite("report", "--format", "json", cwd=shop).record["cases"]
    assert count["judge"]["score"] == 4
    assert all(case["judge"] is None for case in rest)


def test_what_the_agent_says_reaches_the_judge_as_data_alone(shop: Path, service: StandIn) -> None:
    script(service, count=[opinion(4, 4)])
    judge(shop, service, "--judge", JUDGE)
    for body in service.bodies():
        [message] = body["messages"]
        data = message["content"][-1]["text"].partition("\n")[2]
        assert set(json.loads(data)) >= {"final_answer", "steps"}
        assert "Ask me of sales." not in json.dumps(body["system"])
        assert "temperature" not in body


def test_nothing_of_a_held_out_rubric_is_shown(
    shop: Path, service: StandIn, tmp_path: Path
) -> None:
    script(service, count=[opinion(4, 4)], held=[opinion(2, feedback="It hides the gold 30.")])
    table = tmp_path / "tables"
    for output in ("text", "json", "markdown"):
        options = ("--judge", JUDGE, "--format", output, "--markdown", table)
        run = judge(shop, service, *options)
        written = "".join(path.read_text() for path in table.iterdir())
        for shown in (run.out, written):
            assert "Secret criterion" not in shown
            assert "hides the gold" not in shown
    assert "2.00 ATTEMPTED" in judge(shop, service, "--judge", JUDGE, "--format", "text").out


def test_the_table_is_named_by_date_time_and_commit(shop: Path, service: StandIn) -> None:
    script(service, count=[opinion(4, 4, feedback="Good | <b>bold</b>")])
    run = judge(shop, service, "--judge", JUDGE, "--markdown", shop / "tables")
    [path] = (shop / "tables").iterdir()
    stamp = run.record["judge"]["judged_at"][:19].replace("T", "-").replace(":", "")
    assert path.name == f"{stamp[:10]}-{stamp[11:]}-no-commit.md"
    [row] = [line for line in path.read_text().splitlines() if line.startswith("| count |")]
    cells = "| count | How many sales are there? | 3 | 4.00 | MOSTLY\\_COMPLETE |"
    assert row == f"{cells} Good \\| \\<b\\>bold\\</b\\> |"


def test_changed_answers_are_not_judged(shop: Path, service: StandIn) -> None:
    [answers] = (shop / "runs").glob("*/answers.jsonl")
    answers.chmod(0o644)
    answers.write_text(answers.read_text().replace("Ask me", "Ask us"))
    run = judge(shop, service, "--judge", JUDGE)
    assert run.code == 5
    assert "has changed since it was locked" in run.err
    answers.unlink()
    assert judge(shop, service, "--judge", JUDGE).code == 2


def test_a_suite_that_asks_something_else_is_refused(shop: Path, service: StandIn) -> None:
    path = shop / "gold-cases.yaml"
    path.write_text(SUITE.replace(COUNT, "How many were sold?"))
    run = judge(shop, service, "--judge", JUDGE)
    assert run.code == 2
    assert "case 'count' of the run asks something else there" in run.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "no judge: give --judge MODEL"),
        (("--judge", "claude opus"), "options behind the name"),
        (("--judge", JUDGE, "--judge-pass", "6"), "0 to 5"),
        (("--judge", JUDGE, "--judge-pass", "best"), "development or production"),
    ],
)
def test_a_judge_that_cannot_be_meant_is_refused(
    shop: Path, service: StandIn, options: tuple[str, ...], told: str
) -> None:
    run = judge(shop, service, *options)
    assert run.code == 2
    assert told in run.err


def test_without_credentials_nothing_is_judged(shop: Path) -> None:
    run = goldsuite("judge", "run", "--judge", JUDGE, cwd=shop)
    assert run.code == 2
    assert "ANTHROPIC_API_KEY" in run.err


def _evaluate(shop: Path, service: StandIn | None, *options: str) -> Run:
    return goldsuite(
        "eval", "train", "--analyst", "replay:answers.jsonl", "--warehouse",
        "sqlite:///shop.sqlite", "--format", "json", *options, cwd=shop,
        env=service.environ if service else None,
    )  # fmt: skip


def test_a_run_may_be_judged_when_it_is_graded(shop: Path, service: StandIn) -> None:
    script(service, count=[opinion(4, 4)], talk=[opinion(3)])
    run = _evaluate(shop, service, "--judge", JUDGE, "--judge-pass", "development")
    assert run.code == 0, run.err
    found = judged(run)
    assert sorted(found) == ["count", "plain", "talk"]
    assert (found["talk"]["passed"], run.record["judge"]["pass_at"]) == (True, 3)


def test_a_judge_that_cannot_be_asked_is_found_out_before_the_run(shop: Path) -> None:
    runs = sorted(shop.glob("runs/*.json"))
    run = _evaluate(shop, None, "--judge", JUDGE)
    assert (run.code, run.out) == (2, "")
    assert "ANTHROPIC_API_KEY" in run.err
    assert sorted(shop.glob("runs/*.json")) == runs


def test_a_judge_that_runs_dry_takes_no_grades(shop: Path, service: StandIn) -> None:
    spent = error(429, "rate_limit_error", code="enforced_spend_limit_reached")
    script(service, count=[spent], talk=[spent])
    run = _evaluate(shop, service, "--judge", JUDGE, "--concurrency", "1")
    assert run.code == 0
    assert "not judged to the end" in run.err
    assert f"goldsuite judge run {run.record['run_id']}" in run.err
    assert run.verdicts()["count"] == "correct"


# -- Calibration -----------------------------------------------------------------------------------


def _human(shop: Path, rows: list[list[object]]) -> Path:
    path = shop / "human.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["run", "case", "criterion", "score"], *rows])
    return path


def test_the_judge_is_compared_with_a_human(shop: Path, service: StandIn) -> None:
    script(service, count=[opinion(4, 2)], talk=[opinion(5)])
    run = judge(shop, service, "--judge", JUDGE).record["run_id"]
    rows: list[list[object]] = [
        [run, "count", "The count is right.", 4],
        [run, "count", "2", 3],
        [run, "talk", "", 5],
        [run, "sum", "", 1],
        [run, "count", "It rhymes.", 1],
    ]
    found = goldsuite("judge", "calibrate", _human(shop, rows), "--format", "json", cwd=shop)
    assert found.code == 0, found.err
    figures = json.loads(found.out)["calibration"]
    assert figures["pairs"] == 3
    assert figures["agreement"] == pytest.approx(2 / 3)
    assert figures["within_one"] == 1
    # By hand: observed 1 / 3; expected over human 4, 3, 5 and judge 4, 2, 5:
    # (0 + 4 + 1 + 1 + 1 + 4 + 1 + 9 + 0) / 9 = 21 / 9.
    assert figures["weighted_kappa"] == pytest.approx(1 - (1 / 3) / (21 / 9))
    assert len(json.loads(found.out)["unpaired"]) == 2
    shown = goldsuite("judge", "calibrate", _human(shop, rows), cwd=shop)
    assert "weighted kappa  0.857" in shown.out
    assert "not judged by a criterion 'It rhymes.'" in shown.err


def test_a_file_of_human_scores_may_be_jsonl(shop: Path, service: StandIn) -> None:
    script(service, count=[opinion(4, 2)])
    run = judge(shop, service, "--judge", JUDGE).record["run_id"]
    path = shop / "human.jsonl"
    row = {"run": run, "case": "count", "trial": 1, "criterion": 1, "score": 4.0}
    path.write_text(f"{json.dumps(row)}\n\n")
    found = goldsuite("judge", "calibrate", path, "--format", "json", cwd=shop)
    assert json.loads(found.out)["calibration"]["agreement"] == 1


@pytest.mark.parametrize(
    ("text_", "told"),
    [
        ("run,case,score\nr,c,6\nr,,2\n", [":2: score '6'", ":3: case missing"]),
        ("run,case,score\nr,c,3.5\n", [":2: score '3.5'"]),
        ("run,case,score,trial\nr,c,3,0\n", ["trial '0'"]),
        ("run,case,score\nr,c,3\nr,c,4\n", [":3: scored already in line 2"]),
        ("run,case,score\n", ["no score in it"]),
        ("run,case,score\nr,c,3\n", ["no record of a run 'r'"]),
    ],
)
def test_faulty_human_scores_are_listed_by_line(shop: Path, text_: str, told: list[str]) -> None:
    path = shop / "human.csv"
    path.write_text(text_)
    found = goldsuite("judge", "calibrate", path, cwd=shop)
    assert found.code == 2
    assert [part for part in told if part not in found.err] == []


def test_a_file_of_human_scores_that_is_not_there_is_said(shop: Path) -> None:
    found = goldsuite("judge", "calibrate", "none.csv", cwd=shop)
    assert found.code == 2
    assert "none.csv" in found.err
