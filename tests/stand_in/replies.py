"""How a step of a script goes out on the wire: as a reply, whole or streamed, or as a fault."""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tests.stand_in.wire import LAST_CHUNK, chunk, event, head, whole

Step = Mapping[str, Any]

_JSON = {"content-type": "application/json", "request-id": "req_stand_in"}
_EVENTS = {
    "content-type": "text/event-stream; charset=utf-8",
    "transfer-encoding": "chunked",
    "request-id": "req_stand_in",
}
_PIECE = 20
"""Characters of a delta."""


class Hangs(Exception):  # noqa: N818  no error: what the connection is to do
    """Nothing more is sent, until the client gives up."""


class Drops(Exception):  # noqa: N818
    """The connection is closed at once."""


async def send(
    step: Step, reply: Mapping[str, Any], writer: asyncio.StreamWriter, *, streamed: bool
) -> None:
    """Send what `step` says; `reply` is the message that it would be without a fault."""
    full = b"".join(_stream(reply)) if streamed else _whole(reply)
    kind = step.get("fault")
    if kind == "oversized":
        await _flood(step["bytes"], writer)
        return
    if kind in {"drop", "hang"}:
        data = b""
    elif kind == "hang_midway":
        data = full[: len(head(200, _EVENTS))] if streamed else head(200, {"content-length": "99"})
    elif kind == "cut":
        data = full[: len(full) // 2]
    else:
        data = full if kind is None else _faulty(step, reply)
    writer.write(data)
    await writer.drain()
    if kind in {"drop", "cut"}:
        raise Drops
    if kind in {"hang", "hang_midway"}:
        raise Hangs


def _faulty(step: Step, reply: Mapping[str, Any]) -> bytes:
    """A response that is complete, and not what a client expects."""
    match step["fault"]:
        case "status":
            return whole(step["status"], _encoded(step["body"]), {**_JSON, **step["headers"]})
        case "raw":
            return whole(200, _encoded(step["body"]), {"content-type": step["type"]})
        case "plain":
            return _whole(reply)
        case "ends_early":
            return _in_chunks(list(_events(reply))[: step["events"]])
        case "event":
            told = event("error", {"type": "error", "error": step["error"]})
            return _in_chunks([next(_events(reply)), told])
        case "events":
            return _in_chunks([event(name, value) for name, value in step["events"]])
        case other:
            raise ValueError(f"the script names an unknown fault: {other!r}")


def _in_chunks(events: Iterable[bytes]) -> bytes:
    return head(200, _EVENTS) + b"".join(map(chunk, events)) + LAST_CHUNK


async def _flood(size: int, writer: asyncio.StreamWriter) -> None:
    writer.write(head(200, {**_JSON, "transfer-encoding": "chunked"}))
    piece = chunk(b" " * 1_000_000)
    for _ in range(size // 1_000_000):
        writer.write(piece)
        await writer.drain()
    writer.write(chunk(b"{}") + LAST_CHUNK)
    await writer.drain()


def _encoded(body: Any) -> bytes:
    return body.encode("utf-8", "surrogateescape") if isinstance(body, str) else _dumped(body)


def _dumped(body: Any) -> bytes:
    return json.dumps(body).encode()


def _whole(reply: Mapping[str, Any]) -> bytes:
    return whole(200, _dumped(reply), _JSON)


def _stream(reply: Mapping[str, Any]) -> Iterator[bytes]:
    yield head(200, _EVENTS)
    yield from map(chunk, _events(reply))
    yield LAST_CHUNK


def _events(reply: Mapping[str, Any]) -> Iterator[bytes]:
    usage = reply.get("usage")
    begun = {**reply, "content": [], "stop_reason": None, "stop_details": None}
    yield event("message_start", {"type": "message_start", "message": begun})
    yield event("ping", {"type": "ping"})
    for index, block in enumerate(reply["content"]):
        yield from _block_events(index, block)
    delta = {key: reply.get(key) for key in ("stop_reason", "stop_sequence", "stop_details")}
    ended = {"type": "message_delta", "delta": delta}
    if usage is not None:
        ended["usage"] = {k: v for k, v in usage.items() if k != "cache_creation"}
    yield event("message_delta", ended)
    yield event("message_stop", {"type": "message_stop"})


def _block_events(index: int, block: Mapping[str, Any]) -> Iterator[bytes]:
    empty, deltas = _deltas(block)
    start = {"type": "content_block_start", "index": index, "content_block": empty}
    yield event("content_block_start", start)
    for delta in deltas:
        yield event(
            "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        )
    yield event("content_block_stop", {"type": "content_block_stop", "index": index})


def _deltas(block: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    match block["type"]:
        case "text":
            parts = _pieces(block["text"])
            return {**block, "text": ""}, [{"type": "text_delta", "text": t} for t in parts]
        case "tool_use":
            parts = _pieces(json.dumps(block["input"]))
            return {**block, "input": {}}, [
                {"type": "input_json_delta", "partial_json": part} for part in parts
            ]
        case "thinking":
            parts = _pieces(block["thinking"])
            thoughts = [{"type": "thinking_delta", "thinking": part} for part in parts]
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return {**block, "thinking": "", "signature": ""}, [*thoughts, signed]
    return block, []


def _pieces(text: str) -> list[str]:
    return [text[i : i + _PIECE] for i in range(0, len(text), _PIECE)]
