"""What ends a run early, whose fault an error was, and what counts as waiting."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal

import pytest

from goldsuite.errors import AnalystError, RunStoppedError, ServiceError, SpendLimitError
from goldsuite.model.answer import Answer, Reply
from goldsuite.model.question import Prompt, Question, Trial
from goldsuite.runner.limits import ErrorLimit, Limits
from goldsuite.runner.meter import current_meter
from goldsuite.runner.plan import plan_trials
from goldsuite.runner.pool import ask
from goldsuite.runner.throttle import Throttle

Behaviour = Callable[[Prompt], Awaitable[Reply]]


class Source:
    """An analyst that behaves as the test says."""

    name, model, isolation = "test", None, "in-process"
    notes: Mapping[str, str] = {}

    def __init__(self, behave: Behaviour) -> None:
        self._behave = behave

    async def answer(self, prompt: Prompt) -> Reply:
        return await self._behave(prompt)

    def fresh(self) -> "Source":
        return self

    async def aclose(self) -> None:
        return


class Time:
    """A clock that only moves when someone sleeps by it."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def _trials(count: int) -> tuple[Trial, ...]:
    return plan_trials(
        Question(id=f"q{n}", text=str(n), split="train", line=n + 1) for n in range(count)
    )


def _ask(
    behave: Behaviour,
    count: int,
    *,
    concurrency: int = 1,
    limits: Limits | None = None,
    throttle: Throttle | None = None,
    timeout_s: float = 5,
    max_wait_s: float = 100,
    clock: Time | None = None,
    canary: bool = True,
) -> tuple[list[Answer], str]:
    """The recorded answers, and why the run was stopped."""
    answers: list[Answer] = []
    run = ask(
        _trials(count), Source(behave), concurrency=concurrency, timeout_s=timeout_s,
        record=answers.extend, limits=limits, throttle=throttle, max_wait_s=max_wait_s,
        clock=clock or Time(), canary=canary,
    )  # fmt: skip
    try:
        asyncio.run(run)
    except RunStoppedError as error:
        return answers, str(error)
    return answers, ""


async def _thirty_cents(prompt: Prompt) -> Reply:
    await asyncio.sleep(0)
    return Reply(value=prompt.text, cost=Decimal("0.30"))


@pytest.mark.parametrize("concurrency", [1, 2, 8])
def test_a_budget_stops_asking_before_it_is_passed(concurrency: int) -> None:
    limits = Limits(max_cost=Decimal(1))
    answers, why = _ask(_thirty_cents, 20, concurrency=concurrency, limits=limits)
    assert len(answers) == 3
    assert "--max-cost $1.0000 would be passed: $0.9000 spent by 3 answers" in why


def test_questions_of_unknown_cost_pass_the_budget_by_no_more_than_those_in_flight() -> None:
    answers, _ = _ask(
        _thirty_cents, 20, concurrency=4, limits=Limits(max_cost=Decimal("0.5")), canary=False
    )
    # Four go out before the first cost is known, and then no more.
    assert len(answers) == 4


def test_a_budget_that_is_enough_stops_nothing() -> None:
    answers, why = _ask(_thirty_cents, 5, concurrency=3, limits=Limits(max_cost=Decimal("1.5")))
    assert (len(answers), why) == (5, "")


def test_a_reached_spend_limit_stops_the_run_at_once_and_the_trial_has_no_answer() -> None:
    async def third_fails(prompt: Prompt) -> Reply:
        if prompt.text == "2":
            raise SpendLimitError("the organisation's spend limit is reached")
        return Reply(value=prompt.text)

    answers, why = _ask(third_fails, 9)
    assert [answer.id for answer in answers] == ["q0", "q1"]
    assert why == "the organisation's spend limit is reached"


def test_a_spend_limit_at_the_first_question_is_told_as_it_is() -> None:
    async def fails(_: Prompt) -> Reply:
        raise SpendLimitError("spend limit")

    assert _ask(fails, 3) == ([], "spend limit")


def test_a_run_past_hope_leaves_the_rest_unasked() -> None:
    async def first_answers(prompt: Prompt) -> Reply:
        if prompt.text != "0":
            raise ServiceError("503")
        return Reply(value="0")

    answers, why = _ask(first_answers, 50, limits=Limits(max_errors=ErrorLimit.parse("0.1")))
    assert len(answers) == 11
    assert "10 answers ended in an error, more than --max-errors 0.1 of 50 allows" in why
    assert why.endswith("the last one: 503")


def test_a_run_of_errors_that_is_at_its_end_is_graded() -> None:
    async def breaks(prompt: Prompt) -> Reply:
        raise ServiceError("503")

    answers, why = _ask(breaks, 10, limits=Limits(max_errors=ErrorLimit.parse("0")), canary=False)
    assert (len(answers), why) == (10, "")


