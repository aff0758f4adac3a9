"""One reply of the model, read from the JSON that came and checked, whatever the SDK made of it.

The SDK takes what a service sends unchecked: a field may be missing or of another type, and a block
of a kind that it does not know poses as text. So only plain JSON is read here, by its `type`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from goldsuite.errors import AnalystError
from goldsuite.model.answer import Usage

__all__ = ["Block", "Turn", "add_usage", "read_turn"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One part of a reply."""

    kind: str
    """`text`, `thinking`, `tool_use`, or whatever else the service calls it."""
    raw: Mapping[str, Any]
    """As it came: what is sent back must be unchanged."""

    @property
    def text(self) -> str:
        """What it says or thinks; empty where that is not told."""
        text = self.raw.get(self.kind)
        return text if isinstance(text, str) else ""

    @property
    def name(self) -> str:
        """Of the tool that is called."""
        return str(self.raw["name"])

    @property
    def call_id(self) -> str:
        """What the result of the call is to name."""
        return str(self.raw["id"])

    @property
    def input(self) -> Any:
        """The arguments of the call: an object, unless the model erred."""
        return self.raw.get("input")

    @property
    def arguments(self) -> str:
        """`input` as JSON text."""
        return json.dumps(self.input, ensure_ascii=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One reply of the model."""

    stop_reason: str | None
    blocks: tuple[Block, ...]
    usage: Usage | None
    """Of this request; None where the service did not tell all of it."""
    refusal: str | None = None
    """Why it refused, as far as told; None where it did not say."""

    @property
    def calls(self) -> tuple[Block, ...]:
        """The tools it calls, in order."""
        return tuple(block for block in self.blocks if block.kind == "tool_use")

    @property
    def text(self) -> str:
        """All that it says, without what it thinks."""
        return "\n".join(b.text for b in self.blocks if b.kind == "text" and b.text.strip())

    def content(self) -> list[Mapping[str, Any]]:
        """The blocks to send back: all unchanged, but for blank text, which the service refuses."""
        return [b.raw for b in self.blocks if b.kind != "text" or b.text.strip()]


def read_turn(body: object) -> Turn:
    """The reply that `body`, the decoded JSON, holds.

    Raises:
        AnalystError: it is no reply; the message says what is wrong with it.
    """
    if not isinstance(body, Mapping):
        raise AnalystError(f"malformed reply: an object is expected, not {_shown(body)}")
    content = body.get("content")
    if not isinstance(content, list):
        raise AnalystError(f"malformed reply: 'content' is {_shown(content)}, and a list expected")
    blocks = tuple(map(_read_block, content))
    ids = [block.call_id for block in blocks if block.kind == "tool_use"]
    if len(set(ids)) != len(ids):
        raise AnalystError("malformed reply: two tool calls have the same id")
    stop_reason = body.get("stop_reason")
    if not isinstance(stop_reason, str | None):
        raise AnalystError(f"malformed reply: 'stop_reason' is {_shown(stop_reason)}")
    return Turn(
        stop_reason=stop_reason,
        blocks=blocks,
        usage=_read_usage(body.get("usage")),
        refusal=_read_refusal(body.get("stop_details")),
    )


def _read_block(raw: object) -> Block:
    if not isinstance(raw, Mapping) or not isinstance(raw.get("type"), str):
        raise AnalystError(f"malformed reply: a block of its content is {_shown(raw)}")
    kind = raw["type"]
    if kind == "tool_use":
        for key in ("id", "name"):
            if not isinstance(raw.get(key), str) or not raw[key]:
                raise AnalystError(
                    f"malformed reply: a tool call's {key!r} is {_shown(raw.get(key))}"
                )
    return Block(kind=kind, raw=raw)


def _read_refusal(details: object) -> str | None:
    if not isinstance(details, Mapping):
        return None
    told = (details.get("category"), details.get("explanation"))
    return ": ".join(part for part in told if isinstance(part, str) and part) or None


# -- Usage -----------------------------------------------------------------------------------------


def _read_usage(raw: object) -> Usage | None:
    if not isinstance(raw, Mapping):
        return None
    counts = {key: _count(raw.get(key)) for key in ("input_tokens", "output_tokens")}
    if None in counts.values():
        return None
    written = _count(raw.get("cache_creation_input_tokens"))
    hour = _count(_inside(raw, "cache_creation", "ephemeral_1h_input_tokens"))
    if written is not None and hour is not None:
        # The total is what a stream keeps up to date; the rest of it was written for five minutes.
        written = max(written - hour, 0)
    return Usage(
        **counts,
        cache_write_tokens=written,
        cache_write_1h_tokens=hour,
        cache_read_tokens=_count(raw.get("cache_read_input_tokens")),
        thinking_tokens=_count(_inside(raw, "output_tokens_details", "thinking_tokens")),
    )


def _inside(raw: Mapping[str, Any], key: str, name: str) -> object:
    part = raw.get(key)
    return part.get(name) if isinstance(part, Mapping) else None


def _count(value: object) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if whole and isinstance(value, int) else None


def add_usage(first: Usage, second: Usage) -> Usage:
    """Both together; a kind that neither tells stays untold."""
    return Usage(
        input_tokens=_sum(first.input_tokens, second.input_tokens),
        cache_write_tokens=_sum(first.cache_write_tokens, second.cache_write_tokens),
        cache_write_1h_tokens=_sum(first.cache_write_1h_tokens, second.cache_write_1h_tokens),
        cache_read_tokens=_sum(first.cache_read_tokens, second.cache_read_tokens),
        output_tokens=_sum(first.output_tokens, second.output_tokens),
        thinking_tokens=_sum(first.thinking_tokens, second.thinking_tokens),
    )


def _sum(first: int | None, second: int | None) -> int | None:
    return second if first is None else first if second is None else first + second


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
