"""How a figure went from run to run: whole runs of one split of one suite, oldest first.

A run that asked only a part of its split never stands for it, and a record that was changed after
it was written stands for nothing: both are left out and counted. What changed besides the analyst
is marked at the run from which on it holds, since figures before and after it are not of one kind.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from goldsuite.errors import RecordError, UsageError
from goldsuite.model.run import RunSplit
from goldsuite.nearest import did_you_mean
from goldsuite.records.header import FIGURES, RunHeader
from goldsuite.stats.proportion import wilson_interval

__all__ = ["METRICS", "Trend", "TrendPoint", "trend_of"]

METRICS = FIGURES
_OF_GRADABLE = frozenset({"strict_accuracy", "execution_accuracy"})
"""Shares of the gradable cases, so that their interval can be told from the record."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrendPoint:
    """One run of a trend."""

    run_id: str
    started_at: datetime
    value: float | None
    """Of the trend's metric; None where the run did not measure it."""
    interval: tuple[float, float] | None
    """95 %, Wilson's, by cases where they were asked several times; None for what is no share of
    the cases, or cannot be told from the record."""
    passed: int
    gradable: int
    """Trials of the cases that the value is over."""
    analyst: str
    model: str | None
    metrics_defined: int | None
    """In the analyst's dictionary; None for a run without a context."""
    gained: tuple[str, ...]
    """Metrics defined that were not before; empty in the first run."""
    lost: tuple[str, ...]
    changelog: str | None
    marks: tuple[str, ...]
    """What else is not as in the run before: suite, warehouse, analyst; one phrase each."""
    suite_changed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Trend:
    suite: str
    split: RunSplit
    metric: str
    tag: str | None
    """Whose cases alone are counted; None for all."""
    points: tuple[TrendPoint, ...]
    """Oldest first."""
    partial: int
    """Runs left out because they asked only a part of the split."""
    altered: tuple[str, ...]
    """Ids of runs left out because their records were changed after they were written."""


def trend_of(
    runs: Iterable[RunHeader],
    *,
    split: RunSplit | None = None,
    suite: str | None = None,
    metric: str = "accuracy",
    tag: str | None = None,
) -> Trend:
    """The trend of `metric`.

    Args:
        runs: oldest first.
        split: None for the split of the newest run that counts.
        suite: its name; None for that of the newest run that counts.
        tag: to count the cases with it alone; goes with `accuracy`.

    Raises:
        UsageError: there is no such metric, or it cannot be told for a tag.
        RecordError: no run counts.
    """
    _check(metric, tag)
    fitting = [run for run in runs if split in {None, run.split} and suite in {None, run.suite}]
    whole = [run for run in fitting if not run.is_partial and not run.altered]
    if not whole:
        raise RecordError(_nothing(fitting, split, suite))
    newest = whole[-1]
    same = [run for run in fitting if _kind(run) == _kind(newest)]
    counted = [run for run in same if not run.is_partial and not run.altered]
    return Trend(
        suite=newest.suite,
        split=newest.split,
        metric=metric,
        tag=tag,
        points=tuple(_points(counted, metric, tag)),
        partial=sum(run.is_partial for run in same),
        altered=tuple(run.run_id for run in same if run.altered and not run.is_partial),
    )


def _kind(run: RunHeader) -> tuple[str, str]:
    return run.suite, run.split


def _check(metric: str, tag: str | None) -> None:
    if metric not in METRICS:
        hint = did_you_mean(metric, METRICS) or f" Known: {', '.join(METRICS)}."
        raise UsageError(f"--metric {metric!r}: there is no such figure.{hint}")
    if tag is not None and metric != "accuracy":
        raise UsageError(f"--tag goes with --metric accuracy alone, not with {metric!r}")


def _nothing(fitting: Sequence[RunHeader], split: RunSplit | None, suite: str | None) -> str:
    kind = f"suite {suite!r}, " * (suite is not None) + (f"split {split}" if split else "any split")
    if fitting:
        return (
            f"no run of {kind} counts: {sum(run.is_partial for run in fitting)} asked only a part "
            f"of the split, and {sum(run.altered for run in fitting)} were changed after they were "
            "written. Run the whole split: goldsuite eval"
        )
    return f"there is no run of {kind} yet"


def _points(runs: Sequence[RunHeader], metric: str, tag: str | None) -> Iterator[TrendPoint]:
    before: RunHeader | None = None
    for run in runs:
        value, interval, passed, gradable = _measured(run, metric, tag)
        now, then = set(run.metrics or ()), set((before or run).metrics or ())
        yield TrendPoint(
            run_id=run.run_id,
            started_at=run.started_at,
            value=value,
            interval=interval,
            passed=passed,
            gradable=gradable,
            analyst=run.analyst,
            model=run.model,
            metrics_defined=None if run.metrics is None else len(run.metrics),
            gained=tuple(sorted(now - then)),
            lost=tuple(sorted(then - now)),
            changelog=run.changelog,
            marks=() if before is None else tuple(_marks(before, run)),
            suite_changed=before is not None and before.suite_sha256 != run.suite_sha256,
        )
        before = run


def _measured(
    run: RunHeader, metric: str, tag: str | None
) -> tuple[float | None, tuple[float, float] | None, int, int]:
    """Value, interval, passed and gradable trials."""
    if tag is not None:
        figures = run.tag_figures(tag)
        if figures is None:
            return None, None, 0, 0
        return figures.accuracy, figures.accuracy_interval, figures.passed, figures.gradable
    value, gradable = run.figures[metric], run.counts["gradable"]
    interval = None
    if metric == "accuracy":
        interval = run.accuracy_interval
    elif value is not None and run.counts["cases"] == run.counts["selected"]:
        size = gradable if metric in _OF_GRADABLE else 0
        if metric == "accuracy_graded":
            size = run.counts["passed"] + run.counts["failed"]
        if size:
            found = wilson_interval(round(value * size), size)
            interval = (found.low, found.high)
    return value, interval, run.counts["passed"], gradable


def _marks(before: RunHeader, run: RunHeader) -> Iterator[str]:
    if before.suite_sha256 != run.suite_sha256:
        more = before.suite_cases, run.suite_cases
        cases = f"{more[0]} → {more[1]} cases" if more[0] != more[1] else f"still {more[1]} cases"
        yield f"suite edited ({before.suite_sha256[:8]} → {run.suite_sha256[:8]}, {cases})"
    if before.as_of != run.as_of:
        yield f"today is {before.as_of or 'not set'} → {run.as_of or 'not set'}"
    if before.warehouse != run.warehouse:
        yield f"warehouse {before.warehouse} → {run.warehouse}"
    one, two = (" ".join(filter(None, (each.analyst, each.model))) for each in (before, run))
    if one != two:
        yield f"analyst {one} → {two}"
    if before.repeat != run.repeat:
        yield f"asked {before.repeat} → {run.repeat} times each"
