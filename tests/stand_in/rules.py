"""What the service refuses: a stand-in that took everything would prove nothing.

Each rule gives a sentence for what it refuses. The rules on what goes back to the service compare
with what the stand-in itself has sent.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Body = Mapping[str, Any]

_KNOWN_KEYS = frozenset(
    {
        "model", "max_tokens", "messages", "system", "tools", "tool_choice", "stream", "thinking",
        "output_config", "cache_control", "metadata", "stop_sequences", "service_tier",
    }
)  # fmt: skip
_SAMPLING = ("temperature", "top_p", "top_k")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_EFFORTS = ("low", "medium", "high", "xhigh", "max")
_EPHEMERAL = ({"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"})


class Memory:
    """What the stand-in has sent, to be compared with what comes back."""

    def __init__(self) -> None:
        self._by_call: dict[str, Sequence[Any]] = {}
        self._paused: set[str] = set()

    def keep(self, reply: Body) -> None:
        content = reply.get("content")
        if not isinstance(content, list):
            return
        for block in content:
            if isinstance(block, dict) and block.get("type") == "tool_use":
                self._by_call[str(block.get("id"))] = content
        if reply.get("stop_reason") == "pause_turn":
            self._paused.add(_written(content))

    def sent_with(self, call_id: str) -> Sequence[Any] | None:
        return self._by_call.get(call_id)

    def paused(self, content: object) -> bool:
        return _written(content) in self._paused


def refusals(body: Body, memory: Memory) -> Iterator[str]:
    """Everything that is wrong with a request."""
    for key in body.keys() - _KNOWN_KEYS:
        yield f"{key}: Extra inputs are not permitted"
    for key in _SAMPLING:
        if key in body:
            yield f"{key}: not supported"
    if not isinstance(body.get("model"), str):
        yield "model: a string is expected"
        return
    tokens = body.get("max_tokens")
    if not isinstance(tokens, int) or tokens < 1:
        yield "max_tokens: a positive integer is expected"
    yield from _model_rules(body)
    yield from _tools(body.get("tools", []))
    yield from _cache(body)
    yield from _messages(body.get("messages"), memory)


def _model_rules(body: Body) -> Iterator[str]:
    model = body["model"]
    choice = (body.get("tool_choice") or {}).get("type", "auto")
    if "5-5" in model and choice not in {"auto", "none"}:
        yield f"tool_choice: {choice!r} is not supported by this model"
    thinking = (body.get("thinking") or {}).get("type")
    if model.startswith("claude-opus-5-5") and thinking in {"disabled", "enabled"}:
        yield f"thinking: {thinking!r} is not supported by this model"
    effort = (body.get("output_config") or {}).get("effort")
    if effort is not None and effort not in _EFFORTS:
        yield f"output_config.effort: {effort!r} is not known"


def _tools(tools: Any) -> Iterator[str]:
    if not isinstance(tools, list):
        yield "tools: a list is expected"
        return
    names = [tool.get("name") for tool in tools]
    if len(set(names)) != len(names):
        yield "tools: Tool names must be unique"
    for tool in tools:
        name, schema = str(tool.get("name")), tool.get("input_schema")
        if not _NAME.fullmatch(name):
            yield f"tools: {name!r} is no name"
        if not isinstance(schema, dict) or schema.get("type") != "object":
            yield f"tools: {name}: input_schema must be an object's"
        elif tool.get("strict"):
            every = set(schema.get("required", [])) == set(schema.get("properties", {}))
            if schema.get("additionalProperties") is not False or not every:
                yield f"tools: {name}: a strict schema is closed, and all of it required"
        if not tool.get("description"):
            yield f"tools: {name}: no description"


def _cache(body: Body) -> Iterator[str]:
    marks = [mark for mark in _marks(body) if mark is not None]
    if len(marks) > 4:
        yield f"cache_control: at most 4 breakpoints, {len(marks)} given"
    for mark in marks:
        if mark not in _EPHEMERAL:
            yield f"cache_control: {mark!r} is not known"


def _marks(body: Body) -> Iterator[Any]:
    yield body.get("cache_control")
    system = body.get("system")
    contents = [m.get("content") for m in body.get("messages") or [] if isinstance(m, dict)]
    for blocks in (body.get("tools"), system, *contents):
        for block in blocks if isinstance(blocks, list) else ():
            if isinstance(block, dict):
                yield block.get("cache_control")


# -- Messages --------------------------------------------------------------------------------------


def _messages(messages: Any, memory: Memory) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages: at least one message is required"
        return
    if messages[0].get("role") != "user":
        yield "messages.0: the first message must be the user's"
    if messages[-1].get("role") == "assistant" and not memory.paused(messages[-1]["content"]):
        yield "messages: a reply cannot be begun for this model"
    open_calls: set[str] = set()
    for number, message in enumerate(messages):
        place = f"messages.{number}"
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not isinstance(blocks, list) or not blocks:
            yield f"{place}: content must not be empty"
            return
        yield from _texts(blocks, place)
        if message.get("role") == "user":
            yield from _results(blocks, open_calls, place)
            open_calls = set()
        else:
            if open_calls:
                yield f"{place}: tool_use ids without tool_result: {sorted(open_calls)}"
            open_calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
            yield from _unchanged(blocks, open_calls, memory, place)
    if open_calls and messages[-1].get("role") == "assistant":
        yield f"messages: tool_use ids without tool_result: {sorted(open_calls)}"


def _texts(blocks: Sequence[Body], place: str) -> Iterator[str]:
    for block in blocks:
        if block.get("type") == "text" and not str(block.get("text", "")).strip():
            yield f"{place}: text content blocks must contain non-whitespace text"


def _results(blocks: Sequence[Body], open_calls: set[str], place: str) -> Iterator[str]:
    kinds = [block.get("type") for block in blocks]
    ids = [block["tool_use_id"] for block in blocks if block.get("type") == "tool_result"]
    if kinds[: len(ids)] != ["tool_result"] * len(ids):
        yield f"{place}: tool_result blocks must come first"
    if sorted(ids) != sorted(open_calls):
        yield f"{place}: tool_result ids {sorted(ids)} do not match tool_use {sorted(open_calls)}"


def _unchanged(
    blocks: Sequence[Body], calls: set[str], memory: Memory, place: str
) -> Iterator[str]:
    for call in calls:
        sent = memory.sent_with(call)
        if sent is None:
            yield f"{place}: {call} was never sent"
        elif _written(_kept(sent)) != _written(blocks):
            yield f"{place}: thinking or other blocks of the latest reply cannot be modified"


def _kept(blocks: Sequence[Any]) -> list[Any]:
    """What is to come back of what was sent: all but blank text."""
    return [b for b in blocks if b.get("type") != "text" or b.get("text", "").strip()]


def _written(content: object) -> str:
    return json.dumps(content, sort_keys=True)
