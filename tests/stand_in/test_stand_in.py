"""The stand-in is strict: it refuses what the service refuses, and counts as the service counts."""

import json
from typing import Any

import pytest

from tests.stand_in.prompt_cache import PromptCache, count_tokens
from tests.stand_in.replies import _events
from tests.stand_in.rules import Memory, refusals

TOOL = {"name": "look", "description": "Look.", "input_schema": {"type": "object"}}
STRICT = {
    **TOOL,
    "strict": True,
    "input_schema": {
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
}
USER = {"role": "user", "content": "How many?"}
CALLS: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "Hm.", "signature": "s"},
    {"type": "text", "text": " "},
    {"type": "tool_use", "id": "t1", "name": "look", "input": {}},
    {"type": "tool_use", "id": "t2", "name": "look", "input": {"a": 1}},
]
SENT_BACK = {"role": "assistant", "content": [CALLS[0], *CALLS[2:]]}
PAUSED = [{"type": "text", "text": "I go on"}]


def _body(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {
        "model": "claude-opus-5-5",
        "max_tokens": 10,
        "messages": list(messages) or [USER],
        **fields,
    }


def _results(*ids: str) -> dict[str, Any]:
    results = [{"type": "tool_result", "tool_use_id": i, "content": "3"} for i in ids]
    return {"role": "user", "content": results}


@pytest.fixture
def memory() -> Memory:
    """A stand-in that has sent two calls and a pause."""
    memory = Memory()
    memory.keep({"content": CALLS, "stop_reason": "tool_use"})
    memory.keep({"content": PAUSED, "stop_reason": "pause_turn"})
    return memory


@pytest.mark.parametrize(
    "body",
    [
        _body(),
        _body(tools=[TOOL, {**STRICT, "name": "answer"}], tool_choice={"type": "auto"}),
        _body(output_config={"effort": "max"}, cache_control={"type": "ephemeral"}),
        _body(USER, SENT_BACK, _results("t2", "t1")),
        _body(USER, SENT_BACK, {"role": "user", "content": [
            *_results("t1", "t2")["content"], {"type": "text", "text": "Go on."}]}),
        _body(USER, {"role": "assistant", "content": PAUSED}),
        _body(USER, {"role": "user", "content": "And?"}),
        _body(model="claude-sonnet-5", tool_choice={"type": "any"}),
    ],
)  # fmt: skip
def test_what_the_service_takes_is_taken(body: dict[str, Any], memory: Memory) -> None:
    assert list(refusals(body, memory)) == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (_body(temperature=0), "temperature: not supported"),
        (_body(top_p=0.5), "top_p: not supported"),
        (_body(favour="yes"), "favour: Extra inputs"),
        (_body(model=5), "model: a string"),
        (_body(max_tokens=0), "max_tokens"),
        (_body(tool_choice={"type": "tool", "name": "look"}), "tool_choice: 'tool' is not"),
        (_body(tool_choice={"type": "any"}, model="claude-haiku-5-5"), "tool_choice: 'any'"),
        (_body(thinking={"type": "disabled"}), "thinking: 'disabled'"),
        (_body(thinking={"type": "enabled", "budget_tokens": 2000}), "thinking: 'enabled'"),
        (_body(output_config={"effort": "huge"}), "effort: 'huge'"),
        (_body(tools=[TOOL, TOOL]), "Tool names must be unique"),
        (_body(tools=[{**TOOL, "name": "a b"}]), "'a b' is no name"),
        (_body(tools=[{**TOOL, "description": ""}]), "look: no description"),
        (_body(tools=[{**TOOL, "input_schema": {"type": "array"}}]), "must be an object's"),
        (_body(tools=[{**TOOL, "strict": True}]), "a strict schema is closed"),
        (_body(cache_control={"type": "forever"}), "cache_control: {'type': 'forever'}"),
        (_body(system=[{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}] * 5),
         "at most 4 breakpoints, 5 given"),
        (_body({"role": "assistant", "content": PAUSED}), "the first message must be the user's"),
        (_body({"role": "user", "content": []}), "content must not be empty"),
        (_body({"role": "user", "content": " "}), "non-whitespace"),
        (_body(USER, {"role": "assistant", "content": [{"type": "text", "text": "Th"}]}),
         "a reply cannot be begun"),
        (_body(USER, SENT_BACK, _results("t1")), "tool_result ids ['t1'] do not match"),
        (_body(USER, SENT_BACK, _results("t1", "t2", "t3")), "do not match"),
        (_body(USER, SENT_BACK, USER), "tool_result ids [] do not match"),
        (_body(_results("t1")), "tool_result ids ['t1'] do not match tool_use []"),
        (_body(USER, SENT_BACK, {"role": "user", "content": [
            {"type": "text", "text": "First."}, *_results("t1", "t2")["content"]]}),
         "tool_result blocks must come first"),
        (_body(USER, SENT_BACK, SENT_BACK, _results("t1", "t2")), "without tool_result"),
        (_body(USER, {"role": "assistant", "content": CALLS[2:]}, _results("t1", "t2")),
         "cannot be modified"),
        (_body(USER, {"role": "assistant", "content": [
            {**CALLS[0], "thinking": "Hm"}, *CALLS[2:]]}, _results("t1", "t2")),
         "cannot be modified"),
        (_body(USER, {"role": "assistant", "content": [{**CALLS[2], "id": "t9"}]}, _results("t9")),
         "t9 was never sent"),
    ],
)  # fmt: skip
def test_what_the_service_refuses_is_refused(
    body: dict[str, Any], told: str, memory: Memory
) -> None:
    assert told in "; ".join(refusals(body, memory))


