"""Every fault of the service, on the real SDK over real HTTP: one clear end; the run goes on."""

import asyncio
from collections.abc import Iterator

import pytest
from anthropic import Timeout

from goldsuite.analysts.claude import client
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
from tests.analysts.claude_faults import BROKEN, START, Step
from tests.stand_in.process import KEY, call, error, fault, say


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with lab(tmp_path_factory.mktemp("shop")) as found:
        yield found


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    only_the_stand_in(monkeypatch)


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
    # Nothing of the SDK hangs on it: neither the request, nor its secrets, nor its memory.
    assert [(f.__cause__, f.__context__) for f in pace.faults] == [(None, None)]


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
    assert "the connection to the service failed" in told


@pytest.mark.parametrize(
    ("options", "kind", "told"),
    [
        (WHOLE, "hang", "did not answer in time"),
        (WHOLE, "hang_midway", "did not answer in time"),
        (STREAMED, "hang", "did not answer in time"),
        (STREAMED, "hang_midway", "the connection broke"),
    ],
)
def test_a_service_that_falls_silent_is_given_up_in_the_end(
    shop: Lab, monkeypatch: pytest.MonkeyPatch, options: ClaudeOptions, kind: str, told: str
) -> None:
    monkeypatch.setattr(client, "_TIMEOUT", Timeout(0.2))
    shop.stand_in.script({"*": [fault(kind)]})
    (reply,) = shop.ask("How many?", options=options)
    assert reply.error is not None
    assert told in reply.error
    assert reply.error_source == "service"


def _no_aiohttp(**_options: object) -> object:
    raise RuntimeError("the package is not installed")


@pytest.mark.parametrize(
    ("options", "step", "told"),
    [
        (WHOLE, fault("drop"), "the connection to the service failed"),
        (WHOLE, fault("cut", say=[ANSWER]), "the connection to the service failed"),
        (STREAMED, fault("cut", say=[ANSWER]), "the connection broke"),
        (WHOLE, fault("oversized", bytes=MAX_REPLY_BYTES + 2_000_000), "oversized reply"),
        (WHOLE, error(529, "overloaded_error"), "529 overloaded_error"),
    ],
)
def test_without_aiohttp_faults_end_the_same(
    shop: Lab, monkeypatch: pytest.MonkeyPatch, options: ClaudeOptions, step: Step, told: str
) -> None:
    monkeypatch.setattr(client, "DefaultAioHttpClient", _no_aiohttp)
    shop.stand_in.script({"Broken?": [step], "Fine?": [ANSWERED]})
    broken, fine = shop.ask("Broken?", "Fine?", options=options)
    assert broken.error is not None
    assert told in broken.error
    assert fine.value == "3"
