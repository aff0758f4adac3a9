"""A comparison as Markdown, for a pull request. What agents said is escaped."""

from collections.abc import Iterable, Iterator, Sequence

from goldsuite.comparison.pairing import CaseState
from goldsuite.report.compare_view import CompareView, PairRow
from goldsuite.report.figures import shorten
from goldsuite.report.markdown import markdown_table, markdown_text

__all__ = ["compare_markdown"]

_HEADINGS = {
    CaseState.BROKEN: "Broken",
    CaseState.FIXED: "Fixed",
    CaseState.STILL_FAILING: "Still failing",
    CaseState.NOT_COMPARED: "Not compared",
}
_MOST = 100


def compare_markdown(view: CompareView) -> str:
    """The whole comparison as one Markdown text, with a newline at its end."""
    return "\n".join(_lines(view)) + "\n"


def _lines(view: CompareView) -> Iterator[str]:
    yield f"# {markdown_text(view.title)}"
    yield ""
    yield f"- first: {markdown_text(view.first)}"
    yield f"- second: {markdown_text(view.second)}"
    yield from (f"- changed: {markdown_text(change)}" for change in view.changes)
    yield ""
    for warning in view.warnings:
        yield f"> **Not comparable:** {markdown_text(warning)}"
        yield ""
    yield f"**{view.outcome.value.upper()}** {markdown_text(view.accuracy)}"
    yield ""
    yield f"{markdown_text(view.counts)}. {markdown_text(view.meaning)}"
    yield ""
    figures = ((row.label, row.first, row.second, row.change) for row in view.figures)
    yield from _table(("figure", "first", "second", "change"), figures)
    if view.modes:
        yield "## Failure modes gained and lost"
        yield ""
        modes = ((row.mode, str(row.first), str(row.second)) for row in view.modes)
        yield from _table(("mode", "first", "second"), modes)
    yield from _list("Scores that fell by much", view.drops)
    yield from _list("Stable in both runs, and not the same", view.stable_but_differ)
    yield from _pairs("Top regressions", view.regressions)
    yield from _pairs("Top wins", view.wins)
    for state, heading in _HEADINGS.items():
        rows = view.of(state)
        yield from _pairs(f"{heading} ({len(rows)})", rows)
    yield from (f"- {markdown_text(notice)}" for notice in view.notices)


def _table(heads: tuple[str, ...], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield markdown_table(heads, (tuple(map(markdown_text, row)) for row in rows))


def _list(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"## {heading}"
        yield ""
        yield from (f"- {markdown_text(line)}" for line in lines)
        yield ""


def _pairs(heading: str, rows: Sequence[PairRow]) -> Iterator[str]:
    if not rows:
        return
    yield f"## {heading}"
    yield ""
    heads = ("case", "first", "second", "answers", "detail")
    yield from _table(heads, map(_cells, rows[:_MOST]))
    if len(rows) > _MOST:
        yield f"and {len(rows) - _MOST} more: `--format json`"
        yield ""


def _cells(row: PairRow) -> tuple[str, ...]:
    first, second = shorten(row.first_answer, 60), shorten(row.second_answer, 60)
    answers = first if first == second else f"{first} → {second}"
    return row.id, row.first, row.second, "held out" if row.held_out else answers, row.detail
