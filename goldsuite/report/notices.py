"""What a reader of the figures must know besides: one sentence each."""

from collections.abc import Callable, Iterator

from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report import wording
from goldsuite.report.figures import counted
from goldsuite.report.held_out_notices import held_out_notices

__all__ = ["notices_of"]

_MOST = 20
"""Of one kind: among hundreds, none of the others would be read."""


def notices_of(record: RunRecord, *, revealed: bool) -> tuple[str, ...]:
    """The notices of a record as it may be shown; held-out cases are counted and not named.

    Args:
        revealed: whether the gold of held-out cases is shown.
    """
    drifted = [f"gold drift in {c.id}: {c.gold_drift}" for c in record.cases if c.gold_drift]
    return (
        *held_out_notices(record),
        *_some(drifted, "gold drift in {more}"),
        *_some([*_of_lineage(record)], "{more} passed, and yet break a rule on what SQL may read"),
        *_of_grades(record),
        *_of_run(record, revealed=revealed),
        wording.SIMILARITY_NOTE,
    )


def _some(notices: list[str], rest: str) -> Iterator[str]:
    """The first ones, and how many more there are."""
    yield from notices[:_MOST]
    if len(notices) > _MOST:
        yield rest.format(more=counted(len(notices) - _MOST, "more answer"))


def _of_lineage(record: RunRecord) -> Iterator[str]:
    """Of answers that passed; those that failed have it in their evidence."""
    for case in record.cases:
        if case.passed and case.lineage:
            yield f"{case.id} passed, and yet: {' '.join(case.lineage)}"


def _of_grades(record: RunRecord) -> Iterator[str]:
    """What the verdicts alone do not say."""
    figures = record.aggregate
    parts: tuple[tuple[int | None, Callable[[CaseRecord], bool], str, str], ...] = (
        (figures.correct_roundings, _is_rounding, *wording.CORRECT_ROUNDINGS),
        (
            figures.right_value_wrong_sql,
            lambda case: "right_value_wrong_sql" in case.flags,
            *wording.RIGHT_VALUE_WRONG_SQL,
        ),
        (
            figures.right_sql_wrong_value,
            lambda case: "right_sql_wrong_value" in case.flags,
            *wording.RIGHT_SQL_WRONG_VALUE,
        ),
        (figures.vacuous, lambda case: "vacuous" in case.flags, *wording.VACUOUS),
    )
    for count, holds, what, meaning in parts:
        if count:
            names = dict.fromkeys(case.id for case in record.cases if holds(case))
            named = f" ({', '.join(names)})" if names else ""
            yield f"{what}: {counted(count, 'answer')}{named}; {meaning}"


def _is_rounding(case: CaseRecord) -> bool:
    return "correct_rounding" in case.flags and case.execution_match is True


def _of_run(record: RunRecord, *, revealed: bool) -> Iterator[str]:
    """How far the run itself can be trusted."""
    if record.altered:
        yield wording.ALTERED
    if record.aggregate.gold_errors:
        yield (
            f"{counted(record.aggregate.gold_errors, 'gold error')}: the suite's fault, and left "
            "out of the accuracy; mend the suite until `goldsuite check` finds every gold sound"
        )
    if record.warehouse.snapshot == "none":
        yield wording.NO_SNAPSHOT
    if record.suite.sha256 != record.suite.sha256_at_grading:
        yield "the suite file was edited between the questions and the grading"
    if revealed and any(case.split == "test" for case in record.cases):
        yield "held-out gold is shown (--reveal): it is no longer unseen by its readers"
    isolation = wording.ISOLATION.get(record.isolation, "see the documentation.")
    yield f"isolation {record.isolation}: {isolation}"