# -- The cache -------------------------------------------------------------------------------------

MARK = {"cache_control": {"type": "ephemeral"}}
BRIEF = {"type": "text", "text": "x" * 400}


def _kinds(cache: PromptCache, question: str, **fields: Any) -> tuple[int, int, int]:
    """Uncached, written and read."""
    usage = cache.usage(_body({"role": "user", "content": question}, **fields))
    return (
        usage["input_tokens"],
        usage["cache_creation_input_tokens"],
        usage["cache_read_input_tokens"],
    )


def test_without_a_breakpoint_nothing_is_cached() -> None:
    cache = PromptCache()
    whole = count_tokens(_body({"role": "user", "content": "a"}, system=[BRIEF]))
    for _ in range(2):
        assert _kinds(cache, "a", system=[BRIEF]) == (whole, 0, 0)


def test_a_breakpoint_on_the_last_block_alone_serves_no_other_question() -> None:
    cache = PromptCache()
    fresh, written, read = _kinds(cache, "a", system=[BRIEF], **MARK)
    assert (fresh, read) == (0, 0)
    assert _kinds(cache, "b", system=[BRIEF], **MARK) == (0, written, 0)
    assert _kinds(cache, "a", system=[BRIEF], **MARK) == (0, 0, written)


def test_a_breakpoint_behind_the_brief_serves_every_question() -> None:
    cache = PromptCache()
    marked = {"system": [{**BRIEF, **MARK}], **MARK}
    brief = count_tokens(_body(system=[BRIEF])) - count_tokens(_body())
    fresh, written, read = _kinds(cache, "a", **marked)
    assert (fresh, read) == (0, 0)
    assert _kinds(cache, "b", **marked) == (0, written - brief, brief)


def test_another_model_shares_no_cache() -> None:
    cache = PromptCache()
    written = _kinds(cache, "a", system=[BRIEF], **MARK)
    assert _kinds(cache, "a", system=[BRIEF], model="claude-opus-5", **MARK) == written


def test_a_stream_tells_the_whole_reply_in_pieces() -> None:
    words = "Forty-two orders came in, and none went out."
    usage = {"input_tokens": 1, "output_tokens": 2}
    reply = {"content": [{"type": "text", "text": words}], "stop_reason": "end_turn",
             "usage": usage}  # fmt: skip
    told = [json.loads(e.decode().split("data: ")[1]) for e in _events(reply)]
    pieces = [event["delta"]["text"] for event in told if event["type"] == "content_block_delta"]
    assert len(pieces) > 1
    assert "".join(pieces) == words
    assert [event["type"] for event in told][-2:] == ["message_delta", "message_stop"]
