"""What an exception of the SDK means for the run: ask again, stop, or count it against this case.

The SDK lets many kinds through (its own, those of two HTTP libraries, of the JSON reader, bare
assertions), so every kind is given a meaning here.
"""

import json
from collections.abc import Iterator

import httpx2
from anthropic import AnthropicError, APIConnectionError, APIStatusError, APITimeoutError

from goldsuite.analysts.masking import Mask
from goldsuite.analysts.retry_after import retry_after_s
from goldsuite.errors import AnalystError, GoldsuiteError, ServiceError, SpendLimitError

try:
    from aiohttp import ClientError as _AioHttpError
except ImportError:  # an extra; without it the other HTTP library is at work

    class _AioHttpError(Exception):  # type: ignore[no-redef]
        pass


__all__ = ["fault_of"]

_SPENT = frozenset(
    {
        "contract_spend_limit_reached",
        "enforced_spend_limit_reached",
        "linked_organization_spend_limit_reached",
    }
)
_OVERLOADED = frozenset({"rate_limit_error", "overloaded_error"})
_SERVICE_TYPES = frozenset({*_OVERLOADED, "api_error", "timeout_error"})
_SERVICE_STATUS = frozenset({408, 409, 429})
_HINTS = {
    401: "Check ANTHROPIC_API_KEY.",
    403: "The key may not do this.",
    404: "Check the model's name and ANTHROPIC_BASE_URL.",
}
_NETWORK = (httpx2.RequestError, httpx2.StreamError, _AioHttpError, OSError, TimeoutError)
_LONGEST = 500


def fault_of(error: Exception, mask: Mask) -> GoldsuiteError:
    """The error of ours that `error` means; its text holds no secret.

    `SpendLimitError` where the account can spend no more, `ServiceError` where asking again may
    help, `AnalystError` for everything else.
    """
    for cause in _causes(error):
        if isinstance(cause, GoldsuiteError):
            return cause
    if isinstance(error, APIStatusError):
        return _status_fault(error, mask)
    if isinstance(error, APITimeoutError):
        return ServiceError("the service did not answer in time")
    if isinstance(error, APIConnectionError):
        return ServiceError(f"the connection to the service failed: {_told(_root(error), mask)}")
    if isinstance(error, _NETWORK):
        return ServiceError(f"the connection broke while a reply came: {_told(error, mask)}")
    if isinstance(error, json.JSONDecodeError):
        return ServiceError(f"truncated or garbled reply: no JSON: {error.msg}")
    if isinstance(error, AnthropicError):
        return AnalystError(f"the request could not be made: {_told(error, mask)}")
    return AnalystError(f"malformed reply: {_told(error, mask)}")


def _status_fault(error: APIStatusError, mask: Mask) -> GoldsuiteError:
    status, kind = error.status_code, error.type if isinstance(error.type, str) else None
    said = error.api_message if isinstance(error.api_message, str) else str(error)
    parts = [f"{status}" if status >= 400 else "in the stream", kind or ""]
    place = f" (request {error.request_id})" if error.request_id else ""
    what = f"{' '.join(filter(None, parts))}: {_short(mask.text(said))}{mask.text(place)}"
    if error.error_code in _SPENT or status == 402 or kind == "billing_error":
        return SpendLimitError(
            f"The account can spend no more, so the run stopped: {what}. Raise the limit, then "
            "resume the run."
        )
    if _is_the_services(status, kind):
        return ServiceError(
            f"the service failed: {what}",
            retry_after_s=retry_after_s(error.response.headers),
            overloaded=status in {429, 529} or kind in _OVERLOADED,
        )
    hint = f" {_HINTS[status]}" if status in _HINTS else ""
    return AnalystError(f"the service refused the request: {what}.{hint}")


def _is_the_services(status: int, kind: str | None) -> bool:
    if status < 400:  # told inside a reply that had begun well
        return kind in _SERVICE_TYPES
    return status >= 500 or status in _SERVICE_STATUS


def _causes(error: BaseException) -> Iterator[BaseException]:
    # Not __context__: that would be the fault of the try before.
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__


def _root(error: BaseException) -> BaseException:
    return error.__cause__ or error


def _told(error: BaseException, mask: Mask) -> str:
    text = _short(mask.text(str(error)))
    return f"{type(error).__name__}{': ' if text else ''}{text}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
