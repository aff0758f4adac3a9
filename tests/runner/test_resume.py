"""A runner that is killed or interrupted: nothing answered is lost, and nothing is asked twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from goldsuite.analysts.stragglers import find_processes
from goldsuite.runner.journal import read_journal

ROOT = Path(__file__).parents[2]
COUNT = 12

DRIVER = """\
import asyncio, sys
from datetime import UTC, datetime
from pathlib import Path
from goldsuite.analysts.command import CommandSource
from goldsuite.model.question import Question
from goldsuite.runner.folder import create_run, open_run
from goldsuite.runner.journal import Journal, read_journal
from goldsuite.runner.lock import lock_answers
from goldsuite.runner.plan import outstanding, plan_trials
from goldsuite.runner.pool import ask

base, run_id = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
questions = [
    Question(id=f"q{n}", text=f"question {n}", split="train", line=n + 1) for n in range(12)
]

async def main(folder):
    trials = folder.plan.restore(questions)
    source = CommandSource(
        f"'{sys.executable}' -S agent.py {base}/asked", base_dir=base, dialect="duckdb",
        warehouse_url="duckdb:///x", hidden=[], prepare=None,
    )
    try:
        with Journal(folder.answers) as journal:
            left = outstanding(trials, read_journal(folder.answers))
            await ask(left, source, concurrency=3, timeout_s=30, record=journal.extend)
    finally:
        await source.aclose()
    lock_answers(folder.answers, now=datetime.now(UTC))

if run_id is None:
    run = create_run(
        base / "runs", plan_trials(questions), split="train", now=datetime.now(UTC), options={}
    )
else:
    run = open_run(base / "runs", run_id)
with run:
    asyncio.run(main(run))
"""

AGENT = """\
import sys, time
question = sys.stdin.read().strip().splitlines()[-1].rpartition(" ")[2]
with open(sys.argv[1], "a") as asked:
    asked.write(question + "\\n")
time.sleep(0.25)
print("analyst_value:", question)
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "driver.py").write_text(DRIVER)
    (tmp_path / "agent.py").write_text(AGENT)
    return tmp_path


def _start(base: Path, *arguments: str) -> subprocess.Popen[bytes]:
    temp = base / "temp"
    temp.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "driver.py", str(base), *arguments],
        cwd=base,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(temp)},
        stderr=subprocess.PIPE,
    )


def _wait_for_answers(base: Path, count: int) -> Path:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for answers in (base / "runs").glob("*/answers.jsonl"):
            if answers.read_bytes().count(b"\n") >= count:
                return answers
        time.sleep(0.01)
    raise AssertionError("the runner did not get so far")


def _wait_for_quiet(answers: Path) -> None:
    deadline = time.monotonic() + 30
    while find_processes(_tokens(answers)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _end(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors.decode()


def _tokens(answers: Path) -> list[str]:
    plan = json.loads((answers.parent / "plan.json").read_text())
    return [trial["token"] for trial in plan["trials"]]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_goes_on_where_it_was(base: Path, number: signal.Signals) -> None:
    process = _start(base)
    answers = _wait_for_answers(base, 4)
    process.send_signal(number)
    code, _ = _end(process)
    assert code != 0
    if number is signal.SIGKILL:
        # Its programs live on; what they write must not be taken for the next runner's.
        _wait_for_quiet(answers)
    else:
        # Interrupted, the runner ends its programs itself, and removes their directories.
        assert find_processes(_tokens(answers)) == ()
        assert list((base / "temp").iterdir()) == []
    before = read_journal(answers)
    assert 4 <= len(before) < COUNT
    asked_before = (base / "asked").read_text().split()

    code, errors = _end(_start(base, answers.parent.name))
    assert code == 0, errors
    after = read_journal(answers)
    assert after[: len(before)] == before
    assert sorted(a.id for a in after) == sorted(f"q{n}" for n in range(COUNT))
    assert all(answer.reply.value == answer.id[1:] for answer in after)
    asked_after = (base / "asked").read_text().split()[len(asked_before) :]
    journaled = {answer.id[1:] for answer in before}
    assert journaled.isdisjoint(asked_after)
    assert max(Counter(asked_after).values()) == 1
    assert find_processes(_tokens(answers)) == ()

    code, errors = _end(_start(base, answers.parent.name))
    assert "the answers are locked" in errors
