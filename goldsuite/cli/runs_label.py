"""`goldsuite runs label`: say what a failure is, beside what was found automatically."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import RunsDirOption, settings_from
from goldsuite.errors import UsageError

if TYPE_CHECKING:
    from goldsuite.model.diagnosis import Cause
    from goldsuite.model.run import RunRecord

_AUTOMATIC = "automatic"


def label(
    run: Annotated[str, typer.Argument(help="Run id or path of a record.")],
    case: Annotated[str, typer.Argument(help="Id of a failed case.")],
    mode: Annotated[
        str,
        typer.Argument(
            help="A failure mode or a finer cause, such as fan-out or wrong-time-window; "
            "`automatic` takes a label back."
        ),
    ],
    *,
    note: Annotated[
        str | None, typer.Option("--note", metavar="TEXT", help="Why; one line.")
    ] = None,
    runs_dir: RunsDirOption = None,
) -> int:
    """Label a failure by hand; the automatic label stays, and reports show both.

    Example: goldsuite runs label 20260102-030405-train-abcd refunds-q2 wrong-filter --note "VAT"
    """
    from goldsuite.diagnosis.parents import parent_of
    from goldsuite.model.diagnosis import CaseLabel
    from goldsuite.records.file import read_record
    from goldsuite.records.labels import label_case, labels_path, unlabel_case
    from goldsuite.records.runs_dir import find_record
    from goldsuite.suite.place import shown_path

    path = find_record(run, settings_from(runs_dir=runs_dir).runs_dir)
    _check_case(read_record(path), case)
    now = datetime.now(UTC)
    if mode == _AUTOMATIC:
        if note is not None:
            raise UsageError("--note goes with a label; `automatic` takes one back")
        unlabel_case(path, case, now)
        print(f"{case}: labelled automatically again")
        return ExitCode.DONE
    cause = _cause(mode)
    found = CaseLabel(
        case=case, cause=cause, mode=parent_of(cause), note=_one_line(note), labelled_at=now
    )
    label_case(path, found)
    print(f"{case}: {cause.value}, kept in {shown_path(labels_path(path))}")
    return ExitCode.DONE


def _cause(mode: str) -> "Cause":
    from goldsuite.model.diagnosis import Cause
    from goldsuite.nearest import did_you_mean

    names = [cause.value for cause in Cause]
    if mode not in names:
        hint = did_you_mean(mode, names) or f" Known: {', '.join(names)}."
        raise UsageError(f"MODE {mode!r}: there is no such failure mode.{hint}")
    return Cause(mode)


def _one_line(note: str | None) -> str | None:
    return " ".join(note.split()) or None if note is not None else None


def _check_case(record: "RunRecord", case: str) -> None:
    from goldsuite.model.grade import FAILED
    from goldsuite.nearest import did_you_mean

    trials = [each for each in record.cases if each.id == case]
    if not trials:
        hint = did_you_mean(case, [each.id for each in record.cases])
        raise UsageError(f"run {record.run_id}: has no case {case!r}.{hint}")
    if not any(each.verdict in FAILED and not each.passed for each in trials):
        raise UsageError(
            f"run {record.run_id}: case {case!r} did not fail ({trials[0].verdict.value}), so it "
            "has no failure mode to label"
        )
