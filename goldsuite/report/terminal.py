"""The report on a terminal: 80 columns are enough, more are used; plain where it is piped.

All text of agents and warehouses is printed as it is, never read as markup, and its control
characters are made visible, so that an answer cannot move the cursor or colour the verdict.
"""

import io
from collections.abc import Iterator
from typing import IO

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from goldsuite.model.diagnosis import FailureMode
from goldsuite.model.grade import Verdict
from goldsuite.report.figures import ABSENT, printable, shorten
from goldsuite.report.view import CaseRow, Evidence, ModeRow, ReportView
from goldsuite.runner.lock import LockState

__all__ = ["print_report"]

_PIPED_WIDTH = 100
_BAR_WIDTH = 20
_ID_WIDTH = 28
_SHOWN_ROOTS = 3
_WORD_FROM = 96
_SIMILARITY_FROM = 110
"""Columns of the terminal from which a part of the table is shown."""

_PLAIN = frozenset({Verdict.CORRECT, Verdict.WRONG})
"""Verdicts that the mark says by itself."""


def print_report(view: ReportView, out: IO[str], *, full: bool = False) -> None:
    """Draw `view` on `out`; with `full` also all evidence and both queries of every failure."""
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        for part in _parts(view, console.width, full=full):
            console.print(part)
        return
    plain = io.StringIO()
    console = Console(file=plain, width=_PIPED_WIDTH, highlight=False, markup=False, emoji=False)
    for part in _parts(view, _PIPED_WIDTH, full=full):
        console.print(part)
    # Padding to the right is of use on a terminal alone; in a file it is noise.
    out.writelines(f"{line.rstrip()}\n" for line in plain.getvalue().splitlines())


def _parts(view: ReportView, width: int, *, full: bool) -> Iterator[RenderableType]:
    yield Text(view.title, style="bold")
    yield Text(printable(view.subtitle), style="dim")
    yield ""
    yield Text.assemble(
        (f"{view.headline.label} ", ""), (view.headline.value, "bold"), f"  {view.headline.detail}"
    )
    yield _figures(view)
    yield Text.assemble(("context  ", "dim"), printable(view.context))
    if full and view.warehouse:
        yield Text.assemble(("warehouse  ", "dim"), printable(view.warehouse))
    if full and view.closeness:
        yield Text.assemble(("SQL texts  ", "dim"), view.closeness)
    if full and view.usage:
        yield Text.assemble(("tokens  ", "dim"), printable(view.usage))
    told = (
        ("lucky passes", (view.luck,) if view.luck else ()),
        ("process", view.process),
        ("judge", view.judging),
    )
    for label, lines in told:
        for line in lines:
            yield Text.assemble((f"{label}  ", "dim"), printable(line))
    yield ""
    if view.modes:
        yield Text("Why the failures failed", style="bold")
        for mode in view.modes:
            yield from _mode(mode)
        yield ""
    yield _cases(view.rows, width)
    if view.evidence:
        yield Text("Evidence", style="bold")
        if full:
            for item in view.evidence:
                yield from _evidence(item)
        else:
            yield _first_evidence(view.evidence)
            yield Text("All of it, with both queries: goldsuite report --full", style="dim")
        yield ""
    yield from _lucky(view, full=full)
    for notice in view.notices:
        yield Padding(Text(f"note: {printable(notice)}", style="dim"), (0, 0, 0, 0))
    yield Text(
        view.integrity_text, style="dim" if view.integrity is LockState.INTACT else "bold red"
    )
    yield Text(view.advice, style="bold")


def _lucky(view: ReportView, *, full: bool) -> Iterator[RenderableType]:
    if not view.lucky:
        return
    yield Text("Lucky passes", style="bold")
    for item in view.lucky:
        yield Padding(Text(f"{item.id}: {printable(item.sentence)}"), (0, 0, 0, 2))
        if full:
            for line in item.lines:
                yield Padding(Text(printable(line), no_wrap=True), (0, 0, 0, 4))
    if not full:
        yield Text("With the small databases: goldsuite report --full", style="dim")
    yield ""


