"""The golden files of the report, one for each format.

`python -m tests.report.golden_files` writes them anew after a wanted change: read the difference.
"""

from collections.abc import Callable
from pathlib import Path

from goldsuite.records.file import record_json
from goldsuite.report.case_table import cases_csv
from goldsuite.report.junit import junit_report
from goldsuite.report.markdown import markdown_report
from goldsuite.report.terminal import plain_report
from goldsuite.report.view import ReportView
from tests.report.tagged_run import tagged_view

FOLDER = Path(__file__).parent / "golden"

DRAWN: dict[str, Callable[[ReportView], str]] = {
    "train.txt": plain_report,
    "train-full.txt": lambda view: plain_report(view, full=True),
    "train.md": markdown_report,
    "train.json": lambda view: record_json(view.record),
    "train.junit.xml": junit_report,
    "train.csv": lambda view: cases_csv(view.record),
}
"""By file name, what must stand in it to the byte."""


def _write() -> None:
    for name, draw in DRAWN.items():
        (FOLDER / name).write_bytes(draw(tagged_view()).encode())


if __name__ == "__main__":
    _write()
