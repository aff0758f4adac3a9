"""`goldsuite suite export`: a suite, or the answers of a run, in the files of other tools."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from goldsuite.durable import write_whole
from goldsuite.errors import RefusedError, UsageError
from goldsuite.model.key import GoldCase
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.pipeline.held_out import ledger_path, reveal_held_out
from goldsuite.pipeline.settings import Settings
from goldsuite.records.file import read_record
from goldsuite.records.runs_dir import find_record
from goldsuite.suite.exporters.kind import ExportKind
from goldsuite.suite.exporters.queries import bird_predictions, gold_lines, spider_predictions
from goldsuite.suite.exporters.tests_json import inspect_dataset, promptfoo_tests
from goldsuite.suite.intake import take_in
from goldsuite.suite.key import load_key
from goldsuite.suite.place import shown_path
from goldsuite.suite.selection import SplitChoice, select

__all__ = ["ExportReport", "ExportRequest", "export_suite"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportRequest:
    """What is asked for."""

    kind: ExportKind
    out: Path
    split: SplitChoice = "train"
    run: str | None = None
    """Whose answers are exported; None for the suite's golds."""
    database: str | None = None
    """What Spider and BIRD call the warehouse; None for the suite's name."""
    dialect: str | None = None
    """sqlglot's name of the SQL, for queries of several lines."""
    reveal: bool = False
    peek: str | None = None
    """Why held-out cases are shown; the look is counted with it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportReport:
    """What was written."""

    out: str
    cases: int
    without: tuple[str, ...]
    """Cases that stand in the file without SQL, or without a value to compare with."""
    left_out: tuple[str, ...]
    """Cases that the format has no place for."""


def export_suite(settings: Settings, request: ExportRequest) -> ExportReport:
    """Write the cases of one split, in the order of the suite.

    Raises:
        UsageError: the file is there already, or the format takes no answers.
        RefusedError: held-out cases would be shown without `reveal` or without a reason.
        SuiteError: the suite has faults.
        RecordError: there is no such run.
    """
    if request.out.exists():
        raise UsageError(f"--out {shown_path(request.out)}: is there already; not overwritten")
    if request.split != "train" and not request.reveal:
        raise RefusedError(
            f"--split {request.split}: the file would show held-out cases. Give --reveal, and the "
            "reason with --peek, if nobody who improves the agent reads it."
        )
    questions = take_in(settings.suite, dialect=request.dialect).questions
    asked = select(questions, split=request.split)
    ids = [question.id for question in asked]
    held_out = sum(question.split == "test" for question in asked)
    if held_out:
        reveal_held_out(
            ledger_path(settings),
            suite=questions.name,
            run_id=None,
            cases=held_out,
            reason=request.peek,
        )
    database = request.database or questions.name
    if request.run is not None:
        return _answers(settings, request, ids, database)
    keys = load_key(settings.suite).by_id
    return _golds(request, [keys[name] for name in ids], database)


def _golds(request: ExportRequest, cases: Sequence[GoldCase], database: str) -> ExportReport:
    if request.kind in (ExportKind.SPIDER, ExportKind.BIRD):
        held = [case for case in cases if case.gold_sql]
        golds = [case.gold_sql[0] for case in held]
        write_whole(request.out, gold_lines(golds, database=database, dialect=request.dialect))
        left_out = tuple(case.id for case in cases if not case.gold_sql)
        return _report(request, len(held), without=(), left_out=left_out)
    write = promptfoo_tests if request.kind is ExportKind.PROMPTFOO else inspect_dataset
    write_whole(request.out, write(cases))
    return _report(request, len(cases), without=tuple(c.id for c in cases if not c.has_gold_value))


def _answers(
    settings: Settings, request: ExportRequest, ids: Sequence[str], database: str
) -> ExportReport:
    if request.kind not in (ExportKind.SPIDER, ExportKind.BIRD):
        raise UsageError(f"--run: {request.kind.value} takes a suite; answers go to spider or bird")
    record = read_record(find_record(request.run, settings.runs_dir))
    first = _first_trials(record)
    if first.keys().isdisjoint(ids):
        raise UsageError(f"--run {request.run}: asked no {request.split} case of this suite")
    answers = [first[name].analyst_query if name in first else None for name in ids]
    text = (
        bird_predictions(answers, database=database)
        if request.kind is ExportKind.BIRD
        else spider_predictions(answers, dialect=record.warehouse.dialect)
    )
    write_whole(request.out, text)
    without = tuple(name for name, sql in zip(ids, answers, strict=True) if not sql)
    return _report(request, len(ids), without=without)


def _first_trials(record: RunRecord) -> dict[str, CaseRecord]:
    first: dict[str, CaseRecord] = {}
    for case in record.cases:
        first.setdefault(case.id, case)
    return first


def _report(
    request: ExportRequest, cases: int, *, without: tuple[str, ...], left_out: tuple[str, ...] = ()
) -> ExportReport:
    return ExportReport(
        out=shown_path(request.out), cases=cases, without=without, left_out=left_out
    )
