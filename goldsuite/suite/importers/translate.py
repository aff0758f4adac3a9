"""Gold queries in the dialect of another engine.

A translated query may give another answer: SQLite's LIKE ignores case and its integer division
truncates. What cannot be said in the other dialect at all is told, never guessed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlglot
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ErrorLevel, SqlglotError

from goldsuite.errors import UsageError
from goldsuite.nearest import did_you_mean
from goldsuite.suite.importers.base import Candidate, Untaken

__all__ = ["Translated", "translate"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Translated:
    """What became of the golds."""

    candidates: tuple[Candidate, ...]
    untaken: tuple[Untaken, ...]
    translated: int
    """Golds whose text changed."""


def translate(candidates: Sequence[Candidate], *, read: str, write: str) -> Translated:
    """Each candidate with its golds in the dialect `write`.

    Raises:
        UsageError: sqlglot knows no dialect `read`.
    """
    if Dialect.get(read) is None:
        known = sorted(name for name in Dialect.classes if name)
        raise UsageError(
            f"--from-dialect {read}: no such dialect.{did_you_mean(read, known)} "
            f"Known: {', '.join(known)}."
        )
    taken: list[Candidate] = []
    untaken: list[Untaken] = []
    for candidate in candidates:
        try:
            golds = tuple(_translated(sql, read, write) for sql in candidate.gold_sql)
        except (SqlglotError, RecursionError, ValueError) as error:
            reason = f"cannot be translated from {read} to {write}: {_told(error)}"
            untaken.append(Untaken(place=candidate.place, name=candidate.id, reason=reason))
        else:
            taken.append(replace(candidate, gold_sql=golds))
    before = (sql for candidate in candidates for sql in candidate.gold_sql)
    after = {sql for candidate in taken for sql in candidate.gold_sql}
    changed = len(after - set(before))
    return Translated(candidates=tuple(taken), untaken=tuple(untaken), translated=changed)


def _translated(sql: str, read: str, write: str) -> str:
    if read == write:
        return sql
    texts = sqlglot.transpile(
        sql,
        read=read,
        write=write,
        unsupported_level=ErrorLevel.RAISE,
        error_level=ErrorLevel.RAISE,
    )
    if len(texts) != 1:
        raise ValueError(f"{len(texts)} statements instead of one query")
    return texts[0]


def _told(error: Exception) -> str:
    """The first line: sqlglot repeats the SQL, underlined by escape codes, below it."""
    text = str(error) or type(error).__name__
    line = text.splitlines()[0].split("\x1b", 1)[0]
    return line.strip().rstrip(".")
