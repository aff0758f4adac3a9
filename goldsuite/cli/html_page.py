"""What the HTML report takes from beside the record: the trace of the answers, and earlier runs."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldsuite.report.html.case_data import Traces
    from goldsuite.report.view import ReportView

__all__ = ["html_page"]


def html_page(view: "ReportView", path: Path, *, redact: bool) -> str:
    """The HTML report of the record at `path`, as `view` shows it."""
    from goldsuite.records.index import list_runs
    from goldsuite.report.html.page import html_report

    traces = {} if redact else _traces(view, path)
    runs = list_runs(path.parent).runs
    return html_report(view, traces=traces, runs=runs, redacted=redact)


def _traces(view: "ReportView", path: Path) -> "Traces":
    """By case and trial; none where the answers are not there, or are not those of the run."""
    from goldsuite.records.runs_dir import answers_path
    from goldsuite.runner.journal import read_journal
    from goldsuite.runner.lock import LockState

    if view.integrity is not LockState.INTACT:
        return {}
    answers = read_journal(answers_path(path))
    return {(answer.id, answer.trial): answer.reply.trace for answer in answers}
