"""A comparison as plain text of at most 100 columns. What agents said is printed as it stands."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from textwrap import wrap

from goldsuite.comparison.pairing import CaseState
from goldsuite.report.compare_view import CompareView, PairRow
from goldsuite.report.figures import printable, shorten
from goldsuite.report.text_table import text_table

__all__ = ["compare_text"]

_WIDTH = 100
_MOST = 20
"""Cases of one state that are listed; the rest is in `--format json`."""
_HEADINGS = {
    CaseState.BROKEN: "Broken: passed before, fail now",
    CaseState.FIXED: "Fixed: failed before, pass now",
    CaseState.STILL_FAILING: "Still failing",
    CaseState.NOT_COMPARED: "Not compared",
}


def compare_text(view: CompareView) -> str:
    """The whole comparison, with a newline at its end."""
    return "".join(f"{printable(line).rstrip()}\n" for line in _lines(view))


def _lines(view: CompareView) -> Iterator[str]:
    yield view.title
    yield f"  first   {view.first}"
    yield f"  second  {view.second}"
    for warning in view.warnings:
        yield from wrap(f"NOT COMPARABLE: {warning}", _WIDTH)
    for change in view.changes:
        yield f"changed  {shorten(change, 90)}"
    yield ""
    yield f"{view.outcome.value.upper()}  {view.accuracy}"
    yield view.counts
    yield from wrap(view.meaning, _WIDTH)
    yield ""
    heads = ("", "first", "second", "change")
    figures = [(row.label, row.first, row.second, row.change) for row in view.figures]
    yield from text_table(heads, figures)
    modes = [(row.mode, str(row.first), str(row.second)) for row in view.modes]
    yield from _part(
        "Failure modes gained and lost", text_table(("", "first", "second"), modes) if modes else ()
    )
    yield from _part("Scores that fell by much", view.drops)
    yield from _part("Stable in both runs, and not the same", view.stable_but_differ)
    yield from _part("Top regressions", _pairs(view.regressions))
    yield from _part("Top wins", _pairs(view.wins))
    for state, heading in _HEADINGS.items():
        rows = view.of(state)
        more = [f"and {len(rows) - _MOST} more: --format json"] if len(rows) > _MOST else []
        yield from _part(f"{heading} ({len(rows)})", chain(_pairs(rows[:_MOST]), more))
    yield ""
    for notice in view.notices:
        yield from wrap(f"note: {notice}", _WIDTH)


def _part(heading: str, lines: Iterable[str]) -> Iterator[str]:
    """A part with its heading; nothing where it is empty."""
    found = list(lines)
    if found:
        yield ""
        yield heading
        yield from (f"  {line}" for line in found)


def _pairs(rows: Sequence[PairRow]) -> Iterator[str]:
    if rows:
        cells = [
            (
                shorten(row.id, 28),
                row.first if row.first == row.second else f"{row.first} → {row.second}",
                _answers(row),
                shorten(row.detail, 52),
            )
            for row in rows
        ]
        yield from text_table(None, cells)


def _answers(row: PairRow) -> str:
    if row.held_out:
        return "held out"
    first, second = shorten(row.first_answer, 15), shorten(row.second_answer, 15)
    return first if first == second else f"{first} → {second}"