def _figures(view: ReportView) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for figure in view.figures:
        if figure.value != ABSENT:
            table.add_row(figure.label, figure.value)
    return table


def _mode(mode: ModeRow) -> Iterator[RenderableType]:
    filled = max(1, round(mode.share * _BAR_WIDTH))
    bar = "█" * filled + "░" * (_BAR_WIDTH - filled)
    yield Text.assemble((bar, "yellow"), f" {mode.count:>3}  ", (mode.mode.value, "bold"))
    lines = [mode.meaning, f"Fix: {mode.fix}"]
    if mode.cases:
        lines.append("Cases: " + ", ".join(mode.cases))
    for line in lines:
        yield Padding(Text(printable(line)), (0, 0, 0, 4))
    for root in mode.roots[:_SHOWN_ROOTS]:
        text = Text.assemble((root.id, "bold"), f": {root.proof}")
        yield Padding(text, (0, 0, 0, 6))
    if len(mode.roots) > _SHOWN_ROOTS:
        rest = len(mode.roots) - _SHOWN_ROOTS
        yield Padding(Text(f"and {rest} more: goldsuite failures", style="dim"), (0, 0, 0, 6))


def _cases(rows: tuple[CaseRow, ...], width: int) -> Table:
    """One line a case in 80 columns; the verdict's word and the similarity where there is room."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    with_word, with_similarity = width >= _WORD_FROM, width >= _SIMILARITY_FROM
    value_width = 16 if with_word else 12
    table.add_column("verdict" if with_word else "", no_wrap=True)
    table.add_column("case", overflow="fold", min_width=16, max_width=_ID_WIDTH)
    table.add_column("answer", overflow="ellipsis", no_wrap=True, max_width=value_width)
    table.add_column("gold", overflow="ellipsis", no_wrap=True, max_width=value_width)
    table.add_column("how or why", overflow="fold", min_width=22)
    if with_similarity:
        table.add_column("similarity", justify="right", no_wrap=True)
    for row in rows:
        sign = f"{row.mark} {row.verdict.value}" if with_word else row.mark
        cells = [
            Text(sign, style=_style(row)),
            Text(printable(row.id)),
            Text(shorten(printable(row.answer), 40)),
            Text(shorten(printable(row.gold), 40)),
            Text(_why(row, with_word=with_word)),
        ]
        table.add_row(*cells, *([Text(row.similarity)] if with_similarity else []))
    return table


def _style(row: CaseRow) -> str:
    return "green" if row.passed else "red"


def _why(row: CaseRow, *, with_word: bool) -> str:
    said = [] if with_word or row.verdict in _PLAIN else [row.verdict.value.replace("_", " ")]
    said += [shorten(printable(row.detail), 80)] if row.detail else []
    flags = f" [{', '.join(row.flags)}]" if row.flags else ""
    return ": ".join(said) + flags


def _first_evidence(items: tuple[Evidence, ...]) -> Table:
    """The sentence that names the cause; where none was found, why the answer failed."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", overflow="fold", max_width=_ID_WIDTH)
    table.add_column(overflow="fold")
    for item in items:
        cause = item.sentences[1:2] if item.mode not in {None, FailureMode.UNCLASSIFIED} else ()
        for sentence in cause or item.sentences[:1]:
            table.add_row(Text(printable(item.id)), Text(printable(sentence)))
    return table


def _evidence(item: Evidence) -> Iterator[RenderableType]:
    heading = Text.assemble((printable(item.id), "bold"), f"  {printable(item.question)}")
    yield heading
    mode = [f"{item.mode.value}:"] if item.mode else []
    for line in (*mode, *item.sentences):
        yield Padding(Text(printable(line)), (0, 0, 0, 4))
    if item.clauses:
        yield Padding(Text(f"clauses that differ: {item.clauses}"), (0, 0, 0, 4))
    for label, sql in (("gold    ", item.gold_sql), ("analyst ", item.analyst_query)):
        if sql:
            yield Padding(
                Text.assemble((label, "dim"), printable(" ".join(sql.split()))), (0, 0, 0, 4)
            )
