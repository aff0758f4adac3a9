"""What the runner itself costs: 1,000 questions to an analyst that answers after 100 ms.

    python benchmarks/runner.py             ours
    python benchmarks/runner.py --others    beside it pydantic-evals and inspect_ai, each installed
                                            by pip into an environment of its own in a temporary
                                            folder (--venvs FOLDER keeps them)

The ideal is questions / concurrency rounds of 100 ms. Ours asks the first question alone, which
adds one round, and every answer is on the disk (fsync) before it is reported; neither of the others
writes anything here. CPU is that of the process, all its threads, from the first question to the
last answer, without start-up and imports.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Mapping
from pathlib import Path

QUESTIONS, AT_ONCE, ANSWER_S = 1_000, 100, 0.1

PYDANTIC_EVALS = """\
import asyncio, json, time
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected

async def answer(question: str) -> str:
    await asyncio.sleep({answer_s})
    return "42"

dataset = Dataset(
    name="benchmark",
    cases=[Case(name=f"q{{n}}", inputs=f"question {{n}}", expected_output="42")
           for n in range({questions})],
    evaluators=[EqualsExpected()],
)
wall, cpu = time.perf_counter(), time.process_time()
report = asyncio.run(dataset.evaluate(answer, max_concurrency={at_once}, progress=False))
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, len(report.cases)]))
"""

INSPECT_AI = """\
import asyncio, json, tempfile, time
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import match
from inspect_ai.solver import solver

@solver
def instant():
    async def solve(state, generate):
        await asyncio.sleep({answer_s})
        state.output.completion = "42"
        return state
    return solve

task = Task(
    dataset=[Sample(id=n + 1, input=f"question {{n}}", target="42") for n in range({questions})],
    solver=instant(), scorer=match(),
)
with tempfile.TemporaryDirectory() as logs:
    wall, cpu = time.perf_counter(), time.process_time()
    (log,) = eval(task, model="mockllm/model", max_samples={at_once}, display="none",
                  log_dir=logs)
    print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, len(log.samples)]))
"""

OTHERS = {"pydantic-evals": PYDANTIC_EVALS, "inspect_ai": INSPECT_AI}


def ours(*, paced: bool) -> tuple[float, float]:
    """Wall and CPU seconds of one go; `paced` sends every answer through the throttle."""
    from goldsuite.model.answer import Reply
    from goldsuite.model.question import Prompt, Question
    from goldsuite.runner.journal import Journal, read_journal
    from goldsuite.runner.plan import plan_trials
    from goldsuite.runner.pool import ask
    from goldsuite.runner.throttle import Throttle

    throttle = Throttle(limit=AT_ONCE, start=AT_ONCE)

    async def reply() -> Reply:
        await asyncio.sleep(ANSWER_S)
        return Reply(value="42", query="select 42", definition_source="my own choice")

    class Source:
        name, model, isolation = "stand-in", None, "in-process"
        notes: Mapping[str, str] = {}

        def fresh(self) -> "Source":
            return self

        async def answer(self, _: Prompt) -> Reply:
            return await (throttle.send(reply) if paced else reply())

        async def aclose(self) -> None:
            return

    trials = plan_trials(
        Question(id=f"q{n}", text=f"question {n}", split="train", line=n + 1)
        for n in range(QUESTIONS)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        wall, cpu = time.perf_counter(), time.process_time()
        with Journal(path) as journal:
            asyncio.run(
                ask(
                    trials, Source(), concurrency=AT_ONCE, timeout_s=60, record=journal.extend,
                    throttle=throttle if paced else None,
                )
            )  # fmt: skip
        took = time.perf_counter() - wall, time.process_time() - cpu
        assert len(read_journal(path)) == QUESTIONS
    return took


def theirs(package: str, script: str, folder: Path) -> tuple[float, float]:
    """The same by another package, in an environment of its own."""
    home = folder / package
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        install = [python, "-I", "-m", "pip", "install", "--quiet", "--no-input", package]
        subprocess.run(install, check=True, capture_output=True)
    text = script.format(questions=QUESTIONS, at_once=AT_ONCE, answer_s=ANSWER_S)
    done = subprocess.run(
        [python, "-I", "-c", text],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-800:])
    wall, cpu, answered = json.loads(done.stdout.splitlines()[-1])
    assert answered == QUESTIONS
    return wall, cpu


def show(name: str, wall: float, cpu: float) -> None:
    """One line of the table."""
    ideal = QUESTIONS / AT_ONCE * ANSWER_S
    print(f"{name:<24} {wall:8.2f} {wall / ideal:8.2f} {1000 * cpu / QUESTIONS:12.3f}")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--others", action="store_true", help="pydantic-evals and inspect_ai too")
    parser.add_argument("--venvs", type=Path, help="where their environments are kept")
    parser.add_argument("--goes", type=int, default=3, help="the best of so many is shown")
    options = parser.parse_args()
    print(f"{'':<24} {'wall s':>8} {'x ideal':>8} {'CPU ms/case':>12}")
    for name, paced in (("goldsuite", False), ("goldsuite, throttled", True)):
        show(name, *min(ours(paced=paced) for _ in range(options.goes)))
    if not options.others:
        return 0
    with tempfile.TemporaryDirectory(prefix="runner-benchmark-") as temporary:
        folder = options.venvs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for package, script in OTHERS.items():
            try:
                show(package, *min(theirs(package, script, folder) for _ in range(options.goes)))
            except (RuntimeError, subprocess.SubprocessError, ValueError) as error:
                print(f"{package:<24} could not be run: {error}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
