"""Process scores of whole runs, and the floor under which skills may not be triggered."""

import json
import shlex
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from goldsuite.errors import RunStoppedError
from goldsuite.model.answer import Answer, Reply
from goldsuite.model.question import Question, Trial
from goldsuite.pipeline.trigger_floor import trigger_watch
from goldsuite.pipeline.trigger_process import Expected, TriggerTally
from goldsuite.runner.limits import Watch
from tests.command_line import Run, goldsuite

HIT, MISS = ("s",), ("other",)


def _tally(cases: int, *, trials: int = 1, floor: float = 0.8) -> TriggerTally:
    expected = {f"c{n}": Expected(target="t", skills=("s",), trials=trials) for n in range(cases)}
    return TriggerTally(expected, floor)


def test_a_run_stops_when_the_floor_is_out_of_reach_and_not_before() -> None:
    tally = _tally(10)
    # Two misses leave 8 of 10; a third leaves 7 of 10 at best.
    assert tally.add("c0", 1, MISS, broke=False) is None
    assert tally.add("c1", 1, MISS, broke=False) is None
    told = tally.add("c2", 1, MISS, broke=False)
    assert told is not None
    assert "0.7000 if all that is left" in told


def test_what_was_not_measured_leaves_the_mean() -> None:
    tally = _tally(4, floor=0.5)
    assert tally.add("c0", 1, None, broke=False) is None
    assert tally.add("c1", 1, (), broke=True) is None
    # Of the two that remain one is missed: exactly the floor.
    assert tally.add("c2", 1, MISS, broke=False) is None
    assert tally.add("c3", 1, MISS, broke=False) is not None


def test_a_case_counts_once_however_often_it_is_asked() -> None:
    tally = _tally(2, trials=2, floor=0.75)
    # Cases 0.5 and 1 at best: 0.75. Then 0.5 and 0.5.
    assert tally.add("c0", 1, MISS, broke=False) is None
    assert tally.add("c0", 2, HIT, broke=False) is None
    assert tally.add("c1", 1, MISS, broke=False) is not None


def test_each_target_is_held_by_itself() -> None:
    one = Expected(target="one", skills=("s",), trials=1)
    other = Expected(target="other", skills=("s", "u"), trials=1)
    tally = TriggerTally({"a": one, "b": other}, 0.8)
    assert tally.add("a", 1, HIT, broke=False) is None
    assert "'other'" in str(tally.add("b", 1, HIT, broke=False))
    assert tally.add("z", 1, MISS, broke=False) is None


# -- The watch in a process of its own -------------------------------------------------------------

CASE = """\
  - id: c{n}
    question: Question {n}?
    split: train
    gold_sql: select {n}
    expected_skills: [revenue]
    expected_tools: [query]
    max_turns: 2
"""


def _suite(folder: Path, cases: int) -> Path:
    path = folder / "gold-cases.yaml"
    path.write_text("name: shop\ncases:\n" + "".join(CASE.format(n=n) for n in range(cases)))
    return path


def _trial(n: int) -> Trial:
    question = Question(id=f"c{n}", text=f"Question {n}?", split="train", line=1)
    return Trial(question=question, number=1, token=f"t{n}")


def _answer(n: int, *skills: str, error: str | None = None) -> Answer:
    return Answer(id=f"c{n}", trial=1, reply=Reply(value="1", skills=skills, error=error))


@contextmanager
def _watch(path: Path, cases: int, earlier: list[Answer]) -> Iterator[Watch]:
    with trigger_watch(path, [_trial(n) for n in range(cases)], earlier, floor=0.8) as watch:
        yield watch


def test_the_watch_stops_a_run_with_questions_left(tmp_path: Path) -> None:
    path = _suite(tmp_path, 4)
    with _watch(path, 4, []) as watch:
        assert watch(_trial(0), _answer(0, "revenue")) is None
        assert "'revenue'" in str(watch(_trial(1), _answer(1)))


def test_the_watch_stops_nothing_where_all_was_asked(tmp_path: Path) -> None:
    with _watch(_suite(tmp_path, 1), 1, []) as watch:
        assert watch(_trial(0), _answer(0)) is None


def test_answers_of_earlier_goes_count_but_for_those_that_broke(tmp_path: Path) -> None:
    path = _suite(tmp_path, 4)
    with pytest.raises(RunStoppedError, match="trigger accuracy over target 'revenue'"):
        _watch(path, 4, [_answer(0)]).__enter__()
    with _watch(path, 4, [_answer(0, error="broke"), _answer(1, "revenue")]) as watch:
        assert watch(_trial(0), _answer(0, "finance:revenue")) is None


def test_a_watch_that_broke_stops_the_run_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "none.yaml"
    with pytest.raises(RunStoppedError, match="watches --trigger-floor broke"):
        _watch(path, 2, []).__enter__()


# -- Whole runs ------------------------------------------------------------------------------------

