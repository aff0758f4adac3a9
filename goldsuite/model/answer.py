"""What an analyst answered, before anyone knows whether it is right."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

DefinitionSource: TypeAlias = Literal["metric dictionary", "my own choice"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens of one trial, by kind; None where the analyst does not tell."""

    input_tokens: int | None = None
    """Uncached input."""
    cache_write_tokens: int | None = None
    cache_read_tokens: int | None = None
    output_tokens: int | None = None
    """Thinking included."""


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
    declined: str | None = None
    """Why there is no answer although nothing broke: refused, or out of its own turns or tokens."""
    error: str | None = None
    """What broke (crash, timeout, malformed reply); then the verdict is `analyst_error`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A reply, bound to the case it was given for: one row of the journal."""

    id: str
    """Of the case."""
    trial: int
    reply: Reply
    latency_ms: float | None = None
    """Milliseconds that the analyst worked, by a monotonic clock; None where not measured."""
