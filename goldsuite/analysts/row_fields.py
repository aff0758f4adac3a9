"""The JSON values of an answer's words: each reader takes one, or says what it should have been.

Readers raise `ValueError` with what is expected; `optional` puts the key and the value before it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields as fields_of
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar, cast, get_args

from goldsuite.model.answer import (
    ErrorSource,
    LoggedQuery,
    ToolCall,
    TraceEvent,
    TraceKind,
    Usage,
)

__all__ = [
    "NumberText",
    "decode_json",
    "json_text",
    "optional",
    "read_calls",
    "read_cost",
    "read_count",
    "read_error_source",
    "read_milliseconds",
    "read_names",
    "read_queries",
    "read_text",
    "read_trace",
    "read_usage",
    "read_value",
]

_T = TypeVar("_T")


class NumberText(str):
    """A JSON number as it was written."""

    __slots__ = ()


_DECODER = json.JSONDecoder(
    parse_int=NumberText,
    parse_float=NumberText,
    parse_constant=NumberText,
    # Models write line breaks inside of strings, chiefly in SQL.
    strict=False,
)


def decode_json(text: str, start: int = 0) -> tuple[Any, int]:
    """The JSON value at `start`, its numbers as `NumberText`, and where it ends.

    Raises:
        ValueError: there is no JSON value.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value, end


def optional(fields: Mapping[str, Any], key: str, read: Callable[[Any], _T]) -> _T | None:
    """What `read` makes of `fields[key]`; None where it is absent or null.

    Raises:
        ValueError: with the key, what it holds and what is expected.
    """
    raw = fields.get(key)
    if raw is None:
        return None
    try:
        return read(raw)
    except ValueError as error:
        raise ValueError(f"{key!r} is {raw!r:.200}: {error}") from None
    except RecursionError:
        raise ValueError(f"{key!r} is nested too deeply") from None


def read_text(raw: Any) -> str:
    """A text, such that it can be written to a file."""
    if not isinstance(raw, str) or isinstance(raw, NumberText):
        raise ValueError("a text is expected")  # noqa: TRY004  the reader names the key
    return _encodable(raw)


def read_value(raw: Any) -> str:
    """Any JSON value as text: what an analyst says may be a number, a list, rows."""
    return _encodable(raw) if isinstance(raw, str) else json_text(raw)


def json_text(raw: Any) -> str:
    """Any JSON value as text, with its numbers as they were written."""
    if isinstance(raw, NumberText):
        return str(raw)
    if isinstance(raw, list):
        return "[" + ", ".join(map(json_text, raw)) + "]"
    if isinstance(raw, dict):
        return "{" + ", ".join(f"{json_text(k)}: {json_text(v)}" for k, v in raw.items()) + "}"
    return json.dumps(raw, ensure_ascii=False)


def _encodable(text: str) -> str:
    """Half of a surrogate pair cannot be written to any file, and a record must hold the answer."""
    return text.encode("utf-8", "replace").decode("utf-8")


def read_count(raw: Any) -> int:
    """A whole number from 0."""
    if not isinstance(raw, NumberText) or not raw.isdecimal():
        raise ValueError("a whole number from 0 is expected")
    return int(raw)


def _number(raw: Any) -> Decimal:
    if not isinstance(raw, str):
        raise ValueError("a number is expected")  # noqa: TRY004  the reader names the key
    try:
        number = Decimal(raw)
    except InvalidOperation:
        raise ValueError("a number is expected") from None
    if not number.is_finite() or number < 0:
        raise ValueError("a finite number from 0 is expected")
    return number


def read_cost(raw: Any) -> Decimal:
    """US dollars, exactly."""
    return _number(raw)


def read_milliseconds(raw: Any) -> float:
    """A time in milliseconds."""
    return float(_number(raw))


def read_names(raw: Any) -> tuple[str, ...]:
    """A list of names."""
    return tuple(map(read_text, _list(raw, "names")))


def read_usage(raw: Any) -> Usage:
    """Counts of tokens by kind; kinds of other makers are passed over."""
    if not isinstance(raw, dict):
        raise ValueError("an object with counts of tokens is expected")  # noqa: TRY004
    counts = {f.name: optional(raw, f.name, read_count) for f in fields_of(Usage)}
    return Usage(**counts)


def read_calls(raw: Any) -> tuple[ToolCall, ...]:
    """The calls that an analyst made, in order."""
    return tuple(map(_call, _list(raw, "calls, each with a 'name',")))


def _call(raw: Any) -> ToolCall:
    fields = _object(raw, "name")
    return ToolCall(
        name=read_text(fields["name"]),
        arguments=optional(fields, "arguments", read_value),
        accepted=optional(fields, "accepted", _truth),
    )


def read_queries(raw: Any) -> tuple[LoggedQuery, ...]:
    """Statements that ran for an analyst, in order."""
    return tuple(map(_query, _list(raw, "queries, each with its 'sql',")))


def _query(raw: Any) -> LoggedQuery:
    fields = _object(raw, "sql")
    return LoggedQuery(
        sql=read_text(fields["sql"]),
        rows=optional(fields, "rows", read_count),
        value=optional(fields, "value", read_value),
        error=optional(fields, "error", read_text),
    )


def read_trace(raw: Any) -> tuple[TraceEvent, ...]:
    """The steps of an analyst's work; a step that is bare text is one that it wrote."""
    return tuple(map(_event, _list(raw, "steps")))


def _event(raw: Any) -> TraceEvent:
    if not isinstance(raw, dict):
        return TraceEvent(kind="text", text=read_value(raw))
    fields = _object(raw, "text")
    kind = optional(fields, "kind", _kind) or "text"
    return TraceEvent(
        kind=kind,
        text=read_value(fields["text"]),
        name=optional(fields, "name", read_text),
    )


def read_error_source(raw: Any) -> ErrorSource:
    """Whose fault an error was."""
    return cast("ErrorSource", _one_of(raw, get_args(ErrorSource)))


def _kind(raw: Any) -> TraceKind:
    return cast("TraceKind", _one_of(raw, get_args(TraceKind)))


def _one_of(raw: Any, known: tuple[str, ...]) -> str:
    text = read_text(raw)
    if text not in known:
        raise ValueError(f"one of {', '.join(known)} is expected")
    return text


def _list(raw: Any, of: str) -> list[Any]:
    if not isinstance(raw, list):
        raise ValueError(f"a list of {of} is expected")  # noqa: TRY004  the reader names the key
    return raw


def _object(raw: Any, needed: str) -> dict[str, Any]:
    if not isinstance(raw, dict) or raw.get(needed) is None:
        raise ValueError(f"{raw!r:.100} is no object with {needed!r}")
    return raw


def _truth(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise ValueError("true or false is expected")  # noqa: TRY004  the reader names the key
    return raw
