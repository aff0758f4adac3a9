"""Options that several commands share: one place for their names and their help."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from goldsuite.pipeline.settings import Settings, read_settings

__all__ = [
    "AnalystOption",
    "ContextOption",
    "Format",
    "FormatOption",
    "RevealOption",
    "RunsDirOption",
    "SuiteOption",
    "WarehouseOption",
    "settings_from",
]


class Format(StrEnum):
    """How a result is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


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
ContextOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--context",
        metavar="FOLDER",
        help="The directory with `.knowledge/` that the analyst reads.",
        show_default=False,
    ),
]
AnalystOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--analyst",
        metavar="ANALYST",
        help="`baseline`, or `command:PROGRAM ARGUMENTS`.",
        show_default=False,
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


def settings_from(**options: Any) -> Settings:
    """Settings for a command, its options laid over file and environment."""
    return read_settings(options, folder=Path.cwd())
