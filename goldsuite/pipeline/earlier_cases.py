"""The cases of an earlier run that are to be asked again."""

from pathlib import Path
from typing import Literal

from goldsuite.errors import UsageError
from goldsuite.model.question import QuestionSet
from goldsuite.records.outcomes import read_outcomes
from goldsuite.records.runs_dir import find_record
from goldsuite.suite.selection import SplitChoice

__all__ = ["earlier_cases"]

_WHAT = {"failed": "failed case", "errors": "case that ended in an error"}


def earlier_cases(
    runs_dir: Path,
    run: str,
    which: Literal["failed", "errors"],
    suite: QuestionSet,
    split: SplitChoice,
) -> tuple[str, ...]:
    """Ids of the cases that `--failed-from RUN` or `--errors-from RUN` means.

    Cases that are no longer in the suite are left out.

    Raises:
        UsageError: there is no such case, or the run was of another split.
        RecordError: there is no such run, or its record cannot be read.
    """
    outcomes = read_outcomes(find_record(run, runs_dir))
    option = f"--{which}-from {run}"
    found = outcomes.failed if which == "failed" else outcomes.errors
    if not found:
        raise UsageError(f"{option}: that run has no {_WHAT[which]}, so there is nothing to ask")
    splits = {question.id: question.split for question in suite.questions}
    known = [case for case in found if case in splits]
    if not known:
        raise UsageError(
            f"{option}: none of its cases is in {suite.file} any more ({', '.join(found[:5])})"
        )
    asked = tuple(case for case in known if split in {splits[case], "all"})
    if not asked:
        raise UsageError(
            f"{option}: its cases are of split {splits[known[0]]}, and {split} was asked for. "
            f"Run `goldsuite eval {splits[known[0]]} {option}`."
        )
    return asked
