"""What an analyst answered, before anyone knows whether it is right."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

DefinitionSource: TypeAlias = Literal["metric dictionary", "my own choice"]
ErrorSource: TypeAlias = Literal["analyst", "service", "timeout"]
"""Whose fault an error was: the analyst's own, that of the service it calls (429, 5xx, network), or
that it did not end in time."""
TraceKind: TypeAlias = Literal["text", "thinking", "tool_call", "tool_result", "note"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens of one trial, by kind; None where the analyst does not tell."""

    input_tokens: int | None = None
    """Uncached input."""
    cache_write_tokens: int | None = None
    """Written to the cache for five minutes, or for a time that is not told."""
    cache_write_1h_tokens: int | None = None
    cache_read_tokens: int | None = None
    output_tokens: int | None = None
    """Thinking included."""
    thinking_tokens: int | None = None
    """A part of `output_tokens`, never added to it."""

    def by_kind(self) -> dict[str, int] | None:
        """Counts as the record has them; kinds that were not told are left out, None without any.

        `thinking` is a part of `output`.
        """
        kinds = {
            "input": self.input_tokens,
            "cache_write": self.cache_write_tokens,
            "cache_write_1h": self.cache_write_1h_tokens,
            "cache_read": self.cache_read_tokens,
            "output": self.output_tokens,
            "thinking": self.thinking_tokens,
        }
        return {kind: count for kind, count in kinds.items() if count is not None} or None


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """One call that the analyst made."""

    name: str
    arguments: str | None = None
    """As JSON text; None where not told."""
    accepted: bool | None = None
    """False where the tool answered with an error; None where not told."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LoggedQuery:
    """One statement that really ran for the analyst, by the log of the door it went through."""

    sql: str
    rows: int | None = None
    """None where it failed."""
    value: str | None = None
    """The one cell of a result of one row and one column, as text; else None."""
    error: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TraceEvent:
    """One step of the analyst's work, for people to read."""

    kind: TraceKind
    text: str
    name: str | None = None
    """Of the tool."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What an analyst gives back for one prompt; knows nothing of cases."""

    value: str | None = None
    """As said: text, or a number in the analyst's own writing. None or empty: no value given."""
    query: str | None = None
    """The SQL that the analyst says it ran."""
    definition_source: str | None = None
    """As said; the two expected values are those of `DefinitionSource`."""
    usage: Usage | None = None
    cost: Decimal | None = None
    """US dollars; None where not measured."""
    turns: int | None = None
    tools: tuple[str, ...] | None = None
    """Names of the tools called, in order; None where the analyst does not tell."""
    calls: tuple[ToolCall, ...] | None = None
    """The same calls with what is known of each; None where the analyst does not tell."""
    skills: tuple[str, ...] | None = None
    """Names of the skills that were activated, in order; None where the analyst does not tell."""
    queries: tuple[LoggedQuery, ...] | None = None
    """What ran through a door of ours, in order; None where the analyst has its own way in."""
    trace: tuple[TraceEvent, ...] = ()
    declined: str | None = None
    """Why there is no answer although nothing broke: refused, or out of its own turns or tokens."""
    error: str | None = None
    """What broke (crash, timeout, malformed reply); then the verdict is `analyst_error`."""
    error_source: ErrorSource | None = None
    """Whose fault `error` was; None without one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A reply, bound to the case it was given for: one row of the journal."""

    id: str
    """Of the case."""
    trial: int
    reply: Reply
    latency_ms: float | None = None
    """Milliseconds that the analyst worked, by a monotonic clock; None where not measured. Waiting
    for a service that limits its rate is not in it."""
    waited_ms: float | None = None
    """Milliseconds of waiting for such a service; None where there is none."""
    retries: int | None = None
    """Requests sent again after a fault of the service; None where there is no service."""
