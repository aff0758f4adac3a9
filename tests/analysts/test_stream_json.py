"""What headless agents print, event by event."""

import json
from decimal import Decimal
from typing import Any

import pytest

from goldsuite.analysts.stream_json import read_stream
from goldsuite.model.answer import Reply, ToolCall, TraceEvent, Usage

BLOCK = "analyst_value: 42\nanalyst_query: select 42\ndefinition_source: my own choice"


def _stream(*events: dict[str, Any]) -> str:
    return "\n".join(map(json.dumps, events))


def _assistant(key: str, *blocks: dict[str, Any], **usage: int) -> dict[str, Any]:
    message = {"id": key, "role": "assistant", "content": list(blocks), "usage": usage}
    return {"type": "assistant", "message": message}


def _tool_result(key: str, content: Any, **more: bool) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": key, "content": content, **more}
    return {"type": "user", "message": {"role": "user", "content": [block]}}


INIT = {
    "type": "system",
    "subtype": "init",
    "model": "claude-sonnet-5-5",
    "mcp_servers": [{"name": "goldsuite", "status": "connected"}],
}
RESULT = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "num_turns": 3,
    "result": BLOCK,
    "total_cost_usd": 0.0125,
    "usage": {
        "input_tokens": 10,
        "cache_creation_input_tokens": 700,
        "cache_read_input_tokens": 2000,
        "output_tokens": 90,
        "cache_creation": {"ephemeral_5m_input_tokens": 500, "ephemeral_1h_input_tokens": 200},
        "output_tokens_details": {"thinking_tokens": 30},
    },
}
WORK = (
    INIT,
    _assistant("m1", {"type": "thinking", "thinking": "a skill may help"}, output_tokens=5),
    _assistant(
        "m1",
        {"type": "tool_use", "id": "t1", "name": "Skill", "input": {"skill": "sales"}},
        output_tokens=5,
    ),
    _tool_result("t1", "loaded"),
    _assistant(
        "m2",
        {"type": "text", "text": "now the query"},
        {"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "sql", "n": 1}},
        output_tokens=7,
    ),
    _tool_result("t2", [{"type": "text", "text": "no such table"}], is_error=True),
)


def test_a_whole_stream_of_claude_code_gives_answer_calls_and_cost() -> None:
    assert read_stream(_stream(*WORK, RESULT)) == Reply(
        value="42",
        query="select 42",
        definition_source="my own choice",
        usage=Usage(
            input_tokens=10,
            cache_write_tokens=500,
            cache_write_1h_tokens=200,
            cache_read_tokens=2000,
            output_tokens=90,
            thinking_tokens=30,
        ),
        cost=Decimal("0.0125"),
        turns=3,
        tools=("Skill", "Bash"),
        calls=(
            ToolCall(name="Skill", arguments='{"skill": "sales"}', accepted=True),
            ToolCall(name="Bash", arguments='{"command": "sql", "n": 1}', accepted=False),
        ),
        skills=("sales",),
        trace=(
            TraceEvent(
                kind="note", text="model claude-sonnet-5-5; MCP servers: goldsuite (connected)"
            ),
            TraceEvent(kind="thinking", text="a skill may help"),
            TraceEvent(kind="tool_call", text='{"skill": "sales"}', name="Skill"),
            TraceEvent(kind="tool_result", text="loaded", name="Skill"),
            TraceEvent(kind="text", text="now the query"),
            TraceEvent(kind="tool_call", text='{"command": "sql", "n": 1}', name="Bash"),
            TraceEvent(kind="tool_result", text="no such table", name="Bash"),
        ),
    )


@pytest.mark.parametrize(
    ("end", "error", "declined", "source"),
    [
        pytest.param(
            RESULT | {"subtype": "error_max_turns", "is_error": True, "result": ""},
            None, "ran out of its own turns", None, id="turns",
        ),
        pytest.param(RESULT | {"stop_reason": "refusal"}, None, "the model refused", None,
                     id="refusal"),
        pytest.param(
            RESULT | {"is_error": True, "result": "API Error: overloaded", "api_error_status": 529},
            "the agent ended with success: API Error: overloaded", None, "service", id="service",
        ),
        pytest.param(
            RESULT | {"subtype": "error_during_execution", "errors": ["boom", "bang"]},
            "the agent ended with error_during_execution: boom; bang", None, "analyst", id="broke",
        ),
    ],
)  # fmt: skip
def test_an_agent_that_gives_up_and_one_that_breaks_are_told_apart(
    end: dict[str, Any], error: str | None, declined: str | None, source: str | None
) -> None:
    reply = read_stream(_stream(*WORK, end))
    assert reply is not None
    assert (reply.error, reply.declined, reply.error_source) == (error, declined, source)
    assert (reply.value, reply.query) == (None, None)
    assert reply.cost == Decimal("0.0125")
    assert reply.tools == ("Skill", "Bash")


def test_a_stream_that_is_cut_off_is_an_error_that_keeps_what_was_spent() -> None:
    reply = read_stream(_stream(*WORK) + '\n{"type": "resu')
    assert reply is not None
    assert reply.error == "the agent's stream ends without a result: it was cut off"
    # Each message counts once, however many events it comes in: 5 + 7.
    assert reply.usage == Usage(output_tokens=12)
    assert reply.cost is None


def test_a_result_alone_does_not_say_that_no_tool_was_called() -> None:
    for text in (_stream(RESULT), json.dumps([RESULT])):
        reply = read_stream(text)
        assert reply is not None
        assert (reply.value, reply.turns) == ("42", 3)
        assert (reply.tools, reply.calls, reply.skills) == (None, None, None)


@pytest.mark.parametrize(
    ("said", "value", "part"),
    [
        (BLOCK, "42", None),
        ('Done.\n{"analyst_value": 1.50}', "1.50", None),
        ("", None, None),
        ("It is 42, I think.", None, "no answer in the output"),
    ],
)
def test_the_answer_is_looked_for_in_the_last_message(
    said: str, value: str | None, part: str | None
) -> None:
    reply = read_stream(_stream(INIT, RESULT | {"result": said}))
    assert reply is not None
    assert reply.value == value
    assert (part is None and reply.error is None) or (part is not None and part in str(reply.error))


def test_structured_output_is_the_answer() -> None:
    answer = {"analyst_value": 7, "analyst_query": "select 7"}
    reply = read_stream(_stream(INIT, RESULT | {"result": "done", "structured_output": answer}))
    assert reply is not None
    assert (reply.value, reply.query) == ("7", "select 7")


CODEX = (
    {"type": "thread.started", "thread_id": "1"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"id": "i0", "type": "reasoning", "text": "look first"}},
    {
        "type": "item.started",
        "item": {"id": "i1", "type": "command_execution", "command": "ls", "status": "in_progress"},
    },
    {
        "type": "item.completed",
        "item": {
            "id": "i1",
            "type": "command_execution",
            "command": "ls",
            "aggregated_output": "no\n",
            "exit_code": 2,
            "status": "failed",
        },
    },
    {
        "type": "item.completed",
        "item": {
            "id": "i2",
            "type": "mcp_tool_call",
            "server": "goldsuite",
            "tool": "run_query",
            "arguments": {"sql": "select 42"},
            "result": {"content": [{"type": "text", "text": "42"}]},
            "error": None,
            "status": "completed",
        },
    },
    {"type": "item.completed", "item": {"id": "i3", "type": "agent_message", "text": "one moment"}},
    {"type": "item.completed", "item": {"id": "i4", "type": "agent_message", "text": BLOCK}},
)
TURN_DONE = {
    "type": "turn.completed",
    "usage": {
        "input_tokens": 1000,
        "cached_input_tokens": 900,
        "output_tokens": 80,
        "reasoning_output_tokens": 20,
    },
}


