"""JSON whose entries know their line."""

import json
from decimal import Decimal
from typing import Any

from goldsuite.errors import SuiteError
from goldsuite.suite.importers.base import Source
from goldsuite.suite.importers.entry import Entry

__all__ = ["read_json", "read_json_list", "read_objects"]

_SPACE = " \t\r\n"


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


_DECODER = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant)


def read_json(source: Source) -> Any:
    """The one value of the file; fractions are exact.

    Raises:
        SuiteError: it is no JSON.
    """
    value, end = _decode(source, _skip(source.text, 0))
    if _skip(source.text, end) != len(source.text):
        raise source.error(_line(source.text, end), "something follows the end of the JSON value.")
    return value


def read_json_list(source: Source, *, what: str) -> list[tuple[int, Any]]:
    """Each item of the file's list with the line on which it starts.

    Args:
        what: names the file in messages, such as `a Spider file`.

    Raises:
        SuiteError: it is no JSON, or no list.
    """
    text = source.text
    at = _skip(text, 0)
    if text[at] != "[":
        raise source.error(_line(text, at), f"{what} is a JSON list: `[{{...}}, {{...}}]`.")
    items: list[tuple[int, Any]] = []
    line, counted = 1, 0
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        line, counted = line + text.count("\n", counted, at), at
        value, at = _decode(source, at)
        items.append((line, value))
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != "]":
            raise source.error(_line(text, at), "no JSON: a comma or `]` is expected.")
    if _skip(text, at + 1) != len(text):
        raise source.error(_line(text, at + 1), "something follows the end of the list.")
    return items


def read_objects(source: Source, *, what: str) -> list[Entry]:
    """Each object of the file's list.

    Raises:
        SuiteError: it is no list, an item is no object, or there is none.
    """
    items = read_json_list(source, what=what)
    if not items:
        raise source.error(1, "the list is empty.")
    for line, item in items:
        if not isinstance(item, dict):
            raise source.error(line, f"{what} holds objects; this item is none.")
    return [
        Entry(place=f"entry {number} (line {line})", data=item)
        for number, (line, item) in enumerate(items, start=1)
    ]


def _decode(source: Source, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(source.text, at)
    except json.JSONDecodeError as error:
        raise source.error(error.lineno, f"no JSON: {error.msg}.") from None
    except (ValueError, RecursionError) as error:
        raise _unreadable(source, at, error) from None


def _unreadable(source: Source, at: int, error: Exception) -> SuiteError:
    told = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    return source.error(_line(source.text, at), f"no JSON: {told}.")


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
