"""`goldsuite failures`: what to fix first, and what to write down for it."""

import sys
from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.held_out import LedgerOption, RevealReasonOption, confirm_reveal
from goldsuite.cli.options import Format, FormatOption, RevealOption, RunsDirOption, settings_from
from goldsuite.cli.show import is_as_written


def failures(
    run: Annotated[
        str | None,
        typer.Argument(help="Run id or path of a record; the latest run if left out."),
    ] = None,
    *,
    runs_dir: RunsDirOption = None,
    output: FormatOption = Format.TEXT,
    reveal: RevealOption = False,
    peek: RevealReasonOption = None,
    ledger: LedgerOption = None,
) -> int:
    """Group the failures of a run by what exactly is wrong, with what to write down against it.

    Example: goldsuite failures --format markdown
    """
    from goldsuite.records.runs_dir import find_record
    from goldsuite.report.failures import failures_json, failures_markdown, failures_text
    from goldsuite.report.labelled import read_labelled

    write = {
        Format.TEXT: failures_text,
        Format.MARKDOWN: failures_markdown,
        Format.JSON: failures_json,
    }[output]
    settings = settings_from(runs_dir=runs_dir, ledger=ledger)
    path = find_record(run, settings.runs_dir)
    record = read_labelled(path)
    confirm_reveal(record, path, settings, reveal=reveal, peek=peek)
    sys.stdout.write(write(record, reveal=reveal))
    return ExitCode.DONE if is_as_written(record, path) else ExitCode.REFUSED
