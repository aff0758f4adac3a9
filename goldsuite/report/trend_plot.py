"""A trend drawn with characters, at most 80 columns wide."""

from goldsuite.comparison.trend import Trend
from goldsuite.report.trend_view import value_text

__all__ = ["trend_plot"]

_WIDTH = 78
_HEIGHT = 15
_BARS = 34
"""Runs up to which each has a bar for its interval; more are too near to each other."""
_TICKS = 5


def trend_plot(trend: Trend, *, colour: bool) -> str:
    """Lines of the plot, with a newline at the end of each; empty where fewer than two runs have a
    value. Runs stand at even distances; a dotted line says that the suite was edited.
    """
    points = [(at, point) for at, point in enumerate(trend.points, 1) if point.value is not None]
    if len(points) < 2:
        return ""
    # It takes a fifth of a second to load, and only a trend has a picture.
    import plotext

    scale = 100.0 if _is_share(trend.metric) else 1.0
    figure = plotext.figure
    figure.clear.all()
    figure.theme("simple" if colour else "colorless")
    figure.canvas("default")
    figure.plot_size(_WIDTH, _HEIGHT)
    xs = [at for at, _ in points]
    ys = [scale * (point.value or 0.0) for _, point in points]
    for at, point in enumerate(trend.points, 1):
        if point.suite_changed:
            figure.line(at - 0.5, "v", style="dotted")
    bounds = [(at, point.interval) for at, point in points if point.interval is not None]
    if len(points) <= _BARS:
        for at, (low, high) in bounds:
            figure.draw(figure.segment((at, at), (scale * low, scale * high), marker="│"))
    else:
        for side in (0, 1):
            edge = [scale * interval[side] for _, interval in bounds]
            figure.draw(figure.signal([at for at, _ in bounds], edge, marker="·"))
    figure.draw(figure.signal(xs, ys, marker="·").lines())
    figure.draw(figure.signal(xs, ys, marker="●"))
    top = 100.0 if scale == 100.0 else 1.05 * max(ys) or 1.0
    figure.ruler("y").lim(0, top)
    heights = [top * share / 4 for share in range(5)]
    figure.ruler("y").ticks(heights, [value_text(y / scale, trend.metric) for y in heights])
    figure.ruler("x").lim(0.5, len(trend.points) + 0.5)
    marked = _evenly(len(trend.points))
    figure.ruler("x").ticks(marked, [f"{trend.points[at - 1].started_at:%m-%d}" for at in marked])
    text: str = figure.build().string(colorless=not colour)
    figure.clear.all()
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def _is_share(metric: str) -> bool:
    return metric not in {"avg_latency_ms", "total_cost", "cost_per_correct"}


def _evenly(count: int) -> list[int]:
    """Up to `_TICKS` numbers from 1 to `count`, the first and the last among them."""
    marks = min(_TICKS, count)
    return sorted({1 + round(step * (count - 1) / max(marks - 1, 1)) for step in range(marks)})
