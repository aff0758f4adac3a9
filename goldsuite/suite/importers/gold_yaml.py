"""A gold YAML of other tools: `cases` with question and gold SQL, under whatever further keys.

What a gold file of ours knows is taken over; `gold_rows` is read as `gold_value`, a written answer
as a note. Each other key is counted and told.
"""

from collections.abc import Iterator
from typing import Any

from goldsuite.suite.importers.base import Candidate, Reading, Source, Untaken
from goldsuite.suite.importers.entry import Entry, NotTakenError, collect
from goldsuite.suite.importers.yaml_text import Document, read_document
from goldsuite.suite.wire import Case

__all__ = ["read_gold_yaml"]

_SQL = ("gold_sql", "gold_query", "sql", "query")
_OTHER_NAMES = ("gold_rows", "gold_answer_text", "expected_value", "name", "prompt")
_DATABASE = ("database", "db", "db_id")
_OWN = frozenset(Case.model_fields) - {"id", "question", "gold_sql", "gold_value", "note"}
_KNOWN = frozenset((*Case.model_fields, *_SQL, *_OTHER_NAMES, *_DATABASE))


def read_gold_yaml(source: Source) -> Reading:
    """Implements `goldsuite.suite.importers.base.Importer`."""
    document = read_document(source, what="a gold YAML")
    if not isinstance(document.data.get("cases"), list) or not document.data["cases"]:
        near = ", ".join(list(document.data)[:8])
        raise source.error(1, f"a list under `cases` is expected; the file has {near}.")
    entries = list(document.entries("cases"))
    as_of = document.data.get("as_of")
    return collect(
        _candidates(entries, _defaults(document)),
        entries=entries,
        known=_KNOWN,
        as_of=as_of if hasattr(as_of, "isoformat") else None,
    )


def _defaults(document: Document) -> dict[str, Any]:
    given = document.data.get("defaults")
    return {key: value for key, value in given.items() if key in _OWN} if given else {}


def _candidates(entries: list[Entry], defaults: dict[str, Any]) -> Iterator[Candidate | Untaken]:
    for entry in entries:
        try:
            yield entry.candidate(
                id=entry.optional("id", "name"),
                question=entry.text("question", "prompt"),
                gold_sql=_queries(entry),
                database=entry.optional(*_DATABASE),
                fields={**defaults, **_fields(entry)},
            )
        except NotTakenError as reason:
            yield entry.untaken(str(reason))


def _queries(entry: Entry) -> list[str]:
    given = entry.data.get("gold_sql")
    if isinstance(given, list) and given and all(isinstance(sql, str) for sql in given):
        return given
    return [entry.text(*_SQL)]


def _fields(entry: Entry) -> dict[str, Any]:
    found = {key: value for key, value in entry.data.items() if key in _OWN}
    answer = entry.optional("gold_answer_text")
    note = "\n".join(filter(None, (entry.optional("note"), answer and f"Answer: {answer}")))
    found["note"] = note or None
    for key in ("gold_value", "expected_value", "gold_rows"):
        if entry.data.get(key) is not None:
            return {**found, "gold_value": _value(entry.data[key])}
    return found


def _value(value: Any) -> Any:
    """Rows of one cell are one value, as a gold file has them."""
    single = isinstance(value, list) and len(value) == 1 and isinstance(value[0], list)
    return value[0][0] if single and len(value[0]) == 1 else value
