"""The runs of a folder as a pandas DataFrame, for notebooks. pandas is loaded on first use."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldsuite.records.header import FIGURES, RunHeader
from goldsuite.records.index import list_runs

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["RUN_COLUMNS", "load_runs", "run_row"]

_COUNTS = ("cases", "selected", "gradable", "passed", "failed", "errors", "gold_errors")
RUN_COLUMNS = (
    "run_id",
    "started_at",
    "split",
    "partial",
    "selection",
    "suite",
    "suite_sha256",
    "suite_cases",
    "warehouse",
    "analyst",
    "model",
    "changelog",
    "metrics_defined",
    "context_sha256",
    "altered",
    "repeat",
    *_COUNTS,
    *FIGURES,
    "accuracy_low",
    "accuracy_high",
)
"""Of the frame, and of `runs` in `goldsuite runs sql`."""


def run_row(run: RunHeader) -> dict[str, Any]:
    """One run by `RUN_COLUMNS`; None for what was not measured."""
    low, high = run.accuracy_interval or (None, None)
    plain = {
        "run_id": run.run_id,
        "started_at": run.started_at,
        "split": run.split,
        "partial": run.is_partial,
        "selection": "; ".join(f"{name} {value}" for name, value in run.selection.items()) or None,
        "suite": run.suite,
        "suite_sha256": run.suite_sha256,
        "suite_cases": run.suite_cases,
        "warehouse": run.warehouse,
        "analyst": run.analyst,
        "model": run.model,
        "changelog": run.changelog,
        "metrics_defined": None if run.metrics is None else len(run.metrics),
        "context_sha256": run.context_sha256,
        "altered": run.altered,
        "repeat": run.repeat,
        "accuracy_low": low,
        "accuracy_high": high,
    }
    found = plain | {name: run.counts[name] for name in _COUNTS} | run.figures
    return {name: found[name] for name in RUN_COLUMNS}


def load_runs(runs_dir: Path | str = "runs") -> "DataFrame":
    """One row per run, oldest first: who was asked what, and the figures of the whole run.

    Columns are `RUN_COLUMNS`; the cases of one run are `read_record(path).to_frame()`. What was not
    measured is missing, never 0. Files that cannot be read as a record are left out, with a
    warning.

    Raises:
        RecordError: there is no such folder.
    """
    import warnings

    from pandas import DataFrame

    from goldsuite.errors import RecordError

    folder = Path(runs_dir)
    if not folder.is_dir():
        raise RecordError(f"{folder}: there is no such folder of runs")
    listing = list_runs(folder)
    for fault in listing.faults:
        warnings.warn(fault, stacklevel=2)
    return DataFrame(map(run_row, listing.runs), columns=list(RUN_COLUMNS))
