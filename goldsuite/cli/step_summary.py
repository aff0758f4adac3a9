"""The summary of a step of GitHub Actions, which is shown on the page of the workflow run."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldsuite.report.view import ReportView

__all__ = ["append_step_summary"]

_VARIABLE = "GITHUB_STEP_SUMMARY"
_LIMIT = 1024 * 1024
"""Bytes. GitHub drops the whole summary of a step that is larger."""


def append_step_summary(view: "ReportView", *, failings: Sequence[str] = ()) -> None:
    """Append the report in Markdown to the file that GitHub Actions names; nothing elsewhere.

    A file that cannot be written is told on stderr and changes nothing else.

    Args:
        failings: what the run falls short of, said before all else.
    """
    name = os.environ.get(_VARIABLE)
    if not name:
        return
    from goldsuite.report.markdown import markdown_report, markdown_text

    path = Path(name)
    before = "".join(f"> **{markdown_text(line)}**\n\n" for line in failings)
    try:
        used = path.stat().st_size if path.exists() else 0
        room = _LIMIT - used - len(before.encode()) - 1
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{before}{markdown_report(view, limit=room)}\n")
    except OSError as error:
        text = f"goldsuite: {_VARIABLE}: no summary was written: {error.strerror}"
        print(text, file=sys.stderr)
