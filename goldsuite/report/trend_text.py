"""A trend as plain text of at most 80 columns: a plot, then the runs."""

from collections.abc import Iterator
from textwrap import wrap

from goldsuite.report.figures import printable, shorten
from goldsuite.report.text_table import text_table
from goldsuite.report.trend_plot import trend_plot
from goldsuite.report.trend_view import TrendView

__all__ = ["trend_text"]

_WIDTH = 80


def trend_text(view: TrendView, *, last: int, colour: bool = False) -> str:
    """The plot of all runs and a line for each of the `last` ones, newest last.

    Colours are codes for a terminal; without them the text is plain.
    """
    plot = trend_plot(view.trend, colour=colour)
    above = [view.title, view.summary, ""]
    lines = (f"{printable(line).rstrip()}\n" for line in _lines(view, last))
    return (
        "".join(f"{printable(line)}\n" for line in above)
        + plot
        + "\n" * bool(plot)
        + "".join(lines)
    )


def _lines(view: TrendView, last: int) -> Iterator[str]:
    rows = view.rows[-last:]
    heads = ("run", "begun", "value", "95 %", "passed", "metrics")
    cells = [
        (shorten(row.run_id, 28), row.when, row.value, row.interval, row.passed, row.metrics)
        for row in rows
    ]
    head, *table = text_table(heads, cells)
    yield head
    for line, row in zip(table, rows, strict=True):
        yield line
        for note in row.notes:
            yield from wrap(note, _WIDTH, initial_indent="    ", subsequent_indent="      ")
    if len(rows) < len(view.rows):
        yield f"({len(view.rows) - len(rows):,} earlier runs: --last, or --format json)"
    yield ""
    for notice in view.notices:
        yield from wrap(f"note: {notice}", _WIDTH, subsequent_indent="  ")
