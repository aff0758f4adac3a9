"""`goldsuite runs list`: the runs of a folder, newest first."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import RunsDirOption, ShortFormat, settings_from
from goldsuite.cli.run_options import SplitChoice
from goldsuite.errors import RecordError

if TYPE_CHECKING:
    from goldsuite.records.filter import RunFilter
    from goldsuite.records.header import RunHeader

__all__ = ["AnalystFilter", "SinceFilter", "TagFilter", "found_runs", "list_command", "read_filter"]

AnalystFilter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--analyst", metavar="NAME", help="Of this analyst or model; `anthropic:*` does as well."
    ),
]
TagFilter: TypeAlias = Annotated[
    str | None, typer.Option("--tag", metavar="TAG", help="With cases of this tag, and over those.")
]
SinceFilter: TypeAlias = Annotated[
    str | None,
    typer.Option("--since", metavar="7d|DATE", help="Begun since then: 7d, 12h, 2w, 2026-01-31."),
]


def list_command(
    *,
    split: Annotated[
        SplitChoice | None, typer.Option("--split", help="Of this split.", show_default=False)
    ] = None,
    analyst: AnalystFilter = None,
    tag: TagFilter = None,
    since: SinceFilter = None,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", min=1, help="Only the N newest.")
    ] = None,
    runs_dir: RunsDirOption = None,
    output: Annotated[
        ShortFormat, typer.Option("--format", help="How to print.")
    ] = ShortFormat.TEXT,
) -> int:
    """List the runs that were made, newest first; no case is shown.

    Example: goldsuite runs list --split train --since 7d
    """
    from goldsuite.records.filter import filter_runs
    from goldsuite.report.runs_list import runs_json, runs_text

    wanted = read_filter(split=split, analyst=analyst, tag=tag, since=since)
    runs = filter_runs(found_runs(settings_from(runs_dir=runs_dir).runs_dir), wanted)
    shown = runs[::-1][:last]
    as_json = output is ShortFormat.JSON
    sys.stdout.write(runs_json(shown, tag=tag) if as_json else runs_text(shown, tag=tag))
    return ExitCode.DONE


def read_filter(
    *,
    split: SplitChoice | None,
    analyst: str | None = None,
    tag: str | None = None,
    since: str | None = None,
    suite: str | None = None,
) -> "RunFilter":
    """What the options of a command ask for."""
    from goldsuite.records.filter import RunFilter
    from goldsuite.records.since import read_since

    return RunFilter(
        split=None if split is None else split.value,
        suite=suite,
        analyst=analyst,
        tag=tag,
        since=None if since is None else read_since(since, datetime.now(UTC)),
    )


def found_runs(runs_dir: Path) -> "tuple[RunHeader, ...]":
    """All runs of the folder; what cannot be read is told on stderr.

    Raises:
        RecordError: there is none.
    """
    from goldsuite.records.index import list_runs
    from goldsuite.suite.place import shown_path

    listing = list_runs(runs_dir)
    for fault in listing.faults:
        print(f"goldsuite: left out: {fault}", file=sys.stderr)
    if not listing.runs:
        raise RecordError(
            f"{shown_path(runs_dir)}: holds no run record yet. Run `goldsuite eval train` first, "
            "or name the folder of your runs with --runs-dir."
        )
    return listing.runs
