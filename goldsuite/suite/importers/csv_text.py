"""CSV whose rows know their line."""

import csv
import io
from collections.abc import Iterator

from goldsuite.nearest import did_you_mean
from goldsuite.suite.importers.base import Source
from goldsuite.suite.importers.entry import Entry

__all__ = ["read_table"]

_LONGEST_FIELD = 10_000_000
_SEPARATORS = ",;\t"


def read_table(source: Source, *, required: tuple[tuple[str, ...], ...]) -> list[Entry]:
    """Each row by the names in the first one; empty rows are no rows.

    The separator is the one of comma, semicolon and tab that the first row has most of.

    Args:
        required: columns that must be there, each with its other names.

    Raises:
        SuiteError: it is no CSV, or a column is missing or named twice.
    """
    rows = _rows(source)
    _, header = next(rows, (1, []))
    header = [name.strip() for name in header]
    _check_header(source, header, required)
    entries = []
    for line, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            message = f"{len(cells)} cells, and the first row names {len(header)} columns."
            raise source.error(line, f"{message} Put a text that holds a separator in quotes.")
        entries.append(Entry(place=f"line {line}", data=dict(zip(header, cells, strict=True))))
    if not entries:
        raise source.error(1, "no row follows the names of the columns.")
    return entries


def _rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(_LONGEST_FIELD)
    first = source.text.split("\n", 1)[0]
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(source.text, newline=""), delimiter=separator, strict=True)
    start = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise source.error(start, f"no CSV: {error}.") from None
        if row is None:
            return
        yield start, row
        start = reader.line_num + 1


def _check_header(source: Source, header: list[str], required: tuple[tuple[str, ...], ...]) -> None:
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice:
        raise source.error(1, f"the column {twice!r} is named twice.")
    for names in required:
        if not set(names) & set(header):
            shown = ", ".join(name for name in header if name) or "none"
            hint = did_you_mean(names[0], header)
            raise source.error(
                1, f"the column {names[0]!r} is missing; the columns are {shown}.{hint}"
            )
