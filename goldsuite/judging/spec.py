"""What a user writes to name a judge. Knows nothing of rubrics, which are key."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from goldsuite.analysts.claude.options import read_effort
from goldsuite.analysts.spec import read_spec
from goldsuite.errors import UsageError

__all__ = ["MAX_TOKENS", "JudgeSpec", "check_judge", "read_judge"]

MAX_TOKENS = 16_000
"""Of one reply, thinking included."""
_KIND = "anthropic"


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeSpec:
    """A judge as it was asked for."""

    model: str
    options: Mapping[str, str]
    """`effort`, `max_tokens` and `prices`, as given."""
    effort: str | None
    max_tokens: int


def read_judge(text: str) -> JudgeSpec:
    """The judge that `MODEL` or `anthropic:MODEL`, with options behind it, names.

    Raises:
        UsageError: it names no model, or an option cannot be meant.
    """
    spec = read_spec(text)
    is_bare = spec.kind != _KIND and not spec.target
    model = spec.kind if is_bare else spec.target if spec.kind == _KIND else ""
    if not model or ":" in text.split(maxsplit=1)[0].removeprefix(f"{_KIND}:"):
        raise UsageError(
            f"judge {text!r}: the name of a model is expected, such as claude-sonnet-5-5"
        )
    spec = replace(spec, kind=_KIND)
    spec.check_options("effort", "max_tokens", "prices")
    effort = spec.options.get("effort")
    return JudgeSpec(
        model=model,
        options=spec.options,
        effort=None if effort is None else read_effort(effort),
        max_tokens=spec.whole("max_tokens", MAX_TOKENS),
    )


def check_judge(text: str) -> None:
    """Find out before a run whether its judge can be asked; nothing is sent.

    Raises:
        UsageError: as `read_judge`.
        ConfigurationError: there are no credentials, or they or the address cannot be meant.
    """
    read_judge(text)
    from goldsuite.analysts.claude.client import open_client

    open_client(os.environ)
