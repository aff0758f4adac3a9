"""A trend as Markdown. What people wrote is escaped."""

from collections.abc import Iterator

from goldsuite.report.markdown import markdown_table, markdown_text
from goldsuite.report.trend_view import TrendView

__all__ = ["trend_markdown"]


def trend_markdown(view: TrendView, *, last: int) -> str:
    """A table of the `last` runs, newest last, with a newline at its end."""
    return "\n".join(_lines(view, last)) + "\n"


def _lines(view: TrendView, last: int) -> Iterator[str]:
    yield f"# {markdown_text(view.title)}"
    yield ""
    yield f"**{markdown_text(view.summary)}**"
    yield ""
    heads = ("run", "begun", view.label, "95 %", "passed", "metrics", "what changed")
    rows = view.rows[-last:]
    cells = (
        (
            row.run_id,
            row.when,
            row.value,
            row.interval,
            row.passed,
            row.metrics,
            "; ".join(row.notes),
        )
        for row in rows
    )
    yield markdown_table(heads, (tuple(map(markdown_text, row)) for row in cells))
    if len(rows) < len(view.rows):
        yield f"{len(view.rows) - len(rows):,} earlier runs are left out: `--last`."
        yield ""
    yield from (f"- {markdown_text(notice)}" for notice in view.notices)
