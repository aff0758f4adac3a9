"""`goldsuite show`: one case of a run, with all that explains it."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.held_out import LedgerOption, RevealReasonOption, confirm_reveal
from goldsuite.cli.options import Format, FormatOption, RevealOption, RunsDirOption, settings_from
from goldsuite.cli.show import is_as_written
from goldsuite.errors import UsageError

if TYPE_CHECKING:
    from goldsuite.model.answer import Answer
    from goldsuite.model.run import CaseRecord, RunRecord


def show_case(
    run: Annotated[
        str, typer.Argument(help="Run id or path of a record; `latest` for the latest run.")
    ],
    case: Annotated[str, typer.Argument(help="Id of the case.")],
    *,
    trial: Annotated[
        int | None,
        typer.Option(
            "--trial",
            metavar="K",
            min=1,
            help="Which trial, where a case was asked several times; else the first that failed.",
            show_default=False,
        ),
    ] = None,
    runs_dir: RunsDirOption = None,
    output: FormatOption = Format.TEXT,
    reveal: RevealOption = False,
    peek: RevealReasonOption = None,
    ledger: LedgerOption = None,
) -> int:
    """Show one case: question, answer, both queries part by part, evidence, repair, and the trace.

    Example: goldsuite show latest refunds-q2
    """
    from goldsuite.records.runs_dir import find_record
    from goldsuite.report.case_formats import case_json, case_markdown, print_case
    from goldsuite.report.case_view import view_case
    from goldsuite.report.held_out import visible
    from goldsuite.report.labelled import read_labelled

    named = None if run == "latest" else run
    settings = settings_from(runs_dir=runs_dir, ledger=ledger)
    path = find_record(named, settings.runs_dir)
    whole = read_labelled(path)
    record = visible(whole, reveal=reveal)
    chosen = _choose(record, case, trial)
    shown = replace(whole, cases=tuple(each for each in whole.cases if each.id == case))
    confirm_reveal(shown, path, settings, reveal=reveal, peek=peek)
    view = view_case(record, chosen, _answer_of(path, record, chosen))
    if output is Format.JSON:
        sys.stdout.write(case_json(view))
    elif output is Format.MARKDOWN:
        sys.stdout.write(case_markdown(view))
    else:
        print_case(view, sys.stdout)
    return ExitCode.DONE if is_as_written(whole, path) else ExitCode.REFUSED


def _choose(record: "RunRecord", case: str, trial: int | None) -> "CaseRecord":
    from goldsuite.nearest import did_you_mean

    trials = [each for each in record.cases if each.id == case]
    if not trials:
        hint = did_you_mean(case, [each.id for each in record.cases])
        raise UsageError(f"run {record.run_id}: has no case {case!r}.{hint}")
    if trial is None:
        return next((each for each in trials if not each.passed), trials[0])
    found = next((each for each in trials if each.trial == trial), None)
    if found is None:
        raise UsageError(
            f"--trial {trial}: case {case!r} was asked {len(trials)} times in run {record.run_id}"
        )
    return found


def _answer_of(path: Path, record: "RunRecord", case: "CaseRecord") -> "Answer | None":
    """The row of the answers file; None where the file is not there, or is not that of the run."""
    from goldsuite.records.runs_dir import answers_path
    from goldsuite.runner.journal import read_journal
    from goldsuite.runner.lock import LockState, verify_lock

    answers = answers_path(path)
    state = verify_lock(answers, sha256=record.answers_sha256)
    if state is LockState.CHANGED:
        print(
            f"goldsuite: {answers}: was changed after the run; the trace is left out",
            file=sys.stderr,
        )
    if state is not LockState.INTACT:
        return None
    rows = read_journal(answers)
    return next((row for row in rows if (row.id, row.trial) == (case.id, case.trial)), None)
