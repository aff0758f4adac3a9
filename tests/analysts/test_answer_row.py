"""One row of an answers file."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldsuite.analysts.row import decode_json, read_answer, read_reply, write_answer
from goldsuite.model.answer import Answer, LoggedQuery, Reply, ToolCall, TraceEvent, Usage

TEXTS = st.text(st.characters(codec="utf-8"))
WORDS = st.none() | TEXTS
COUNTS = st.none() | st.integers(0, 10**15)


def _some(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...] | None]:
    return st.none() | st.lists(parts, max_size=3).map(tuple)


REPLIES = st.builds(
    Reply,
    value=WORDS,
    query=WORDS,
    definition_source=WORDS,
    usage=st.none()
    | st.builds(
        Usage,
        input_tokens=COUNTS,
        cache_write_tokens=COUNTS,
        cache_read_tokens=COUNTS,
        output_tokens=COUNTS,
        cache_write_1h_tokens=COUNTS,
        thinking_tokens=COUNTS,
    ),
    cost=st.none() | st.decimals(0, 10**6, allow_nan=False, allow_infinity=False),
    turns=COUNTS,
    tools=st.none() | st.lists(TEXTS).map(tuple),
    calls=_some(
        st.builds(ToolCall, name=TEXTS, arguments=WORDS, accepted=st.none() | st.booleans())
    ),
    skills=st.none() | st.lists(TEXTS).map(tuple),
    queries=_some(
        st.builds(LoggedQuery, sql=TEXTS, rows=COUNTS, value=WORDS, error=WORDS),
    ),
    trace=st.lists(
        st.builds(
            TraceEvent,
            kind=st.sampled_from(["text", "thinking", "tool_call", "tool_result", "note"]),
            text=TEXTS,
            name=WORDS,
        ),
        max_size=3,
    ).map(tuple),
    declined=WORDS,
    error=WORDS,
    error_source=st.none() | st.sampled_from(["analyst", "service", "timeout"]),
)
ANSWERS = st.builds(
    Answer,
    id=st.text(st.characters(codec="utf-8"), min_size=1),
    trial=st.integers(1, 1000),
    reply=REPLIES,
    latency_ms=st.none() | st.floats(0, 1e9, allow_nan=False),
    waited_ms=st.none() | st.floats(0, 1e9, allow_nan=False),
    retries=COUNTS,
)


@given(ANSWERS)
def test_what_is_written_is_read_back_the_same_from_one_line(answer: Answer) -> None:
    line = write_answer(answer)
    assert len(line.splitlines()) == 1
    assert json.loads(line)["id"] == answer.id
    assert read_answer(line) == answer


def test_a_cost_is_written_as_the_number_that_it_is() -> None:
    line = write_answer(Answer(id="a", trial=1, reply=Reply(cost=Decimal("1E-7"))))
    assert '"cost": 0.0000001,' in line


def test_keys_that_nothing_fills_are_left_out_of_the_line() -> None:
    line = write_answer(Answer(id="a", trial=1, reply=Reply(usage=Usage(input_tokens=7))))
    assert list(json.loads(line)) == [
        *("id", "trial", "analyst_value", "analyst_query", "definition_source", "latency_ms"),
        *("usage", "cost", "declined", "error", "turns", "tools"),
    ]
    assert '"usage": {"input_tokens": 7, "cache_write_tokens": null' in line
    assert "thinking_tokens" not in line


def test_an_agent_that_called_no_tool_is_told_from_one_that_does_not_tell() -> None:
    line = write_answer(Answer(id="a", trial=1, reply=Reply(calls=(), queries=())))
    assert '"calls": [], "queries": []' in line
    assert read_answer(line).reply.calls == ()


def test_arguments_and_steps_from_outside_may_be_json_or_bare_text() -> None:
    row = (
        '{"id": "a", "analyst_value": 1, "calls": [{"name": "sql", "arguments": {"n": 1.50}}],'
        ' "trace": ["I looked", {"text": "rows", "kind": "tool_result", "name": "sql"}]}'
    )
    reply = read_answer(row).reply
    assert reply.calls == (ToolCall(name="sql", arguments='{"n": 1.50}'),)
    assert reply.trace == (
        TraceEvent(kind="text", text="I looked"),
        TraceEvent(kind="tool_result", text="rows", name="sql"),
    )


def test_an_analyst_cannot_say_what_ran_through_our_door_or_whose_fault_it_was() -> None:
    fields, _ = decode_json('{"queries": [{"sql": "select 1"}], "error_source": "service"}')
    assert read_reply(fields) == Reply()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('{"id": "a", "analyst_value": 1.50}', Answer(id="a", trial=1, reply=Reply(value="1.50"))),
        (
            '{"id": "a", "trial": 2, "analyst_query": "select 1", "split": "train"}',
            Answer(id="a", trial=2, reply=Reply(query="select 1")),
        ),
        (
            '{"id": "a", "analyst_value": null, "latency_ms": 12.5}',
            Answer(id="a", trial=1, reply=Reply(), latency_ms=12.5),
        ),
    ],
)
def test_a_row_from_outside_needs_no_more_than_id_and_value_or_query(
    line: str, answer: Answer
) -> None:
    assert read_answer(line) == answer


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("nonsense", "no JSON"),
        ("[1]", "one JSON object"),
        ('{"id": "a", "analyst_value": 1} x', "one JSON object"),
        ('{"analyst_value": 1}', "'id' is missing"),
        ('{"id": "a"}', "neither 'analyst_value' nor 'analyst_query'"),
        ('{"id": "a", "analyst_value": 1, "trial": 0}', "counted from 1"),
        ('{"id": "a", "analyst_value": 1, "trial": "two"}', "'trial' is 'two'"),
        ('{"id": "a", "analyst_value": 1, "cost": -1}', "'cost' is '-1'"),
        ('{"id": "a", "analyst_value": 1, "latency_ms": NaN}', "'latency_ms' is 'NaN'"),
        ('{"id": "a", "analyst_query": 5}', "'analyst_query' is '5'"),
        ('{"id": "a", "analyst_value": 1, "tools": "sql"}', "'tools' is 'sql'"),
        ('{"id": "a", "analyst_value": 1, "usage": 7}', "'usage' is '7'"),
        ('{"id": "a", "analyst_value": 1, "calls": {}}', "'calls' is {}: a list of calls"),
        ('{"id": "a", "analyst_value": 1, "calls": [{}]}', "no object with 'name'"),
        ('{"id": "a", "analyst_value": 1, "calls": [{"name": "s", "accepted": 1}]}', "true or"),
        ('{"id": "a", "analyst_value": 1, "queries": ["select 1"]}', "no object with 'sql'"),
        ('{"id": "a", "analyst_value": 1, "trace": [{"text": "", "kind": "x"}]}', "one of text"),
        ('{"id": "a", "analyst_value": 1, "error_source": "me"}', "one of analyst, service"),
        ('{"id": "a", "analyst_value": 1, "retries": 1.5}', "'retries' is '1.5'"),
    ],
)
def test_a_row_that_is_none_says_what_is_wrong(line: str, part: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_answer(line)
    assert part in str(caught.value)
