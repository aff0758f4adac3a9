"""`goldsuite report`: show a run record, and verify that its answers were not touched."""

from pathlib import Path
from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.held_out import LedgerOption, RevealReasonOption, confirm_reveal
from goldsuite.cli.options import ReportFormat, RevealOption, RunsDirOption, settings_from
from goldsuite.cli.show import show_record


def report(
    run: Annotated[
        str | None,
        typer.Argument(help="Run id or path of a record; the latest run if left out."),
    ] = None,
    *,
    runs_dir: RunsDirOption = None,
    output: Annotated[
        ReportFormat,
        typer.Option("--format", help="How to draw it; csv and parquet have a row for each case."),
    ] = ReportFormat.TEXT,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write it to a file instead.", show_default=False
        ),
    ] = None,
    redact: Annotated[
        bool,
        typer.Option("--redact", help="Leave out values, rows and whatever may tell of them."),
    ] = False,
    reveal: RevealOption = False,
    peek: RevealReasonOption = None,
    ledger: LedgerOption = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="Leave nothing out: all evidence, both queries of every failure, all slices.",
        ),
    ] = False,
) -> int:
    """Show a run: headline, context, failure modes, cases, and whether its answers are untouched.

    Example: goldsuite report --format html --out report.html
    """
    from goldsuite.records.file import read_record
    from goldsuite.records.runs_dir import find_record

    settings = settings_from(runs_dir=runs_dir, ledger=ledger)
    path = find_record(run, settings.runs_dir)
    record = read_record(path)
    confirm_reveal(record, path, settings, reveal=reveal, peek=peek)
    intact = show_record(
        record, path, output=output, reveal=reveal, full=full, out=out, redact=redact
    )
    return ExitCode.DONE if intact else ExitCode.REFUSED
