"""`goldsuite eval`: ask, lock, grade, record, report."""

import shlex
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

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
from goldsuite.pipeline.settings import Settings
from goldsuite.warehouse.urls import mask_url

if TYPE_CHECKING:
    from goldsuite.pipeline.asking import RunRequest


class SplitChoice(StrEnum):
    """Which cases are asked."""

    TRAIN = "train"
    TEST = "test"
    ALL = "all"


AnalystWarehouseOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Outside analysts get this one.", show_default=False),
]
CaseOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--case", metavar="ID", help="Only this case; repeatable."),
]
TagOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help="Only cases with this tag; repeatable."),
]
SliceOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--slice", metavar="N", min=1, help="Only the first N of the cases."),
]
ChangelogOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="One line on what changed since the last run."),
]
ConcurrencyOption: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Questions asked at once.", show_default=False)
]
TimeoutOption: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Seconds for one question.", show_default=False),
]
PassEnvOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--pass-env", metavar="NAME", help="Variable that the analyst may have; repeatable."
    ),
]
ResumeOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="RUN", help="Run to finish: asks what has no answer yet.", show_default=False
    ),
]
FailUnderOption: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Exit 1 where accuracy is below this."),
]
MaxErrorsOption: TypeAlias = Annotated[
    float,
    typer.Option(metavar="SHARE", min=0, max=1, help="Exit 4 above this share of errors."),
]


def evaluate(
    split: Annotated[
        SplitChoice, typer.Argument(help="train is iterated on; test is held out for a release.")
    ] = SplitChoice.TRAIN,
    *,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    analyst_warehouse: AnalystWarehouseOption = None,
    context: ContextOption = None,
    analyst: AnalystOption = None,
    runs_dir: RunsDirOption = None,
    case: CaseOption = None,
    tag: TagOption = None,
    first: SliceOption = None,
    changelog: ChangelogOption = None,
    concurrency: ConcurrencyOption = None,
    timeout: TimeoutOption = None,
    pass_env: PassEnvOption = None,
    resume: ResumeOption = None,
    fail_under: FailUnderOption = None,
    max_errors: MaxErrorsOption = 0.05,
    output: FormatOption = Format.TEXT,
    reveal: RevealOption = False,
) -> int:
    """Run the analyst on a split, lock its answers, grade them, and write a run record.

    Example: goldsuite eval train --changelog "define net revenue"
    """
    places = {
        "suite": suite,
        "warehouse": warehouse,
        "analyst_warehouse": analyst_warehouse,
        "context": context,
        "analyst": analyst,
        "runs_dir": runs_dir,
        "pass_env": pass_env or (),
    }
    settings = settings_from(**places, concurrency=concurrency, timeout=timeout)
    from goldsuite.pipeline.asking import RunRequest

    request = RunRequest(
        split=split.value,
        cases=tuple(case or ()),
        tags=tuple(tag or ()),
        first=first,
        changelog=changelog,
        resume=resume,
    )
    path = _run(settings, request, places)
    from goldsuite.cli.show import show_and_judge

    return show_and_judge(
        path, output=output, reveal=reveal, fail_under=fail_under, max_errors=max_errors
    )


def _run(settings: Settings, request: "RunRequest", places: Mapping[str, Any]) -> Path:
    """Run, and say how to go on where it is stopped; the path of the record."""
    from goldsuite.cli.progress import progress_display
    from goldsuite.pipeline.evaluate import evaluate_suite
    from goldsuite.suite.place import shown_path

    with progress_display(sys.stderr) as display:
        try:
            path = evaluate_suite(settings, request, display)
        except (KeyboardInterrupt, RunStoppedError):
            if display.run_id is not None:
                display.say(_how_to_resume(display.run_id, places))
            raise
    print(f"record: {shown_path(path)}", file=sys.stderr)
    return path


def _how_to_resume(run_id: str, places: Mapping[str, Any]) -> str:
    """The command that goes on with the run: options that were given must be given again."""
    words = ["goldsuite", "eval", "--resume", run_id]
    for name, given in places.items():
        values = given if isinstance(given, (list, tuple)) else [given]
        for value in (str(value) for value in values if value is not None):
            words += [f"--{name.replace('_', '-')}", mask_url(value) if "://" in value else value]
    return f"what was answered is kept; go on with: {shlex.join(words)}"
