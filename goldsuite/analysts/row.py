"""One row of an answers file: the JSON words of an answer, written and read.

The same words serve the journal of a run, files of answers from outside, and programs that answer
in JSON. Numbers keep the writing they came in: `12.50` is never turned into a float.
"""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar, cast

from goldsuite.model.answer import Answer, Reply, Usage

__all__ = ["ANSWER_KEYS", "NumberText", "decode_json", "read_answer", "read_reply", "write_answer"]

ANSWER_KEYS = ("analyst_value", "analyst_query", "definition_source")
_ENOUGH = (*ANSWER_KEYS[:2], "error", "declined")
_USAGE_KEYS = ("input_tokens", "cache_write_tokens", "cache_read_tokens", "output_tokens")

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


def write_answer(answer: Answer) -> str:
    """One line of JSON, without its line break; the keys stand in a fixed order."""
    reply = answer.reply
    fields = {
        "id": answer.id,
        "trial": answer.trial,
        "analyst_value": reply.value,
        "analyst_query": reply.query,
        "definition_source": reply.definition_source,
        "latency_ms": answer.latency_ms,
        "usage": None if reply.usage is None else _usage_fields(reply.usage),
        "cost": reply.cost,
        "declined": reply.declined,
        "error": reply.error,
        "turns": reply.turns,
        "tools": None if reply.tools is None else list(reply.tools),
    }
    return "{" + ", ".join(f'"{key}": {_render(value)}' for key, value in fields.items()) + "}"


def read_answer(text: str) -> Answer:
    """The answer that one line holds; unknown keys are passed over.

    Raises:
        ValueError: the line is no row of an answers file; the message says what is wrong in it.
    """
    fields = _decode_object(text)
    case = fields.get("id")
    if not isinstance(case, str) or not case:
        raise ValueError("'id' is missing: the id of a case is expected")
    if not any(key in fields for key in _ENOUGH):
        raise ValueError("neither 'analyst_value' nor 'analyst_query' is given")
    trial = _optional(fields, "trial", _count)
    if trial == 0:
        raise ValueError("'trial' is 0: trials are counted from 1")
    return Answer(
        id=str(case),
        trial=1 if trial is None else trial,
        reply=read_reply(fields),
        latency_ms=_optional(fields, "latency_ms", _milliseconds),
    )


def read_reply(fields: Mapping[str, Any]) -> Reply:
    """The reply in an object that `decode_json` gave.

    Raises:
        ValueError: a key holds what it cannot mean.
    """
    return Reply(
        value=_optional(fields, "analyst_value", _value),
        query=_optional(fields, "analyst_query", _text),
        definition_source=_optional(fields, "definition_source", _text),
        usage=_optional(fields, "usage", _usage),
        cost=_optional(fields, "cost", _cost),
        turns=_optional(fields, "turns", _count),
        tools=_optional(fields, "tools", _names),
        declined=_optional(fields, "declined", _text),
        error=_optional(fields, "error", _text),
    )


def _decode_object(text: str) -> dict[str, Any]:
    try:
        value, end = decode_json(text, len(text) - len(text.lstrip()))
    except ValueError as error:
        raise ValueError(f"no JSON: {error}") from None
    if not isinstance(value, dict) or text[end:].strip():
        raise ValueError("one JSON object, and nothing else, is expected on a line")
    return value


def _usage_fields(usage: Usage) -> dict[str, int | None]:
    return {key: getattr(usage, key) for key in _USAGE_KEYS}


def _render(value: object) -> str:
    # json can only write a Decimal as a text, or as a float that is not the same number.
    return format(value, "f") if isinstance(value, Decimal) else json.dumps(value)


def _optional(fields: Mapping[str, Any], key: str, read: Callable[[Any], _T]) -> _T | None:
    raw = fields.get(key)
    if raw is None:
        return None
    try:
        return read(raw)
    except ValueError as error:
        raise ValueError(f"{key!r} is {raw!r:.200}: {error}") from None
    except RecursionError:
        raise ValueError(f"{key!r} is nested too deeply") from None


def _text(raw: Any) -> str:
    if not isinstance(raw, str) or isinstance(raw, NumberText):
        raise ValueError("a text is expected")  # noqa: TRY004  the reader names the key
    return _encodable(raw)


def _value(raw: Any) -> str:
    return _encodable(raw) if isinstance(raw, str) else _json_text(raw)


def _json_text(raw: Any) -> str:
    """Any JSON value as text, with its numbers as they were written."""
    if isinstance(raw, NumberText):
        return str(raw)
    if isinstance(raw, list):
        return "[" + ", ".join(map(_json_text, raw)) + "]"
    if isinstance(raw, dict):
        return "{" + ", ".join(f"{_json_text(k)}: {_json_text(v)}" for k, v in raw.items()) + "}"
    return json.dumps(raw, ensure_ascii=False)


def _encodable(text: str) -> str:
    """Half of a surrogate pair cannot be written to any file, and a record must hold the answer."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _count(raw: Any) -> int:
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


def _cost(raw: Any) -> Decimal:
    return _number(raw)


def _milliseconds(raw: Any) -> float:
    return float(_number(raw))


def _usage(raw: Any) -> Usage:
    if not isinstance(raw, dict):
        raise ValueError("an object with counts of tokens is expected")  # noqa: TRY004
    return Usage(**{key: cast("int | None", _optional(raw, key, _count)) for key in _USAGE_KEYS})


def _names(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list):
        raise ValueError("a list of names is expected")  # noqa: TRY004  the reader names the key
    return tuple(map(_text, raw))
