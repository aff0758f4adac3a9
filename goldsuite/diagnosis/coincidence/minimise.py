"""The smallest part of a database on which two queries still differ."""

from collections.abc import Callable, Iterator, Sequence

from goldsuite.diagnosis.coincidence.databases import Row, TinyDatabase, keeps_references
from goldsuite.diagnosis.coincidence.shape import Shape

__all__ = ["minimise"]

_MOST_ROUNDS = 25
_MOST_TRIED = 120
"""Smaller databases that are tried at once."""


def minimise(
    database: TinyDatabase,
    shape: Shape,
    differ: Callable[[Sequence[TinyDatabase]], list[bool]],
    *,
    keep_references: bool,
) -> TinyDatabase:
    """Take rows away while the queries differ.

    Args:
        differ: tells for each of several databases whether they do.
        keep_references: whether every reference has to hold in what is left.
    """
    for _ in range(_MOST_ROUNDS):
        smaller = [
            found
            for found in _smaller(database)
            if not keep_references or keeps_references(found, shape)
        ]
        smaller = sorted(smaller, key=lambda found: found.size)[:_MOST_TRIED]
        telling = [f for f, tells in zip(smaller, differ(smaller), strict=True) if tells]
        if not telling:
            break
        database = telling[0]
    return database


def _smaller(database: TinyDatabase) -> Iterator[TinyDatabase]:
    """Without all rows of a table, without one half of them, without one row, without two."""
    for name, rows in database.rows.items():
        if not rows:
            continue
        parts: list[tuple[Row, ...]] = [()]
        middle = len(rows) // 2
        if middle > 1:
            parts += [rows[:middle], rows[middle:]]
        parts += [rows[:place] + rows[place + 1 :] for place in range(len(rows))]
        for part in dict.fromkeys(parts):
            yield TinyDatabase({**database.rows, name: part})
    yield from _pairs(database)


def _pairs(database: TinyDatabase) -> Iterator[TinyDatabase]:
    """One row less in two tables at once: a child goes with its parent."""
    names = [name for name, rows in database.rows.items() if 0 < len(rows) <= _MOST_PAIRED]
    for at, first in enumerate(names):
        for second in names[at + 1 :]:
            for one in range(len(database.rows[first])):
                for other in range(len(database.rows[second])):
                    yield TinyDatabase({
                        **database.rows,
                        first: _without(database.rows[first], one),
                        second: _without(database.rows[second], other),
                    })  # fmt: skip


_MOST_PAIRED = 6


def _without(rows: tuple[Row, ...], place: int) -> tuple[Row, ...]:
    return rows[:place] + rows[place + 1 :]
