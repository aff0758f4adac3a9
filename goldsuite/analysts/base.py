"""What an analyst is to the runner: something that answers one prompt."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol, TypeVar, runtime_checkable

from goldsuite.model.answer import Reply
from goldsuite.model.question import Prompt

_T = TypeVar("_T")


class Pace(Protocol):
    """What holds requests to a service to the rate that it bears; one for the whole run."""

    async def send(self, request: Callable[[], Awaitable[_T]]) -> _T:
        """The result of `request`, which is called again where it raised `ServiceError`.

        Waits before a try, for the service's own `retry_after_s` (up to a cap) or by exponential
        backoff with full jitter. The time waited is no part of the trial's latency.

        Raises:
            ServiceError: the last try failed too.
            Exception: whatever else `request` raised, at once.
        """
        ...


class Analyst(Protocol):
    """Answers one question, with no memory of any other."""

    async def answer(self, prompt: Prompt) -> Reply:
        """Answer `prompt`.

        A fault of the analyst is told in `Reply.error`, or raised as
        `goldsuite.errors.AnalystError`; cancelling the task must end everything it started.
        """
        ...


class AnalystSource(Protocol):
    """Makes a fresh analyst for every trial of a run."""

    @property
    def name(self) -> str:
        """How the record names it, without secrets: `baseline`, `command:my-agent`."""
        ...

    @property
    def model(self) -> str | None:
        """The language model behind it; None where it has none or does not tell."""
        ...

    @property
    def isolation(self) -> str:
        """What kept the key away: `in-process`; `directory` or `sandboxed` for other programs."""
        ...

    @property
    def notes(self) -> Mapping[str, str]:
        """What the record should say besides, such as withheld variables; no secrets."""
        ...

    def fresh(self) -> Analyst:
        """A new analyst that shares no state with earlier ones."""
        ...

    async def aclose(self) -> None:
        """Release what the run held: directories, processes, connections."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptCount:
    """What asking one question takes at least."""

    input_tokens: int
    """Of the first request: instructions, tools and question."""
    cost: Decimal | None = None
    """US dollars of that input alone, uncached; None where the model has no known price."""


@runtime_checkable
class CountsTokens(Protocol):
    """An `AnalystSource` may do this besides: then a run can be priced before it is started."""

    async def count_tokens(self, prompt: Prompt) -> PromptCount:
        """Count the first request for `prompt`, without having it answered.

        Raises:
            AnalystError: the service did not count it.
        """
        ...
