"""Stops a run whose skills are triggered too seldom, without knowing which skills are expected."""

import json
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from goldsuite.errors import RunStoppedError
from goldsuite.model.answer import Answer
from goldsuite.model.question import Trial
from goldsuite.runner.limits import Watch
from goldsuite.suite.intake import isolated_command

__all__ = ["DEFAULT_TRIGGER_FLOOR", "trigger_watch"]

DEFAULT_TRIGGER_FLOOR = 0.8
_MODULE = "goldsuite.pipeline.trigger_process"


@contextmanager
def trigger_watch(
    suite: Path, trials: Sequence[Trial], earlier: Iterable[Answer], *, floor: float
) -> Iterator[Watch]:
    """A watch that stops the run as soon as a target cannot reach `floor` any more.

    With the last answer it stops nothing: the record then shows what there is to see.

    Args:
        trials: of the whole run.
        earlier: answers of earlier goes.

    Raises:
        RunStoppedError: the earlier answers are enough to say so, or the process broke.
    """
    process = subprocess.Popen(
        isolated_command(_MODULE),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        with process:
            yield _started(process, suite, trials, earlier, floor)
            if process.stdin is not None:
                process.stdin.close()
    finally:
        process.kill()


def _started(
    process: "subprocess.Popen[str]",
    suite: Path,
    trials: Sequence[Trial],
    earlier: Iterable[Answer],
    floor: float,
) -> Watch:
    planned = Counter(trial.question.id for trial in trials)
    request = {"path": str(suite.resolve()), "floor": floor, "planned": planned}
    why = _tell(process, request)
    open_trials = {(trial.question.id, trial.number) for trial in trials}
    for answer in earlier:
        if answer.reply.error is None:  # what broke is asked again
            why = _tell(process, _words(answer)) or why
            open_trials.discard((answer.id, answer.trial))
    if why is not None and open_trials:
        raise RunStoppedError(f"The run was stopped: {why}")

    def watch(_trial: Trial, answer: Answer) -> str | None:
        open_trials.discard((answer.id, answer.trial))
        why = _tell(process, _words(answer))
        return why if open_trials else None

    return watch


def _words(answer: Answer) -> dict[str, object]:
    reply = answer.reply
    return {
        "id": answer.id,
        "trial": answer.trial,
        "skills": reply.skills,
        "broke": reply.error is not None,
    }


def _tell(process: "subprocess.Popen[str]", words: dict[str, object]) -> str | None:
    """What the process makes of `words`."""
    assert process.stdin is not None  # noqa: S101 - both were opened as pipes
    assert process.stdout is not None  # noqa: S101
    try:
        process.stdin.write(f"{json.dumps(words)}\n")
        process.stdin.flush()
        line = process.stdout.readline()
    except OSError:
        line = ""
    if not line:
        return (
            "the process that watches --trigger-floor broke. Resume it with --trigger-floor 0 to "
            "go on without, and please report this"
        )
    stop: str | None = json.loads(line)["stop"]
    return stop