AGENT = """\
import json, re, sys
number = int(re.search(r"Question (\\d+)\\?", sys.stdin.read().rsplit("Question: ", 1)[1]).group(1))
triggered = number not in set(map(int, sys.argv[1].split(",")))
print(json.dumps({
    "analyst_value": number, "analyst_query": f"select {number}", "turns": 4,
    "skills": ["revenue"] if triggered else [],
    "calls": [{"name": "query", "accepted": True}, {"name": "read", "accepted": False}],
}))
"""


def _evaluate(folder: Path, cases: int, missed: str, *options: str) -> Run:
    with closing(sqlite3.connect(folder / "shop.sqlite")):
        pass
    if not (folder / "gold-cases.yaml").exists():
        _suite(folder, cases)
    agent = folder / "agent.py"
    agent.write_text(AGENT)
    line = "command:" + shlex.join([sys.executable, str(agent), missed])
    return goldsuite(
        "eval", "--warehouse", "sqlite:///shop.sqlite", "--analyst", line, "--concurrency", "1",
        "--format", "json", *options, cwd=folder,
    )  # fmt: skip


def test_a_run_says_how_its_analyst_worked(tmp_path: Path) -> None:
    run = _evaluate(tmp_path, 2, "9")
    assert run.code == 0, run.err
    process = run.record["cases"][0]["process"]
    assert {name: process[name] for name in (
        "tool_accuracy", "trigger_accuracy", "argument_accuracy", "turn_efficiency",
        "step_efficiency", "fewest_calls")} == {
        "tool_accuracy": 1, "trigger_accuracy": 1, "argument_accuracy": 0.5,
        "turn_efficiency": 0.5, "step_efficiency": 1, "fewest_calls": 2,
    }  # fmt: skip
    # By hand: (1 + 1 + 0.5 + 0.5 + 1) / 5
    assert process["score"] == pytest.approx(0.8)
    targets = run.record["aggregate"]["process"]["targets"]
    assert targets["revenue"]["cases"] == 2
    assert run.record["limits"]["trigger_floor"] == "0.8"
    shown = goldsuite("report", cwd=tmp_path).out
    assert "score 80.0 % (mean) over 2 trials: tools 100.0 %, triggers 100.0 %" in shown
    assert "target revenue: 2 cases, triggers 100.0 %" in shown


def test_a_preset_is_a_setting(tmp_path: Path) -> None:
    (tmp_path / "goldsuite.toml").write_text('process_preset = "sum-capped"\n')
    record = _evaluate(tmp_path, 1, "9").record
    assert record["process_preset"] == "sum-capped"
    # By hand: 1 + 0.5 is above the cap.
    assert record["cases"][0]["process"]["score"] == 1
    (tmp_path / "goldsuite.toml").write_text('process_preset = "sum-caped"\n')
    refused = _evaluate(tmp_path, 1, "9")
    assert refused.code == 2
    assert "Did you mean 'sum-capped'?" in refused.err


def test_steps_are_compared_with_those_of_earlier_runs(tmp_path: Path) -> None:
    first = _evaluate(tmp_path, 1, "9")
    path = tmp_path / "runs" / f"{first.record['run_id']}.json"
    record = json.loads(path.read_text())
    record["cases"][0]["calls"] = record["cases"][0]["calls"][:1]
    path.write_text(json.dumps(record))
    process = _evaluate(tmp_path, 1, "9").record["cases"][0]["process"]
    assert (process["fewest_calls"], process["step_efficiency"]) == (1, 0.5)


def test_a_run_below_the_floor_stops_can_be_resumed_and_then_says_so(tmp_path: Path) -> None:
    stopped = _evaluate(tmp_path, 6, "1,2")
    assert stopped.code == 4
    assert "cannot reach --trigger-floor 0.8 any more: 0.6667" in stopped.err
    [folder] = [path for path in (tmp_path / "runs").iterdir() if path.is_dir()]
    assert len((folder / "answers.jsonl").read_text().splitlines()) == 3
    again = _evaluate(tmp_path, 6, "1,2", "--resume", folder.name)
    assert again.code == 4
    assert len((folder / "answers.jsonl").read_text().splitlines()) == 3
    done = _evaluate(tmp_path, 6, "1,2", "--resume", folder.name, "--trigger-floor", "0")
    assert done.code == 0, done.err
    # By hand: 4 of 6
    assert done.record["aggregate"]["process"]["trigger_accuracy"] == pytest.approx(4 / 6)


def test_a_miss_on_the_last_question_is_recorded_and_ends_with_the_same_code(
    tmp_path: Path,
) -> None:
    run = _evaluate(tmp_path, 2, "1")
    assert run.code == 4
    assert "trigger accuracy over target 'revenue' is 0.5000" in run.err
    assert run.record["cases"][1]["process"]["missing_skills"] == ["revenue"]
