"""One row of an answers file: the JSON words of an answer, written and read.

The same words serve the journal of a run, files of answers from outside, and programs that answer
in JSON. Numbers keep the writing they came in: `12.50` is never turned into a float.
"""

import json
from collections.abc import Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from decimal import Decimal
from typing import Any

from goldsuite.analysts.row_fields import (
    decode_json,
    optional,
    read_calls,
    read_cost,
    read_count,
    read_error_source,
    read_milliseconds,
    read_names,
    read_queries,
    read_text,
    read_trace,
    read_usage,
    read_value,
)
from goldsuite.model.answer import Answer, LoggedQuery, Reply, ToolCall, TraceEvent, Usage

__all__ = ["ANSWER_KEYS", "decode_json", "read_answer", "read_reply", "write_answer"]

ANSWER_KEYS = ("analyst_value", "analyst_query", "definition_source")
_ENOUGH = (*ANSWER_KEYS[:2], "error", "declined")


def write_answer(answer: Answer) -> str:
    """One line of JSON, without its line break; the keys stand in a fixed order.

    The keys that only agents and services fill stand there where there is something to tell.
    """
    reply = answer.reply
    fields: dict[str, object] = {
        "id": answer.id,
        "trial": answer.trial,
        "analyst_value": reply.value,
        "analyst_query": reply.query,
        "definition_source": reply.definition_source,
        "latency_ms": answer.latency_ms,
        "usage": None if reply.usage is None else _usage(reply.usage),
        "cost": reply.cost,
        "declined": reply.declined,
        "error": reply.error,
        "turns": reply.turns,
        "tools": None if reply.tools is None else list(reply.tools),
    }
    told = {
        "error_source": reply.error_source,
        "waited_ms": answer.waited_ms,
        "retries": answer.retries,
        "skills": None if reply.skills is None else list(reply.skills),
        "calls": _told(reply.calls),
        "queries": _told(reply.queries),
        "trace": _told(reply.trace) or None,
    }
    fields |= {key: value for key, value in told.items() if value is not None}
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
    trial = optional(fields, "trial", read_count)
    if trial == 0:
        raise ValueError("'trial' is 0: trials are counted from 1")
    reply = replace(
        read_reply(fields),
        queries=optional(fields, "queries", read_queries),
        error_source=optional(fields, "error_source", read_error_source),
    )
    return Answer(
        id=str(case),
        trial=1 if trial is None else trial,
        reply=reply,
        latency_ms=optional(fields, "latency_ms", read_milliseconds),
        waited_ms=optional(fields, "waited_ms", read_milliseconds),
        retries=optional(fields, "retries", read_count),
    )


def read_reply(fields: Mapping[str, Any]) -> Reply:
    """What an analyst says, in an object that `decode_json` gave.

    What only we can know (the queries that went through our door, whose fault an error was) is not
    an analyst's to say, and is passed over.

    Raises:
        ValueError: a key holds what it cannot mean.
    """
    return Reply(
        value=optional(fields, "analyst_value", read_value),
        query=optional(fields, "analyst_query", read_text),
        definition_source=optional(fields, "definition_source", read_text),
        usage=optional(fields, "usage", read_usage),
        cost=optional(fields, "cost", read_cost),
        turns=optional(fields, "turns", read_count),
        tools=optional(fields, "tools", read_names),
        skills=optional(fields, "skills", read_names),
        calls=optional(fields, "calls", read_calls),
        trace=optional(fields, "trace", read_trace) or (),
        declined=optional(fields, "declined", read_text),
        error=optional(fields, "error", read_text),
    )


def _decode_object(text: str) -> dict[str, Any]:
    try:
        value, end = decode_json(text, len(text) - len(text.lstrip()))
    except ValueError as error:
        raise ValueError(f"no JSON: {error}") from None
    if not isinstance(value, dict) or text[end:].strip():
        raise ValueError("one JSON object, and nothing else, is expected on a line")
    return value


_USAGE_KEYS = tuple(field.name for field in fields_of(Usage))
_ALWAYS = frozenset({"input_tokens", "cache_write_tokens", "cache_read_tokens", "output_tokens"})


def _usage(usage: Usage) -> dict[str, int | None]:
    counts = {key: getattr(usage, key) for key in _USAGE_KEYS}
    return {key: n for key, n in counts.items() if key in _ALWAYS or n is not None}


def _told(
    parts: tuple[ToolCall | LoggedQuery | TraceEvent, ...] | None,
) -> list[dict[str, object]] | None:
    """Each part as an object of what is known of it."""
    if parts is None:
        return None
    named = [{f.name: getattr(part, f.name) for f in fields_of(part)} for part in parts]
    return [{key: value for key, value in part.items() if value is not None} for part in named]


def _render(value: object) -> str:
    # json can only write a Decimal as a text, or as a float that is not the same number.
    return format(value, "f") if isinstance(value, Decimal) else json.dumps(value)
