"""Sends one request to the service and reads its reply: one try, whole or as a stream."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, cast

from anthropic import AsyncAnthropic
from anthropic.types import Message

from goldsuite.analysts.claude.faults import fault_of
from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.analysts.claude.turn import Turn, read_turn
from goldsuite.analysts.masking import Mask
from goldsuite.errors import AnalystError, GoldsuiteError, ServiceError

__all__ = ["Service", "SharedPrompt"]

_LOGGER = logging.getLogger(__name__)
_LONGEST_WHOLE = 21_333
"""Output tokens: the SDK refuses to wait for more without a stream."""
_EPHEMERAL = {"type": "ephemeral"}

SharedPrompt = Mapping[str, Any]
"""`system` and `tools` of a request: the same bytes for every trial, so that the cache holds."""


class Service:
    """The model, behind one client for the whole run."""

    def __init__(
        self, client: AsyncAnthropic, *, model: str, options: ClaudeOptions, mask: Mask
    ) -> None:
        self._client = client
        self._model = model
        self._mask = mask
        self._options = options
        self._streams = options.max_tokens > _LONGEST_WHOLE

    async def ask(self, prompt: SharedPrompt, messages: Sequence[Mapping[str, Any]]) -> Turn:
        """The model's reply to `messages`. Cancelling closes the connection.

        Raises:
            ServiceError: the service failed; asking again may help.
            SpendLimitError: the account can spend no more.
            AnalystError: the request was refused, or the reply cannot be read.
        """
        request = self._request(prompt, messages)
        try:
            body = await (self._stream(request) if self._streams else self._whole(request))
            return read_turn(body)
        except Exception as error:  # noqa: BLE001  the SDK lets any kind of error through
            fault = self._fault(error)
        # Here, not above: there the SDK's error would hang on it, with the request and its secrets.
        raise fault

    async def count_tokens(
        self, prompt: SharedPrompt, messages: Sequence[Mapping[str, Any]]
    ) -> int:
        """Tokens of input that `messages` would be, by the service's own count.

        Raises:
            AnalystError: as for `ask`.
        """
        request = cast(Any, {"model": self._model, "messages": messages, **prompt})
        try:
            return int((await self._client.messages.count_tokens(**request)).input_tokens)
        except Exception as error:  # noqa: BLE001  the SDK lets any kind of error through
            fault = self._fault(error)
        raise fault

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _request(
        self, prompt: SharedPrompt, messages: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self._model,
            "max_tokens": self._options.max_tokens,
            "messages": messages,
            # Marks the end of the conversation so far; the end of `system` has a mark of its own.
            "cache_control": _EPHEMERAL,
            **prompt,
        }
        if self._options.effort is not None:
            request["output_config"] = {"effort": self._options.effort}
        return request

    async def _whole(self, request: dict[str, Any]) -> object:
        return _plain(await self._client.messages.create(**request))

    async def _stream(self, request: dict[str, Any]) -> object:
        async with self._client.messages.stream(**request) as stream:
            kind = stream.response.headers.get("content-type", "")
            if not kind.startswith("text/event-stream"):
                raise AnalystError(f"malformed reply: a stream was asked for, and {kind!r} came")
            try:
                message = await stream.get_final_message()
            except AssertionError:
                raise ServiceError("the stream ended before it began") from None
        if message.stop_reason is None:
            raise ServiceError("the stream ended before the reply was complete")
        return _plain(message)

    def _fault(self, error: Exception) -> GoldsuiteError:
        fault = fault_of(error, self._mask)
        if not isinstance(error, GoldsuiteError):
            _LOGGER.debug("a request failed: %s", fault, exc_info=error)
        return fault


def _plain(message: object) -> object:
    if isinstance(message, Message):
        return message.to_dict(mode="json", warnings=False)
    if isinstance(message, str):
        begin = " ".join(message[:200].split())
        raise AnalystError(
            f"malformed reply: no JSON but {begin!r}. Does ANTHROPIC_BASE_URL name the service?"
        )
    return message
