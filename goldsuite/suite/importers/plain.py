"""A plain CSV: one row for each case, with columns named as the keys of a gold file.

`question` and `gold_sql` (or `sql`, `query`) must be there. Numbers are written as numbers, lists
as words between bars: `revenue|monthly`.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from goldsuite.suite.importers.base import Candidate, Reading, Source, Untaken
from goldsuite.suite.importers.csv_text import read_table
from goldsuite.suite.importers.entry import Entry, NotTakenError, collect

__all__ = ["read_plain_csv"]

_SQL = ("gold_sql", "sql", "query")
_TEXTS = (
    "split", "unit", "currency", "answer", "row_order", "extra_columns", "metric", "difficulty",
    "note", "verified_by", "verified_at", "target",
)  # fmt: skip
_NUMBERS = ("tolerance", "abs_tolerance")
_FLAGS = ("must_pass", "null_is_zero", "allow_null", "accept_rounding", "case_sensitive")
_LISTS = ("tags", "paraphrases")
_OTHERS = ("id", "question", "gold_value", "database", "db_id", "hint", "evidence")
_KNOWN = frozenset((*_SQL, *_TEXTS, *_NUMBERS, *_FLAGS, *_LISTS, *_OTHERS))
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def read_plain_csv(source: Source) -> Reading:
    """Implements `goldsuite.suite.importers.base.Importer`."""
    entries = read_table(source, required=(("question",), _SQL))
    return collect(_candidates(entries), entries=entries, known=_KNOWN)


def _candidates(entries: Sequence[Entry]) -> Iterator[Candidate | Untaken]:
    for entry in entries:
        try:
            yield entry.candidate(
                id=entry.optional("id"),
                question=entry.text("question"),
                gold_sql=[entry.text(*_SQL)],
                database=entry.optional("database", "db_id"),
                hint=entry.optional("hint", "evidence"),
                fields=_fields(entry),
            )
        except NotTakenError as reason:
            yield entry.untaken(str(reason))


def _fields(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {name: entry.optional(name) for name in _TEXTS}
    for name in _LISTS:
        parts = (entry.optional(name) or "").split("|")
        found[name] = [part.strip() for part in parts if part.strip()]
    found |= {name: _number(name, text) for name in _NUMBERS if (text := entry.optional(name))}
    found |= {name: _flag(name, text) for name in _FLAGS if (text := entry.optional(name))}
    value = entry.optional("gold_value")
    if value is not None:
        found["gold_value"] = _number_or_text(value)
    return found


def _flag(name: str, text: str) -> bool:
    if text.lower() not in _WORDS:
        raise NotTakenError(f"{name!r} is {text!r}: true or false is expected")
    return _WORDS[text.lower()]


def _number(name: str, text: str) -> Decimal:
    number = _number_or_text(text)
    if not isinstance(number, Decimal):
        raise NotTakenError(f"{name!r} is {text!r}: a number such as 0.005 is expected")
    return number


def _number_or_text(text: str) -> Decimal | str:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return number if number.is_finite() else text
