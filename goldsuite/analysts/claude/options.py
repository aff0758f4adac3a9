"""How an `anthropic:` analyst works: what a user can set."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from goldsuite.errors import UsageError
from goldsuite.nearest import did_you_mean

__all__ = ["EFFORTS", "ClaudeOptions", "Effort", "read_effort"]

Effort: TypeAlias = Literal["low", "medium", "high", "xhigh", "max"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaudeOptions:
    """What holds for every trial of a run."""

    effort: Effort | None = None
    """None for the model's own default."""
    max_turns: int = 40
    """Replies of the model in one trial, at least 1. The last is announced to it."""
    max_tokens: int = 16_000
    """Output tokens of one reply, thinking included, at least 1."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant.

        Raises:
            UsageError: a number below 1.
        """
        for name, value in (("max_turns", self.max_turns), ("max_tokens", self.max_tokens)):
            if value < 1:
                raise UsageError(f"{name} is {value!r}, and 1 or more is expected")


def read_effort(text: str) -> Effort:
    """The effort that `text` names.

    Raises:
        UsageError: there is none of that name.
    """
    for effort in EFFORTS:
        if effort == text.strip().lower():
            return effort
    hint = did_you_mean(text, EFFORTS) or f" Known: {', '.join(EFFORTS)}."
    raise UsageError(f"effort {text!r} is not known.{hint}")
