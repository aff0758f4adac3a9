"""The events of headless Claude Code: `claude -p --output-format stream-json --verbose`.

Known are `system`, `assistant`, `user` and `result`; other types are passed over. The single object
of `--output-format json` is a stream of one `result`.
"""

from collections.abc import Sequence
from dataclasses import fields as fields_of
from typing import Any

from goldsuite.analysts.agent_events import (
    Event,
    Heard,
    Work,
    as_json,
    error_source,
    objects,
    told,
    words,
)
from goldsuite.analysts.row_fields import read_cost, read_count
from goldsuite.model.answer import Usage

__all__ = ["hear_claude_code", "is_claude_code"]

_DECLINED = {
    "error_max_turns": "ran out of its own turns",
    "error_max_budget_usd": "ran out of its own budget",
}


def is_claude_code(event: Event) -> bool:
    """Whether a stream whose first event is `event` is one of Claude Code."""
    match event["type"]:
        case "system":
            return "subtype" in event
        case "assistant" | "user":
            return isinstance(event.get("message"), dict)
        case "result":
            return "subtype" in event or "num_turns" in event
    return False


def hear_claude_code(events: Sequence[Event]) -> Heard:
    """What the stream says; without a `result` at its end the agent was cut off."""
    work = Work()
    usages: dict[str, Usage] = {}
    result: Event | None = None
    for event in events:
        match event["type"]:
            case "system" if words(event, "subtype") == "init":
                work.note("note", _start(event))
            case "assistant":
                _assistant(event, work, usages)
            case "user":
                _user(event, work)
            case "result":
                result = event
    if result is None:
        error = "the agent's stream ends without a result: it was cut off"
        return Heard(reply=work.reply(usage=_sum(usages), error=error), said="")
    return _ended(result, work, _sum(usages))


def _start(event: Event) -> str:
    servers = [
        f"{words(s, 'name')} ({words(s, 'status')})" for s in objects(event.get("mcp_servers"))
    ]
    parts = [f"model {words(event, 'model') or 'not told'}"]
    parts += [f"MCP servers: {', '.join(servers)}"] if servers else []
    return "; ".join(parts)


def _assistant(event: Event, work: Work, usages: dict[str, Usage]) -> None:
    message = event.get("message")
    if not isinstance(message, dict):
        return
    if isinstance(message.get("usage"), dict):
        # One message comes in several events, one for each of its blocks, with the same usage.
        usages[words(message, "id") or str(len(usages))] = _usage(message["usage"])
    if isinstance(message.get("content"), str):
        work.note("text", message["content"])
    for block in objects(message.get("content")):
        match block.get("type"):
            case "text":
                work.note("text", words(block, "text"))
            case "thinking":
                work.note("thinking", words(block, "thinking"))
            case "tool_use" | "server_tool_use" | "mcp_tool_use":
                _tool_use(block, work)


def _tool_use(block: Event, work: Work) -> None:
    name = words(block, "name") or "unknown"
    given = block.get("input")
    work.call(name, as_json(given), key=words(block, "id") or None)
    if name == "Skill" and isinstance(given, dict):
        skill = words(given, "skill") or words(given, "command")
        if skill:
            work.skills.append(skill)


def _user(event: Event, work: Work) -> None:
    message = event.get("message")
    for block in objects(message.get("content") if isinstance(message, dict) else None):
        if block.get("type") == "tool_result":
            work.result(
                _text_of(block.get("content")),
                key=words(block, "tool_use_id"),
                accepted=block.get("is_error") is not True,
            )


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = objects(content)
    return "\n".join(words(b, "text") or f"[{words(b, 'type') or 'unknown'}]" for b in blocks)


def _ended(result: Event, work: Work, counted: Usage | None) -> Heard:
    subtype = words(result, "subtype")
    said = _said(result)
    error, declined = _fault(result, subtype, said)
    usage = result.get("usage")
    reply = work.reply(
        # A lone `result` says nothing of calls: that none was told is not that none was made.
        tells_calls=not work.empty,
        tells_skills=not work.empty,
        usage=_usage(usage) if isinstance(usage, dict) else counted,
        cost=told(result, "total_cost_usd", read_cost),
        turns=told(result, "num_turns", read_count),
        error=error,
        declined=declined,
        error_source=error and error_source(told(result, "api_error_status", read_count)),
    )
    return Heard(reply=reply, said="" if error or declined else said)


def _said(result: Event) -> str:
    structured = result.get("structured_output")
    if isinstance(structured, dict):
        return as_json(structured) or ""
    return words(result, "result")


def _fault(result: Event, subtype: str, said: str) -> tuple[str | None, str | None]:
    """What broke, and why there is no answer although nothing broke."""
    if subtype in _DECLINED:
        return None, _DECLINED[subtype]
    if result.get("stop_reason") == "refusal":
        return None, "the model refused"
    if result.get("is_error") is True or subtype.startswith("error"):
        listed = result.get("errors")
        errors = [e for e in listed if isinstance(e, str)] if isinstance(listed, list) else []
        why = "; ".join(errors) or said.strip() or "without saying why"
        return f"the agent ended with {subtype or 'an error'}: {why[:1_000]}", None
    return None, None


def _usage(raw: Event) -> Usage:
    cache = raw.get("cache_creation")
    by_time = cache if isinstance(cache, dict) else {}
    hour = told(by_time, "ephemeral_1h_input_tokens", read_count)
    written = told(raw, "cache_creation_input_tokens", read_count)
    details = raw.get("output_tokens_details")
    return Usage(
        input_tokens=told(raw, "input_tokens", read_count),
        # The total holds both times; each kind is counted once.
        cache_write_tokens=None if written is None else max(written - (hour or 0), 0),
        cache_write_1h_tokens=hour,
        cache_read_tokens=told(raw, "cache_read_input_tokens", read_count),
        output_tokens=told(raw, "output_tokens", read_count),
        thinking_tokens=told(details, "thinking_tokens", read_count)
        if isinstance(details, dict)
        else None,
    )


def _sum(usages: dict[str, Usage]) -> Usage | None:
    """All messages together; a kind that one of them does not tell is not known."""
    if not usages:
        return None
    parts = list(usages.values())

    def total(name: str) -> int | None:
        counts = [getattr(part, name) for part in parts]
        return None if None in counts else sum(counts)

    return Usage(**{name: total(name) for name in (field.name for field in fields_of(Usage))})
