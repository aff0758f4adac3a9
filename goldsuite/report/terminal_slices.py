"""Slices on a terminal: one line for each way of cutting a run, or all of it as a table."""

from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from goldsuite.report.figures import printable
from goldsuite.report.slices import SliceRow, SliceTable

__all__ = ["slice_lines"]

_MOST = 12
"""Slices of one kind on the short report."""


def slice_lines(tables: tuple[SliceTable, ...], *, full: bool) -> Iterator[RenderableType]:
    """The largest slices with what passed in them; with `full` all, with their intervals."""
    yield Text.assemble(("Slices", "bold"), "" if full else ("  passed of gradable", "dim"))
    yield _whole(tables) if full else _short(tables)


def _short(tables: tuple[SliceTable, ...]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    for table in tables:
        largest = sorted(table.rows, key=lambda row: -row.cases)[:_MOST]
        shown = ", ".join(map(_share, largest))
        left_out = len(table.rows) - len(largest)
        more = f", and {left_out} more: goldsuite report --full" if left_out else ""
        grid.add_row(Text(table.by), Text(f"{shown}{more}"))
    return grid


def _share(row: SliceRow) -> str:
    return f"{printable(row.name)} {row.passed}/{row.gradable}"


def _whole(tables: tuple[SliceTable, ...]) -> Table:
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    grid.add_column("by", no_wrap=True)
    grid.add_column("slice", overflow="fold", max_width=32)
    for head in ("cases", "passed", "accuracy", "95 % interval"):
        grid.add_column(head, justify="right", no_wrap=True)
    for table in tables:
        for row in table.rows:
            grid.add_row(
                table.by,
                Text(printable(row.name)),
                str(row.cases),
                f"{row.passed}/{row.gradable}",
                row.accuracy,
                row.interval,
            )
    return grid
