"""Options that several commands share: one place for their names and their help."""

import math
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from goldsuite.errors import UsageError
from goldsuite.pipeline.settings import Settings, read_settings

__all__ = [
    "AnalystsOption",
    "ContextOption",
    "DiagnoseBudgetOption",
    "FailUnderOption",
    "Format",
    "FormatOption",
    "GatesOption",
    "LuckBudgetOption",
    "MaxErrorsOption",
    "ReportFormat",
    "RevealOption",
    "RunsDirOption",
    "ShortFormat",
    "StrictOption",
    "SuiteOption",
    "WarehouseOption",
    "read_dollars",
    "read_gates",
    "read_share",
    "settings_from",
]


class Format(StrEnum):
    """How a result is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class ReportFormat(StrEnum):
    """How a report of one run is drawn."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    CSV = "csv"
    PARQUET = "parquet"
    HTML = "html"


class ShortFormat(StrEnum):
    """How a result is printed that is no report."""

    TEXT = "text"
    JSON = "json"


SuiteOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--suite",
        metavar="FILE",
        help="The gold file; gold-cases.yaml if nothing names one.",
        show_default=False,
    ),
]
WarehouseOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--warehouse", metavar="URL", help="SQLAlchemy URL of the warehouse.", show_default=False
    ),
]
DiagnoseBudgetOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--diagnose-budget",
        metavar="N",
        help="Statements to run for each failure to find its cause (40); 0 compares SQL only.",
        show_default=False,
    ),
]
LuckBudgetOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--luck-budget",
        metavar="N",
        help="Small databases to try each pass on, to see whether it was luck (200); 0 for none.",
        show_default=False,
    ),
]
StrictOption: TypeAlias = Annotated[
    bool,
    typer.Option("--strict", help="Count a pass that was luck as failed; its verdict stays."),
]
ContextOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--context",
        metavar="FOLDER",
        help="The directory with `.knowledge/` that the analyst reads.",
        show_default=False,
    ),
]
AnalystsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--analyst",
        metavar="ANALYST",
        help=(
            "`anthropic:MODEL`, `command:PROGRAM ARGUMENTS`, `https://ADDRESS`, "
            "`python:MODULE:FUNCTION`, `replay:FILE` or `baseline`; repeatable: one run and one "
            "record each."
        ),
        show_default=False,
    ),
]
FailUnderOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--fail-under",
        metavar="SHARE",
        help="Exit 1 where accuracy is below this: 0.8 or 80%.",
        show_default=False,
    ),
]
GatesOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--gate",
        metavar="TAG=SHARE",
        help="Exit 1 where the accuracy of a tag's cases is below this: core=0.9; repeatable.",
        show_default=False,
    ),
]
MaxErrorsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--max-errors",
        metavar="SHARE|N",
        help="Exit 4 above this share of analyst errors (0.05 or 5%), or this number (10).",
    ),
]
RunsDirOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--runs-dir",
        metavar="FOLDER",
        help="Where run records are kept; `runs` beside the gold file if nothing names one.",
        show_default=False,
    ),
]
FormatOption: TypeAlias = Annotated[Format, typer.Option("--format", help="How to print.")]
RevealOption: TypeAlias = Annotated[
    bool, typer.Option("--reveal", help="Show gold, SQL and evidence of held-out cases too.")
]


def read_share(option: str, text: str | None) -> float | None:
    """`0.8` and `80%` as 0.8; None where the option was not given.

    Raises:
        UsageError: it is no share from 0 to 1.
    """
    if text is None:
        return None
    word = text.strip()
    per_cent = word.endswith("%")
    try:
        number = float(word.removesuffix("%"))
    except ValueError:
        number = math.nan
    share = number / 100 if per_cent else number
    if 0 <= share <= 1:
        return share
    meant = f"; {number:g} % is {number / 100:g}" if not per_cent and 1 < number <= 100 else ""
    raise UsageError(f"{option} {text!r}: a share from 0 to 1 is expected, or a percentage{meant}")


def read_gates(texts: Sequence[str] | None) -> dict[str, float]:
    """`core=0.9` and `core=90%` as the least accuracy by tag.

    Raises:
        UsageError: one is no tag with a share, or names a tag again.
    """
    gates: dict[str, float] = {}
    for text in texts or ():
        tag, sign, share = text.rpartition("=")
        if not sign or not tag.strip():
            raise UsageError(f"--gate {text!r}: a tag and a share are expected, such as core=0.9")
        if tag.strip() in gates:
            raise UsageError(f"--gate {text!r}: the tag {tag.strip()!r} has a gate already")
        gates[tag.strip()] = read_share(f"--gate {tag.strip()}", share) or 0.0
    return gates


def read_dollars(option: str, text: str | None) -> Decimal | None:
    """`2.50` and `$2.50` in US dollars; None where the option was not given.

    Raises:
        UsageError: it is no amount.
    """
    if text is None:
        return None
    try:
        dollars = Decimal(text.strip().removeprefix("$"))
    except InvalidOperation:
        dollars = Decimal("NaN")
    if not dollars.is_finite() or dollars < 0:
        raise UsageError(f"{option} {text!r}: US dollars are expected, such as 2.50")
    return dollars


def settings_from(**options: Any) -> Settings:
    """Settings for a command, its options laid over file and environment."""
    return read_settings(options, folder=Path.cwd())
