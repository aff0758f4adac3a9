"""Reads back what an outside analyst printed: three `key: value` lines, or the same as JSON.

Lenient about everything around them (prose, code fences, markdown, terminal colours, the order of
the keys, SQL over several lines), because the form is not what is measured. Strict about one thing:
text without any answer in it is a fault, while saying nothing at all is an answer.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from goldsuite.analysts.query_text import end_of_query
from goldsuite.analysts.row import ANSWER_KEYS, decode_json
from goldsuite.analysts.row import read_reply as read_fields
from goldsuite.errors import AnalystError
from goldsuite.model.answer import Reply

__all__ = ["find_reply", "read_object", "read_reply"]

_EXPECTED = (
    "expected are the lines `analyst_value:`, `analyst_query:` and `definition_source:`, or the "
    "same keys as one JSON object"
)

_COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_KEY = re.compile(
    r"^(?P<before>[\s>*#+_`\d.)-]*)"
    r"(?P<key>analyst[_ -]value|analyst[_ -]query|definition[_ -]source)"
    r"(?P<after>[*_`]*)\s*:(?P<rest>.*)$",
    re.IGNORECASE,
)
_MARKS = ("**", "__", "*", "_", "`")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_INLINE_FENCE = re.compile(
    r"^(?:```|~~~)(?:sql|text|txt|duckdb|sqlite|postgres|postgresql|mysql)?\b"
)
_JSON_KEY = re.compile('"(?:' + "|".join(ANSWER_KEYS) + ')"')
_OBJECTS_TRIED = 50
"""Opening braces that are tried before the last key: more is a flood, not an answer."""
_NOTHING = frozenset({"", "null", "none"})
_WRAPPERS = ("```", "**", "__", "``", "`", '"', "'", "*")


def read_reply(text: str, *, dialect: str | None = None) -> Reply:
    """The reply that `text` holds; `Reply()` where it is blank.

    Where a key is given more than once, the last one counts. An empty value, `null` and `none` mean
    that no value is given. A JSON number keeps its own writing.

    Args:
        text: all that the analyst printed.
        dialect: sqlglot's name; helps to tell where SQL ends and prose goes on.

    Raises:
        AnalystError: there is text but no answer in it, or a JSON answer holds a wrong type.
    """
    text = _COLOURS.sub("", text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n"))
    if not text.strip():
        return Reply()
    reply = find_reply(text, dialect=dialect)
    if reply is None:
        begin = text.strip()[:200]
        raise AnalystError(f"no answer in the output: {_EXPECTED}; it begins {begin!r}")
    return reply


def find_reply(text: str, *, dialect: str | None = None) -> Reply | None:
    """The same for `text` with plain line breaks; None where there is no answer in it.

    Raises:
        AnalystError: a JSON answer holds a wrong type.
    """
    block, block_at = _read_block(text, dialect)
    fields, fields_at = _find_object(text)
    if fields is None or (block is not None and block_at > fields_at):
        return block
    return read_object(fields)


def read_object(fields: Mapping[str, Any]) -> Reply:
    """The reply in an object that `decode_json` gave.

    Raises:
        AnalystError: a key holds what it cannot mean.
    """
    try:
        return _tidy(read_fields(fields))
    except ValueError as error:
        raise AnalystError(f"the JSON answer cannot be read: {error}") from None


def _tidy(reply: Reply) -> Reply:
    return replace(
        reply,
        value=_something(reply.value),
        query=_something(reply.query),
        definition_source=_source(reply.definition_source),
    )


def _something(text: str | None) -> str | None:
    text = None if text is None else text.strip()
    return None if text is None or text.lower() in _NOTHING else text


def _source(text: str | None) -> str | None:
    said = _something(text)
    known = ("metric dictionary", "my own choice")
    plain = "" if said is None else " ".join(said.lower().replace("_", " ").split()).rstrip(".")
    return plain if plain in known else said


# -- JSON ------------------------------------------------------------------------------------------


def _find_object(text: str) -> tuple[dict[str, Any] | None, int]:
    """The last JSON object with a key of ours, and where it ends."""
    last = max((match.start() for match in _JSON_KEY.finditer(text)), default=-1)
    start = last
    for _ in range(_OBJECTS_TRIED):
        start = text.rfind("{", 0, max(start, 0))
        if start < 0:
            break
        try:
            value, end = decode_json(text, start)
        except ValueError:
            continue
        if end > last and isinstance(value, dict) and not value.keys().isdisjoint(ANSWER_KEYS):
            return value, end
    return None, -1


# -- The block -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Entry:
    """A key line with the lines that may belong to it."""

    at: int
    first: str
    """What stands behind the colon."""
    lines: list[str] = field(default_factory=list)
    """The lines up to the next key, or up to the fence that closes the code."""
    closed: bool = False


def _read_block(text: str, dialect: str | None) -> tuple[Reply | None, int]:
    entries = _entries(text)
    if not entries:
        return None, -1
    value = entries.get("analyst_value")
    query = entries.get("analyst_query")
    source = entries.get("definition_source")
    reply = Reply(
        value=_something(None if value is None else _one_line(value)),
        query=_something(None if query is None else _query(query, dialect)),
        definition_source=_source(None if source is None else _one_line(source)),
    )
    return reply, max(entry.at for entry in entries.values())


def _entries(text: str) -> dict[str, _Entry]:
    """The last entry of each key."""
    entries: dict[str, _Entry] = {}
    current: _Entry | None = None
    at = 0
    for line in text.split("\n"):
        match = _KEY.match(line)
        if match:
            key = re.sub("[ -]", "_", match["key"].lower())
            current = entries[key] = _Entry(at=at, first=_rest(match))
        elif current is not None and not current.closed:
            _add(current, line)
        at += len(line) + 1
    return entries


def _add(entry: _Entry, line: str) -> None:
    if not _FENCE.match(line):
        entry.lines.append(line)
    elif any(map(str.strip, entry.lines)) or _content(entry.first):
        entry.closed = True  # the code is over, and what follows is prose


def _rest(match: re.Match[str]) -> str:
    """What stands behind the colon, less the end of a bold or code mark that the key opened."""
    rest = match["rest"].strip()
    for mark in _MARKS:
        if match["before"].endswith(mark) and mark not in match["after"]:
            return rest[len(mark) :] if rest.startswith(mark) else rest.removesuffix(mark)
    return rest


def _content(first: str) -> str:
    """What the key's own line says, without an opening fence or a YAML mark for a text block."""
    bare = _INLINE_FENCE.sub("", first)
    first = bare.removesuffix(first[:3]).strip() if bare != first else first
    return "" if first in {"|", ">", "|-", ">-"} else first


