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

from goldsuite.report.figures import ABSENT, printable, shorten
from goldsuite.report.view import CaseRow, Evidence, ModeRow, ReportView
from goldsuite.runner.lock import LockState

__all__ = ["print_report"]

_PIPED_WIDTH = 100
_BAR_WIDTH = 20


def print_report(view: ReportView, out: IO[str]) -> None:
    """Draw `view` on `out`."""
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        for part in _parts(view, console.width):
            console.print(part)
        return
    plain = io.StringIO()
    console = Console(file=plain, width=_PIPED_WIDTH, highlight=False, markup=False, emoji=False)
    for part in _parts(view, _PIPED_WIDTH):
        console.print(part)
    # Padding to the right is of use on a terminal alone; in a file it is noise.
    out.writelines(f"{line.rstrip()}\n" for line in plain.getvalue().splitlines())


def _parts(view: ReportView, width: int) -> Iterator[RenderableType]:
    yield Text(view.title, style="bold")
    yield Text(printable(view.subtitle), style="dim")
    yield ""
    yield Text.assemble(
        (f"{view.headline.label} ", ""), (view.headline.value, "bold"), f"  {view.headline.detail}"
    )
    yield _figures(view)
    yield Text.assemble(("context  ", "dim"), printable(view.context))
    yield ""
    if view.modes:
        yield Text("Why the failures failed", style="bold")
        for mode in view.modes:
            yield from _mode(mode)
        yield ""
    yield _cases(view.rows, width)
    if view.evidence:
        yield Text("Evidence", style="bold")
        for item in view.evidence:
            yield from _evidence(item)
        yield ""
    for notice in view.notices:
        yield Padding(Text(f"note: {printable(notice)}", style="dim"), (0, 0, 0, 0))
    yield Text(
        view.integrity_text, style="dim" if view.integrity is LockState.INTACT else "bold red"
    )
    yield Text(view.advice, style="bold")


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


def _cases(rows: tuple[CaseRow, ...], width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), expand=False, header_style="bold")
    table.add_column("case", overflow="fold", ratio=3)
    table.add_column("verdict", no_wrap=True)
    table.add_column("answer", overflow="ellipsis", no_wrap=True, ratio=3)
    table.add_column("gold", overflow="ellipsis", no_wrap=True, ratio=3)
    table.add_column("how or why", overflow="fold", ratio=4)
    wide = width >= 110
    if wide:
        table.add_column("similarity", justify="right", no_wrap=True)
    for row in rows:
        cells = [
            Text(printable(row.id)),
            Text(f"{row.mark} {row.verdict.value}", style=_style(row)),
            Text(shorten(printable(row.answer), 40)),
            Text(shorten(printable(row.gold), 40)),
            Text(_why(row)),
        ]
        table.add_row(*cells, *([Text(row.similarity)] if wide else []))
    return table


def _style(row: CaseRow) -> str:
    return "green" if row.passed else "red"


def _why(row: CaseRow) -> str:
    flags = f" [{', '.join(row.flags)}]" if row.flags else ""
    return shorten(printable(row.detail), 80) + flags


def _evidence(item: Evidence) -> Iterator[RenderableType]:
    heading = Text.assemble((printable(item.id), "bold"), f"  {printable(item.question)}")
    yield heading
    mode = [f"{item.mode.value}:"] if item.mode else []
    for line in (*mode, *item.sentences):
        yield Padding(Text(printable(line)), (0, 0, 0, 4))
    for label, sql in (("gold    ", item.gold_sql), ("analyst ", item.analyst_query)):
        if sql:
            yield Padding(
                Text.assemble((label, "dim"), printable(" ".join(sql.split()))), (0, 0, 0, 4)
            )
