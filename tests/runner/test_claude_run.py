"""A run of the Claude agent under the runner's throttle, with every fault of the service in it."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

import pytest

from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.analysts.claude.source import open_claude
from goldsuite.analysts.toolbox import Toolbox
from goldsuite.errors import RunStoppedError, SpendLimitError
from goldsuite.model.answer import Answer
from goldsuite.model.question import Question, Trial
from goldsuite.runner.pool import ask
from goldsuite.runner.throttle import Throttle
from tests.analysts.claude_agents import (
    ANSWERED,
    MODEL,
    STREAMED,
    WHOLE,
    Lab,
    lab,
    only_the_stand_in,
)
from tests.analysts.claude_faults import BROKEN, Step
from tests.stand_in.process import error


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with lab(tmp_path_factory.mktemp("shop")) as found:
        yield found


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    only_the_stand_in(monkeypatch)


class _Clock:
    """Moves when someone sleeps, and then at once."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def _run(shop: Lab, scripts: Mapping[str, Sequence[Step]], options: ClaudeOptions) -> list[Answer]:
    """What was put on record: one trial per script, which is its question."""
    shop.stand_in.script(scripts)
    trials = [
        Trial(question=Question(id=name, text=name, split="train", line=1), number=1, token=name)
        for name in scripts
    ]
    answers: list[Answer] = []
    clock = _Clock()

    async def run() -> None:
        throttle = Throttle(limit=1, clock=clock, sleep=clock.sleep, uniform=lambda low, _high: low)
        source = open_claude(
            MODEL,
            options=options,
            toolbox=lambda: Toolbox(shop.warehouse.analyst, shop.warehouse.catalog, shop.notes),
            pace=throttle,
            dialect="sqlite",
            context=True,
            environ=shop.stand_in.environ,
        )
        try:
            await ask(
                trials,
                source,
                concurrency=1,
                timeout_s=300,
                record=answers.extend,
                clock=clock,
                throttle=throttle,
            )
        finally:
            await source.aclose()

    asyncio.run(run())
    return answers


@pytest.mark.parametrize("options", [WHOLE, STREAMED], ids=["whole", "streamed"])
def test_every_fault_ends_in_exactly_one_answer_and_the_run_goes_on(
    shop: Lab, options: ClaudeOptions
) -> None:
    broken = {name: step for name, kind, step, _, _ in BROKEN if kind is options}
    sources = {name: source for name, kind, _, source, _ in BROKEN if kind is options}
    scripts = {"first": [ANSWERED], **{n: [s] for n, s in broken.items()}, "last": [ANSWERED]}
    answers = _run(shop, scripts, options)
    assert [answer.id for answer in answers] == list(scripts)
    assert {a.id: a.reply.error_source for a in answers if a.id in broken} == sources
    assert [a.reply.value for a in (answers[0], answers[-1])] == ["3", "3"]


def test_a_storm_is_waited_out_and_the_waiting_is_not_the_agents_work(shop: Lab) -> None:
    storm = [error(429, "rate_limit_error", retry_after="3600")] * 3
    _, answer = _run(shop, {"first": [ANSWERED], "storm": [*storm, ANSWERED]}, WHOLE)
    assert (answer.reply.value, answer.retries) == ("3", 3)
    # The service asks for an hour each time; the cap of the throttle is two minutes.
    assert answer.waited_ms == 360_000
    assert answer.latency_ms == 0


def test_a_spend_limit_ends_the_run_with_the_question_unanswered(shop: Lab) -> None:
    spent = error(429, "rate_limit_error", code="contract_spend_limit_reached")
    with pytest.raises(SpendLimitError, match="can spend no more"):
        _run(shop, {"first": [ANSWERED], "spent": [spent], "never": [ANSWERED]}, WHOLE)
    asked = [body["messages"][0]["content"][0]["text"] for body in shop.stand_in.bodies()]
    assert asked == ["first", "spent"]


def test_a_refused_key_stops_the_run_at_the_first_question(shop: Lab) -> None:
    refused = error(401, "authentication_error")
    with pytest.raises(RunStoppedError, match="Check ANTHROPIC_API_KEY"):
        _run(shop, {"first": [refused], "never": [ANSWERED]}, WHOLE)
    assert len(shop.stand_in.bodies()) == 1
