"""`goldsuite suite add` and `promote`: one more case, whose gold was run before it is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from goldsuite.errors import RefusedError, UsageError
from goldsuite.model.run import CaseRecord
from goldsuite.nearest import did_you_mean
from goldsuite.pipeline.import_golds import try_golds
from goldsuite.pipeline.revealing import Reveal
from goldsuite.pipeline.session import open_session_warehouse
from goldsuite.pipeline.settings import Settings
from goldsuite.records.file import read_record
from goldsuite.records.runs_dir import answers_path, find_record
from goldsuite.runner.lock import LockState, verify_lock
from goldsuite.suite.append import append_case
from goldsuite.suite.importers.accept import accept
from goldsuite.suite.importers.base import Candidate
from goldsuite.suite.key import load_key
from goldsuite.suite.place import shown_path

__all__ = ["NewCase", "add_case", "answer_of", "try_case"]


@dataclass(frozen=True, kw_only=True, slots=True)
class NewCase:
    """A case that may be written: its gold runs and is one."""

    fields: Mapping[str, Any]
    """As the gold file will say them, with `gold_value` where it can be stored."""
    notes: tuple[str, ...]
    dialect: str


def try_case(settings: Settings, fields: Mapping[str, Any]) -> NewCase:
    """Run the gold of a case that is to be added.

    Raises:
        UsageError: the id or the question is taken, the SQL is no gold, or a field is wrong.
        SuiteError: the suite has faults.
        PreflightError: the warehouse does not answer.
    """
    suite = load_key(settings.suite)
    where = shown_path(settings.suite)
    if fields["id"] in suite.by_id:
        raise UsageError(f"{where}: has a case {fields['id']!r} already. Give another --id.")
    words = _words(fields["question"])
    same = next((case for case in suite.cases if _words(case.question) == words), None)
    if same is not None:
        raise UsageError(f"{where}: case {same.id!r} asks that already")
    rest = {k: v for k, v in fields.items() if k not in ("id", "question", "gold_sql")}
    candidate = Candidate(
        place="the new case",
        id=fields["id"],
        question=" ".join(fields["question"].split()),
        gold_sql=(fields["gold_sql"].strip(),),
        fields=rest,
    )
    as_of = suite.as_of or settings.as_of
    with open_session_warehouse(settings) as warehouse:
        taken, untaken = accept([candidate], dialect=warehouse.dialect, as_of=as_of)
        tried = try_golds(taken, warehouse, as_of=as_of, tolerance=settings.tolerance)
    for refused in (*untaken, *tried.untaken):
        raise UsageError(f"the new case is not added: {refused.reason}")
    (found,) = tried.candidates
    given = {"id": found.id, "question": found.question, "gold_sql": found.gold_sql[0]}
    notes = tuple(note.reason for note in tried.notes)
    return NewCase(fields={**given, **found.fields}, notes=notes, dialect=tried.dialect)


def add_case(settings: Settings, case: NewCase, *, unit: str | None = None) -> None:
    """Write the case at the end of the suite.

    Raises:
        SuiteError: the file or the case has faults; nothing is written.
    """
    fields = {**case.fields, "unit": unit} if unit else dict(case.fields)
    append_case(settings.suite, fields, dialect=case.dialect)


def answer_of(
    settings: Settings, run: str, case: str, *, reveal: bool, peek: str | None
) -> dict[str, Any]:
    """The fields of a new case that asks what `case` of a run asked, with the analyst's SQL.

    Raises:
        RecordError: there is no such run.
        RefusedError: it was changed after it was written, or the case is held out.
        UsageError: there is no such case, or it was answered without SQL.
    """
    path = find_record(run, settings.runs_dir)
    record = read_record(path)
    locked = verify_lock(answers_path(path), sha256=record.answers_sha256)
    if record.altered or locked is LockState.CHANGED:
        raise RefusedError(
            f"{path}: the record or its answers were changed after they were written."
        )
    asked = _with_sql([each for each in record.cases if each.id == case])
    if asked is None:
        if all(each.id != case for each in record.cases):
            hint = did_you_mean(case, [each.id for each in record.cases])
            raise UsageError(f"run {record.run_id}: has no case {case!r}.{hint}")
        raise UsageError(f"run {record.run_id}: case {case!r} was answered without SQL")
    if asked.split == "test" and not reveal:
        raise RefusedError(
            f"case {case!r} is held out, and its SQL would be shown. Give --reveal, and the "
            "reason with --peek, if you are not the one who improves the agent."
        )
    if asked.split == "test":
        look = Reveal(wanted=True, reason=peek, ledger=settings.ledger)
        look.confirm([(record, path)], settings)
    return {
        "id": asked.id,
        "question": asked.paraphrase or asked.question,
        "split": asked.split,
        "gold_sql": asked.analyst_query,
        "verified_at": datetime.now(UTC).date(),
        "note": f"the analyst's own SQL in run {record.run_id}",
    }


def _with_sql(trials: list[CaseRecord]) -> CaseRecord | None:
    """The first trial with SQL; of those that passed, if any did."""
    ranked = sorted(trials, key=lambda each: not each.passed)
    return next((each for each in ranked if each.analyst_query), None)


def _words(question: str) -> str:
    return " ".join(question.casefold().split())
