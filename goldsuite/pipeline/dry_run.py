"""What a run would ask, and what it would cost at least, with nothing asked."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from goldsuite.analysts.base import AnalystSource, CountsTokens, PromptCount
from goldsuite.errors import AnalystError
from goldsuite.model.question import Prompt, Trial
from goldsuite.pipeline.analyst_sources import open_analyst
from goldsuite.pipeline.asking import RunRequest, planned_trials, state_of
from goldsuite.pipeline.session import open_session_warehouse, read_context
from goldsuite.pipeline.settings import Settings
from goldsuite.runner.throttle import Throttle
from goldsuite.suite.intake import take_in

__all__ = ["DryRun", "count_prompts", "dry_run", "estimate"]

_COUNTED = 3
"""Prompts that are counted: they differ by the question alone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DryRun:
    """A run that was not started."""

    split: str
    suite: str
    warehouse: str
    """Masked."""
    analyst: str
    model: str | None
    isolation: str
    concurrency: int
    timeout_s: float
    cases: tuple[str, ...]
    """Ids, in the order of the suite."""
    trials: int
    input_tokens: int | None
    """Of all first requests together, by a few counted ones; None where they cannot be counted."""
    input_cost: Decimal | None
    """US dollars of that input. Further turns and answers come on top; None where not known."""
    note: str | None
    """Why nothing was counted, where something should have been."""


def dry_run(settings: Settings, request: RunRequest) -> DryRun:
    """Do all that a run does before its first question.

    Raises:
        GoldsuiteError: whatever would stop the run.
    """
    with open_session_warehouse(settings) as warehouse:
        intake = take_in(settings.suite, dialect=warehouse.dialect)
        context = read_context(settings, refresh=True)
        trials = planned_trials(settings, request, intake, state_of(context))
        throttle = Throttle(limit=settings.concurrency)
        with open_analyst(settings, warehouse, context, pace=throttle) as analyst:
            source = analyst.source
            counts, note = asyncio.run(
                count_prompts(source, trials, intake.questions.as_of or settings.as_of)
            )
            tokens, cost = estimate(counts, len(trials))
            return DryRun(
                split=request.split,
                suite=intake.questions.name,
                warehouse=warehouse.masked_url,
                analyst=analyst.name,
                model=source.model,
                isolation=source.isolation,
                concurrency=settings.concurrency,
                timeout_s=settings.timeout,
                cases=tuple(dict.fromkeys(trial.question.id for trial in trials)),
                trials=len(trials),
                input_tokens=tokens,
                input_cost=cost,
                note=note,
            )


async def count_prompts(
    source: AnalystSource, trials: Sequence[Trial], as_of: date | None
) -> tuple[list[PromptCount], str | None]:
    """Counts of the first, the middle and the last prompt, and why there are none.

    There are none where the source cannot count either. The source is closed.
    """
    try:
        if not isinstance(source, CountsTokens):
            return [], None
        places = sorted({0, len(trials) // 2, len(trials) - 1})[:_COUNTED]
        prompts = [
            Prompt(token=trials[at].token, text=trials[at].text, as_of=as_of) for at in places
        ]
        return [await source.count_tokens(prompt) for prompt in prompts], None
    except AnalystError as error:
        return [], f"tokens could not be counted: {error}"
    finally:
        await source.aclose()


def estimate(counts: Sequence[PromptCount], trials: int) -> tuple[int | None, Decimal | None]:
    """Tokens and US dollars of `trials` first requests, by the mean of the counted ones."""
    if not counts:
        return None, None
    tokens = round(sum(count.input_tokens for count in counts) / len(counts) * trials)
    costs = [count.cost for count in counts if count.cost is not None]
    if len(costs) < len(counts):
        return tokens, None
    return tokens, sum(costs, Decimal()) / len(costs) * trials
