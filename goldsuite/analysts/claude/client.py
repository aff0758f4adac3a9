"""The SDK's client: one for the whole run, with credentials that were looked for before it starts.

Retries are turned off: the run's pace is the one place that sends a request again.
"""

from collections.abc import AsyncIterator, Mapping
from urllib.parse import urlsplit

import httpx2
from anthropic import (
    AnthropicError,
    AsyncAnthropic,
    DefaultAioHttpClient,
    DefaultAsyncHttpxClient,
    Timeout,
)

from goldsuite.analysts.masking import Mask, mask_for
from goldsuite.errors import AnalystError, ConfigurationError

__all__ = ["MAX_REPLY_BYTES", "open_client", "secrets_of"]

MAX_REPLY_BYTES = 32_000_000
"""Of one reply as it comes over the wire: more is a fault, and would fill the memory."""
_TIMEOUT = Timeout(600.0, connect=15.0)
"""Seconds without a byte. The run's own deadline for a question is what ends a trial."""
_SECRETS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS")


def open_client(environ: Mapping[str, str]) -> AsyncAnthropic:
    """A client for the address and credentials that `environ`, or else a profile, names.

    Nothing is sent. Profiles are looked up by the SDK, in the environment of this process.

    Raises:
        ConfigurationError: there are no credentials, or they or the address cannot be meant.
    """
    base_url = environ.get("ANTHROPIC_BASE_URL", "").strip() or None
    _check_address(base_url)
    key, token = (_credential(environ, name) for name in _SECRETS[:2])
    http = _http_client()
    try:
        client = AsyncAnthropic(
            api_key=key,
            auth_token=None if key else token,
            base_url=base_url,
            max_retries=0,
            timeout=_TIMEOUT,
            http_client=http,
        )
    except AnthropicError as error:
        raise ConfigurationError(
            f"The credentials for Anthropic's service cannot be read: {error}"
        ) from None
    if not _has_credentials(client):
        raise ConfigurationError(
            "There are no credentials for Anthropic's service. Set ANTHROPIC_API_KEY (or "
            "ANTHROPIC_AUTH_TOKEN), or name a profile in ANTHROPIC_PROFILE."
        )
    return client


def secrets_of(environ: Mapping[str, str], client: AsyncAnthropic) -> Mask:
    """What must never be written down."""
    named = {name: environ[name] for name in _SECRETS if environ.get(name)}
    headers = named.pop("ANTHROPIC_CUSTOM_HEADERS", "")
    for number, line in enumerate(headers.splitlines()):
        named[f"header_{number}"] = line.partition(":")[2].strip()
    bare = {name: value.strip() for name, value in named.items() if value.strip()}
    for name in ("api_key", "auth_token"):
        if value := getattr(client, name):
            bare[name] = value
    return mask_for(bare, str(client.base_url))


def _check_address(base_url: str | None) -> None:
    if base_url is None:
        return
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
        _ = parts.port
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(
            "ANTHROPIC_BASE_URL is no address: http:// or https:// and a host are expected."
        )


def _credential(environ: Mapping[str, str], name: str) -> str | None:
    value = environ.get(name, "").strip()
    if not value.isascii() or any(not c.isprintable() or c.isspace() for c in value):
        # Checked here, because the HTTP library's own complaint would quote the value.
        raise ConfigurationError(
            f"{name} holds a space, a line break or another character that no key has. Set it anew."
        )
    return value or None


def _has_credentials(client: AsyncAnthropic) -> bool:
    headers = {name.lower() for name, value in client.default_headers.items() if value}
    return client.credentials is not None or bool(headers & {"authorization", "x-api-key"})


def _http_client() -> httpx2.AsyncClient:
    hooks = {"response": [_bound]}
    try:
        return DefaultAioHttpClient(event_hooks=hooks)
    except RuntimeError:  # aiohttp, which halves the work per call, is not installed
        return DefaultAsyncHttpxClient(event_hooks=hooks)


async def _bound(response: httpx2.Response) -> None:
    """Called by the HTTP library when the headers are there and the body is not yet read."""
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends with an error where it grows beyond all measure."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_REPLY_BYTES:
                raise AnalystError(
                    f"oversized reply: more than {MAX_REPLY_BYTES:,} bytes for one request"
                )
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
