"""The words and figures of a trend, the same for the terminal and Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass

from goldsuite.comparison.trend import Trend, TrendPoint
from goldsuite.report.figures import ABSENT, counted, duration, money, percent

__all__ = ["TrendRow", "TrendView", "value_text", "view_trend"]

_LABELS = {
    "accuracy": "accuracy",
    "accuracy_graded": "accuracy of the graded",
    "strict_accuracy": "strict accuracy",
    "execution_accuracy": "execution accuracy",
    "exact_match": "exact match",
    "faithfulness": "faithfulness",
    "avg_query_similarity": "query similarity",
    "avg_latency_ms": "latency",
    "total_cost": "cost",
    "cost_per_correct": "cost per correct",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class TrendRow:
    run_id: str
    when: str
    value: str
    interval: str
    passed: str
    metrics: str
    """Defined in the dictionary, with how many more or fewer than before."""
    notes: tuple[str, ...]
    """The changelog line, metrics gained and lost, and what else changed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrendView:
    title: str
    label: str
    summary: str
    rows: tuple[TrendRow, ...]
    """Oldest first."""
    notices: tuple[str, ...]
    trend: Trend


def view_trend(trend: Trend) -> TrendView:
    """What is shown of `trend`: figures of whole runs, never of a case."""
    label = _LABELS[trend.metric] + (f" of the cases tagged {trend.tag}" if trend.tag else "")
    return TrendView(
        title=f"{trend.suite}: {trend.split}, {label} over {counted(len(trend.points), 'run')}",
        label=label,
        summary=_summary(trend),
        rows=tuple(_row(point, trend.metric) for point in trend.points),
        notices=tuple(_notices(trend)),
        trend=trend,
    )


def value_text(value: float | None, metric: str) -> str:
    """`0.571` of the accuracy as `57.1 %`; other figures as the reports write them."""
    if metric == "avg_latency_ms":
        return duration(value)
    if metric in {"total_cost", "cost_per_correct"}:
        return money(value)
    if metric == "avg_query_similarity":
        return ABSENT if value is None else f"{value:.2f}"
    return percent(value)


def _summary(trend: Trend) -> str:
    measured = [point for point in trend.points if point.value is not None]
    if not measured:
        return "no run measured it"
    first, last = measured[0], measured[-1]
    now = value_text(last.value, trend.metric)
    if first is last:
        return f"{now} in {last.run_id}"
    growth = ""
    if first.metrics_defined is not None and last.metrics_defined is not None:
        growth = f"; metrics defined {first.metrics_defined} → {last.metrics_defined}"
    return f"{value_text(first.value, trend.metric)} → {now}{growth}"


def _row(point: TrendPoint, metric: str) -> TrendRow:
    bounds = point.interval
    return TrendRow(
        run_id=point.run_id,
        when=f"{point.started_at:%Y-%m-%d %H:%M}",
        value=value_text(point.value, metric),
        interval=ABSENT if bounds is None else f"{100 * bounds[0]:.0f}–{100 * bounds[1]:.0f} %",
        passed=f"{point.passed}/{point.gradable}",
        metrics=_defined(point),
        notes=tuple(_notes(point)),
    )


def _defined(point: TrendPoint) -> str:
    if point.metrics_defined is None:
        return ABSENT
    signs = [f"+{len(point.gained)}"] if point.gained else []
    signs += [f"-{len(point.lost)}"] if point.lost else []
    return " ".join([str(point.metrics_defined), *signs])


def _notes(point: TrendPoint) -> Iterator[str]:
    if point.changelog:
        yield f"“{point.changelog}”"
    if point.gained:
        yield f"now defined: {', '.join(point.gained)}"
    if point.lost:
        yield f"no longer defined: {', '.join(point.lost)}"
    yield from point.marks


def _notices(trend: Trend) -> Iterator[str]:
    if any(point.suite_changed for point in trend.points):
        yield "the suite was edited between runs: figures before and after are of other cases"
    if trend.partial:
        yield f"{counted(trend.partial, 'run')} of a part of the split left out"
    if trend.altered:
        yield f"left out, changed after they were written: {', '.join(trend.altered)}"
    if len(trend.points) > 1:
        yield (
            "intervals are of each run by itself: whether two runs differ, "
            "`goldsuite compare` tells, case by case"
        )
