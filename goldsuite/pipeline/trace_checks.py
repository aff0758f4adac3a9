"""Marking the trials whose trace looks as if the key had been seen."""

from collections.abc import Sequence
from dataclasses import replace

from goldsuite.audit.traces import SUSPICIOUS, Sought, sought_value, suspicions
from goldsuite.model.held_out import Leak
from goldsuite.pipeline.case_record import GradedTrial

__all__ = ["check_traces"]


def check_traces(
    graded: Sequence[GradedTrial], *, suite_file: str, leaks: Sequence[Leak], dialect: str
) -> tuple[GradedTrial, ...]:
    """The trials, those with a sign of the key flagged, with what the signs are.

    Args:
        suite_file: the suite's name without folders.
        leaks: what the context holds of the key; seeing that proves nothing else.
    """
    return tuple(_checked(trial, suite_file, leaks, dialect) for trial in graded)


def _checked(
    trial: GradedTrial, suite_file: str, leaks: Sequence[Leak], dialect: str
) -> GradedTrial:
    case = trial.case
    sought = Sought(
        suite_file=suite_file,
        gold_sql=case.gold_sql,
        values=sought_value(case.gold_value, trial.grade.gold_value),
        leaked=frozenset(leak.kind for leak in leaks if leak.case == case.id),
    )
    signs = suspicions(trial.answer.reply, sought, dialect=dialect)
    if not signs:
        return trial
    return replace(trial, suspicions=signs, flags=tuple(sorted({*trial.flags, SUSPICIOUS})))
