"""What a user writes to name an analyst: `KIND`, `KIND:TARGET`, or either with options behind it.

`anthropic:claude-sonnet-5-5 effort=high max_turns=20` has two options. They are part of the name,
so that one command can compare two settings of one agent, and a run is only resumed with the same.
A `command:` line is the program's own: it has no options of ours.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from goldsuite.errors import UsageError
from goldsuite.nearest import did_you_mean

__all__ = ["AnalystSpec", "kind_of", "read_spec"]

_WHOLE = frozenset({"command", "replay"})
"""Kinds whose target is all that follows: a command line, a file whose name may hold blanks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnalystSpec:
    """An analyst as it was asked for."""

    kind: str
    target: str
    """What stands behind the first colon, without options; "" where there is no colon."""
    options: Mapping[str, str]

    def check_options(self, *known: str, prefix: str | None = None) -> None:
        """Refuse options that are none of `known` and do not begin with `prefix`.

        Raises:
            UsageError: there is such an option.
        """
        for name in self.options:
            if name in known or (
                prefix is not None and name.removeprefix(prefix) not in {name, ""}
            ):
                continue
            shown = (*known, *((f"{prefix}NAME",) if prefix else ()))
            hint = did_you_mean(name, known) or (
                f" Known: {', '.join(shown)}." if shown else " It has none."
            )
            raise UsageError(f"analyst {self.kind!r}: unknown option {name!r}.{hint}")

    def whole(self, name: str, default: int) -> int:
        """The option `name` as a whole number of 1 or more.

        Raises:
            UsageError: it is none.
        """
        text = self.options.get(name)
        if text is None:
            return default
        if not text.isascii() or not text.isdecimal() or int(text) < 1:
            raise UsageError(
                f"analyst {self.kind!r}: {name}={text}: a whole number of 1 or more is expected."
            )
        return int(text)


def kind_of(text: str) -> str:
    """The kind that `text` begins with, whatever follows; "" for blank text."""
    words = text.split(maxsplit=1)
    return words[0].partition(":")[0] if words else ""


def read_spec(text: str) -> AnalystSpec:
    """Take the name of an analyst apart.

    Raises:
        UsageError: a quotation does not end, or a word behind the target is no NAME=VALUE.
    """
    kind, _, rest = text.strip().partition(":")
    if kind in _WHOLE:
        return AnalystSpec(kind=kind, target=rest.strip(), options={})
    try:
        first, *others = shlex.split(text)
    except ValueError as error:
        message = f"analyst {text!r}: {error}." if text.strip() else "the analyst is empty."
        raise UsageError(message) from None
    kind, _, target = first.partition(":")
    options: dict[str, str] = {}
    for word in others:
        name, equals, value = word.partition("=")
        if not name or not equals or name in options:
            raise UsageError(
                f"analyst {kind!r}: {word!r}: options behind the name are written NAME=VALUE, each "
                "once."
            )
        options[name] = value
    return AnalystSpec(kind=kind, target=target, options=options)
