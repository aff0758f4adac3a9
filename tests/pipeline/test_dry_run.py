"""Pricing a run before it is started."""

import asyncio
from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import pytest

from goldsuite.analysts.base import Analyst, PromptCount
from goldsuite.errors import AnalystError
from goldsuite.model.question import Prompt, Question
from goldsuite.pipeline.dry_run import count_prompts, estimate
from goldsuite.runner.plan import plan_trials

TRIALS = plan_trials(
    Question(id=f"q{n}", text=f"question {n}", split="train", line=n + 1) for n in range(9)
)


class Source:
    """A source that is never asked."""

    name, model, isolation = "test", "m", "in-process"
    notes: Mapping[str, str] = {}
    closed = False

    def fresh(self) -> Analyst:
        raise AssertionError("a dry run asks nothing")

    async def aclose(self) -> None:
        self.closed = True


class Counting(Source):
    """One that can count."""

    def __init__(self) -> None:
        self.counted: list[Prompt] = []

    async def count_tokens(self, prompt: Prompt) -> PromptCount:
        self.counted.append(prompt)
        return PromptCount(input_tokens=1000 + len(self.counted), cost=Decimal("0.002"))


class Broken(Source):
    """One whose service does not count."""

    async def count_tokens(self, _: Prompt) -> PromptCount:
        raise AnalystError("no credentials")


def test_the_first_the_middle_and_the_last_prompt_are_counted() -> None:
    source = Counting()
    counts, note = asyncio.run(count_prompts(source, TRIALS, date(2026, 1, 31)))
    assert [prompt.text for prompt in source.counted] == ["question 0", "question 4", "question 8"]
    assert all(prompt.as_of == date(2026, 1, 31) for prompt in source.counted)
    assert ([count.input_tokens for count in counts], note) == ([1001, 1002, 1003], None)
    assert source.closed


@pytest.mark.parametrize(
    ("source", "note"),
    [(Source(), None), (Broken(), "tokens could not be counted: no credentials")],
)
def test_what_cannot_be_counted_is_not_made_up(source: Source, note: str | None) -> None:
    assert asyncio.run(count_prompts(source, TRIALS, None)) == ([], note)
    assert source.closed


def test_all_first_requests_cost_what_the_counted_ones_do_on_the_average() -> None:
    priced = [PromptCount(input_tokens=n, cost=Decimal(c)) for n, c in ((100, "1"), (200, "3"))]
    assert estimate(priced, 10) == (1500, Decimal(20))
    assert estimate([*priced, PromptCount(input_tokens=300)], 10) == (2000, None)
    assert estimate([], 10) == (None, None)
