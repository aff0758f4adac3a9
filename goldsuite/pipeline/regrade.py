"""Grading locked answers again, against the suite as it is now, without asking anyone.

The new run has the very bytes of the old answers, so both records tell one hash; its own record
names the old one. The old record stays as it was written.
"""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

from goldsuite.errors import RecordError, RefusedError, UsageError
from goldsuite.model.grade import Verdict
from goldsuite.model.question import Question, Split, Trial
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.pipeline.asking import Display, StartedRun
from goldsuite.pipeline.evaluate import Answerer, grade_and_record
from goldsuite.pipeline.held_out import HeldOutRequest, ledger_path
from goldsuite.pipeline.held_out_run import HeldOutRun
from goldsuite.pipeline.session import open_session_warehouse, read_context, take_in_searched
from goldsuite.pipeline.settings import Settings
from goldsuite.records.file import read_record
from goldsuite.records.labels import copy_labels
from goldsuite.records.ledger import read_ledger
from goldsuite.records.runs_dir import answers_path, find_record
from goldsuite.report.figures import counted
from goldsuite.runner.folder import RunPlan, create_run, open_run
from goldsuite.runner.lock import LockState, lock_answers, verify_lock
from goldsuite.suite.intake import Intake

__all__ = ["ChangedVerdict", "Regraded", "regrade"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedVerdict:
    """One trial that is graded otherwise now."""

    id: str
    trial: int
    split: Split
    before: Verdict
    after: Verdict
    passed: bool
    """Whether it passes now."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Regraded:
    """What grading again gave."""

    path: Path
    """Of the new record."""
    old: RunRecord
    new: RunRecord
    changed: tuple[ChangedVerdict, ...]
    left_out: tuple[str, ...]
    """Cases that the suite no longer has, or whose question reads otherwise now."""
    labels: int
    """Labels by people that were taken over."""


def regrade(
    settings: Settings, run: str | None, held_out: HeldOutRequest, display: Display
) -> Regraded:
    """Grade the answers of `run` again, into a run of its own.

    Every trial is taken over, also of cases that were asked several times. What a judge said stays
    with the old record. Held-out cases stand for the look that the old run had: the same answers
    are no second look.

    Args:
        run: id or path of a record; None for the latest.

    Raises:
        RefusedError: the answers or the record were changed since they were written.
        UsageError: no case of the run is in the suite any more.
        GoldsuiteError: whatever else stops a run.
    """
    path = find_record(run, settings.runs_dir)
    old = _intact(path)
    with open_session_warehouse(settings) as warehouse:
        display.say(f"warehouse {warehouse.masked_url}: {warehouse.engine} answers")
        context = read_context(settings, refresh=True)
        intake = take_in_searched(settings, context, dialect=warehouse.dialect)
        with open_run(path.parent, path.stem) as folder:
            plan, answers = folder.plan, folder.answers
        trials, left_out = _taken_over(plan, intake)
        door = HeldOutRun(
            settings=settings,
            request=_same_look(settings, old, held_out),
            intake=intake,
            analyst=old.answers_sha256,
            model=old.model,
            context=old.context_state,
        )
        door.admit(trials)
        started = _start(settings, old, plan, intake, trials)
        with started.folder:
            door.reserve(started.run_id, trials)
            shutil.copyfile(answers, started.folder.answers)
            lock = lock_answers(started.folder.answers, now=_now())
            display.say(
                f"run {started.run_id}: {counted(len(trials), 'answer')} of {old.run_id} locked"
            )
            record = grade_and_record(
                settings,
                started,
                lock,
                warehouse,
                intake,
                context,
                _answerer(old, left_out),
                door=door,
                limits=old.limits,
            )
    new = read_record(record)
    return Regraded(
        path=record,
        old=old,
        new=new,
        changed=_changed(old, new),
        left_out=left_out,
        labels=copy_labels(path, record),
    )


def _intact(path: Path) -> RunRecord:
    record = read_record(path)
    if record.altered:
        raise RefusedError(f"{path}: this record was changed after it was written.")
    state = verify_lock(answers_path(path), sha256=record.answers_sha256)
    if state is LockState.MISSING:
        raise RecordError(f"{path}: its answers are gone ({answers_path(path)}); nothing to grade.")
    if state is LockState.CHANGED:
        raise RefusedError(
            f"{answers_path(path)}: has changed since it was locked, so it is no longer what the "
            "analyst said."
        )
    if not (path.with_suffix("") / "plan.json").is_file():
        raise RecordError(f"{path}: its plan is gone, which says what was asked in each trial.")
    return record


def _taken_over(plan: RunPlan, intake: Intake) -> tuple[tuple[Trial, ...], tuple[str, ...]]:
    by_id: Mapping[str, Question] = {q.id: q for q in intake.questions.questions}
    found = [(planned, planned.of(by_id.get(planned.id))) for planned in plan.trials]
    trials = tuple(trial for _, trial in found if trial is not None)
    if not trials:
        raise UsageError(
            f"run {plan.run_id}: the suite {intake.questions.file} asks none of its questions. "
            "Name the suite of the run with --suite."
        )
    gone = (planned.id for planned, trial in found if trial is None)
    return trials, tuple(dict.fromkeys(gone))


def _same_look(settings: Settings, old: RunRecord, held_out: HeldOutRequest) -> HeldOutRequest:
    """The look of the old run; where the ledger does not know it, one that has to be asked for."""
    mine = read_ledger(ledger_path(settings)).look_of(old.run_id)
    if mine is None or mine.look is None:
        return replace(held_out, allow_leaks=True)
    release = held_out.release or (mine.release.name if mine.release else None)
    return replace(held_out, allow_leaks=True, look=mine.look, release=release)


def _start(
    settings: Settings, old: RunRecord, plan: RunPlan, intake: Intake, trials: tuple[Trial, ...]
) -> StartedRun:
    as_of: date | None = intake.questions.as_of or settings.as_of
    options = {
        **plan.options,
        "key_checked_at": intake.key_checked_at.isoformat(),
        "suite_sha256": intake.questions.sha256,
        "as_of": as_of and as_of.isoformat(),
        "regraded_from": old.run_id,
    }
    folder = create_run(settings.runs_dir, trials, split=old.split, now=_now(), options=options)
    return StartedRun(
        folder=folder, trials=trials, options=options, as_of=as_of, state=old.context_state
    )


def _answerer(old: RunRecord, left_out: tuple[str, ...]) -> Answerer:
    notes = {"left_out": f"no longer asked by the suite: {', '.join(left_out)}"} if left_out else {}
    return Answerer(
        name=old.analyst,
        model=old.model,
        isolation=old.isolation,
        notes={**old.analyst_notes, **notes},
        replayed=True,
    )


def _changed(old: RunRecord, new: RunRecord) -> tuple[ChangedVerdict, ...]:
    before: dict[tuple[str, int], CaseRecord] = {(case.id, case.trial): case for case in old.cases}
    return tuple(
        ChangedVerdict(
            id=case.id,
            trial=case.trial,
            split=case.split,
            before=earlier.verdict,
            after=case.verdict,
            passed=case.passed,
        )
        for case in new.cases
        if (earlier := before.get((case.id, case.trial))) is not None
        and (earlier.verdict, earlier.passed) != (case.verdict, case.passed)
    )


def _now() -> datetime:
    return datetime.now(UTC)
