"""Columns of plain text, each as wide as its widest cell."""

from collections.abc import Iterator, Sequence

__all__ = ["text_table"]


def text_table(heads: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """One line for each row, after one of `heads` where they are given; two spaces between."""
    lines = [*([tuple(heads)] if heads is not None else []), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(cells).rstrip()
