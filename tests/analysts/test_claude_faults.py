"""Every fault of the service, on the real SDK over real HTTP: one clear end; the run goes on."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from goldsuite.analysts.claude.client import MAX_REPLY_BYTES
from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.errors import SpendLimitError
from goldsuite.model.question import Prompt
from tests.analysts.claude_agents import (
    ANSWER,
    ANSWERED,
    STREAMED,
    WHOLE,
    Lab,
    Patience,
    lab,
    only_the_stand_in,
)
from tests.stand_in.process import KEY, call, error, fault, say, text

Step = Mapping[str, Any]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with lab(tmp_path_factory.mktemp("shop")) as found:
        yield found


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    only_the_stand_in(monkeypatch)


def _reply(**fields: Any) -> Step:
    """A message of the service, as it is but for `fields`."""
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": [{"type": "text", "text": "Three."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    return {"reply": {**message, **fields}}


def _raw(body: str, kind: str = "application/json") -> Step:
    return fault("raw", body=body, type=kind)


def _tool(**fields: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t1", "name": "list_tables", "input": {}, **fields}


START = ("message_start", {"type": "message_start", "message": _reply(content=[])["reply"]})
EARLY = ("content_block_delta", {"type": "content_block_delta", "index": 0,
         "delta": {"type": "text_delta", "text": "T"}})  # fmt: skip
CALL_BEGINS = ("content_block_start", {"type": "content_block_start", "index": 0,
               "content_block": _tool()})  # fmt: skip
CALL_BREAKS = ("content_block_delta", {"type": "content_block_delta", "index": 0,
               "delta": {"type": "input_json_delta", "partial_json": "{nonsense"}})  # fmt: skip

BROKEN: list[tuple[str, ClaudeOptions, Step, str, str]] = [
    # The service failed: asking again may help.
    ("429", WHOLE, error(429, "rate_limit_error"), "service", "429 rate_limit_error"),
    ("529", WHOLE, error(529, "overloaded_error"), "service", "529 overloaded_error"),
    ("500", WHOLE, error(500, "api_error"), "service", "500 api_error"),
    ("504", WHOLE, error(504, "timeout_error"), "service", "504 timeout_error"),
    ("408", WHOLE, error(408, "timeout_error"), "service", "408 timeout_error"),
    ("409", WHOLE, error(409, "conflict_error"), "service", "409 conflict_error"),
    ("503 as a page", WHOLE,
     fault("status", status=503, body="<h1>down</h1>", headers={}), "service", "503: <h1>down"),
    ("500 of odd types", WHOLE,
     fault("status", status=500, body={"error": {"type": 5, "message": [1]}}, headers={}),
     "service", "the service failed: 500"),
    ("dropped", WHOLE, fault("drop"), "service", "could not be reached"),
    ("dropped before a stream", STREAMED, fault("drop"), "service", "could not be reached"),
    ("cut", WHOLE, fault("cut", say=[ANSWER]), "service", "could not be reached"),
    ("cut stream", STREAMED, fault("cut", say=[ANSWER]), "service", "the connection broke"),
    ("truncated JSON", WHOLE, _raw('{"id": "msg_1", "conte'), "service", "truncated or garbled"),
    ("nothing", WHOLE, _raw(""), "service", "truncated or garbled"),
    ("a stream without events", STREAMED, fault("ends_early", events=0), "service",
     "the stream ended before it began"),
    ("a stream that ends early", STREAMED, fault("ends_early", events=4, say=[text("Three.")]),
     "service", "the stream ended before the reply was complete"),
    ("overloaded in a stream", STREAMED,
     fault("event", error={"type": "overloaded_error", "message": "Busy"}), "service",
     "in the stream overloaded_error: Busy"),
    ("a failure in a stream", STREAMED,
     fault("event", error={"type": "api_error", "message": "Oh"}), "service",
     "in the stream api_error: Oh"),
    # The rest counts against the case.
    ("400", WHOLE, error(400, "invalid_request_error", "no"), "analyst",
     "the service refused the request: 400 invalid_request_error: no"),
    ("413", WHOLE, error(413, "request_too_large"), "analyst", "413 request_too_large"),
    ("401", WHOLE, error(401, "authentication_error", f"bad key {KEY}"), "analyst",
     "bad key *** (request req_stand_in). Check ANTHROPIC_API_KEY."),
    ("404", WHOLE, error(404, "not_found_error"), "analyst", "Check the model's name"),
    ("refused in a stream", STREAMED,
     fault("event", error={"type": "invalid_request_error", "message": "no"}), "analyst",
     "in the stream invalid_request_error: no"),
    ("a page", WHOLE, _raw("<html>Welcome", "text/html"), "analyst", "no JSON but '<html>Welcome'"),
    ("a page for a stream", STREAMED, _raw("<html>Welcome", "text/html"), "analyst",
     "a stream was asked for, and 'text/html' came"),
    ("JSON for a stream", STREAMED, fault("plain", say=[ANSWER]), "analyst",
     "a stream was asked for, and 'application/json' came"),
    ("a list", WHOLE, _raw("[1, 2]"), "analyst", "malformed reply"),
    ("no fields", WHOLE, _raw('{"id": "msg_1"}'), "analyst", "'content' is None"),
    ("content as text", WHOLE, _reply(content="Three."), "analyst", "'content' is 'Three.'"),
    ("content of numbers", WHOLE, _reply(content=[3]), "analyst", "a block of its content is 3"),
    ("a block without a type", WHOLE, _reply(content=[{"text": "Three."}]), "analyst",
     "a block of its content"),
    ("a call without an id", WHOLE, _reply(content=[_tool(id=None)]), "analyst",
     "a tool call's 'id' is None"),
    ("a call without a name", WHOLE, _reply(content=[_tool(name="")]), "analyst",
     "a tool call's 'name' is ''"),
    ("two calls of one id", WHOLE, _reply(content=[_tool(), _tool()]), "analyst", "the same id"),
    ("an unknown stop reason", WHOLE, _reply(stop_reason="bored"), "analyst",
     "stopped for a reason that is not known: 'bored'"),
    ("no stop reason", WHOLE, _reply(stop_reason=None), "analyst", "not known: None"),
    ("a stop reason of another type", WHOLE, _reply(stop_reason={"a": 1}), "analyst",
     "'stop_reason' is {'a': 1}"),
    ("an unknown stop reason in a stream", STREAMED, say(text("Hm"), stop="bored"), "analyst",
     "stopped for a reason that is not known: 'bored'"),
    ("bytes that are no text", WHOLE, _raw('{"id": "\udcff\udcfe"}'), "analyst", "malformed reply"),
    ("JSON of great depth", WHOLE, _raw("[" * 200_000), "analyst", "malformed reply"),
    ("an oversized reply", WHOLE, fault("oversized", bytes=MAX_REPLY_BYTES + 2_000_000), "analyst",
     "oversized reply: more than 32,000,000 bytes"),
    ("events out of order", STREAMED, fault("events", events=[START, EARLY]), "analyst",
     "malformed reply"),
    ("a broken call in a stream", STREAMED,
     fault("events", events=[START, CALL_BEGINS, CALL_BREAKS]), "analyst", "malformed reply"),
    ("no usage in a stream", STREAMED, say(ANSWER, usage=None), "analyst", "malformed reply"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "step", "source", "told"),
    [row[1:] for row in BROKEN],
    ids=[row[0] for row in BROKEN],
)
def test_a_fault_ends_one_case_with_one_clear_error_and_the_run_goes_on(
    shop: Lab, options: ClaudeOptions, step: Step, source: str, told: str
) -> None:
    shop.stand_in.script({"Broken?": [step], "Fine?": [ANSWERED]})
    broken, fine = shop.ask("Broken?", "Fine?", options=options)
    assert broken.error is not None
    assert told in broken.error
    assert broken.error_source == source
    assert (broken.value, broken.query, broken.declined) == (None, None, None)
    assert KEY not in repr(broken)
    assert (fine.value, fine.error) == ("3", None)


def test_a_fault_in_the_middle_keeps_what_was_done_and_used_before(shop: Lab) -> None:
    usage = {"input_tokens": 10, "output_tokens": 10}
    reply = shop.reply(
        say(call("run_query", sql="select 9"), usage=usage), error(400, "invalid_request_error")
    )
    assert reply.error is not None
    assert reply.turns == 1
    assert reply.tools == ("run_query",)
    assert reply.queries is not None
    assert reply.queries[0].value == "9"
    assert reply.usage is not None
    assert reply.usage.input_tokens == 10
    assert reply.cost is not None


@pytest.mark.parametrize(
    ("step", "options", "wait", "overloaded"),
    [
        (error(429, "rate_limit_error", retry_after="3600"), WHOLE, 3600.0, True),
        (error(429, "rate_limit_error", retry_after_ms="250"), WHOLE, 0.25, True),
        (error(429, "rate_limit_error"), STREAMED, None, True),
        (error(529, "overloaded_error", retry_after="2.5"), WHOLE, 2.5, True),
        (error(503, "api_error", retry_after="7"), WHOLE, 7.0, False),
        (error(500, "api_error", retry_after="soon"), WHOLE, None, False),
        (error(500, "api_error", retry_after="-3"), WHOLE, None, False),
        (error(500, "api_error", retry_after="nan"), WHOLE, None, False),
        (error(500, "api_error", retry_after="Wed, 01 Jan 2020 00:00:00 GMT"), WHOLE, 0.0, False),
        (fault("event", error={"type": "overloaded_error"}), STREAMED, None, True),
        (fault("drop"), WHOLE, None, False),
    ],
)
def test_a_failure_of_the_service_says_how_long_to_wait_and_whether_fewer_requests_would_help(
    shop: Lab, step: Step, options: ClaudeOptions, wait: float | None, overloaded: bool
) -> None:
    pace = Patience(tries=2)
    shop.stand_in.script({"*": [step, ANSWERED]})
    (reply,) = shop.ask("How many?", options=options, pace=pace)
    assert reply.value == "3"
    assert [(f.retry_after_s, f.overloaded) for f in pace.faults] == [(wait, overloaded)]


def test_a_storm_of_429_is_ridden_out_by_the_pace_alone(shop: Lab) -> None:
    pace = Patience(tries=6)
    shop.stand_in.script({"*": [*[error(429, "rate_limit_error")] * 5, ANSWERED]})
    (reply,) = shop.ask("How many?", pace=pace)
    assert (reply.value, reply.turns, len(pace.faults)) == ("3", 1, 5)
    # The SDK sent nothing again by itself.
    assert len(shop.stand_in.bodies()) == 6


@pytest.mark.parametrize("options", [WHOLE, STREAMED], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    "step",
    [
        error(429, "rate_limit_error", code="enforced_spend_limit_reached"),
        error(429, "rate_limit_error", code="contract_spend_limit_reached"),
        error(402, "billing_error", code="linked_organization_spend_limit_reached"),
        error(402, "billing_error", f"nothing left for {KEY}"),
    ],
)
def test_a_spend_limit_stops_the_run_at_once(shop: Lab, step: Step, options: ClaudeOptions) -> None:
    pace = Patience(tries=5)
    shop.stand_in.script({"*": [step]})
    with pytest.raises(SpendLimitError, match="can spend no more") as caught:
        shop.ask("How many?", options=options, pace=pace)
    assert KEY not in str(caught.value)
    assert pace.faults == []
    assert len(shop.stand_in.bodies()) == 1


def test_a_spend_limit_told_inside_a_stream_stops_the_run_too(shop: Lab) -> None:
    told = {"type": "rate_limit_error", "message": "Enough",
            "details": {"error_code": "enforced_spend_limit_reached"}}  # fmt: skip
    shop.stand_in.script({"*": [fault("event", error=told)]})
    with pytest.raises(SpendLimitError, match="Enough"):
        shop.ask("How many?", options=STREAMED)


def test_a_rate_that_may_not_rise_so_fast_is_no_spend_limit(shop: Lab) -> None:
    shop.stand_in.script({"*": [error(429, "rate_limit_error", code="ramp_limit_exceeded")]})
    (reply,) = shop.ask("How many?")
    assert reply.error_source == "service"


@pytest.mark.parametrize("options", [WHOLE, STREAMED], ids=["whole", "streamed"])
@pytest.mark.parametrize("kind", ["hang", "hang_midway"])
def test_a_reply_that_never_comes_ends_with_its_task_and_leaves_no_connection(
    shop: Lab, options: ClaudeOptions, kind: str
) -> None:
    shop.stand_in.script({"Hangs?": [fault(kind)], "Fine?": [ANSWERED]})

    async def seen(asked: int, opened: int) -> None:
        """Wait until as many requests are in and as many connections open."""
        while True:
            state = await asyncio.to_thread(shop.stand_in.seen)
            if (len(state["requests"]), state["open"]) == (asked, opened):
                return
            await asyncio.sleep(0.02)

    async def run() -> str | None:
        source = shop.source(options)
        try:
            prompt = Prompt(token="t", text="Hangs?")
            task = asyncio.create_task(source.fresh().answer(prompt))
            await seen(1, 1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await seen(1, 0)
            fine = await source.fresh().answer(Prompt(token="u", text="Fine?"))
            return fine.value
        finally:
            await source.aclose()

    assert asyncio.run(asyncio.wait_for(run(), timeout=60)) == "3"


def test_an_event_of_an_unknown_kind_is_passed_over(shop: Lab) -> None:
    ended = ("message_delta", {"type": "message_delta", "delta": {"stop_reason": "end_turn"},
             "usage": {"output_tokens": 2}})  # fmt: skip
    events = [START, ("sparkle", {"type": "sparkle"}), ended]
    shop.stand_in.script({"*": [fault("events", events=events), ANSWERED]})
    (reply,) = shop.ask("How many?", options=STREAMED)
    assert (reply.value, reply.error) == ("3", None)


def test_nobody_at_the_address_is_a_failure_of_the_service(shop: Lab) -> None:
    async def run() -> str | None:
        from goldsuite.analysts.claude.source import open_claude
        from goldsuite.analysts.toolbox import Toolbox

        source = open_claude(
            "claude-opus-5-5",
            options=WHOLE,
            toolbox=lambda: Toolbox(shop.warehouse.analyst, shop.warehouse.catalog, None),
            pace=Patience(),
            dialect="sqlite",
            context=False,
            environ={"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_API_KEY": KEY},
        )
        try:
            reply = await source.fresh().answer(Prompt(token="t", text="How many?"))
        finally:
            await source.aclose()
        assert reply.error_source == "service"
        return reply.error

    told = asyncio.run(run())
    assert told is not None
    assert "could not be reached" in told
