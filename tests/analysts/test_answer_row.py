"""One row of an answers file."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldsuite.analysts.row import read_answer, write_answer
from goldsuite.model.answer import Answer, Reply, Usage

TEXTS = st.text(st.characters(codec="utf-8"))
WORDS = st.none() | TEXTS
COUNTS = st.none() | st.integers(0, 10**15)
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
    ),
    cost=st.none() | st.decimals(0, 10**6, allow_nan=False, allow_infinity=False),
    turns=COUNTS,
    tools=st.none() | st.lists(TEXTS).map(tuple),
    declined=WORDS,
    error=WORDS,
)
ANSWERS = st.builds(
    Answer,
    id=st.text(st.characters(codec="utf-8"), min_size=1),
    trial=st.integers(1, 1000),
    reply=REPLIES,
    latency_ms=st.none() | st.floats(0, 1e9, allow_nan=False),
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
    ],
)
def test_a_row_that_is_none_says_what_is_wrong(line: str, part: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_answer(line)
    assert part in str(caught.value)
