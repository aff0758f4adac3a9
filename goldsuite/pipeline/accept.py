"""Taking an analyst's query over as a further gold, after a person found it right."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from goldsuite.errors import RefusedError, UsageError
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.nearest import did_you_mean
from goldsuite.pipeline.session import open_session_warehouse
from goldsuite.pipeline.settings import Settings
from goldsuite.records.file import read_record
from goldsuite.records.runs_dir import answers_path, find_record
from goldsuite.runner.lock import LockState, verify_lock
from goldsuite.sqltext.canonical import normal_form
from goldsuite.suite.accept import add_gold
from goldsuite.suite.key import load_key
from goldsuite.suite.query import query_fault
from goldsuite.warehouse.engines import OpenWarehouse

__all__ = ["Accepted", "accept"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Accepted:
    """What was written."""

    case: str
    suite: Path
    golds: int
    """Queries of which any is right now."""


def accept(
    settings: Settings, run: str, case: str, *, reviewer: str, reason: str, trial: int | None = None
) -> Accepted:
    """Write the SQL that the analyst gave for `case` into the suite, as one more gold.

    Reviewer, day, run and reason stand above it as a comment. The query is run first.

    Args:
        trial: which answer; None for the only one, or the first with SQL.

    Raises:
        UsageError: there is no such case or SQL, or the suite has it as a gold already.
        RefusedError: record or answers were changed since they were written.
        WarehouseError: the warehouse does not answer.
        SuiteError: the suite has faults, or asks the case otherwise now.
    """
    who, why = (_one_line("--reviewer", reviewer), _one_line("--reason", reason))
    path = find_record(run, settings.runs_dir)
    record = read_record(path)
    answers = verify_lock(answers_path(path), sha256=record.answers_sha256)
    if record.altered or answers is LockState.CHANGED:
        raise RefusedError(
            f"{path}: the record or its answers were changed after they were written."
        )
    asked = _asked(record, case, trial)
    sql = asked.analyst_query or ""
    with open_session_warehouse(settings) as warehouse:
        golds = _golds(settings, asked)
        _check(sql, golds, asked, warehouse)
    day = datetime.now(UTC).date().isoformat()
    comment = f"accepted {day} by {who} from run {record.run_id}: {why}"
    add_gold(settings.suite, case, sql, comment=comment)
    return Accepted(case=case, suite=settings.suite, golds=len(golds) + 1)


def _one_line(option: str, text: str) -> str:
    line = " ".join(text.split())
    if not line or not line.isprintable():
        raise UsageError(f"{option} {text!r}: a line of text is expected")
    return line


def _asked(record: RunRecord, case: str, trial: int | None) -> CaseRecord:
    trials = [each for each in record.cases if each.id == case]
    if not trials:
        hint = did_you_mean(case, [each.id for each in record.cases])
        raise UsageError(f"run {record.run_id}: has no case {case!r}.{hint}")
    if trial is not None:
        trials = [each for each in trials if each.trial == trial]
        if not trials:
            raise UsageError(f"run {record.run_id}: case {case!r} has no trial {trial}")
    given = [each for each in trials if (each.analyst_query or "").strip()]
    if not given:
        raise UsageError(f"run {record.run_id}: the answer to case {case!r} gives no SQL")
    return given[0]


def _golds(settings: Settings, asked: CaseRecord) -> tuple[str, ...]:
    suite = load_key(settings.suite)
    found = suite.by_id.get(asked.id)
    if found is None:
        hint = did_you_mean(asked.id, list(suite.by_id))
        raise UsageError(f"{suite.file}: has no case {asked.id!r}.{hint}")
    if found.question != asked.question:
        raise UsageError(
            f"{suite.file}:{found.line}: case {asked.id!r} asks something else now than in the "
            "run, so its answer is none to this question"
        )
    if not found.gold_sql:
        raise UsageError(
            f"{suite.file}:{found.line}: case {asked.id!r} has no gold_sql, so no further one"
        )
    return found.gold_sql


def _check(sql: str, golds: tuple[str, ...], asked: CaseRecord, warehouse: OpenWarehouse) -> None:
    dialect = warehouse.dialect
    if fault := query_fault(sql, dialect):
        raise UsageError(f"case {asked.id!r}: the SQL of the run cannot be a gold: {fault}")
    form = normal_form(sql, dialect).text
    if any(normal_form(gold, dialect).text == form for gold in golds):
        raise UsageError(f"case {asked.id!r}: the suite has this query as a gold already")
    problem = warehouse.gold.execute(sql).problem
    if problem is not None:
        raise UsageError(f"case {asked.id!r}: the SQL of the run does not run: {problem.message}")
