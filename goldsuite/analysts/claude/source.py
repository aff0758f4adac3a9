"""`anthropic:MODEL`: makes one agent per trial over one client for the run.

Importing this module loads the SDK, which takes over a second.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from goldsuite.analysts.base import Pace, PromptCount
from goldsuite.analysts.brief import write_tool_brief
from goldsuite.analysts.claude.answer_tool import ANSWER_TOOL
from goldsuite.analysts.claude.client import open_client, secrets_of
from goldsuite.analysts.claude.conversation import Conversation
from goldsuite.analysts.claude.meter import Meter
from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.analysts.claude.service import Service, SharedPrompt
from goldsuite.analysts.masking import Mask
from goldsuite.analysts.prices import PriceTable, read_prices
from goldsuite.analysts.toolbox import Toolbox, ToolSpec
from goldsuite.errors import UsageError
from goldsuite.model.answer import Reply, Usage
from goldsuite.model.question import Prompt

__all__ = ["ClaudeSource", "open_claude"]

_PUBLIC_ADDRESS = "https://api.anthropic.com"


def open_claude(
    model: str,
    *,
    options: ClaudeOptions,
    toolbox: Callable[[], Toolbox],
    pace: Pace,
    dialect: str,
    context: bool,
    environ: Mapping[str, str] | None = None,
    prices: PriceTable | None = None,
) -> "ClaudeSource":
    """The source of agents for one run. Nothing is sent; credentials are looked for.

    Args:
        model: what stands behind `anthropic:`.
        options: what the user set.
        toolbox: makes the tools of one trial.
        pace: sends every request, and again what the service failed at.
        dialect: sqlglot's name of the warehouse's SQL dialect.
        context: whether the toolbox can read the team's notes.
        environ: our own variables; None for `os.environ`.
        prices: what tokens cost; None for the packaged table.

    Raises:
        UsageError: `model` names none.
        ConfigurationError: there are no credentials, or they or the address cannot be meant.
    """
    if not model.strip() or model.split() != [model]:
        raise UsageError(
            f"analyst 'anthropic:{model}': the name of a model is expected, such as "
            "anthropic:claude-sonnet-5-5."
        )
    environ = os.environ if environ is None else environ
    client = open_client(environ)
    mask = secrets_of(environ, client)
    prices = read_prices() if prices is None else prices
    address = mask.text(str(client.base_url).rstrip("/"))
    setup = _Setup(
        model=model,
        service=Service(client, model=model, options=options, mask=mask),
        options=options,
        pace=pace,
        dialect=dialect,
        context=context,
        mask=mask,
        prices=prices,
    )
    return ClaudeSource(setup, toolbox, notes=_notes(setup, address))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Setup:
    """What all trials of a run share."""

    model: str
    service: Service
    options: ClaudeOptions
    pace: Pace
    dialect: str
    context: bool
    mask: Mask
    prices: PriceTable

    def shared_prompt(self, as_of: date | None, tools: tuple[ToolSpec, ...]) -> SharedPrompt:
        """What stands before the question: the same bytes for every trial.

        Its end is marked for the cache. The first question of a run is asked alone, so it writes
        what all the others read.
        """
        brief = write_tool_brief(dialect=self.dialect, as_of=as_of, context=self.context)
        return {
            "system": [{"type": "text", "text": brief, "cache_control": {"type": "ephemeral"}}],
            "tools": [*map(_tool, tools), ANSWER_TOOL],
        }


def _tool(spec: ToolSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "description": spec.description,
        "input_schema": dict(spec.input_schema),
    }


def _notes(setup: _Setup, address: str) -> dict[str, str]:
    model, options, prices = setup.model, setup.options, setup.prices
    known = prices.price(model) is not None
    return {
        "effort": options.effort or "the model's default",
        "max_turns": str(options.max_turns),
        "max_tokens": str(options.max_tokens),
        "prices": prices.origin if known else f"none known for {model}: no cost",
        **({} if address == _PUBLIC_ADDRESS else {"address": address}),
    }


class ClaudeSource:
    """Makes agents that share the client, the brief and the tools' descriptions."""

    def __init__(
        self, setup: _Setup, toolbox: Callable[[], Toolbox], *, notes: Mapping[str, str]
    ) -> None:
        self._setup = setup
        self._toolbox = toolbox
        self._notes = notes

    @property
    def name(self) -> str:
        """`anthropic:MODEL`."""
        return f"anthropic:{self._setup.model}"

    @property
    def model(self) -> str | None:
        """As it was asked for."""
        return self._setup.model

    @property
    def isolation(self) -> str:
        """`in-process`: the model sees what the tools give, and they cannot reach the key."""
        return "in-process"

    @property
    def notes(self) -> Mapping[str, str]:
        """Options, where the prices come from, and an address that is not the usual one."""
        return self._notes

    def fresh(self) -> "ClaudeAnalyst":
        """An agent with tools of its own and no memory."""
        return ClaudeAnalyst(self._setup, self._toolbox())

    async def count_tokens(self, prompt: Prompt) -> PromptCount:
        """Count the first request for `prompt`, without having it answered.

        Raises:
            AnalystError: the service did not count it.
        """
        setup = self._setup
        shared = setup.shared_prompt(prompt.as_of, self._toolbox().tools)
        messages = [{"role": "user", "content": prompt.text}]
        tokens = await setup.pace.send(lambda: setup.service.count_tokens(shared, messages))
        usage = Usage(input_tokens=tokens, output_tokens=0)
        return PromptCount(input_tokens=tokens, cost=setup.prices.cost(setup.model, usage))

    async def aclose(self) -> None:
        """Close the client."""
        await self._setup.service.aclose()


class ClaudeAnalyst:
    """One agent for one question."""

    def __init__(self, setup: _Setup, toolbox: Toolbox) -> None:
        self._setup = setup
        self._toolbox = toolbox

    async def answer(self, prompt: Prompt) -> Reply:
        """Answer `prompt`; every fault is told in `Reply.error`.

        Raises:
            SpendLimitError: the account can spend no more; the question stays unanswered.
        """
        setup = self._setup
        conversation = Conversation(
            setup.service,
            setup.pace,
            self._toolbox,
            Meter(setup.prices, setup.model),
            prompt=setup.shared_prompt(prompt.as_of, self._toolbox.tools),
            options=setup.options,
            dialect=setup.dialect,
        )
        return setup.mask.reply(await conversation.hold(prompt.text))