def test_whoever_watches_the_answers_may_stop_the_run() -> None:
    seen: list[str] = []

    def watch(trial: Trial, answer: Answer) -> str | None:
        seen.append(f"{trial.question.id} {answer.reply.value}")
        return "skills were triggered in 1 of 3 cases" if len(seen) == 3 else None

    answers, why = _ask(_thirty_cents, 9, limits=Limits(watch=watch))
    assert seen == ["q0 0", "q1 1", "q2 2"]
    assert len(answers) == 3
    assert why == "The run was stopped: skills were triggered in 1 of 3 cases"


async def _service(_: Prompt) -> Reply:
    raise ServiceError("529")


async def _analyst(_: Prompt) -> Reply:
    raise AnalystError("malformed")


async def _crash(_: Prompt) -> Reply:
    raise KeyError("x")


async def _told(_: Prompt) -> Reply:
    return Reply(error="429 from the agent's own service", error_source="service")


async def _untold(_: Prompt) -> Reply:
    return Reply(error="exit code 1")


async def _fine(_: Prompt) -> Reply:
    return Reply(value="1")


@pytest.mark.parametrize(
    ("behave", "source"),
    [
        (_service, "service"), (_analyst, "analyst"), (_crash, "analyst"), (_told, "service"),
        (_untold, "analyst"), (_fine, None),
    ],
)  # fmt: skip
def test_an_error_says_whose_fault_it_was(behave: Behaviour, source: str | None) -> None:
    (answer,), _ = _ask(behave, 1, canary=False)
    assert answer.reply.error_source == source


def test_an_analyst_that_works_too_long_has_timed_out() -> None:
    async def hang(_: Prompt) -> Reply:
        await asyncio.sleep(60)
        return Reply()

    answers: list[Answer] = []
    asyncio.run(
        ask(
            _trials(1), Source(hang), concurrency=1, timeout_s=0.05, record=answers.extend,
            canary=False,
        )
    )  # fmt: skip
    assert (answers[0].reply.error, answers[0].reply.error_source) == (
        "timed out after 0.05 s", "timeout",
    )  # fmt: skip


def test_a_question_that_only_waits_ends_too_and_it_is_the_services_fault() -> None:
    async def wait(_: Prompt) -> Reply:
        meter = current_meter()
        assert meter is not None
        with meter.waiting():
            await asyncio.sleep(60)
        return Reply()

    answers: list[Answer] = []
    asyncio.run(
        ask(
            _trials(1), Source(wait), concurrency=1, timeout_s=60, record=answers.extend,
            max_wait_s=0.05, canary=False,
        )
    )  # fmt: skip
    reply = answers[0].reply
    assert reply.error == "waited 0.05 s for its service to take a request"
    assert reply.error_source == "service"


def _throttle(time: Time) -> Throttle:
    return Throttle(limit=4, clock=time, sleep=time.sleep, uniform=lambda low, _: low)


def _busy(throttle: Throttle, time: Time, *, times: int, wait_s: float) -> Behaviour:
    left = [times]

    async def request() -> str:
        time.now += 2  # seconds of work until the service answers
        if left[0]:
            left[0] -= 1
            raise ServiceError("429", retry_after_s=wait_s, overloaded=True)
        return "42"

    async def behave(_: Prompt) -> Reply:
        return Reply(value=await throttle.send(request))

    return behave


def test_waiting_for_a_service_is_no_part_of_latency_nor_of_the_timeout() -> None:
    time = Time()
    throttle = _throttle(time)
    behave = _busy(throttle, time, times=2, wait_s=30)
    (answer,), why = _ask(behave, 1, throttle=throttle, clock=time, timeout_s=5)
    assert (answer.reply.value, why) == ("42", "")
    # Two tries in vain of 2 s, two waits of 30 s; then 2 s of work.
    assert (answer.latency_ms, answer.waited_ms, answer.retries) == (2000.0, 64_000.0, 2)


def test_a_question_does_not_begin_a_wait_that_it_may_not_finish() -> None:
    time = Time()
    throttle = _throttle(time)
    behave = _busy(throttle, time, times=99, wait_s=60)
    (answer,), _ = _ask(behave, 1, throttle=throttle, clock=time, max_wait_s=100, canary=False)
    assert (answer.reply.error, answer.reply.error_source) == ("429", "service")
    # 2 s in vain, 60 s, 2 s in vain; another 60 s would make 124.
    assert answer.waited_ms == 64_000.0


def test_an_analyst_without_a_service_has_neither_waiting_nor_retries() -> None:
    (answer,), _ = _ask(_fine, 1, throttle=_throttle(Time()))
    assert (answer.waited_ms, answer.retries) == (None, None)


def test_trials_start_only_as_fast_as_the_service_bears_them() -> None:
    throttle = Throttle(limit=50, start=2)
    now, peaks = 0, list[int]()

    async def request() -> str:
        await asyncio.sleep(0)
        return "42"

    async def behave(prompt: Prompt) -> Reply:
        nonlocal now
        now += 1
        peaks.append(now)
        value = await throttle.send(request)
        now -= 1
        return Reply(value=value)

    _ask(behave, 60, concurrency=50, throttle=throttle)
    # The first alone, which widens 2 to 3; then no more than that, whatever the lanes.
    assert peaks[:4] == [1, 1, 2, 3]
    assert max(peaks) <= throttle.window == 50
