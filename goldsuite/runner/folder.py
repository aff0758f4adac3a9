"""The folder of one run: what was planned, what was answered, and who is at work on it.

    runs/20261201-114551-train-3f9a/
        plan.json      written before the first question: cases, tokens, options
        answers.jsonl  the journal
        lock.json      after the last answer
        busy           held by the process that runs or resumes the run

The plan names no gold. It holds hashes of the questions, so that a resumed run asks what was asked
before, or says that the suite has changed.
"""

import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from goldsuite.analysts.stragglers import find_processes, kill_all
from goldsuite.durable import sync_folder, write_whole
from goldsuite.errors import RecordError, RefusedError, UsageError
from goldsuite.model.question import Question, Trial

__all__ = ["PlannedTrial", "RunFolder", "RunPlan", "create_run", "open_run"]

_VERSION = 1
_ATTEMPTS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedTrial:
    """One line of a plan."""

    id: str
    """Of the case."""
    trial: int
    token: str
    question_sha256: str
    """Of what is asked: the question, or its paraphrase."""
    paraphrase: int | None = None
    """As in `Trial`."""

    def of(self, question: Question | None) -> Trial | None:
        """The trial, with its question as it is now; None where that is gone or reads otherwise."""
        if question is None or (self.paraphrase or 0) > len(question.paraphrases):
            return None
        trial = Trial(
            question=question, number=self.trial, token=self.token, paraphrase=self.paraphrase
        )
        return trial if _hash(trial.text) == self.question_sha256 else None


@dataclass(frozen=True, kw_only=True, slots=True)
class RunPlan:
    """All that is needed to go on with a run."""

    run_id: str
    created_at: datetime
    options: Mapping[str, Any]
    """What the caller needs to resume, as JSON values and without secrets."""
    trials: tuple[PlannedTrial, ...]

    def restore(self, questions: Iterable[Question]) -> tuple[Trial, ...]:
        """The planned trials, with their questions taken from the suite as it is now.

        Raises:
            RefusedError: a planned question is gone or reads differently.
        """
        by_id = {question.id: question for question in questions}
        trials = []
        for planned in self.trials:
            trial = planned.of(by_id.get(planned.id))
            if trial is None:
                gone = planned.id not in by_id
                what = "is no longer in the suite" if gone else "has a new question"
                raise RefusedError(
                    f"Run {self.run_id!r} cannot be resumed: case {planned.id!r} {what} since it "
                    "started. Restore the suite, or start a new run."
                )
            trials.append(trial)
        return tuple(trials)


class RunFolder:
    """A run's folder, held by this process alone until `close`; use it as a context manager."""

    def __init__(self, path: Path, plan: RunPlan, handle: int) -> None:
        """Use `create_run` or `open_run`."""
        self.path = path
        self.plan = plan
        self._handle = handle

    @property
    def answers(self) -> Path:
        """The journal's place."""
        return self.path / "answers.jsonl"

    def close(self) -> None:
        """Let others work on the run."""
        os.close(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def create_run(
    runs_dir: Path,
    trials: Sequence[Trial],
    *,
    split: str,
    now: datetime,
    options: Mapping[str, Any],
    suffix: Callable[[], str] = lambda: secrets.token_hex(2),
) -> RunFolder:
    """Make a run's folder with its plan in it, and hold it.

    Args:
        runs_dir: where all runs stand; made if it is not there.
        trials: what will be asked, in this order.
        split: for the run id, such as `train`.
        now: for the run id and the plan.
        options: kept in the plan for whoever resumes; JSON values without secrets.
        suffix: the end of the run id; asked again while the id is taken.

    Raises:
        RecordError: the folder cannot be made.
    """
    try:
        runs_dir.mkdir(parents=True, exist_ok=True)
        path = _new_folder(runs_dir, f"{now:%Y%m%d-%H%M%S}-{split}", suffix)
        handle = _hold(path)
        plan = RunPlan(
            run_id=path.name,
            created_at=now,
            options=dict(options),
            trials=tuple(map(_planned, trials)),
        )
        write_whole(path / "plan.json", _plan_text(plan))
        sync_folder(runs_dir)
    except OSError as error:
        raise RecordError(f"{runs_dir}: no run can be kept there: {error.strerror}.") from error
    return RunFolder(path, plan, handle)


def open_run(runs_dir: Path, run_id: str) -> RunFolder:
    """Hold the folder of a run that was started before.

    Programs that a killed runner left at work on its questions are killed.

    Raises:
        UsageError: there is no such run, or another process is at work on it.
        RecordError: its plan cannot be read.
    """
    path = runs_dir / run_id
    if Path(run_id).name != run_id or not (path / "plan.json").is_file():
        raise UsageError(f"{runs_dir}: there is no run {run_id!r} that could be resumed.")
    handle = _hold(path)
    try:
        plan = _read_plan(path / "plan.json")
        kill_all(find_processes(planned.token for planned in plan.trials))
    except BaseException:
        os.close(handle)
        raise
    return RunFolder(path, plan, handle)


def _new_folder(runs_dir: Path, start: str, suffix: Callable[[], str]) -> Path:
    for _ in range(_ATTEMPTS):
        path = runs_dir / f"{start}-{suffix()}"
        if path.with_suffix(".json").exists():
            continue
        try:
            path.mkdir()
        except FileExistsError:
            continue
        return path
    raise RecordError(f"{runs_dir}: no free run id begins with {start!r}; wait a second.")


def _hold(path: Path) -> int:
    handle = os.open(path / "busy", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise UsageError(
            f"{path}: another process is at work on this run. Wait until it ends, or end it."
        ) from None
    return handle


def _planned(trial: Trial) -> PlannedTrial:
    return PlannedTrial(
        id=trial.question.id,
        trial=trial.number,
        token=trial.token,
        question_sha256=_hash(trial.text),
        paraphrase=trial.paraphrase,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plan_text(plan: RunPlan) -> str:
    fields = {
        "plan_version": _VERSION,
        "run_id": plan.run_id,
        "created_at": plan.created_at.isoformat(),
        "options": dict(plan.options),
        "trials": [
            {
                "id": planned.id,
                "trial": planned.trial,
                "token": planned.token,
                "question_sha256": planned.question_sha256,
                **({"paraphrase": planned.paraphrase} if planned.paraphrase else {}),
            }
            for planned in plan.trials
        ],
    }
    return f"{json.dumps(fields, indent=1)}\n"


def _read_plan(path: Path) -> RunPlan:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        if fields["plan_version"] > _VERSION:
            raise RecordError(
                f"{path}: was written by a newer goldsuite (plan version "
                f"{fields['plan_version']!r}). Resume the run with that one."
            )
        return RunPlan(
            run_id=str(fields["run_id"]),
            created_at=datetime.fromisoformat(fields["created_at"]),
            options=dict(fields["options"]),
            trials=tuple(PlannedTrial(**planned) for planned in fields["trials"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise RecordError(f"{path}: no plan that can be read: {error!r}.") from None