def _one_line(entry: _Entry) -> str:
    # Only the very next line: after a blank one, prose goes on.
    return _unwrapped(_content(entry.first) or next(iter(entry.lines), ""))


def _query(entry: _Entry, dialect: str | None) -> str:
    own = _content(entry.first)
    text = "\n".join([own, *entry.lines] if own else entry.lines)
    if entry.closed:
        return _unwrapped(text)
    head, *paragraphs = re.split(r"\n\s*\n", text.strip())
    if _unwrapped(head).lower() in _NOTHING:
        return ""
    sql, whole = end_of_query([head, *paragraphs], dialect=dialect)
    after_a_gap = not own and bool(entry.lines) and not entry.lines[0].strip()
    # After a blank line it is the query if it is SQL; else the analyst is talking.
    return "" if after_a_gap and not whole and not _is_code(head) else _unwrapped(sql)


def _is_code(text: str) -> bool:
    return text.startswith("`")


def _unwrapped(text: str) -> str:
    """`text` without the quotes, back-ticks or bold around the whole of it."""
    text = text.strip()
    if text.startswith('"') and text.endswith('"'):
        with suppress(ValueError):
            return str(json.loads(text, strict=False)).strip()
    for mark in _WRAPPERS:
        inside = text[len(mark) : -len(mark)]
        if len(text) > 2 * len(mark) - 1 and text.startswith(mark) and text.endswith(mark):
            if mark in inside:
                continue  # two quoted things side by side, not one in quotes
            return _unwrapped(inside)
    return text
