"""Keeps secrets out of every text that is written down.

What is secret is told by where it came from, not by how it looks: the values of the variables that
were passed on by name, and the password inside the warehouse URL.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, unquote, urlsplit

from goldsuite.model.answer import Reply

__all__ = ["Mask", "mask_for"]

_SHORTEST = 4
"""Characters. A shorter value (`1`, `eu`) protects nothing, and masking it would garble text."""
_SHORTEST_CREDENTIAL = 8
_CREDENTIAL_NAME = re.compile(r"key|token|secret|passw|pwd|credential|auth", re.IGNORECASE)
_STARS = "***"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mask:
    """Replaces secrets by `***`."""

    secrets: tuple[str, ...] = ()
    """Longest first, so that a secret inside of another one leaves no rest."""
    credentials: tuple[str, ...] = ()
    """Those that are masked in answers too, where a region or a schema name has to stay."""

    def text(self, text: str) -> str:
        """`text` for an error or a log."""
        return _without(text, self.secrets)

    def reply(self, reply: Reply) -> Reply:
        """`reply` for the journal: the error without any secret, the answer without credentials."""
        return replace(
            reply,
            value=_optional(reply.value, self.credentials),
            query=_optional(reply.query, self.credentials),
            definition_source=_optional(reply.definition_source, self.credentials),
            declined=_optional(reply.declined, self.secrets),
            error=_optional(reply.error, self.secrets),
        )


def mask_for(passed: Mapping[str, str], url: str) -> Mask:
    """The mask for variables that were `passed` on by name, and for the warehouse `url`."""
    in_url = _url_secrets(url)
    # An address without a secret is left readable: it says which warehouse could not be reached.
    from_url = [url, *in_url] if in_url else []
    credentials = [value for name, value in passed.items() if _CREDENTIAL_NAME.search(name)]
    strict = [s for s in (*credentials, *in_url) if len(s) >= _SHORTEST_CREDENTIAL]
    lines = [
        line
        for value in passed.values()
        for line in value.splitlines()
        if len(line) >= _SHORTEST_CREDENTIAL
    ]
    secrets = [s for s in (*passed.values(), *from_url) if len(s) >= _SHORTEST]
    return Mask(secrets=_longest_first((*secrets, *lines)), credentials=_longest_first(strict))


def _url_secrets(url: str) -> list[str]:
    try:
        parts = urlsplit(url)
        password = parts.password
    except ValueError:  # not a URL at all, so who knows what it holds
        return [url]
    found = [] if password is None else [password, unquote(password)]
    return found + [
        value for name, value in parse_qsl(parts.query) if _CREDENTIAL_NAME.search(name)
    ]


def _longest_first(secrets: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(secrets), key=lambda secret: (-len(secret), secret)))


def _without(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, _STARS)
    return text


def _optional(text: str | None, secrets: Iterable[str]) -> str | None:
    return None if text is None else _without(text, secrets)
