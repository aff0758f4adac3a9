"""`goldsuite grade`: grade answers that exist already, with nobody asked."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from goldsuite.cli.held_out import LedgerOption, PeekOption, ReleaseOption, confirm_reveal
from goldsuite.cli.options import (
    ContextOption,
    DiagnoseBudgetOption,
    FailUnderOption,
    Format,
    FormatOption,
    GatesOption,
    LuckBudgetOption,
    MaxErrorsOption,
    RevealOption,
    RunsDirOption,
    StrictOption,
    SuiteOption,
    WarehouseOption,
    read_gates,
    read_share,
    settings_from,
)
from goldsuite.runner.limits import ErrorLimit


class AnswersFormat(StrEnum):
    """How the file of answers is written."""

    JSONL = "jsonl"
    BIRD = "bird"
    SPIDER = "spider"
    DEFOG = "defog"


class GradedSplit(StrEnum):
    """Of which split every case is graded."""

    TRAIN = "train"
    TEST = "test"
    ALL = "all"


def grade(
    answers: Annotated[
        Path, typer.Argument(metavar="ANSWERS", help="JSONL, or a BIRD, Spider or defog file.")
    ],
    *,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    context: ContextOption = None,
    runs_dir: RunsDirOption = None,
    answers_format: Annotated[
        AnswersFormat | None,
        typer.Option("--answers-format", help="Else seen from the file.", show_default=False),
    ] = None,
    split: Annotated[
        GradedSplit | None,
        typer.Option(
            "--split",
            help="Grade every case of it, also those without an answer; else the answered ones.",
            show_default=False,
        ),
    ] = None,
    changelog: Annotated[
        str | None, typer.Option(metavar="TEXT", help="One line on what is graded.")
    ] = None,
    fail_under: FailUnderOption = None,
    gate: GatesOption = None,
    max_errors: MaxErrorsOption = "0.05",
    diagnose_budget: DiagnoseBudgetOption = None,
    luck_budget: LuckBudgetOption = None,
    strict: StrictOption = False,
    release: ReleaseOption = None,
    peek: PeekOption = None,
    ledger: LedgerOption = None,
    output: FormatOption = Format.TEXT,
    reveal: RevealOption = False,
) -> int:
    """Lock the answers of a file, grade them as `eval` does, and write a run record.

    Example: goldsuite grade answers.jsonl --suite gold-cases.yaml --split train
    """
    least = read_share("--fail-under", fail_under)
    gates = read_gates(gate)
    most_errors = ErrorLimit.parse(max_errors)
    settings = settings_from(
        suite=suite,
        warehouse=warehouse,
        context=context,
        runs_dir=runs_dir,
        ledger=ledger,
        diagnose_budget=diagnose_budget,
        luck_budget=luck_budget,
        strict=strict or None,
    )
    from goldsuite.analysts import predictions
    from goldsuite.cli.progress import progress_display
    from goldsuite.cli.show import show_and_judge
    from goldsuite.pipeline.grade_file import GradeRequest, grade_file
    from goldsuite.pipeline.held_out import HeldOutRequest
    from goldsuite.records.file import read_record
    from goldsuite.suite.place import shown_path

    request = GradeRequest(
        answers=answers,
        answers_format=predictions.AnswersFormat(answers_format) if answers_format else None,
        split=split.value if split else None,
        changelog=changelog,
        held_out=HeldOutRequest(release=release, peek=peek, reveal=reveal),
    )
    with progress_display(sys.stderr) as display:
        path = grade_file(settings, request, display)
    print(f"record: {shown_path(path)}", file=sys.stderr)
    if reveal:
        confirm_reveal(read_record(path), path, settings, reveal=True, peek=peek, own_run=True)
    return show_and_judge(
        path, output=output, reveal=reveal, fail_under=least, max_errors=most_errors, gates=gates
    )
