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
from goldsuite.report.terminal_slices import slice_lines
from goldsuite.report.view import CaseRow, Evidence, ModeRow, ReportView
from goldsuite.runner.lock import LockState

__all__ = ["plain_report", "print_report"]

_PIPED_WIDTH = 100
_BAR_WIDTH = 20
_ID_WIDTH = 28
_SHOWN_ROOTS = 3
_WORD_FROM = 96
_SIMILARITY_FROM = 110
_LONG_VALUES_FROM = 130
_QUESTION_FROM = 150
"""Columns of the terminal from which a part of the table is shown."""

_BEFORE_QUESTION = 128
"""Columns that the rest of the table takes where its cells are long."""

_MOST_ROWS = 200
"""Cases on the short report: drawing a line for each of 50,000 takes a minute."""

_PLAIN = frozenset({Verdict.CORRECT, Verdict.WRONG})
"""Verdicts that the mark says by itself."""


def print_report(view: ReportView, out: IO[str], *, full: bool = False) -> None:
    """Draw `view` on `out`; with `full` also all evidence and both queries of every failure."""
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        for part in _parts(view, console.width, full=full):
            console.print(part)
        return
    out.write(plain_report(view, full=full))


def plain_report(view: ReportView, *, full: bool = False) -> str:
    """The same without colour, for a pipe or a file, with a newline at its end."""
    plain = io.StringIO()
    console = Console(
        file=plain,
        width=_PIPED_WIDTH,
        # Whatever the environment says: FORCE_COLOR is meant for terminals.
        force_terminal=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for part in _parts(view, _PIPED_WIDTH, full=full):
        console.print(part)
    # Padding to the right is of use on a terminal alone; in a file it is noise.
    return "".join(f"{line.rstrip()}\n" for line in plain.getvalue().split("\n")[:-1])


def _parts(view: ReportView, width: int, *, full: bool) -> Iterator[RenderableType]:
    yield Text(view.title, style="bold")
    yield Text(printable(view.subtitle), style="dim")
    yield ""
    yield Text.assemble(
        (f"{view.headline.label} ", ""), (view.headline.value, "bold"), f"  {view.headline.detail}"
    )
    yield _figures(view)
    yield from _told(view, full=full)
    yield ""
    if view.modes:
        yield Text("Why the failures failed", style="bold")
        for mode in view.modes:
            yield from _mode(mode)
        yield ""
    if view.slices:
        yield from slice_lines(view.slices, full=full)
        if not full:
            yield ""
    rows = view.rows if full else _most(view.rows)
    yield _cases(rows, width)
    if len(rows) < len(view.rows):
        left_out = f"{len(view.rows) - len(rows):,} more: goldsuite report --full"
        yield Text(f"The first that did not pass, and {left_out}", style="dim")
        yield ""
    if view.evidence:
        yield Text("Evidence", style="bold")
        if full:
            for item in view.evidence:
                yield from _evidence(item)
        else:
            yield _first_evidence(view.evidence[:_MOST_ROWS])
            yield Text("All of it, with both queries: goldsuite report --full", style="dim")
        yield ""
    yield from _lucky(view, full=full)
    for notice in view.notices:
        yield Padding(Text(f"note: {printable(notice)}", style="dim"), (0, 0, 0, 0))
    yield Text(
        view.integrity_text, style="dim" if view.integrity is LockState.INTACT else "bold red"
    )
    yield Text(view.advice, style="bold")


def _told(view: ReportView, *, full: bool) -> Iterator[Text]:
    """What is said of the run in words, a label before each line."""
    whole = (
        ("warehouse", (view.warehouse,)),
        ("SQL texts", (view.closeness,)),
        ("tokens", (view.usage,)),
    )
    told = (
        ("context", (view.context,)),
        *(whole if full else ()),
        ("lucky passes", (view.luck,)),
        ("process", view.process),
        ("judge", view.judging),
    )
    for label, lines in told:
        for line in filter(None, lines):
            yield Text.assemble((f"{label}  ", "dim"), printable(line))


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


def _most(rows: tuple[CaseRow, ...]) -> tuple[CaseRow, ...]:
    """All, where they can be read; of very many those that need mending."""
    if len(rows) <= _MOST_ROWS:
        return rows
    return tuple(row for row in rows if not row.passed)[:_MOST_ROWS]


def _cases(rows: tuple[CaseRow, ...], width: int) -> Table:
    """One line a case in 80 columns; words, similarity and question where there is room."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    with_word = width >= _WORD_FROM
    table.add_column("verdict" if with_word else "", no_wrap=True)
    table.add_column("case", overflow="fold", min_width=16, max_width=_ID_WIDTH)
    for value in ("answer", "gold"):
        table.add_column(value, overflow="ellipsis", no_wrap=True, max_width=_value_width(width))
    table.add_column("how or why", overflow="fold", min_width=22)
    if width >= _SIMILARITY_FROM:
        table.add_column("similarity", justify="right", no_wrap=True)
    if width >= _QUESTION_FROM:
        # Never wider: rich would take the room from the columns before it.
        rest = width - _BEFORE_QUESTION
        table.add_column("question", overflow="ellipsis", no_wrap=True, max_width=rest)
    for row in rows:
        table.add_row(*_cells(row, with_word=with_word)[: len(table.columns)])
    return table


def _value_width(width: int) -> int:
    if width < _WORD_FROM:
        return 12
    return 16 if width < _LONG_VALUES_FROM else 24


def _cells(row: CaseRow, *, with_word: bool) -> list[Text]:
    """In the order of the columns, those for wide terminals last."""
    sign = f"{row.mark} {row.verdict.value}" if with_word else row.mark
    return [
        Text(sign, style=_style(row)),
        Text(printable(row.id)),
        Text(shorten(printable(row.answer), 40)),
        Text(shorten(printable(row.gold), 40)),
        Text(_why(row, with_word=with_word)),
        Text(row.similarity),
        Text(shorten(printable(row.question), 200)),
    ]


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