def test_a_whole_stream_of_codex_gives_answer_calls_and_usage() -> None:
    reply = read_stream("warning: old node\n" + _stream(*CODEX, TURN_DONE))
    assert reply is not None
    assert (reply.value, reply.query, reply.error) == ("42", "select 42", None)
    assert reply.usage == Usage(
        input_tokens=100, cache_read_tokens=900, output_tokens=80, thinking_tokens=20
    )
    assert reply.calls == (
        ToolCall(name="shell", arguments='{"command": "ls"}', accepted=False),
        ToolCall(name="mcp__goldsuite__run_query", arguments='{"sql": "select 42"}', accepted=True),
    )
    assert (reply.turns, reply.cost, reply.skills) == (None, None, None)
    assert [event.kind for event in reply.trace] == [
        *("thinking", "tool_call", "tool_result", "tool_call", "tool_result", "text", "text"),
    ]


@pytest.mark.parametrize(
    ("end", "error"),
    [
        (
            {"type": "turn.failed", "error": {"message": "usage limit"}},
            "the agent's turn failed: usage limit",
        ),
        (
            {"type": "error", "message": "reconnecting"},
            "the agent's stream ends before its turn: it was cut off",
        ),
    ],
)
def test_a_turn_of_codex_that_does_not_end_is_an_error(end: dict[str, Any], error: str) -> None:
    reply = read_stream(_stream(*CODEX, end))
    assert reply is not None
    assert (reply.error, reply.value) == (error, None)
    assert len(reply.calls or ()) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        BLOCK,
        '{"analyst_value": 1}',
        '{"type": "answer", "analyst_value": 1}',
        "[1, 2",
        "[1, 2]",
        '{"type": 7}',
        "null",
    ],
)
def test_what_is_no_stream_is_left_to_others(text: str) -> None:
    assert read_stream(text) is None


@pytest.mark.parametrize(
    "events",
    [
        (INIT, {"type": "assistant", "message": None}, RESULT),
        (INIT, {"type": "assistant", "message": {"content": [7, {"type": 5}, {}]}}, RESULT),
        (INIT, {"type": "user", "message": "x"}, RESULT | {"usage": [], "num_turns": "many"}),
        (INIT, RESULT | {"errors": 7, "total_cost_usd": -1, "is_error": None}),
        (*CODEX, {"type": "item.completed", "item": 7}, {"type": "turn.completed", "usage": 7}),
        (*CODEX, {"type": "item.completed", "item": {"type": "new_kind"}}, TURN_DONE),
    ],
)
def test_what_is_malformed_in_a_stream_is_not_measured_and_never_ends_it(
    events: tuple[dict[str, Any], ...],
) -> None:
    reply = read_stream(_stream(*events))
    assert reply is not None
    assert (reply.value, reply.error) == ("42", None)


def test_an_error_whose_reasons_are_malformed_is_still_told() -> None:
    reply = read_stream(_stream(INIT, RESULT | {"subtype": "error_x", "errors": 7, "result": 7}))
    assert reply is not None
    assert reply.error == "the agent ended with error_x: without saying why"


def test_a_long_step_is_cut_in_its_middle() -> None:
    long = "a" * 15_000 + "b" * 15_000
    reply = read_stream(_stream(INIT, _tool_result("t9", long), RESULT))
    assert reply is not None
    text = reply.trace[1].text
    assert text == "a" * 10_000 + "\n... 10,000 characters left out ...\n" + "b" * 10_000
