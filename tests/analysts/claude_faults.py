"""Every fault of the service that is told apart, and the one end that it must have."""

from collections.abc import Mapping
from typing import Any

from goldsuite.analysts.claude.client import MAX_REPLY_BYTES
from goldsuite.analysts.claude.options import ClaudeOptions
from tests.analysts.claude_agents import ANSWER, STREAMED, WHOLE
from tests.stand_in.process import KEY, error, fault, say, text

__all__ = ["BROKEN", "START", "Step"]

Step = Mapping[str, Any]


def _reply(**fields: Any) -> Step:
    """A message of the service, as it is but for `fields`."""
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": [{"type": "text", "text": "Three."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    return {"reply": {**message, **fields}}


def _raw(body: str, kind: str = "application/json") -> Step:
    return fault("raw", body=body, type=kind)


def _tool(**fields: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t1", "name": "list_tables", "input": {}, **fields}


START = ("message_start", {"type": "message_start", "message": _reply(content=[])["reply"]})
EARLY = ("content_block_delta", {"type": "content_block_delta", "index": 0,
         "delta": {"type": "text_delta", "text": "T"}})  # fmt: skip
CALL_BEGINS = ("content_block_start", {"type": "content_block_start", "index": 0,
               "content_block": _tool()})  # fmt: skip
CALL_BREAKS = ("content_block_delta", {"type": "content_block_delta", "index": 0,
               "delta": {"type": "input_json_delta", "partial_json": "{nonsense"}})  # fmt: skip

BROKEN: list[tuple[str, ClaudeOptions, Step, str, str]] = [
    # The service failed: asking again may help.
    ("429", WHOLE, error(429, "rate_limit_error"), "service", "429 rate_limit_error"),
    ("529", WHOLE, error(529, "overloaded_error"), "service", "529 overloaded_error"),
    ("500", WHOLE, error(500, "api_error"), "service", "500 api_error"),
    ("504", WHOLE, error(504, "timeout_error"), "service", "504 timeout_error"),
    ("408", WHOLE, error(408, "timeout_error"), "service", "408 timeout_error"),
    ("409", WHOLE, error(409, "conflict_error"), "service", "409 conflict_error"),
    ("503 as a page", WHOLE,
     fault("status", status=503, body="<h1>down</h1>", headers={}), "service", "503: <h1>down"),
    ("500 of odd types", WHOLE,
     fault("status", status=500, body={"error": {"type": 5, "message": [1]}}, headers={}),
     "service", "the service failed: 500"),
    ("dropped", WHOLE, fault("drop"), "service", "the connection to the service failed"),
    ("dropped before a stream", STREAMED, fault("drop"), "service",
     "the connection to the service failed"),
    ("cut", WHOLE, fault("cut", say=[ANSWER]), "service", "the connection to the service failed"),
    ("cut stream", STREAMED, fault("cut", say=[ANSWER]), "service", "the connection broke"),
    ("truncated JSON", WHOLE, _raw('{"id": "msg_1", "conte'), "service", "truncated or garbled"),
    ("nothing", WHOLE, _raw(""), "service", "truncated or garbled"),
    ("a stream without events", STREAMED, fault("ends_early", events=0), "service",
     "the stream ended before it began"),
    ("a stream that ends early", STREAMED, fault("ends_early", events=4, say=[text("Three.")]),
     "service", "the stream ended before the reply was complete"),
    ("overloaded in a stream", STREAMED,
     fault("event", error={"type": "overloaded_error", "message": "Busy"}), "service",
     "in the stream overloaded_error: Busy"),
    ("a failure in a stream", STREAMED,
     fault("event", error={"type": "api_error", "message": "Oh"}), "service",
     "in the stream api_error: Oh"),
    # The rest counts against the case.
    ("400", WHOLE, error(400, "invalid_request_error", "no"), "analyst",
     "the service refused the request: 400 invalid_request_error: no"),
    ("413", WHOLE, error(413, "request_too_large"), "analyst", "413 request_too_large"),
    ("401", WHOLE, error(401, "authentication_error", f"bad key {KEY}"), "analyst",
     "bad key *** (request req_stand_in). Check ANTHROPIC_API_KEY."),
    ("404", WHOLE, error(404, "not_found_error"), "analyst", "Check the model's name"),
    ("refused in a stream", STREAMED,
     fault("event", error={"type": "invalid_request_error", "message": "no"}), "analyst",
     "in the stream invalid_request_error: no"),
    ("a page", WHOLE, _raw("<html>Welcome", "text/html"), "analyst", "no JSON but '<html>Welcome'"),
    ("a page for a stream", STREAMED, _raw("<html>Welcome", "text/html"), "analyst",
     "a stream was asked for, and 'text/html' came"),
    ("JSON for a stream", STREAMED, fault("plain", say=[ANSWER]), "analyst",
     "a stream was asked for, and 'application/json' came"),
    ("a list", WHOLE, _raw("[1, 2]"), "analyst", "malformed reply"),
    ("no fields", WHOLE, _raw('{"id": "msg_1"}'), "analyst", "'content' is None"),
    ("content as text", WHOLE, _reply(content="Three."), "analyst", "'content' is 'Three.'"),
    ("content of numbers", WHOLE, _reply(content=[3]), "analyst", "a block of its content is 3"),
    ("a block without a type", WHOLE, _reply(content=[{"text": "Three."}]), "analyst",
     "a block of its content"),
    ("a call without an id", WHOLE, _reply(content=[_tool(id=None)]), "analyst",
     "a tool call's 'id' is None"),
    ("a call without a name", WHOLE, _reply(content=[_tool(name="")]), "analyst",
     "a tool call's 'name' is ''"),
    ("two calls of one id", WHOLE, _reply(content=[_tool(), _tool()]), "analyst", "the same id"),
    ("an unknown stop reason", WHOLE, _reply(stop_reason="bored"), "analyst",
     "stopped for a reason that is not known: 'bored'"),
    ("no stop reason", WHOLE, _reply(stop_reason=None), "analyst", "not known: None"),
    ("a stop reason of another type", WHOLE, _reply(stop_reason={"a": 1}), "analyst",
     "'stop_reason' is {'a': 1}"),
    ("an unknown stop reason in a stream", STREAMED, say(text("Hm"), stop="bored"), "analyst",
     "stopped for a reason that is not known: 'bored'"),
    ("bytes that are no text", WHOLE, _raw('{"id": "\udcff\udcfe"}'), "analyst", "malformed reply"),
    ("JSON of great depth", WHOLE, _raw("[" * 200_000), "analyst", "malformed reply"),
    ("an oversized reply", WHOLE, fault("oversized", bytes=MAX_REPLY_BYTES + 2_000_000), "analyst",
     "oversized reply: more than 32,000,000 bytes"),
    ("events out of order", STREAMED, fault("events", events=[START, EARLY]), "analyst",
     "malformed reply"),
    ("a broken call in a stream", STREAMED,
     fault("events", events=[START, CALL_BEGINS, CALL_BREAKS]), "analyst", "malformed reply"),
    ("no usage in a stream", STREAMED, say(ANSWER, usage=None), "analyst", "malformed reply"),
]  # fmt: skip
"""What it is called, whole or streamed, the step, whose fault the error is, and what it tells."""
