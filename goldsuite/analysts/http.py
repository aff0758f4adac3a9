"""`http:` and `https:` analysts: a service that is posted one question and answers in JSON.

The request is `{"question", "token", "as_of", "dialect"}`, the reply one object in the words of
`answers.jsonl`. What authenticates us comes from environment variables and never gets into a text.
Redirects are refused: they would carry headers to where nobody meant them to go.
"""

import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from goldsuite.analysts.base import Pace
from goldsuite.analysts.masking import Mask, mask_for
from goldsuite.analysts.reply import read_object
from goldsuite.analysts.retry_after import retry_after_s
from goldsuite.analysts.row_fields import decode_json
from goldsuite.errors import AnalystError, ServiceError, UsageError
from goldsuite.model.answer import Reply
from goldsuite.model.question import Prompt

if TYPE_CHECKING:
    import httpx2

__all__ = ["HttpSource"]

_ENOUGH = frozenset({"analyst_value", "analyst_query", "declined", "error"})
_CONNECT_S = 15.0
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_OVERLOADED = frozenset({429, 529})
_LONGEST = 300


class HttpSource:
    """Posts every question to one address, over one client for the run."""

    def __init__(
        self,
        url: str,
        *,
        pace: Pace,
        dialect: str,
        headers: Mapping[str, str] | None = None,
        ca_file: Path | None = None,
        environ: Mapping[str, str] | None = None,
        max_bytes: int = 10_000_000,
    ) -> None:
        """Check the address and look the headers up; nothing is sent.

        Args:
            url: where to post.
            pace: sends every request, and again what the service failed at.
            dialect: sqlglot's name of the warehouse's SQL dialect; part of the request.
            headers: name of a header -> name of the variable that holds it.
            ca_file: certificates to trust in place of the system's.
            environ: our own variables; None for `os.environ`.
            max_bytes: of one reply.

        Raises:
            UsageError: the address, a variable or the file is no good.
        """
        parts = _checked(url)
        values = _values(headers or {}, os.environ if environ is None else environ)
        self._place = f"{parts.scheme}://{parts.netloc}{parts.path}"
        self._mask = mask_for({f"AUTH_{name}": value for name, value in values.items()}, url)
        self._exchange = _Exchange(
            client=_client(ca_file, values),
            url=url,
            dialect=dialect,
            mask=self._mask,
            max_bytes=max_bytes,
        )
        self._pace = pace
        self._notes = _notes(parts, headers or {}, ca_file)

    @property
    def name(self) -> str:
        """The address, without a query: that may hold a secret."""
        return self._place

    @property
    def model(self) -> str | None:
        """A service does not tell."""
        return None

    @property
    def isolation(self) -> str:
        """`remote`: it gets the question alone; what it knows besides is not known here."""
        return "remote"

    @property
    def notes(self) -> Mapping[str, str]:
        """The headers that were sent, by the names of their variables."""
        return self._notes

    def fresh(self) -> "HttpAnalyst":
        """An analyst that shares the connections alone."""
        return HttpAnalyst(self._exchange, self._pace)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._exchange.client.aclose()


