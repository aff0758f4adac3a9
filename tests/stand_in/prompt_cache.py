"""What of a prompt is read from the cache, and what is written to it: tools, system, messages.

A prefix is kept where a breakpoint stands, and found again where a breakpoint stands or shortly
before one. Tokens are counted as a quarter of the characters.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_LOOK_BACK = 20


def _without_mark(block: Any) -> Any:
    return {k: v for k, v in block.items() if k != "cache_control"} if _is(block) else block


def _is(block: Any) -> bool:
    return isinstance(block, dict)


def count_tokens(body: Mapping[str, Any]) -> int:
    return sum(tokens for _, tokens, _ in _blocks(body))


def _blocks(body: Mapping[str, Any]) -> list[tuple[str, int, bool]]:
    """Each block as text, with its tokens, and whether a breakpoint stands behind it."""
    system = body.get("system") or []
    parts: list[Any] = [*body.get("tools", [])]
    parts += [{"text": system}] if isinstance(system, str) else system
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        parts += [{**block, "role": message["role"]} for block in blocks]
    texts = [json.dumps(_without_mark(part), sort_keys=True) for part in parts]
    marked = [_is(part) and "cache_control" in part for part in parts]
    if body.get("cache_control") and marked:
        marked[-1] = True
    return [(text, len(text) // 4 + 1, mark) for text, mark in zip(texts, marked, strict=True)]


class PromptCache:
    """Prefixes by hash; nothing expires."""

    def __init__(self) -> None:
        self._kept: set[str] = set()

    def usage(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The counts of input for one request, by kind."""
        blocks = _blocks(body)
        digest, total = hashlib.sha256(body["model"].encode()), 0
        prefixes: list[tuple[str, int]] = []
        for text, tokens, _ in blocks:
            digest.update(text.encode())
            total += tokens
            prefixes.append((digest.hexdigest(), total))
        marks = [index for index, (_, _, mark) in enumerate(blocks) if mark]
        near = {i for mark in marks for i in range(max(mark - _LOOK_BACK, 0), mark + 1)}
        read = max((prefixes[i][1] for i in near if prefixes[i][0] in self._kept), default=0)
        end = max((prefixes[mark][1] for mark in marks), default=0)
        self._kept.update(prefixes[mark][0] for mark in marks)
        written = max(end - read, 0)
        return {
            "input_tokens": total - max(end, read),
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": written,
                "ephemeral_1h_input_tokens": 0,
            },
        }
