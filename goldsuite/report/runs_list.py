"""The runs of a folder as a table or as JSON: whole runs, never a case."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from goldsuite.records.header import RunHeader
from goldsuite.report.figures import ABSENT, counted, percent, printable, shorten
from goldsuite.report.text_table import text_table

__all__ = ["runs_json", "runs_text"]

_WIDTH = 100
_HEADS = ("run", "split", "accuracy", "95 %", "cases", "analyst", "metrics", "changelog")


def runs_text(runs: Sequence[RunHeader], *, tag: str | None = None) -> str:
    """One line for each run, in their order, and what a reader must know below; with `tag` the
    accuracy is that of its cases.
    """
    rows = [_cells(run, tag) for run in runs]
    lines = [*text_table(_HEADS, rows), "", *_notes(runs, tag)]
    return "".join(f"{printable(line).rstrip()}\n" for line in lines)


def runs_json(runs: Sequence[RunHeader], *, tag: str | None = None) -> str:
    """A list of objects; with `tag` each has the figures of its cases besides."""
    return json.dumps([_row(run, tag) for run in runs], indent=2, ensure_ascii=False) + "\n"


def _cells(run: RunHeader, tag: str | None) -> tuple[str, ...]:
    figures = None if tag is None else run.tag_figures(tag)
    accuracy = run.figures["accuracy"] if figures is None else figures.accuracy
    interval = run.accuracy_interval if figures is None else figures.accuracy_interval
    bounds = ABSENT if interval is None else f"{100 * interval[0]:.0f}–{100 * interval[1]:.0f}"
    marks = ("~" if run.is_partial else "") + ("!" if run.altered else "")
    return (
        run.run_id + (f" {marks}" if marks else ""),
        run.split,
        percent(accuracy),
        bounds,
        str(run.counts["cases"] if figures is None else figures.cases),
        shorten(run.model or run.analyst, 22),
        ABSENT if run.metrics is None else str(len(run.metrics)),
        shorten(run.changelog or "", 30),
    )


def _notes(runs: Sequence[RunHeader], tag: str | None) -> Iterator[str]:
    yield counted(len(runs), "run") + (f"; accuracy of the cases tagged {tag!r}" if tag else "")
    if any(run.is_partial for run in runs):
        yield "~ asked only a part of its split"
    if any(run.altered for run in runs):
        yield "! was changed after it was written: its figures cannot be trusted"


def _row(run: RunHeader, tag: str | None) -> dict[str, Any]:
    figures = None if tag is None else run.tag_figures(tag)
    row: dict[str, Any] = {
        "run_id": run.run_id,
        "file": run.file,
        "started_at": run.started_at.isoformat(),
        "split": run.split,
        "selection": run.selection,
        "altered": run.altered,
        "suite": {"name": run.suite, "sha256": run.suite_sha256, "cases": run.suite_cases},
        "analyst": run.analyst,
        "model": run.model,
        "changelog": run.changelog,
        "metrics": run.metrics,
        **run.counts,
        **run.figures,
        "accuracy_interval": run.accuracy_interval,
    }
    if figures is not None:
        row["tag"] = {
            "name": tag,
            "cases": figures.cases,
            "passed": figures.passed,
            "gradable": figures.gradable,
            "accuracy": figures.accuracy,
            "accuracy_interval": figures.accuracy_interval,
        }
    return row
