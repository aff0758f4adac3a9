"""The options of `goldsuite eval` that no other command has."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from goldsuite.pipeline.settings import (
    DEFAULT_CONCURRENCY,
    DEFAULT_MAX_WAIT_S,
    DEFAULT_TIMEOUT_S,
)

__all__ = [
    "AnalystWarehouseOption",
    "CaseOption",
    "ChangelogOption",
    "ConcurrencyOption",
    "DryRunOption",
    "ErrorsFromOption",
    "FailedFromOption",
    "HtmlOption",
    "MaxCostOption",
    "MaxTokensOption",
    "MaxWaitOption",
    "MountOption",
    "ParaphrasesOption",
    "PassEnvOption",
    "PlainOption",
    "RepeatOption",
    "ResumeOption",
    "RunCostOption",
    "SandboxOption",
    "SinceOption",
    "SliceOption",
    "SplitChoice",
    "TagOption",
    "TimeoutOption",
    "TriggerFloorOption",
]


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
FailedFromOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="RUN", help="Only the cases that failed in this run.", show_default=False),
]
ErrorsFromOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="RUN", help="Only the cases that ended in an error there.", show_default=False
    ),
]
SinceOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="7d|DATE",
        help="Only the cases whose text, gold, context or target changed since then.",
        show_default=False,
    ),
]
ChangelogOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="One line on what changed since the last run."),
]
ConcurrencyOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help=f"Questions asked at once at most.  [default: {DEFAULT_CONCURRENCY}]",
        show_default=False,
    ),
]
TimeoutOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help="Seconds that the analyst may work on one question."
        f"  [default: {DEFAULT_TIMEOUT_S:g}]",
        show_default=False,
    ),
]
MaxWaitOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help="Seconds that one question may wait for the analyst's service besides."
        f"  [default: {DEFAULT_MAX_WAIT_S:g}]",
        show_default=False,
    ),
]
RepeatOption: TypeAlias = Annotated[
    int, typer.Option(metavar="K", min=1, max=1000, help="Ask each question K times.")
]
ParaphrasesOption: TypeAlias = Annotated[
    bool, typer.Option("--paraphrases", help="Ask the cases' `paraphrases` too.")
]
PassEnvOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--pass-env", metavar="NAME", help="Variable that the analyst may have; repeatable."
    ),
]
SandboxOption: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--sandbox/--no-sandbox",
        help="Show a `command:` analyst nothing but the system, itself and its own directory.",
        show_default=False,
    ),
]
MountOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--mount",
        metavar="PATH[:rw]",
        help="File or folder that is seen in the sandbox besides; repeatable.",
    ),
]
ResumeOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="RUN", help="Run to finish: asks what has no answer yet.", show_default=False
    ),
]
MaxCostOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="USD", help="Stop before the run has cost more; it can be resumed.",
        show_default=False,
    ),
]  # fmt: skip
MaxTokensOption: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Stop before it took more tokens.", show_default=False),
]
RunCostOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="USD",
        help="What the whole run cost, where the analyst does not tell.",
        show_default=False,
    ),
]
TriggerFloorOption: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="SHARE",
        help="Stop where a target's expected skills are triggered less than this; 0 never stops.",
    ),
]
PlainOption: TypeAlias = Annotated[
    bool, typer.Option("--plain", help="Plain lines instead of a live display, as in a pipe.")
]
HtmlOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Write the report as one HTML page, too.",
        show_default=False,
    ),
]
DryRunOption: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be asked, and ask nothing.")
]
