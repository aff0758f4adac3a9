"""Keeps secrets out of every text that is written down.

What is secret is told by where it came from: the values of the variables that were passed on by
name, and the passwords inside the warehouse URL and inside any URL that was passed on. Errors lose
all of them. Answers lose those whose name says credential or whose value is no plain word: a region
or a schema has to stay, since it may be part of the SQL. Each is known in the spellings that
programs print it in: JSON, Python, and percent-encoded.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from goldsuite.model.answer import LoggedQuery, Reply, ToolCall, TraceEvent

__all__ = ["Mask", "credentials_in", "mask_for"]

_SHORTEST = 4
"""Characters. A shorter value (`1`, `eu`) protects nothing, and masking it would garble text."""
_SHORTEST_CREDENTIAL = 8
_CREDENTIAL_NAME = re.compile(
    r"key|tok(?:en)?(?![a-z])|secret|pass|pwd|credential|auth|cookie|bearer|private|"
    r"(?:\A|_)(?:pw|pat|sig|signature)(?:\Z|_)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[-_./: ]*(?:(?:[A-Za-z]+\d{0,4}|\d{1,4})(?:[-_./: ]+|\Z))*|\d+")
"""A region, a schema, a path, a date, a model: words, with short numbers set apart or behind."""
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
            tools=self._names(reply.tools),
            skills=self._names(reply.skills),
            calls=None if reply.calls is None else tuple(map(self._call, reply.calls)),
            queries=None if reply.queries is None else tuple(map(self._query, reply.queries)),
            trace=tuple(map(self._event, reply.trace)),
            declined=_optional(reply.declined, self.secrets),
            error=_optional(reply.error, self.secrets),
        )

    def _names(self, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if names is None else tuple(_without(n, self.credentials) for n in names)

    def _call(self, call: ToolCall) -> ToolCall:
        return replace(
            call,
            name=_without(call.name, self.credentials),
            arguments=_optional(call.arguments, self.credentials),
        )

    def _query(self, query: LoggedQuery) -> LoggedQuery:
        return replace(
            query,
            sql=_without(query.sql, self.credentials),
            value=_optional(query.value, self.credentials),
            error=_optional(query.error, self.secrets),
        )

    def _event(self, event: TraceEvent) -> TraceEvent:
        # A trace is a log: it is read by people, and nothing is computed from it.
        return replace(
            event,
            text=_without(event.text, self.secrets),
            name=_optional(event.name, self.credentials),
        )


def mask_for(passed: Mapping[str, str], url: str) -> Mask:
    """The mask for variables that were `passed` on by name, and for the warehouse `url`."""
    in_url = _url_secrets(url)
    inside = [s for value in passed.values() if "://" in value for s in _url_secrets(value)]
    # An address without a secret is left readable: it says which warehouse could not be reached.
    from_url = [url, *in_url] if in_url else []
    credentials = [value for name, value in passed.items() if _is_credential(name, value)]
    strict = [s for s in (*credentials, *in_url, *inside) if len(s) >= _SHORTEST_CREDENTIAL]
    lines = [
        line
        for value in passed.values()
        for line in value.splitlines()
        if len(line) >= _SHORTEST_CREDENTIAL
    ]
    secrets = [s for s in (*passed.values(), *from_url, *inside) if len(s) >= _SHORTEST]
    return Mask(
        secrets=_longest_first(_spellings((*secrets, *lines))),
        credentials=_longest_first(_spellings(strict)),
    )


def credentials_in(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables whose names say that they hold a credential, for code that has them all."""
    return {
        name: value
        for name, value in environ.items()
        if _CREDENTIAL_NAME.search(name) and len(value) >= _SHORTEST_CREDENTIAL
    }


def _is_credential(name: str, value: str) -> bool:
    return bool(_CREDENTIAL_NAME.search(name)) or not _PLAIN.fullmatch(value)


def _spellings(secrets: Iterable[str]) -> Iterator[str]:
    """Each secret as it stands, and as programs write it into texts."""
    for secret in secrets:
        yield secret
        yield json.dumps(secret)[1:-1]
        yield json.dumps(secret, ensure_ascii=False)[1:-1]
        yield repr(secret)[1:-1]
        encodable = secret.encode("utf-8", "replace")
        yield quote(encodable, safe="")
        yield quote(encodable)
        yield quote_plus(encodable)


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
