"""Figures of two runs as a comparison writes them: both values, and the change with its sign."""

from collections.abc import Callable, Mapping

from goldsuite.comparison.figure_changes import FigureChange, Unit
from goldsuite.report.figures import ABSENT, duration, money, percent

__all__ = [
    "FIGURE_LABEL",
    "change_text",
    "figure_text",
    "interval_text",
    "percent_range",
    "points",
    "signed",
]

FIGURE_LABEL: Mapping[str, str] = {
    "accuracy": "accuracy",
    "accuracy_graded": "accuracy of the graded",
    "strict_accuracy": "strict accuracy",
    "execution_accuracy": "execution accuracy",
    "faithfulness": "faithfulness",
    "avg_query_similarity": "query similarity",
    "avg_latency_ms": "latency",
    "total_cost": "cost",
    "cost_per_correct": "cost per correct",
    "total_tokens": "tokens",
    "process_score": "process score",
    "judge_score": "judge score",
}
"""By the name of the record's aggregate."""


def percent_range(low: float, high: float) -> str:
    """An interval of shares: `6 to 79 %`."""
    return f"{100 * low:.0f} to {100 * high:.0f} %"


def points(share: float) -> str:
    """A difference of shares: `0.143` as `+14.3 points`."""
    return f"{signed(100 * share, 1)} points"


def signed(value: float, places: int) -> str:
    """With its sign, a minus as the typographic one; what rounds to nothing has none."""
    text = f"{abs(value):,.{places}f}"
    if not float(text.replace(",", "")):
        return text
    return f"{'+' if value > 0 else '−'}{text}"


def figure_text(value: float | None, unit: Unit) -> str:
    """One value of a figure; a dash where it was not measured."""
    if value is None:
        return ABSENT
    return _WRITERS[unit](value)


def change_text(change: FigureChange) -> str:
    """The change of a figure with its sign; a dash where one side was not measured."""
    delta = change.delta
    if delta is None:
        return ABSENT
    if change.unit == "share":
        return points(delta)
    if change.unit in {"score", "points"}:
        return signed(delta, 2)
    written = figure_text(abs(delta), change.unit)
    if not delta:
        return written
    part = f" ({signed(100 * delta / change.first, 0)} %)" if change.first else ""
    return f"{'+' if delta > 0 else '−'}{written}{part}"


def interval_text(interval: tuple[float, float | None] | None, unit: Unit) -> str:
    """`$0.10 to $0.30`; `from $0.10` where there is no upper end; empty without an interval."""
    if interval is None:
        return ""
    low, high = interval
    if high is None:
        return f"from {figure_text(low, unit)}"
    return f"{figure_text(low, unit)} to {figure_text(high, unit)}"


_WRITERS: Mapping[Unit, Callable[[float], str]] = {
    "share": percent,
    "score": "{:.2f}".format,
    "points": "{:.2f}".format,
    "ms": duration,
    "dollars": money,
    "tokens": "{:,.0f}".format,
}
