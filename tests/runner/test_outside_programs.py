"""A run over one program that behaves differently on each question."""

import asyncio
import sys
from pathlib import Path

from goldsuite.analysts.command import CommandSource
from goldsuite.analysts.stragglers import find_processes
from goldsuite.model.question import Question
from goldsuite.runner.journal import Journal, read_journal
from goldsuite.runner.plan import plan_trials
from goldsuite.runner.pool import ask

AGENT = """\
import os, signal, subprocess, sys, time
how = sys.stdin.read().strip().splitlines()[-1].removeprefix("Question: ")
if how == "leave a child":
    subprocess.Popen(["sleep", "60"])
elif how == "die":
    sys.exit("no key")
elif how == "flood":
    while True: print("x" * 10_000)
elif how == "binary":
    os.write(1, bytes(range(128, 256)))
elif how == "sleep":
    time.sleep(60)
elif how == "ignore SIGTERM":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True: time.sleep(1)
if how in ("answer", "leave a child"):
    print("analyst_value: 42")
"""

EXPECTED = {
    "answer": None,
    "leave a child": None,
    "say nothing": None,
    "die": "ended with exit code 1; stderr: no key",
    "flood": "printed more than 100,000 bytes",
    "binary": "not all UTF-8",
    "sleep": "timed out after 4 s",
    "ignore SIGTERM": "timed out after 4 s",
}


def test_every_question_has_one_answer_and_no_process_is_left(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(AGENT)
    trials = plan_trials(
        Question(id=how.replace(" ", "-"), text=how, split="train", line=1) for how in EXPECTED
    )
    source = CommandSource(
        f"'{sys.executable}' -S agent.py",
        base_dir=tmp_path,
        dialect="duckdb",
        warehouse_url="duckdb:///x",
        hidden=[tmp_path / "runs"],
        prepare=None,
        max_stdout=100_000,
        grace_s=0.2,
    )

    async def run() -> None:
        try:
            with Journal(tmp_path / "answers.jsonl") as journal:
                outcome = await ask(
                    trials, source, concurrency=4, timeout_s=4, record=journal.extend
                )
            assert (outcome.answered, outcome.errors) == (8, 5)
        finally:
            await source.aclose()

    asyncio.run(run())
    assert (tmp_path / "answers.jsonl").read_bytes().count(b"\n") == len(EXPECTED)
    errors = {
        a.id.replace("-", " "): a.reply.error for a in read_journal(tmp_path / "answers.jsonl")
    }
    assert errors.keys() == EXPECTED.keys()
    for how, part in EXPECTED.items():
        assert (errors[how] is None) == (part is None), (how, errors[how])
        assert (part or "") in (errors[how] or "")
    assert find_processes(trial.token for trial in trials) == ()
