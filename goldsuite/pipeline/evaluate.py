"""A whole run: warehouse, questions, answers, lock; only then the key, the grades, the record."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldsuite.comparison.summary import summarise
from goldsuite.model.run import AnswersLockInfo, CaseRecord, RunRecord, SuiteInfo, WarehouseInfo
from goldsuite.pipeline.analyst_sources import OpenAnalyst, open_analyst
from goldsuite.pipeline.asking import (
    Display,
    RunRequest,
    StartedRun,
    ask_all,
    start_run,
    state_of,
)
from goldsuite.pipeline.generalising import train_against_test
from goldsuite.pipeline.held_out_run import HeldOutRun, leak_lines
from goldsuite.pipeline.session import (
    AnalystContext,
    open_session_warehouse,
    read_context,
    spec_sha256,
    take_in_searched,
)
from goldsuite.pipeline.settings import Settings
from goldsuite.pipeline.trigger_floor import trigger_watch
from goldsuite.records.environment import describe_environment
from goldsuite.records.file import write_record
from goldsuite.records.runs_dir import keep_earlier, record_path
from goldsuite.report.figures import counted
from goldsuite.runner.journal import read_journal
from goldsuite.runner.limits import Limits
from goldsuite.runner.lock import AnswersLock, earlier_locks
from goldsuite.runner.plan import outstanding
from goldsuite.runner.throttle import Throttle
from goldsuite.suite.intake import Intake
from goldsuite.warehouse.engines import OpenWarehouse

if TYPE_CHECKING:
    from goldsuite.pipeline.grading import GradedRun

__all__ = ["Answerer", "begun_run", "evaluate_suite", "grade_and_record"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answerer:
    """Who gave the answers, as the record names it."""

    name: str
    model: str | None
    isolation: str
    notes: Mapping[str, str]
    replayed: bool = False
    """True where nobody was asked: the answers come from a file."""

    @classmethod
    def asked(cls, analyst: OpenAnalyst) -> "Answerer":
        """The analyst of a run."""
        source = analyst.source
        return cls(
            name=analyst.name,
            model=source.model,
            isolation=source.isolation,
            notes={**source.notes, **analyst.notes},
        )


def evaluate_suite(settings: Settings, request: RunRequest, display: Display) -> Path:
    """Run the analyst on the selected questions, grade the locked answers, and write the record.

    Returns the path of the record.

    Raises:
        GoldsuiteError: whatever stops the run; what was answered is kept.
        KeyboardInterrupt: the run can be resumed.
    """
    with open_session_warehouse(settings) as warehouse:
        display.say(f"warehouse {warehouse.masked_url}: {warehouse.engine} answers")
        for warning in warehouse.warnings:
            display.say(f"warning: {warning}")
        context = read_context(settings, refresh=request.resume is None)
        intake = take_in_searched(settings, context, dialect=warehouse.dialect)
        for line in leak_lines(intake.leaks):
            display.say(f"warning: {line}")
        throttle = Throttle(limit=settings.concurrency)
        with open_analyst(settings, warehouse, context, pace=throttle) as analyst:
            return _run(settings, request, display, warehouse, intake, context, analyst, throttle)


@contextmanager
def begun_run(
    settings: Settings,
    request: RunRequest,
    warehouse: OpenWarehouse,
    intake: Intake,
    context: AnalystContext,
    analyst: OpenAnalyst,
) -> Iterator[tuple[StartedRun, HeldOutRun]]:
    """A run with its folder, new or taken up, that has passed the door to the held-out cases.

    Raises:
        GoldsuiteError: it may not be started, or not be resumed so.
    """
    door = HeldOutRun(
        settings=settings,
        request=request.held_out,
        intake=intake,
        analyst=spec_sha256(settings),
        model=analyst.source.model,
        context=state_of(context),
    )
    run = start_run(
        settings,
        request,
        intake,
        context,
        warehouse_url=warehouse.masked_url,
        now=_now,
        admit=door.admit,
    )
    with run.folder:
        door.reserve(run.run_id, run.trials)
        yield run, door


def _run(
    settings: Settings,
    request: RunRequest,
    display: Display,
    warehouse: OpenWarehouse,
    intake: Intake,
    context: AnalystContext,
    analyst: OpenAnalyst,
    throttle: Throttle,
) -> Path:
    with begun_run(settings, request, warehouse, intake, context, analyst) as (run, door):
        display.started(run.run_id)
        questions = counted(len(run.trials), "question")
        display.say(f"run {run.run_id}: {questions} to {analyst.name}")
        with _watched(settings, request, run, intake) as limits:
            lock = ask_all(
                run,
                analyst.source,
                settings,
                display,
                limits=limits,
                throttle=throttle,
                now=_now,
            )
        display.say("answers locked; opening the key")
        return grade_and_record(
            settings,
            run,
            lock,
            warehouse,
            intake,
            context,
            Answerer.asked(analyst),
            door=door,
            limits=_limits(request, intake),
            run_cost=request.run_cost,
        )


@contextmanager
def _watched(
    settings: Settings, request: RunRequest, run: StartedRun, intake: Intake
) -> Iterator[Limits]:
    """The limits of the run, with someone who watches the trigger floor where there is one."""
    limits, answers = request.limits, run.folder.answers
    earlier = read_journal(answers)
    if (
        not limits.trigger_floor
        or not intake.expects_skills
        or not outstanding(run.trials, earlier)
    ):
        yield limits
        return
    with trigger_watch(settings.suite, run.trials, earlier, floor=limits.trigger_floor) as watch:
        yield replace(limits, watch=watch)


def _limits(request: RunRequest, intake: Intake) -> dict[str, str]:
    """What the run was held to, as the user gave it."""
    limits = request.limits
    given = {
        "max_cost": limits.max_cost,
        "max_tokens": limits.max_tokens,
        "max_errors": limits.max_errors,
        "trigger_floor": limits.trigger_floor if intake.expects_skills else None,
    }
    return {name: str(limit) for name, limit in given.items() if limit is not None}


def grade_and_record(
    settings: Settings,
    run: StartedRun,
    lock: AnswersLock,
    warehouse: OpenWarehouse,
    intake: Intake,
    context: AnalystContext,
    answerer: Answerer,
    *,
    door: HeldOutRun,
    limits: Mapping[str, str] | None = None,
    run_cost: Decimal | None = None,
) -> Path:
    """The open half of a run: grade its locked answers, and write the record.

    Returns the path of the record.

    Raises:
        RefusedError: the held-out cases among them may not be looked at.
    """
    door.use(run.run_id, run.trials)
    # Not loaded before this line: what runs analysts has no code to read the key with.
    from goldsuite.pipeline.grading import grade_run

    graded = grade_run(
        run.trials,
        read_journal(run.folder.answers),
        settings=settings,
        warehouse=warehouse,
        dictionary=context.dictionary,
        as_of=run.as_of,
        now=_now,
        run_id=run.run_id,
        leaks=intake.leaks,
    )
    record = _record(
        settings, run, lock, graded, warehouse, intake, answerer, door, limits or {}, run_cost
    )
    record = replace(record, train_against_test=train_against_test(record, settings.runs_dir))
    path = record_path(settings.runs_dir, run.run_id)
    keep_earlier(path)
    write_record(record, path)
    return path


def _record(
    settings: Settings,
    run: StartedRun,
    lock: AnswersLock,
    graded: "GradedRun",
    warehouse: OpenWarehouse,
    intake: Intake,
    answerer: Answerer,
    door: HeldOutRun,
    limits: Mapping[str, str],
    run_cost: Decimal | None,
) -> RunRecord:
    options: dict[str, Any] = dict(run.options)
    cases = _in_order(graded.cases)
    whole = None if run_cost is None else float(run_cost)
    return RunRecord(
        run_id=run.run_id,
        started_at=run.folder.plan.created_at,
        key_checked_at=datetime.fromisoformat(options["key_checked_at"]),
        answers_locked_at=lock.answers_locked_at,
        key_opened_at=graded.key_opened_at,
        finished_at=_now(),
        answers_sha256=lock.answers_sha256,
        earlier_locks=tuple(
            AnswersLockInfo(
                answers_sha256=old.answers_sha256, answers_locked_at=old.answers_locked_at
            )
            for old in earlier_locks(run.folder.answers)
        ),
        split=options["split"],
        selection=options["selection"],
        repeat=options.get("repeat", 1),
        paraphrased=options.get("paraphrased", False),
        limits=dict(limits),
        run_cost=whole,
        strict=settings.strict,
        suite=SuiteInfo(
            name=intake.questions.name,
            file=settings.suite.name,
            sha256=options["suite_sha256"],
            sha256_at_grading=graded.suite_sha256,
            cases=len(intake.questions.questions),
            as_of=options["as_of"],
        ),
        warehouse=WarehouseInfo(
            dialect=warehouse.dialect,
            engine=warehouse.engine,
            url=warehouse.masked_url,
            time_zone=warehouse.time_zone,
            snapshot=graded.snapshot.value,
        ),
        analyst=answerer.name,
        model=answerer.model,
        isolation=answerer.isolation,
        analyst_notes=dict(answerer.notes),
        process_preset=settings.process_preset,
        changelog=options["changelog"],
        context_state=run.state,
        replayed=answerer.replayed,
        regraded_from=options.get("regraded_from"),
        environment=describe_environment(settings.suite.parent),
        executions=graded.executions,
        held_out=door.info(run.run_id),
        leaks=intake.leaks,
        aggregate=summarise(cases, run_cost=whole),
        failure_modes=graded.failure_modes,
        cases=cases,
    )


def _in_order(cases: Sequence[CaseRecord]) -> tuple[CaseRecord, ...]:
    """Trials were asked round by round; the record has those of one case together."""
    places = {case.id: place for place, case in reversed(list(enumerate(cases)))}
    return tuple(sorted(cases, key=lambda case: (places[case.id], case.trial)))


def _now() -> datetime:
    return datetime.now(UTC)
