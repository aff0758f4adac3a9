"""The blind half of a run: questions in, locked answers out. The key is not imported here."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Protocol

from goldsuite.analysts.base import AnalystSource
from goldsuite.context.state import context_state
from goldsuite.errors import UsageError
from goldsuite.model.context_state import ContextState
from goldsuite.model.question import QuestionSet, Trial
from goldsuite.pipeline.changed_cases import changed_questions
from goldsuite.pipeline.earlier_cases import earlier_cases
from goldsuite.pipeline.held_out import HeldOutRequest
from goldsuite.pipeline.session import AnalystContext, spec_sha256
from goldsuite.pipeline.settings import Settings
from goldsuite.runner.folder import RunFolder, create_run, open_run
from goldsuite.runner.journal import Journal, read_all_rows
from goldsuite.runner.limits import Limits
from goldsuite.runner.lock import AnswersLock, is_locked, lift_lock, lock_answers
from goldsuite.runner.plan import outstanding, plan_trials
from goldsuite.runner.pool import ask
from goldsuite.runner.progress import Progress
from goldsuite.runner.throttle import Throttle
from goldsuite.suite.intake import Intake
from goldsuite.suite.selection import SplitChoice, select

__all__ = [
    "Clock",
    "Display",
    "RunRequest",
    "StartedRun",
    "ask_all",
    "ask_outstanding",
    "fixed_settings",
    "planned_trials",
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
    repeat: int = 1
    """How often each question is asked."""
    paraphrases: bool = False
    """Whether the other wordings of a question are asked as often."""
    failed_from: str | None = None
    """Run id or path of a record: only its failed cases are asked."""
    errors_from: str | None = None
    """The same for cases that ended in an error."""
    since: datetime | None = None
    """Only cases that changed since then are asked."""
    trying: str | None = None
    """What is laid over the context for this run alone; the record then says so."""
    limits: Limits = field(default_factory=Limits)
    run_cost: Decimal | None = None
    """US dollars of the whole run, where its trials do not tell."""
    held_out: HeldOutRequest = field(default_factory=HeldOutRequest)
    """What is said at the door to the held-out cases."""

    def selection(self) -> dict[str, str]:
        """The options that narrow the run, for the record."""
        named = {"case": ", ".join(self.cases), "tag": ", ".join(self.tags)}
        if self.first is not None:
            named["slice"] = str(self.first)
        named |= {"failed_from": self.failed_from or "", "errors_from": self.errors_from or ""}
        named |= {"since": self.since.isoformat(timespec="seconds") if self.since else ""}
        named |= {"trying": self.trying or ""}
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
    admit: Callable[[Sequence[Trial]], None] | None = None,
) -> StartedRun:
    """Make the folder of a new run, or take up that of one to be resumed.

    Args:
        admit: raises where what a new run is going to ask must not be asked.

    Raises:
        UsageError: nothing is selected, or the run was started with other settings.
        RefusedError: the suite's questions have changed since the run started, or `admit` refuses.
    """
    state = state_of(context)
    fixed = fixed_settings(settings, state, warehouse_url=warehouse_url)
    if request.resume is not None:
        return _take_up(settings, request.resume, intake, state, fixed)
    trials = planned_trials(settings, request, intake, state)
    if admit is not None:
        admit(trials)
    as_of = intake.questions.as_of or settings.as_of
    options = {
        "split": request.split,
        "selection": request.selection(),
        "repeat": request.repeat,
        "paraphrased": request.paraphrases,
        "changelog": request.changelog,
        "key_checked_at": intake.key_checked_at.isoformat(),
        "suite_sha256": intake.questions.sha256,
        "as_of": as_of and as_of.isoformat(),
        "fixed": fixed,
    }
    folder = create_run(settings.runs_dir, trials, split=request.split, now=now(), options=options)
    return StartedRun(folder=folder, trials=trials, options=options, as_of=as_of, state=state)


def planned_trials(
    settings: Settings, request: RunRequest, intake: Intake, state: ContextState | None
) -> tuple[Trial, ...]:
    """What a new run asks, in order.

    Raises:
        UsageError: nothing is selected, or an option names what is not there.
        NothingToDoError: nothing that is selected has changed.
        RecordError: a run that cases are taken from has no record that can be read.
    """
    questions = select(
        intake.questions,
        split=request.split,
        cases=_cases(settings, request, intake.questions),
        tags=request.tags,
        # Of those that changed the first are meant.
        first=request.first if request.since is None else None,
    )
    if request.since is not None:
        as_of = intake.questions.as_of or settings.as_of
        questions = changed_questions(settings, questions, request.since, state=state, as_of=as_of)[
            : request.first
        ]
    return plan_trials(questions, repeat=request.repeat, paraphrases=request.paraphrases)


def _cases(settings: Settings, request: RunRequest, suite: QuestionSet) -> tuple[str, ...]:
    """Ids of the cases that are asked for; empty for all."""
    again: list[str] = []
    if request.failed_from is not None:
        again += earlier_cases(
            settings.runs_dir, request.failed_from, "failed", suite, request.split
        )
    if request.errors_from is not None:
        again += earlier_cases(
            settings.runs_dir, request.errors_from, "errors", suite, request.split
        )
    if not again or not request.cases:
        return tuple(again) or request.cases
    both = tuple(case for case in request.cases if case in again)
    if not both:
        raise UsageError(f"--case {request.cases[0]}: it is none of the cases to ask again")
    return both


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
        "isolation": "sandboxed" if settings.sandbox else None,
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
    run: StartedRun,
    source: AnalystSource,
    settings: Settings,
    display: Display,
    *,
    limits: Limits,
    throttle: Throttle,
    now: Clock,
) -> AnswersLock:
    """Ask what has no answer yet, then lock the answers.

    Raises:
        RunStoppedError: the first question broke the analyst, or a limit was reached; the run can
            be resumed.
        KeyboardInterrupt: what was answered stays journaled.
    """
    return asyncio.run(
        ask_outstanding(run, source, settings, display, limits=limits, throttle=throttle, now=now)
    )


async def ask_outstanding(
    run: StartedRun,
    source: AnalystSource,
    settings: Settings,
    display: Display,
    *,
    limits: Limits,
    throttle: Throttle,
    now: Clock,
    gate: Callable[[], Awaitable[None]] | None = None,
) -> AnswersLock:
    """As `ask_all`, inside a loop that may ask another run as well; `gate` as in the pool."""
    answers = run.folder.answers
    earlier = read_all_rows(answers)
    todo = outstanding(run.trials, earlier)
    if todo and is_locked(answers):
        display.say(f"asking again what ended in an error: {len(todo)} of {len(run.trials)}")
        lift_lock(answers)

    try:
        if todo:
            with Journal(answers) as journal:
                await ask(
                    todo,
                    source,
                    concurrency=settings.concurrency,
                    timeout_s=settings.timeout,
                    max_wait_s=settings.max_wait,
                    record=journal.extend,
                    on_progress=display.progress,
                    as_of=run.as_of,
                    throttle=throttle,
                    limits=limits,
                    earlier=earlier,
                    planned=len(run.trials),
                    gate=gate,
                )
    finally:
        await source.aclose()
    return lock_answers(answers, now=now())
