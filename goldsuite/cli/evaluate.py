"""`goldsuite eval`: ask, lock, grade, record, report."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import (
    AnalystOption,
    ContextOption,
    Format,
    FormatOption,
    RevealOption,
    RunsDirOption,
    SuiteOption,
    WarehouseOption,
    settings_from,
)
from goldsuite.errors import RunStoppedError
from goldsuite.warehouse.urls import mask_url


class SplitChoice(StrEnum):
    """Which cases are asked."""

    TRAIN = "train"
    TEST = "test"
    ALL = "all"


def evaluate(
    split: Annotated[
        SplitChoice, typer.Argument(help="train is iterated on; test is held out for a release.")
    ] = SplitChoice.TRAIN,
    *,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    analyst_warehouse: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Outside analysts get this one.", show_default=False),
    ] = None,
    context: ContextOption = None,
    analyst: AnalystOption = None,
    runs_dir: RunsDirOption = None,
    case: Annotated[
        list[str] | None, typer.Option("--case", metavar="ID", help="Only this case; repeatable.")
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", metavar="TAG", help="Only cases with this tag; repeatable."),
    ] = None,
    first: Annotated[
        int | None,
        typer.Option("--slice", metavar="N", min=1, help="Only the first N of the cases."),
    ] = None,
    changelog: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="One line on what changed since the last run."),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(metavar="N", help="Questions asked at once.", show_default=False)
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Seconds for one question.", show_default=False),
    ] = None,
    pass_env: Annotated[
        list[str] | None,
        typer.Option(
            "--pass-env", metavar="NAME", help="Variable that the analyst may have; repeatable."
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="RUN", help="Run to finish: asks what has no answer yet.", show_default=False
        ),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", min=0, max=1, help="Exit 1 where accuracy is below this share."
        ),
    ] = None,
    max_errors: Annotated[
        float,
        typer.Option(
            metavar="SHARE", min=0, max=1, help="Exit 4 above this share of analyst errors."
        ),
    ] = 0.05,
    output: FormatOption = Format.TEXT,
    reveal: RevealOption = False,
) -> int:
    """Run the analyst on a split, lock its answers, grade them, and write a run record.

    Example: goldsuite eval train --changelog "define net revenue"
    """
    settings = settings_from(
        suite=suite, warehouse=warehouse, analyst_warehouse=analyst_warehouse, context=context,
        analyst=analyst, runs_dir=runs_dir, concurrency=concurrency, timeout=timeout,
        pass_env=pass_env,
    )  # fmt: skip
    from goldsuite.cli.progress import progress_display
    from goldsuite.cli.show import show_record
    from goldsuite.pipeline.asking import RunRequest
    from goldsuite.pipeline.evaluate import evaluate_suite
    from goldsuite.suite.place import shown_path

    request = RunRequest(
        split=split.value,
        cases=tuple(case or ()),
        tags=tuple(tag or ()),
        first=first,
        changelog=changelog,
        resume=resume,
    )
    with progress_display(sys.stderr) as display:
        try:
            path = evaluate_suite(settings, request, display)
        except (KeyboardInterrupt, RunStoppedError):
            if display.run_id is not None:
                given = {
                    "--suite": suite, "--context": context, "--runs-dir": runs_dir,
                    "--warehouse": warehouse, "--analyst-warehouse": analyst_warehouse,
                    "--analyst": analyst,
                }  # fmt: skip
                display.say(_how_to_resume(display.run_id, given, pass_env or ()))
            raise
    print(f"record: {shown_path(path)}", file=sys.stderr)
    show_record(path, output=output, reveal=reveal)
    return _exit_code(path, fail_under=fail_under, max_errors=max_errors)


def _how_to_resume(run_id: str, given: Mapping[str, object], pass_env: Sequence[str]) -> str:
    """The command that goes on with the run: options that were given must be given again."""
    words = ["goldsuite", "eval", "--resume", run_id]
    for option, value in given.items():
        if value is not None:
            words += [option, mask_url(str(value)) if "warehouse" in option else str(value)]
    for name in pass_env:
        words += ["--pass-env", name]
    return f"what was answered is kept; go on with: {shlex.join(words)}"


def _exit_code(path: Path, *, fail_under: float | None, max_errors: float) -> ExitCode:
    from goldsuite.comparison.gate import judge_run
    from goldsuite.records.file import read_record

    judgement = judge_run(read_record(path), fail_under=fail_under, max_errors=max_errors)
    for line in judgement.messages:
        print(f"goldsuite: {line}", file=sys.stderr)
    if judgement.too_many_errors:
        return ExitCode.ANALYST
    return ExitCode.BELOW_THRESHOLD if judgement.below else ExitCode.DONE
