"""The events of Codex-like agents: `codex exec --json`, with threads, turns and items.

An item is known by its id from `item.started` to `item.completed`; types that are not known leave a
note. Such streams tell no cost, and their turns are those of the user, so neither is taken for
measured.
"""

from collections.abc import Sequence
from typing import Any

from goldsuite.analysts.agent_events import (
    Event,
    Heard,
    Work,
    as_json,
    error_source,
    told,
    words,
)
from goldsuite.analysts.row_fields import read_count
from goldsuite.model.answer import Usage

__all__ = ["hear_codex", "is_codex"]

_FIRST = frozenset({"thread.started", "turn.started", "item.started", "item.completed"})
_SAID_NOWHERE_ELSE = frozenset({"todo_list"})


def is_codex(event: Event) -> bool:
    """Whether a stream whose first event is `event` is one of Codex."""
    return event["type"] in _FIRST


def hear_codex(events: Sequence[Event]) -> Heard:
    """What the stream says; without a turn that ended the agent was cut off."""
    work = Work()
    said, error, ended = "", None, False
    usage: Usage | None = None
    for event in events:
        match event["type"]:
            case "item.started" | "item.updated" | "item.completed":
                item = event.get("item")
                if isinstance(item, dict):
                    said = _item(item, work, done=event["type"] == "item.completed") or said
            case "turn.completed":
                ended = True
                raw = event.get("usage")
                # The counts are those of the thread so far, so the last ones hold.
                usage = _usage(raw) if isinstance(raw, dict) else usage
            case "turn.failed":
                error = _why(event.get("error"))
            case "error":
                # Also told of tries that were made again: only a turn that never ends is broken.
                work.note("note", f"error: {words(event, 'message')}")
    if error is None and not ended:
        error = "the agent's stream ends before its turn: it was cut off"
    reply = work.reply(
        tells_skills=False, usage=usage, error=error, error_source=error and error_source(None)
    )
    return Heard(reply=reply, said="" if error else said)


def _why(error: Any) -> str:
    message = words(error, "message") if isinstance(error, dict) else ""
    return f"the agent's turn failed: {message.strip()[:1_000] or 'without saying why'}"


def _item(item: Event, work: Work, *, done: bool) -> str:
    """Note one item; the text that the agent said, if it is a message."""
    match words(item, "type"):
        case "agent_message":
            if done:
                work.note("text", words(item, "text"))
                return words(item, "text")
        case "reasoning":
            if done:
                work.note("thinking", words(item, "text"))
        case "command_execution":
            _command(item, work, done=done)
        case "mcp_tool_call":
            _mcp_call(item, work, done=done)
        case "web_search":
            _plain_call(item, work, "web_search", {"query": item.get("query")}, done=done)
        case "file_change":
            _plain_call(item, work, "file_change", item.get("changes"), done=done)
        case kind if done and kind not in _SAID_NOWHERE_ELSE:
            work.note("note", f"{kind}: {words(item, 'message') or words(item, 'text')}")
    return ""


def _command(item: Event, work: Work, *, done: bool) -> None:
    key = words(item, "id") or None
    work.call("shell", as_json({"command": item.get("command")}), key=key)
    if done and key is not None:
        code = told(item, "exit_code", read_count)
        work.result(words(item, "aggregated_output"), key=key, accepted=code == 0)


def _mcp_call(item: Event, work: Work, *, done: bool) -> None:
    key = words(item, "id") or None
    # As other agents name the tool, so that one expectation holds for all of them.
    name = f"mcp__{words(item, 'server')}__{words(item, 'tool')}"
    work.call(name, as_json(item.get("arguments")), key=key)
    if done and key is not None:
        result, error = item.get("result"), item.get("error")
        failed = error is not None or words(item, "status") == "failed" or _is_error(result)
        work.result(
            as_json(error if error is not None else result) or "", key=key, accepted=not failed
        )


def _is_error(result: Any) -> bool:
    return isinstance(result, dict) and True in (result.get("is_error"), result.get("isError"))


def _plain_call(item: Event, work: Work, name: str, arguments: Any, *, done: bool) -> None:
    key = words(item, "id") or None
    work.call(name, as_json(arguments), key=key)
    if done and key is not None:
        work.result("", key=key, accepted=words(item, "status") != "failed")


def _usage(raw: Event) -> Usage:
    whole = told(raw, "input_tokens", read_count)
    cached = told(raw, "cached_input_tokens", read_count)
    return Usage(
        # The whole input holds what came from the cache; each token is counted once.
        input_tokens=None if whole is None else max(whole - (cached or 0), 0),
        cache_read_tokens=cached,
        output_tokens=told(raw, "output_tokens", read_count),
        thinking_tokens=told(raw, "reasoning_output_tokens", read_count),
    )
