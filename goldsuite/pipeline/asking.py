"""The blind half of a run: questions in, locked answers out. The key is not imported here."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Protocol

from goldsuite.analysts.base import AnalystSource
from goldsuite.context.state import context_state
from goldsuite.errors import UsageError
from goldsuite.model.context_state import ContextState
from goldsuite.model.question import Question, QuestionSet, Trial
from goldsuite.pipeline.session import AnalystContext, spec_sha256
from goldsuite.pipeline.settings import Settings
from goldsuite.runner.folder import RunFolder, create_run, open_run
from goldsuite.runner.journal import Journal, read_journal
from goldsuite.runner.lock import AnswersLock, is_locked, lift_lock, lock_answers
from goldsuite.runner.plan import outstanding, plan_trials
from goldsuite.runner.pool import ask
from goldsuite.runner.progress import Progress
from goldsuite.suite.intake import Intake
from goldsuite.suite.selection import SplitChoice, select

__all__ = [
    "Clock",
    "Display",
    "RunRequest",
    "StartedRun",
    "ask_all",
    "fixed_settings",
    "start_run",
    "state_of",
]


class Display(Protocol):
    """Where a run tells how far it is."""

    def say(self, message: str) -> None: ...

    def started(self, run_id: str) -> None:
        """The run has a folder from now on, and can be resumed."""
        ...

    def progress(self, progress: Progress) -> None: ...


class Clock(Protocol):
    """Gives the time, with its zone."""

    def __call__(self) -> datetime: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRequest:
    """What to ask, in the user's words."""

    split: SplitChoice = "train"
    cases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    first: int | None = None
    changelog: str | None = None
    resume: str | None = None
    """Id of the run to go on with; its own split and selection hold then."""

    def selection(self) -> dict[str, str]:
        """The options that narrow the run, for the record."""
        named = {"case": ", ".join(self.cases), "tag": ", ".join(self.tags)}
        if self.first is not None:
            named["slice"] = str(self.first)
        return {name: value for name, value in named.items() if value}


@dataclass(frozen=True, kw_only=True, slots=True)
class StartedRun:
    """A run that has its folder, and what it was started with."""

    folder: RunFolder
    trials: tuple[Trial, ...]
    options: Mapping[str, Any]
    as_of: date | None
    state: ContextState | None

    @property
    def run_id(self) -> str:
        return self.folder.plan.run_id


def start_run(
    settings: Settings,
    request: RunRequest,
    intake: Intake,
    context: AnalystContext,
    *,
    warehouse_url: str,
    now: Clock,
) -> StartedRun:
    """Make the folder of a new run, or take up that of one to be resumed.

    Raises:
        UsageError: nothing is selected, or the run was started with other settings.
        RefusedError: the suite's questions have changed since the run started.
    """
    state = state_of(context)
    fixed = fixed_settings(settings, state, warehouse_url=warehouse_url)
    if request.resume is not None:
        return _take_up(settings, request.resume, intake, state, fixed)
    questions = _selected(intake.questions, request)
    trials = plan_trials(questions)
    as_of = intake.questions.as_of or settings.as_of
    options = {
        "split": request.split,
        "selection": request.selection(),
        "changelog": request.changelog,
        "key_checked_at": intake.key_checked_at.isoformat(),
        "suite_sha256": intake.questions.sha256,
        "as_of": as_of and as_of.isoformat(),
        "fixed": fixed,
    }
    folder = create_run(settings.runs_dir, trials, split=request.split, now=now(), options=options)
    return StartedRun(folder=folder, trials=trials, options=options, as_of=as_of, state=state)


def _selected(questions: QuestionSet, request: RunRequest) -> tuple[Question, ...]:
    return select(
        questions, split=request.split, cases=request.cases, tags=request.tags, first=request.first
    )


def state_of(context: AnalystContext) -> ContextState | None:
    """What the record says of the context; None without one."""
    if context.resolved is None:
        return None
    return context_state(context.resolved, context.dictionary)


def fixed_settings(
    settings: Settings, state: ContextState | None, *, warehouse_url: str
) -> dict[str, str | None]:
    """What must be the same when a run is resumed, by the name that the user knows."""
    return {
        "suite": str(settings.suite),
        "warehouse": warehouse_url,
        "analyst": spec_sha256(settings),
        "context": state.files_sha256 if state else None,
    }


def _take_up(
    settings: Settings,
    run_id: str,
    intake: Intake,
    state: ContextState | None,
    fixed: Mapping[str, str | None],
) -> StartedRun:
    folder = open_run(settings.runs_dir, run_id)
    try:
        options = folder.plan.options
        _must_be_same(run_id, options["fixed"], fixed)
        trials = folder.plan.restore(intake.questions.questions)
    except BaseException:
        folder.close()
        raise
    as_of = date.fromisoformat(options["as_of"]) if options["as_of"] else None
    return StartedRun(folder=folder, trials=trials, options=options, as_of=as_of, state=state)


def _must_be_same(
    run_id: str, started: Mapping[str, str | None], now: Mapping[str, str | None]
) -> None:
    other = [name for name, value in now.items() if started.get(name) != value]
    if other:
        raise UsageError(
            f"run {run_id!r} was started with another {' and another '.join(other)}; resume it "
            "with the same, or start a new run"
        )


def ask_all(
    run: StartedRun, source: AnalystSource, settings: Settings, display: Display, *, now: Clock
) -> AnswersLock:
    """Ask what has no answer yet, then lock the answers.

    Raises:
        RunStoppedError: the first question broke the analyst; the run can be resumed.
        KeyboardInterrupt: what was answered stays journaled.
    """
    answers = run.folder.answers
    todo = outstanding(run.trials, read_journal(answers))
    if todo and is_locked(answers):
        display.say(f"asking again what ended in an error: {len(todo)} of {len(run.trials)}")
        lift_lock(answers)
    asyncio.run(_ask(todo, source, settings, display, answers=answers, as_of=run.as_of))
    return lock_answers(answers, now=now())


async def _ask(
    trials: Sequence[Trial],
    source: AnalystSource,
    settings: Settings,
    display: Display,
    *,
    answers: Path,
    as_of: date | None,
) -> None:
    try:
        if trials:
            with Journal(answers) as journal:
                await ask(
                    trials,
                    source,
                    concurrency=settings.concurrency,
                    timeout_s=settings.timeout,
                    record=journal.extend,
                    on_progress=display.progress,
                    as_of=as_of,
                )
    finally:
        await source.aclose()
