"""`goldsuite trend`: how a figure went from run to run."""

import os
import sys
from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import Format, FormatOption, RunsDirOption, settings_from
from goldsuite.cli.run_options import SplitChoice
from goldsuite.cli.runs_list import AnalystFilter, SinceFilter, TagFilter, found_runs, read_filter


def trend(
    *,
    split: Annotated[
        SplitChoice | None,
        typer.Option("--split", help="Of this split; that of the newest run.", show_default=False),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option("--suite", metavar="NAME", help="Of the suite with this name."),
    ] = None,
    metric: Annotated[
        str, typer.Option("--metric", metavar="NAME", help="Figure of the record's `aggregate`.")
    ] = "accuracy",
    analyst: AnalystFilter = None,
    tag: TagFilter = None,
    since: SinceFilter = None,
    last: Annotated[
        int, typer.Option("--last", metavar="N", min=1, help="Runs in the table, the newest ones.")
    ] = 20,
    runs_dir: RunsDirOption = None,
    output: FormatOption = Format.TEXT,
) -> int:
    """Show a figure run over run, with its interval, the context's growth and what else changed.

    Runs of a part of a split never enter. Of held-out cases nothing is shown but the aggregate.

    Example: goldsuite trend --split train --since 4w
    """
    from goldsuite.comparison.trend import trend_of
    from goldsuite.records.filter import filter_runs

    # The split of the newest run that counts is chosen among all that are left.
    wanted = read_filter(split=split, analyst=analyst, tag=tag, since=since, suite=suite)
    runs = filter_runs(found_runs(settings_from(runs_dir=runs_dir).runs_dir), wanted)
    found = trend_of(runs, split=wanted.split, suite=suite, metric=metric, tag=tag)
    if output is Format.JSON:
        from goldsuite.report.trend_json import trend_json

        sys.stdout.write(trend_json(found))
        return ExitCode.DONE
    from goldsuite.report.trend_view import view_trend

    if output is Format.MARKDOWN:
        from goldsuite.report.trend_markdown import trend_markdown

        sys.stdout.write(trend_markdown(view_trend(found), last=last))
    else:
        from goldsuite.report.trend_text import trend_text

        # https://no-color.org: set and not empty.
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        sys.stdout.write(trend_text(view_trend(found), last=last, colour=colour))
    return ExitCode.DONE