class HttpAnalyst:
    """One question to the service."""

    def __init__(self, exchange: "_Exchange", pace: Pace) -> None:
        self._exchange = exchange
        self._pace = pace

    async def answer(self, prompt: Prompt) -> Reply:
        """Post the question and read the answer.

        Raises:
            ServiceError: the service failed on every try.
            AnalystError: it refused the request, or its reply is no answer.
        """
        reply = await self._pace.send(lambda: self._exchange.ask(prompt))
        return self._exchange.mask.reply(reply)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Exchange:
    """One request and its reply, told in errors of ours."""

    client: "httpx2.AsyncClient"
    url: str
    dialect: str
    mask: Mask
    max_bytes: int

    async def ask(self, prompt: Prompt) -> Reply:
        import httpx2

        as_of = None if prompt.as_of is None else prompt.as_of.isoformat()
        body = {
            "question": prompt.text,
            "token": prompt.token,
            "as_of": as_of,
            "dialect": self.dialect,
        }
        try:
            async with self.client.stream("POST", self.url, json=body) as response:
                content = await self._content(response)
        except httpx2.TransportError as error:
            raise self._broken(error) from None
        except httpx2.HTTPError as error:
            raise AnalystError(f"the request failed: {self._told(error)}") from None
        if response.status_code != 200:
            raise self._refused(response, content)
        return _read(content, self.mask)

    async def _content(self, response: "httpx2.Response") -> bytes:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            # It was asked for as it is: a few packed bytes could unfold into gigabytes.
            raise AnalystError("the service's reply is compressed, which was not asked for")
        content = bytearray()
        async for part in response.aiter_raw():
            content += part
            if len(content) > self.max_bytes:
                raise AnalystError(f"the service's reply is longer than {self.max_bytes:,} bytes")
        return bytes(content)

    def _broken(self, error: Exception) -> AnalystError:
        if any(isinstance(e, ssl.SSLCertVerificationError) for e in _causes(error)):
            return AnalystError(
                f"the service's certificate is not trusted: {self._told(error)}. Name the "
                "certificates to trust: ca_file=FILE."
            )
        return ServiceError(f"the connection to the service failed: {self._told(error)}")

    def _refused(self, response: "httpx2.Response", content: bytes) -> AnalystError:
        status = response.status_code
        said = self._short(content.decode("utf-8", "replace"))
        what = f"the service answered {status}{': ' if said else ''}{said}"
        if status in _OVERLOADED or status == 408 or status >= 500:
            return ServiceError(
                what,
                retry_after_s=retry_after_s(response.headers),
                overloaded=status in _OVERLOADED,
            )
        if 300 <= status < 400:
            return AnalystError(f"{what}; redirects are not followed: name the address it leads to")
        return AnalystError(what)

    def _told(self, error: Exception) -> str:
        text = self._short(str(error))
        return f"{type(error).__name__}{': ' if text else ''}{text}"

    def _short(self, text: str) -> str:
        # Masked before it is cut: the rest of a secret that was cut in two is not known as one.
        return " ".join(self.mask.text(text).split())[:_LONGEST]


def _read(content: bytes, mask: Mask) -> Reply:
    try:
        text = content.decode("utf-8-sig")
        fields, end = decode_json(text, len(text) - len(text.lstrip()))
    except ValueError as error:
        begin = mask.text(content.decode("utf-8", "replace"))[:100]
        raise AnalystError(
            f"the service's reply is no JSON ({error}); it begins {begin!r}"
        ) from None
    if not isinstance(fields, dict) or text[end:].strip():
        raise AnalystError("the service's reply is not one JSON object")
    if _ENOUGH.isdisjoint(fields):
        keys = ", ".join(map(repr, list(fields)[:10])) or "none"
        raise AnalystError(
            "the service's reply has neither 'analyst_value' nor 'analyst_query', 'declined' or "
            f"'error'; its keys: {mask.text(keys)}"
        )
    return read_object(fields)


def _checked(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(
            f"analyst {url.partition('?')[0]!r}: an address such as https://agent.example/ask is "
            "expected."
        )
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            "analyst: the address holds a name or a password, which would show on the command "
            "line. Put what authenticates you into a variable: header.Authorization=VARIABLE."
        )
    return parts


def _values(headers: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    values = {}
    for name, variable in headers.items():
        value = environ.get(variable, "").strip()
        if not value:
            raise UsageError(
                f"analyst: header.{name}={variable}: the variable {variable!r} is not set. Name "
                "the variable that holds the header, not the header itself."
            )
        if not (name + value).isascii() or not (name + value).isprintable():
            raise UsageError(
                f"analyst: header.{name}={variable}: only printable ASCII can be sent in a header."
            )
        values[name] = value
    return values


def _client(ca_file: Path | None, headers: Mapping[str, str]) -> "httpx2.AsyncClient":
    import httpx2

    verify: ssl.SSLContext | bool = True
    if ca_file is not None:
        try:
            verify = ssl.create_default_context(cafile=ca_file)
        except (OSError, ssl.SSLError) as error:
            raise UsageError(f"analyst: ca_file={ca_file}: cannot be used: {error}.") from None
    return httpx2.AsyncClient(
        headers={"accept": "application/json", "accept-encoding": "identity", **headers},
        verify=verify,
        follow_redirects=False,
        # How long an answer may take is the run's to say; how many are asked at once, the pace's.
        timeout=httpx2.Timeout(None, connect=_CONNECT_S),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=100),
    )


def _notes(parts: SplitResult, headers: Mapping[str, str], ca_file: Path | None) -> dict[str, str]:
    notes: dict[str, Any] = {
        "headers": ", ".join(f"{name} from {variable}" for name, variable in headers.items()),
        "ca_file": "" if ca_file is None else ca_file.name,
        "transport": "not encrypted"
        if parts.scheme == "http" and parts.hostname not in _LOCAL
        else "",
    }
    return {key: text for key, text in notes.items() if text}


def _causes(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
