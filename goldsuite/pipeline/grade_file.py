"""Grading answers that exist already: from a file into a run of their own, by the path of `eval`.

The answers are copied into a run folder, locked and hashed there; then the key is opened. What the
file says of cases is checked against the questions alone.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from goldsuite.analysts.predictions import AnswersFormat, Predictions, read_predictions
from goldsuite.errors import UsageError
from goldsuite.model.answer import Answer, Reply
from goldsuite.model.question import Question, QuestionSet, Trial
from goldsuite.model.run import RunSplit
from goldsuite.pipeline.asking import Display, StartedRun, fixed_settings, state_of
from goldsuite.pipeline.evaluate import Answerer, grade_and_record
from goldsuite.pipeline.held_out import HeldOutRequest
from goldsuite.pipeline.held_out_run import HeldOutRun, leak_lines
from goldsuite.pipeline.session import (
    AnalystContext,
    open_session_warehouse,
    read_context,
    take_in_searched,
)
from goldsuite.pipeline.settings import Settings
from goldsuite.report.figures import counted
from goldsuite.runner.folder import create_run
from goldsuite.runner.journal import Journal
from goldsuite.runner.lock import lock_answers
from goldsuite.runner.plan import plan_trials
from goldsuite.suite.intake import Intake
from goldsuite.suite.selection import SplitChoice, select

__all__ = ["GradeRequest", "grade_file"]


@dataclass(frozen=True, kw_only=True, slots=True)
class GradeRequest:
    """What to grade, in the user's words."""

    answers: Path
    answers_format: AnswersFormat | None = None
    """None to see it from the file."""
    split: SplitChoice | None = None
    """None for the answered cases alone; else every case of it, answered or not."""
    cases: tuple[str, ...] = ()
    """Ids that narrow the split; empty for all of it."""
    tags: tuple[str, ...] = ()
    first: int | None = None
    changelog: str | None = None
    held_out: HeldOutRequest = field(default_factory=HeldOutRequest)
    """What is said at the door to the held-out cases."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Selected:
    """The cases to grade, each with its answer."""

    split: RunSplit
    questions: tuple[Question, ...]
    answers: tuple[Answer, ...]
    """In the order of the questions."""
    selection: dict[str, str]
    notes: dict[str, str]


def grade_file(settings: Settings, request: GradeRequest, display: Display) -> Path:
    """Grade the answers of a file, and write a record that says they were replayed.

    Returns the path of the record.

    Raises:
        UsageError: there is no such file, or it cannot be told how it is written.
        RecordError: the file has faults; all of them are listed.
        GoldsuiteError: whatever else stops a run.
    """
    # A relative path in the message is the one that the user gave.
    if not request.answers.is_file():
        raise UsageError(f"{request.answers}: there is no such file of answers")
    with open_session_warehouse(settings) as warehouse:
        display.say(f"warehouse {warehouse.masked_url}: {warehouse.engine} answers")
        for warning in warehouse.warnings:
            display.say(f"warning: {warning}")
        context = read_context(settings, refresh=True)
        intake = take_in_searched(settings, context, dialect=warehouse.dialect)
        suite = intake.questions
        places = select(suite, split=request.split or "all")
        found = read_predictions(
            request.answers,
            questions=suite.questions,
            places=places,
            answers_format=request.answers_format,
            dialect=warehouse.dialect,
        )
        selected = _select(suite, found, request)
        for line in (*_remarks(found, selected, request), *_warnings(intake)):
            display.say(line)
        settings = replace(settings, analyst=f"replay:{request.answers}")
        door = HeldOutRun(
            settings=settings,
            # Answers that exist were made before: nobody is led astray by going on.
            request=replace(request.held_out, allow_leaks=True),
            intake=intake,
            analyst=_sha256(request.answers),
            model=None,
            context=state_of(context),
        )
        trials = plan_trials(selected.questions)
        door.admit(trials)
        run = _start(settings, request, intake, context, selected, warehouse.masked_url, trials)
        with run.folder:
            door.reserve(run.run_id, run.trials)
            display.started(run.run_id)
            with Journal(run.folder.answers) as journal:
                for answer in selected.answers:
                    journal.append(answer)
            lock = lock_answers(run.folder.answers, now=_now())
            display.say(f"run {run.run_id}: {counted(len(selected.answers), 'answer')} locked")
            answerer = Answerer(
                name=f"replay:{request.answers.name}",
                model=None,
                isolation="replayed",
                notes=_notes(request, found) | selected.notes,
                replayed=True,
            )
            return grade_and_record(
                settings, run, lock, warehouse, intake, context, answerer, door=door
            )


def _select(suite: QuestionSet, found: Predictions, request: GradeRequest) -> _Selected:
    """With a split its every case, those without an answer included; else the answered cases."""
    split = request.split
    by_id = {answer.id: answer for answer in found.answers}
    answered = [question for question in suite.questions if question.id in by_id]
    questions = answered if split is None else list(_narrowed(suite, split, request))
    own: RunSplit = _split_of(questions) if split is None else split
    whole = [question for question in suite.questions if own in {question.split, "all"}]
    missing = [question.id for question in questions if question.id not in by_id]
    left_out = len(answered) - (len(questions) - len(missing))
    selection, notes = {}, {}
    if len(questions) < len(whole):
        selection["answers"] = f"{len(questions)} of {counted(len(whole), 'case')}"
    if missing:
        notes["unanswered"] = ", ".join(missing)
    if left_out:
        notes["left_out"] = f"{counted(left_out, 'answer')} outside of {_asked_for(own, request)}"
    return _Selected(
        split=own,
        questions=tuple(questions),
        answers=tuple(by_id.get(q.id) or _no_answer(q) for q in questions),
        selection=selection,
        notes=notes,
    )


def _asked_for(split: RunSplit, request: GradeRequest) -> str:
    narrowed = request.cases or request.tags or request.first is not None
    return f"the cases asked for in split {split}" if narrowed else f"split {split}"


def _narrowed(
    suite: QuestionSet, split: SplitChoice, request: GradeRequest
) -> tuple[Question, ...]:
    return select(suite, split=split, cases=request.cases, tags=request.tags, first=request.first)


def _no_answer(question: Question) -> Answer:
    return Answer(id=question.id, trial=1, reply=Reply())


def _split_of(questions: Sequence[Question]) -> RunSplit:
    splits = {question.split for question in questions}
    return splits.pop() if len(splits) == 1 else "all"


def _remarks(found: Predictions, selected: _Selected, request: GradeRequest) -> list[str]:
    """What the user should know before the grades."""
    name = f"{request.answers}: {counted(len(found.answers), 'answer')} read as {found.format}"
    how = {True: " by place, in the suite's order", False: ""}[found.by_place]
    lines = [f"{name}{how}"]
    if len(found.databases) > 1:
        lines.append(
            f"warning: the answers name {len(found.databases)} databases "
            f"({', '.join(found.databases[:5])}); all of them are run on the one warehouse"
        )
    if "unanswered" in selected.notes:
        lines.append(f"without an answer, so graded as none: {selected.notes['unanswered']}")
    if "left_out" in selected.notes:
        lines.append(f"warning: {selected.notes['left_out']} left out")
    return lines


def _notes(request: GradeRequest, found: Predictions) -> dict[str, str]:
    return {
        "answers_file": request.answers.name,
        "answers_format": found.format.value,
        "answers_file_sha256": _sha256(request.answers),
    }


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _warnings(intake: Intake) -> list[str]:
    return [f"warning: {line}" for line in leak_lines(intake.leaks)]


def _start(
    settings: Settings,
    request: GradeRequest,
    intake: Intake,
    context: AnalystContext,
    selected: _Selected,
    warehouse_url: str,
    trials: tuple[Trial, ...],
) -> StartedRun:
    as_of = intake.questions.as_of or settings.as_of
    state = state_of(context)
    options = {
        "split": selected.split,
        "selection": selected.selection,
        "changelog": request.changelog,
        "key_checked_at": intake.key_checked_at.isoformat(),
        "suite_sha256": intake.questions.sha256,
        "as_of": as_of and as_of.isoformat(),
        "fixed": fixed_settings(settings, state, warehouse_url=warehouse_url),
    }
    folder = create_run(
        settings.runs_dir, trials, split=selected.split, now=_now(), options=options
    )
    return StartedRun(folder=folder, trials=trials, options=options, as_of=as_of, state=state)


def _now() -> datetime:
    return datetime.now(UTC)
