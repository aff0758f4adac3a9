"""Whole conversations of the Claude agent, on the real SDK over real HTTP."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.model.answer import LoggedQuery, ToolCall, TraceEvent, Usage
from tests.analysts.claude_agents import (
    ANSWER,
    ANSWERED,
    STREAMED,
    WHOLE,
    Lab,
    lab,
    only_the_stand_in,
)
from tests.stand_in.process import call, say, text, thinking

NOTES = ".knowledge/datasets/shop/metrics/index.yaml"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with lab(tmp_path_factory.mktemp("shop")) as found:
        yield found


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    only_the_stand_in(monkeypatch)


def _last(shop: Lab) -> list[Mapping[str, Any]]:
    """The messages of the last request."""
    messages = shop.stand_in.bodies()[-1]["messages"]
    assert isinstance(messages, list)
    return messages


@pytest.mark.parametrize("options", [WHOLE, STREAMED], ids=["whole", "streamed"])
def test_an_agent_reads_the_notes_repairs_its_query_and_answers(
    shop: Lab, options: ClaudeOptions
) -> None:
    right = "select sum(amount) from orders"
    reply = shop.reply(
        say(thinking("Which notes?"), call("list_context"), call("list_tables")),
        say(call("read_context", file=NOTES)),
        say(text("Let me look."), call("run_query", sql="select sum(amnt) from orders")),
        say(thinking("A wrong name."), call("run_query", sql=right)),
        say(
            call(
                "give_answer",
                analyst_value="42",
                analyst_query=right,
                definition_source="metric dictionary",
            )
        ),
        options=options,
    )
    assert (reply.value, reply.query, reply.error, reply.declined) == ("42", right, None, None)
    assert reply.definition_source == "metric dictionary"
    assert reply.turns == 5
    assert reply.tools == (
        "list_context", "list_tables", "read_context", "run_query", "run_query", "give_answer",
    )  # fmt: skip
    assert reply.calls is not None
    assert [call.accepted for call in reply.calls] == [True, True, True, False, True, True]
    assert reply.calls[3] == ToolCall(
        name="run_query", arguments='{"sql": "select sum(amnt) from orders"}', accepted=False
    )
    assert reply.queries is not None
    assert reply.queries[0].error is not None
    assert reply.queries[1] == LoggedQuery(sql=right, rows=1, value="42")
    failed = _last(shop)[6]["content"][0]
    assert failed["is_error"] is True
    assert "amnt" in failed["content"]
    assert "sum(amount)" in _last(shop)[4]["content"][0]["content"]


def test_a_trace_tells_every_step_in_order(shop: Lab) -> None:
    reply = shop.reply(
        say(thinking("Hm."), text("I look."), call("run_query", sql="select 7")), ANSWERED
    )
    said = json.dumps(ANSWER["input"])
    assert reply.trace == (
        TraceEvent(kind="thinking", text="Hm."),
        TraceEvent(kind="text", text="I look."),
        TraceEvent(kind="tool_call", text='{"sql": "select 7"}', name="run_query"),
        TraceEvent(kind="tool_result", text="7\n7\n(1 row)", name="run_query"),
        TraceEvent(kind="tool_call", text=said, name="give_answer"),
        TraceEvent(kind="tool_result", text="The answer is taken.", name="give_answer"),
    )


@pytest.mark.parametrize("options", [WHOLE, STREAMED], ids=["whole", "streamed"])
def test_blocks_go_back_as_they_came_whatever_their_type(shop: Lab, options: ClaudeOptions) -> None:
    hologram = {"type": "hologram", "light": [1, 2.5], "nested": {"type": "text"}}
    hidden = {"type": "redacted_thinking", "data": "c2VjcmV0"}
    calls = call("run_query", sql="select 'ä\u2028'")
    reply = shop.reply(say(thinking("Hm."), hidden, hologram, calls), ANSWERED, options=options)
    assert reply.value == "3"
    sent_back = _last(shop)[1]["content"]
    assert sent_back[:3] == [thinking("Hm."), hidden, hologram]
    assert sent_back[3]["input"] == calls["input"]
    assert TraceEvent(kind="note", text="a block of the type 'hologram'") in reply.trace


def test_blank_text_is_not_sent_back(shop: Lab) -> None:
    reply = shop.reply(say(text("  \n"), call("list_tables")), ANSWERED)
    assert reply.value == "3"
    assert [block["type"] for block in _last(shop)[1]["content"]] == ["tool_use"]


def test_a_pause_is_resent_unchanged(shop: Lab) -> None:
    reply = shop.reply(
        say(thinking("Long."), text("I go on"), stop="pause_turn"), say(stop="pause_turn"), ANSWERED
    )
    assert (reply.value, reply.turns) == ("3", 3)
    assert _last(shop)[1:] == [
        {"role": "assistant", "content": [thinking("Long."), text("I go on")]}
    ]


def test_a_stop_sequence_is_an_end_like_any_other(shop: Lab) -> None:
    reply = shop.reply(say(text("So."), stop="stop_sequence"), ANSWERED)
    assert reply.value == "3"


# -- Answers ---------------------------------------------------------------------------------------


def test_a_missing_answer_is_asked_for_once_more(shop: Lab) -> None:
    reply = shop.reply(say(text("There are three.")), ANSWERED)
    assert (reply.value, reply.turns) == ("3", 2)
    assert "give_answer" in _last(shop)[2]["content"][0]["text"]


SAID = (
    "analyst_value: 3\nanalyst_query: select count(*) from orders\ndefinition_source: my own choice"
)


@pytest.mark.parametrize(
    ("first", "second", "value", "declined"),
    [
        ("Three.", SAID, "3", None),
        (SAID, "I have said so.", "3", None),
        ("Which orders do you mean?", "", None, "Which orders do you mean?"),
        ("No such data.", "I cannot tell.", None, "No such data.\n\nI cannot tell."),
        ("", "", None, "it gave no answer, although it was asked for it twice"),
    ],
)
def test_what_is_said_in_place_of_the_answer_is_read_or_tells_why_there_is_none(
    shop: Lab, first: str, second: str, value: str | None, declined: str | None
) -> None:
    blocks = ([text(words)] if words else [] for words in (first, second))
    reply = shop.reply(*(say(*block) for block in blocks))
    assert (reply.value, reply.declined, reply.error) == (value, declined, None)
    assert reply.turns == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"value": 3}, "analyst_value and analyst_query missing"),
        ({"analyst_value": "3"}, "analyst_query missing"),
        ({"analyst_value": "3", "analyst_query": 7}, "analyst_query"),
    ],
)
def test_an_answer_that_is_none_is_told_to_the_model(
    shop: Lab, arguments: dict[str, object], told: str
) -> None:
    reply = shop.reply(say(call("give_answer", **arguments)), ANSWERED)
    assert (reply.value, reply.turns) == ("3", 2)
    assert reply.calls is not None
    assert [made.accepted for made in reply.calls] == [False, True]
    result = _last(shop)[2]["content"][0]
    assert result["is_error"] is True
    assert told in result["content"]


def test_an_answer_says_nothing_but_value_query_and_definition_source(shop: Lab) -> None:
    said = {**ANSWER["input"], "cost": 0, "usage": {"output_tokens": 1}, "error": "none"}
    reply = shop.reply(say(call("give_answer", **said)))
    assert (reply.value, reply.error) == ("3", None)
    assert reply.cost is not None
    assert reply.cost > 0


@pytest.mark.parametrize("said", ["", "null", " none "])
def test_an_empty_value_leaves_the_answer_to_the_query(shop: Lab, said: str) -> None:
    arguments = {**ANSWER["input"], "analyst_value": said, "analyst_query": "select * from orders"}
    reply = shop.reply(say(call("give_answer", **arguments)))
    assert (reply.value, reply.query) == (None, "select * from orders")


def test_every_call_of_a_turn_gets_its_result_and_the_last_answer_counts(shop: Lab) -> None:
    first = {**ANSWER["input"], "analyst_value": "1"}
    reply = shop.reply(say(call("run_query", sql="select 9"), call("give_answer", **first), ANSWER))
    assert reply.value == "3"
    assert reply.queries == (LoggedQuery(sql="select 9", rows=1, value="9"),)


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (call("run_sql", sql="select 1"), "run_query"),
        (call("run_query", query="select 1"), "sql"),
        (call("run_query", sql=7), "sql"),
        ({"type": "tool_use", "name": "list_tables", "input": ["orders"]}, "object"),
        ({"type": "tool_use", "name": "list_tables", "input": "orders"}, "object"),
    ],
)
def test_a_call_that_cannot_be_meant_is_told_to_the_model(
    shop: Lab, step: Mapping[str, Any], told: str
) -> None:
    reply = shop.reply(say(step), ANSWERED)
    assert (reply.value, reply.error) == ("3", None)
    result = _last(shop)[2]["content"][0]
    assert result["is_error"] is True
    assert told in result["content"]


# -- Ends without an answer ------------------------------------------------------------------------


@pytest.mark.parametrize("options", [WHOLE, STREAMED], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("step", "why"),
    [
        (
            say(
                stop="refusal",
                stop_details={"type": "refusal", "category": "bio", "explanation": "Too risky."},
            ),
            "the model refused: bio: Too risky.",
        ),
        (say(text("I"), stop="refusal"), "the model refused: it did not say why"),
        (
            say(text("Thr"), stop="max_tokens"),
            "it ran out of tokens: a reply was cut at {max_tokens:,} (max_tokens)",
        ),
        (
            say(call("run_query", sql="select 1"), stop="max_tokens"),
            "it ran out of tokens: a reply was cut at {max_tokens:,} (max_tokens)",
        ),
        (
            say(stop="model_context_window_exceeded"),
            "it ran out of tokens: the model's context window is full",
        ),
    ],
)
def test_an_end_without_an_answer_is_no_error_and_says_why(
    shop: Lab, step: Mapping[str, Any], why: str, options: ClaudeOptions
) -> None:
    reply = shop.reply(step, options=options)
    assert reply.declined == why.format(max_tokens=options.max_tokens)
    assert (reply.error, reply.queries, reply.turns) == (None, (), 1)
    assert reply.cost is not None


def test_the_last_turn_is_announced_and_then_over(shop: Lab) -> None:
    options = ClaudeOptions(max_tokens=1_000, max_turns=3)
    reply = shop.reply(say(call("list_tables")), options=options)
    assert (reply.declined, reply.turns) == ("it ran out of turns: 3 (max_turns)", 3)
    texts = [
        [block.get("text") for block in message["content"] if block["type"] == "text"]
        for message in _last(shop)
        if message["role"] == "user"
    ]
    assert [len(said) for said in texts] == [1, 0, 1]
    assert "last turn" in texts[2][0]


def test_a_single_turn_is_the_last(shop: Lab) -> None:
    reply = shop.reply(ANSWERED, options=ClaudeOptions(max_tokens=1_000, max_turns=1))
    assert reply.value == "3"
    assert "last turn" in _last(shop)[0]["content"][1]["text"]


# -- The brief and the cache -----------------------------------------------------------------------


def test_what_stands_before_the_question_is_the_same_for_all_and_read_from_the_cache(
    shop: Lab,
) -> None:
    shop.stand_in.script({"*": [ANSWERED]})
    first, second, third = shop.ask(
        "How many orders?", "List them.", "Why?", as_of=date(2031, 5, 6)
    )
    before = [json.dumps([b["system"], b["tools"]]) for b in shop.stand_in.bodies()]
    assert before[0] == before[1] == before[2]
    assert first.usage is not None
    assert (first.usage.cache_read_tokens, first.usage.input_tokens) == (0, 0)
    for later in (second.usage, third.usage):
        assert later is not None
        assert later.cache_read_tokens is not None
        assert first.usage.cache_write_tokens is not None
        assert later.cache_read_tokens > 0.9 * first.usage.cache_write_tokens


def test_the_question_stands_alone_and_the_date_in_the_brief(shop: Lab) -> None:
    shop.stand_in.script({"*": [ANSWERED]})
    shop.ask("How many today?", as_of=date(2026, 1, 31))
    (body,) = shop.stand_in.bodies()
    assert body["messages"][0]["content"] == [text("How many today?")]
    brief = body["system"][0]["text"]
    assert "Today is 2026-01-31." in brief
    assert "sqlite" in brief
    assert "give_answer" in brief
    assert "use that definition exactly" in brief


def test_options_reach_the_service_and_no_sampling_does(shop: Lab) -> None:
    shop.reply(ANSWERED, options=ClaudeOptions(effort="low", max_tokens=77))
    (body,) = shop.stand_in.bodies()
    assert body["output_config"] == {"effort": "low"}
    assert body["max_tokens"] == 77
    assert set(body) == {
        "model", "max_tokens", "messages", "system", "tools", "cache_control", "output_config",
    }  # fmt: skip


# -- Usage and cost --------------------------------------------------------------------------------

MUCH = {
    "input_tokens": 1_000,
    "output_tokens": 200,
    "cache_creation_input_tokens": 4_000,
    "cache_read_input_tokens": 50_000,
    "cache_creation": {"ephemeral_5m_input_tokens": 3_000, "ephemeral_1h_input_tokens": 1_000},
    "output_tokens_details": {"thinking_tokens": 150},
}
LITTLE = {"input_tokens": 10, "output_tokens": 10}


@pytest.mark.parametrize("options", [WHOLE, STREAMED], ids=["whole", "streamed"])
def test_usage_is_added_up_by_kind_and_priced_by_kind(shop: Lab, options: ClaudeOptions) -> None:
    reply = shop.reply(
        say(call("list_tables"), usage=MUCH), say(ANSWER, usage=LITTLE), options=options
    )
    assert reply.usage == Usage(
        input_tokens=1_010,
        cache_write_tokens=3_000,
        cache_write_1h_tokens=1_000,
        cache_read_tokens=50_000,
        output_tokens=210,
        thinking_tokens=150,
    )
    # 1,010 x 4 + 210 x 20 + 3,000 x 5 + 1,000 x 8 + 50,000 x 0.20, in millionths of a dollar.
    assert reply.cost == Decimal("0.04124")


@pytest.mark.parametrize(
    "usage", [None, {}, {"input_tokens": 5}, {"input_tokens": -1, "output_tokens": 1}, "much"]
)
def test_a_usage_that_is_not_told_leaves_usage_and_cost_absent(shop: Lab, usage: object) -> None:
    reply = shop.reply(say(call("list_tables"), usage=MUCH), say(ANSWER, usage=usage))
    assert (reply.value, reply.usage, reply.cost) == ("3", None, None)


def test_a_model_without_a_price_has_no_cost(shop: Lab) -> None:
    shop.stand_in.script({"*": [ANSWERED]})
    (reply,) = shop.ask("How many orders?", model="claude-nobody-knows")
    assert reply.usage is not None
    assert reply.cost is None
