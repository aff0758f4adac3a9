"""The key half of a gold file. Opened only after the answers are locked."""

from datetime import date
from decimal import Decimal
from pathlib import Path

from goldsuite.collector import without_collector
from goldsuite.errors import SuiteError
from goldsuite.model.key import (
    DEFAULT_TOLERANCE,
    Criterion,
    GoldCase,
    GoldSuite,
    GoldValue,
)
from goldsuite.suite.checked import read_checked
from goldsuite.suite.decode import Entry
from goldsuite.suite.place import shown_path
from goldsuite.suite.wire import Case

__all__ = ["load_key"]


def load_key(path: Path) -> GoldSuite:
    """Read the gold of every case; numbers are exact.

    Whether each `gold_sql` is a query was checked when the suite was taken in, and is checked
    again by the door that runs it: `sha256` tells whether the file is still the same.

    Raises:
        SuiteError: the file has faults; all of them are listed. No message holds gold.
    """
    shown = shown_path(path)
    with without_collector():
        checked = read_checked(path, shown=shown)
        if checked.faults:
            raise SuiteError(checked.faults)
        return GoldSuite(
            name=checked.name,
            file=shown,
            sha256=checked.file.sha256,
            as_of=checked.head.as_of,
            cases=tuple(map(_gold_case, checked.entries)),
        )


def _gold_case(entry: Entry) -> GoldCase:
    case = entry.case
    return GoldCase(
        id=case.id,
        question=case.question,
        line=entry.line,
        gold_sql=case.gold_sql or (),
        gold_value=_stored(case),
        has_gold_value="gold_value" in case.model_fields_set,
        tolerance=_tolerance(case),
        tolerance_given=case.tolerance is not None,
        abs_tolerance=case.abs_tolerance,
        unit=case.unit,
        currency=case.currency,
        decimal_mark=case.decimal_mark or "auto",
        answer=case.answer,
        null_is_zero=bool(case.null_is_zero),
        allow_null=bool(case.allow_null),
        row_order=case.row_order,
        extra_columns=case.extra_columns,
        accept_rounding=bool(case.accept_rounding),
        must_pass=bool(case.must_pass) and _can_pass(case),
        case_sensitive=case.case_sensitive is not False,
        metric=case.metric,
        tags=case.tags or (),
        difficulty=case.difficulty,
        note=case.note,
        verified_by=case.verified_by,
        verified_at=case.verified_at,
        paraphrases=case.paraphrases or (),
        expected_tools=case.expected_tools or (),
        expected_skills=case.expected_skills or (),
        max_turns=case.max_turns,
        rubric=_rubric(entry),
        target=case.target or next(iter(case.expected_skills or ()), None),
    )


def _rubric(entry: Entry) -> tuple[Criterion, ...]:
    """The case's own, in either writing, before that of the defaults."""
    if entry.own.success_criteria:
        return (Criterion(criterion=entry.own.success_criteria, weight=Decimal(1)),)
    return tuple(
        Criterion(criterion=line.criterion, weight=line.weight) for line in entry.case.rubric or ()
    )


def _stored(case: Case) -> GoldValue:
    value: GoldValue = case.gold_value
    if case.answer == "date" and isinstance(value, str):
        return date.fromisoformat(value)
    return value


def _tolerance(case: Case) -> Decimal:
    if case.tolerance is not None:
        return case.tolerance
    # A count is a whole number that one can get right: near is wrong.
    return Decimal(0) if case.unit == "count" else DEFAULT_TOLERANCE


def _can_pass(case: Case) -> bool:
    """Whether there is something to be correct; without, a default `must_pass` does not hold."""
    return case.gold_sql is not None or case.answer in {"refusal", "clarify"}
