"""Asking many questions at once."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal

import pytest

from goldsuite.errors import AnalystError, RecordError, RunStoppedError
from goldsuite.model.answer import Answer, Reply, Usage
from goldsuite.model.question import Prompt, Question, Trial
from goldsuite.runner.plan import plan_trials
from goldsuite.runner.pool import Outcome, ask
from goldsuite.runner.progress import Progress

Behaviour = Callable[[Prompt], Awaitable[Reply]]


class Analyst:
    def __init__(self, behave: Behaviour) -> None:
        self._behave = behave

    async def answer(self, prompt: Prompt) -> Reply:
        return await self._behave(prompt)


class Source:
    """An analyst that behaves as the test says."""

    name = "test"
    model = None
    isolation = "in-process"
    notes: Mapping[str, str] = {}

    def __init__(self, behave: Behaviour) -> None:
        self._behave = behave
        self.made: list[Analyst] = []

    def fresh(self) -> Analyst:
        self.made.append(Analyst(self._behave))
        return self.made[-1]

    async def aclose(self) -> None:
        return


def _trials(count: int) -> tuple[Trial, ...]:
    return plan_trials(
        Question(id=f"q{n}", text=str(n), split="train", line=n + 1) for n in range(count)
    )


def _ask(
    behave: Behaviour,
    count: int = 5,
    *,
    concurrency: int = 2,
    timeout_s: float = 5,
    canary: bool = True,
    progress: list[Progress] | None = None,
) -> tuple[Outcome, list[Answer]]:
    answers: list[Answer] = []
    seen = [] if progress is None else progress
    outcome = asyncio.run(
        ask(
            _trials(count),
            Source(behave),
            concurrency=concurrency,
            timeout_s=timeout_s,
            record=answers.extend,
            on_progress=seen.append,
            canary=canary,
        )
    )
    return outcome, answers


async def _echo(prompt: Prompt) -> Reply:
    return Reply(value=prompt.text)


def test_every_trial_gets_one_answer_bound_to_its_case() -> None:
    outcome, answers = _ask(_echo, 7)
    assert sorted((a.id, a.trial, a.reply.value) for a in answers) == [
        (f"q{n}", 1, str(n)) for n in range(7)
    ]
    assert (outcome.answered, outcome.errors) == (7, 0)


def test_nothing_to_ask_is_no_fault() -> None:
    outcome, answers = _ask(_echo, 0)
    assert (outcome.answered, answers) == (0, [])


def test_an_analyst_is_fresh_and_learns_token_text_and_date_only() -> None:
    prompts: list[Prompt] = []

    async def note(prompt: Prompt) -> Reply:
        prompts.append(prompt)
        return Reply()

    source = Source(note)
    trials = _trials(3)
    asyncio.run(
        ask(
            trials,
            source,
            concurrency=1,
            timeout_s=5,
            record=lambda _: None,
            as_of=date(2026, 1, 31),
        )
    )
    assert len(set(map(id, source.made))) == 3
    assert prompts == [
        Prompt(token=t.token, text=t.question.text, as_of=date(2026, 1, 31)) for t in trials
    ]


def test_the_first_question_is_asked_alone_and_then_as_many_as_allowed() -> None:
    now, peaks = 0, []

    async def count(prompt: Prompt) -> Reply:
        nonlocal now
        now += 1
        peaks.append(now)
        await asyncio.sleep(0.02)
        now -= 1
        return Reply(value=prompt.text)

    _ask(count, 10, concurrency=3)
    assert peaks[:2] == [1, 1]
    assert max(peaks) == 3


def test_a_first_question_that_breaks_stops_the_run_and_is_on_record() -> None:
    asked: list[str] = []
    answers: list[Answer] = []

    async def broken(prompt: Prompt) -> Reply:
        asked.append(prompt.text)
        raise AnalystError("no credentials")

    with pytest.raises(RunStoppedError, match=r"asked alone.*no credentials"):
        asyncio.run(
            ask(_trials(5), Source(broken), concurrency=2, timeout_s=5, record=answers.extend)
        )
    assert asked == ["0"]
    assert [(a.id, a.reply.error) for a in answers] == [("q0", "no credentials")]


def test_a_first_question_without_an_answer_does_not_stop_the_run() -> None:
    async def silent(_: Prompt) -> Reply:
        return Reply()

    outcome, _ = _ask(silent, 3)
    assert outcome.answered == 3


async def _none(_: Prompt) -> Reply:
    return None  # type: ignore[return-value]


async def _cancels_itself(_: Prompt) -> Reply:
    raise asyncio.CancelledError


async def _own_timeout(_: Prompt) -> Reply:
    raise TimeoutError("the service was slow")


async def _key_error(_: Prompt) -> Reply:
    empty: dict[str, str] = {}
    return Reply(value=empty["x"])


async def _empty_error(_: Prompt) -> Reply:
    return Reply(error="")


async def _sleeps(_: Prompt) -> Reply:
    await asyncio.sleep(60)
    return Reply()


async def _swallows_cancelling(_: Prompt) -> Reply:
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        return Reply(value="late")
    return Reply()


async def _breaks_on_cancelling(_: Prompt) -> Reply:
    try:
        await asyncio.sleep(60)
    finally:
        raise ValueError("while ending")


@pytest.mark.parametrize(
    ("behave", "error"),
    [
        (_none, "the analyst gave NoneType, which is no Reply"),
        (_cancels_itself, "the analyst cancelled itself"),
        (_own_timeout, "TimeoutError: the service was slow (at test_pool.py:"),
        (_key_error, "KeyError: 'x' (at test_pool.py:"),
        (_empty_error, "the analyst broke without saying why"),
        (_sleeps, "timed out after 0.1 s"),
        (_swallows_cancelling, "timed out after 0.1 s"),
        (_breaks_on_cancelling, "timed out after 0.1 s"),
    ],
)
def test_whatever_an_analyst_does_the_run_goes_on(behave: Behaviour, error: str) -> None:
    async def second_breaks(prompt: Prompt) -> Reply:
        return await behave(prompt) if prompt.text == "1" else Reply(value=prompt.text)

    outcome, answers = _ask(second_breaks, 4, timeout_s=0.1)
    assert (outcome.answered, outcome.errors) == (4, 1)
    by_id = {answer.id: answer.reply for answer in answers}
    assert len(by_id) == len(answers) == 4
    assert (by_id["q1"].error or "").startswith(error)
    assert by_id["q3"] == Reply(value="3")


def test_latency_is_working_time_without_the_wait_for_a_turn() -> None:
    async def work(_: Prompt) -> Reply:
        await asyncio.sleep(0.05)
        return Reply()

    _, answers = _ask(work, 6, concurrency=1)
    assert all(45 <= (answer.latency_ms or 0) < 150 for answer in answers)


def test_the_latency_of_a_timeout_leaves_out_the_ending() -> None:
    async def slow_to_end(_: Prompt) -> Reply:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.5)
        return Reply()

    _, answers = _ask(slow_to_end, 1, timeout_s=0.1, canary=False)
    assert 95 <= (answers[0].latency_ms or 0) < 300


def test_progress_counts_up_and_estimates_the_rest() -> None:
    seen: list[Progress] = []
    _ask(_echo, 3, progress=seen)
    # At the start, then as each of the three begins and ends.
    assert len(seen) == 7
    assert [p.answered for p in seen] == sorted(p.answered for p in seen)
    assert (seen[-1].answered, seen[-1].total, seen[-1].errors) == (3, 3, 0)
    assert seen[0].eta_s is None
    assert seen[-1].eta_s == 0
    assert all(p.in_flight <= 2 for p in seen)


def test_the_estimate_is_mean_working_time_over_the_lanes() -> None:
    now = 0.0
    seen: list[Progress] = []

    async def stop_after_the_first(prompt: Prompt) -> Reply:
        nonlocal now
        now += 10
        if prompt.text == "1":
            raise KeyboardInterrupt
        return Reply(cost=Decimal("0.25"), usage=Usage(input_tokens=900, output_tokens=100))

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(
            ask(
                _trials(9),
                Source(stop_after_the_first),
                concurrency=4,
                timeout_s=99,
                record=lambda _: None,
                on_progress=seen.append,
                clock=lambda: now,
            )
        )
    # One answer took 10 s and a quarter; 8 are left, 4 at once: 20 s and two dollars.
    assert seen[2] == Progress(
        answered=1, total=9, in_flight=0, errors=0, elapsed_s=10.0, eta_s=20.0, tokens=1000,
        cost=Decimal("0.25"), eta_cost=Decimal("2.00"),
    )  # fmt: skip


def test_a_record_that_fails_ends_the_run() -> None:
    def full(_: Sequence[Answer]) -> None:
        raise RecordError("disk full")

    with pytest.raises(RecordError, match="disk full"):
        asyncio.run(
            ask(
                _trials(5),
                Source(_echo),
                concurrency=2,
                timeout_s=5,
                record=full,
                canary=False,
            )
        )


def test_cancelling_ends_the_analysts_and_keeps_what_was_answered() -> None:
    ended: list[str] = []
    answers: list[Answer] = []

    async def work(prompt: Prompt) -> Reply:
        if prompt.text == "0":
            return Reply(value="0")
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            ended.append(prompt.text)
        return Reply()

    async def main() -> None:
        run = asyncio.create_task(
            ask(_trials(5), Source(work), concurrency=3, timeout_s=60, record=answers.extend)
        )
        await asyncio.sleep(0.1)
        run.cancel()
        await run

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert sorted(ended) == ["1", "2", "3"]
    assert [answer.id for answer in answers] == ["q0"]
