"""The whole demo suite asked of the Claude agent: real SDK, HTTP, warehouse and context."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.analysts.claude.source import open_claude
from goldsuite.analysts.toolbox import Toolbox
from goldsuite.context.resolve import resolve_context
from goldsuite.model.answer import Answer
from goldsuite.model.question import Question, Trial
from goldsuite.runner.pool import ask
from goldsuite.runner.throttle import Throttle
from goldsuite.warehouse.engines import open_warehouse
from tests.analysts.claude_agents import MODEL, only_the_stand_in
from tests.stand_in.process import StandIn, call, say, stand_in, thinking
from warehouse.build import DEFAULT_TARGET, build

FIXTURES = Path(__file__).parents[2] / "fixtures"
NOTES = ".knowledge/datasets/kettlewick/metrics/index.yaml"
CASES: list[dict[str, Any]] = yaml.load(  # every scalar as the text that was written
    (FIXTURES / "gold-cases.yaml").read_text(encoding="utf-8"),
    Loader=yaml.BaseLoader,  # noqa: S506  makes texts alone
)["cases"]


def _sql(case: dict[str, Any]) -> str:
    gold = case["gold_sql"]
    return str(gold if isinstance(gold, str) else gold[0])


def _script(case: dict[str, Any]) -> list[Any]:
    """Looks about, errs in a name, repairs the query, and answers."""
    value = case["gold_value"]
    return [
        say(thinking("What is defined?"), call("list_context"), call("list_tables")),
        say(call("read_context", file=NOTES)),
        say(call("run_query", sql=f"select nothing_of_the_kind from ({_sql(case)}) as t")),
        say(thinking("That name was wrong."), call("run_query", sql=_sql(case))),
        say(
            call(
                "give_answer",
                analyst_value=value if isinstance(value, str) else "",
                analyst_query=_sql(case),
                definition_source="metric dictionary",
            )
        ),
    ]


async def _ask_all(service: StandIn) -> list[Answer]:
    answers: list[Answer] = []
    trials = [
        Trial(
            question=Question(id=case["id"], text=case["question"], split=case["split"], line=1),
            number=1,
            token=str(number),
        )
        for number, case in enumerate(CASES)
    ]
    context = resolve_context(FIXTURES / "context")
    with open_warehouse(f"duckdb:///{DEFAULT_TARGET}") as opened:
        throttle = Throttle(limit=8)
        catalog = opened.catalog()
        source = open_claude(
            MODEL,
            options=ClaudeOptions(),
            toolbox=lambda: Toolbox(opened.analyst, catalog, context),
            pace=throttle,
            dialect=opened.dialect,
            context=True,
            environ=service.environ,
        )
        try:
            await ask(
                trials,
                source,
                concurrency=8,
                timeout_s=300,
                record=answers.extend,
                throttle=throttle,
            )
        finally:
            await source.aclose()
    return answers


def test_each_case_is_answered_once_by_a_query_that_was_repaired(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    only_the_stand_in(monkeypatch)
    build(DEFAULT_TARGET)
    with stand_in() as service:
        service.script({case["question"]: _script(case) for case in CASES})
        answers = asyncio.run(_ask_all(service))
    assert sorted(answer.id for answer in answers) == sorted(case["id"] for case in CASES)
    cases = {case["id"]: case for case in CASES}
    for answer in answers:
        reply, case = answer.reply, cases[answer.id]
        assert (reply.error, reply.declined, reply.turns) == (None, None, 5)
        assert reply.query == _sql(case)
        assert reply.queries is not None
        failed, repaired = reply.queries
        assert failed.error is not None
        assert repaired.error is None
        assert repaired.rows is not None
        assert reply.calls is not None
        assert [made.accepted for made in reply.calls] == [True, True, True, False, True, True]
        assert reply.cost is not None
        assert reply.usage is not None
        # The first was asked alone: all others read from the cache what it wrote.
        assert reply.usage.input_tokens == 0
    written = [a.reply.usage.cache_write_tokens for a in answers if a.reply.usage]
    first, *others = [count for count in written if count is not None]
    assert all(count < first for count in others)
