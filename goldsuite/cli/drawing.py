"""A report in the format asked for, on stdout or in a file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from goldsuite.cli.options import Format, ReportFormat
from goldsuite.errors import UsageError

if TYPE_CHECKING:
    from goldsuite.report.view import ReportView

__all__ = ["put_report"]

_OfView: TypeAlias = Literal[
    ReportFormat.TEXT,
    ReportFormat.JSON,
    ReportFormat.MARKDOWN,
    ReportFormat.JUNIT,
    ReportFormat.CSV,
    ReportFormat.PARQUET,
]
"""Formats that need nothing but the view."""


def put_report(
    view: "ReportView",
    output: Format | ReportFormat,
    *,
    path: Path,
    full: bool = False,
    out: Path | None,
    redact: bool = False,
) -> None:
    """Write the report to `out`, whole or not at all; to stdout where that is None.

    Args:
        path: of the record that `view` is of.
        redact: whether `view` is of a record without values.

    Raises:
        UsageError: the file cannot be written, or the format is none for a terminal.
    """
    if out is None and output.value == ReportFormat.TEXT.value:
        from goldsuite.report.terminal import print_report

        # Not as a text: it fits its lines to the terminal.
        print_report(view, sys.stdout, full=full)
        return
    made = ReportFormat(output)
    if made is ReportFormat.HTML:
        from goldsuite.cli.html_page import html_page

        content: str | bytes = html_page(view, path, redact=redact)
    else:
        content = _content(view, made, full=full, to_file=out is not None)
    if out is None:
        sys.stdout.write(content if isinstance(content, str) else content.decode())
        return
    from goldsuite.durable import write_whole

    try:
        write_whole(out, content)
    except OSError as error:
        raise UsageError(f"--out {str(out)!r}: cannot be written: {error.strerror}") from None


def _content(view: "ReportView", output: "_OfView", *, full: bool, to_file: bool) -> str | bytes:
    """The report as the file holds it. What a format needs is imported for it alone."""
    match output:
        case ReportFormat.TEXT:
            from goldsuite.report.terminal import plain_report

            return plain_report(view, full=full)
        case ReportFormat.JSON:
            from goldsuite.records.file import record_json

            return record_json(view.record)
        case ReportFormat.MARKDOWN:
            from goldsuite.report.markdown import COMMENT_LIMIT, markdown_report

            return markdown_report(view, limit=None if full else COMMENT_LIMIT)
        case ReportFormat.JUNIT:
            from goldsuite.report.junit import junit_report

            return junit_report(view)
        case ReportFormat.CSV:
            from goldsuite.report.case_table import cases_csv

            return cases_csv(view.record)
        case ReportFormat.PARQUET:
            if not to_file:
                raise UsageError("--format parquet: say where to with --out FILE")
            from goldsuite.report.case_table import cases_parquet

            return cases_parquet(view.record)
