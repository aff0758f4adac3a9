"""Warehouse URLs, masked for every eye.

`mask_url` works on text, not on a parsed URL, because a URL that no parser accepts still holds the
password that its owner typed.
"""

import re
from urllib.parse import unquote

MASK = "***"

_SECRET_NAMES = re.compile(
    r"pass|pwd|token|secret|key|credential|auth|signature|sig$|private|odbc_connect", re.IGNORECASE
)
# A value ends where the next `name=` starts, so that a raw `&` in a password cannot cut it short.
_PARAMETER = re.compile(r"([?&;])([^=&;?]+)=(.*?)(?=[&;][\w.%\-]+=|$)", re.DOTALL)
_PLAIN_HOST = re.compile(r"[^@:/?]*(:\d*)?(/[^@?]*)?")
# `user:password/db`, where `@host` was forgotten: what follows the colon is no port.
_MISSING_HOST = re.compile(r"^([^/:?@\[]+):(?!\d*(?:[/?]|$))[^/?@]+(?=[/?]|$)")


def mask_url(url: str) -> str:
    """`url` with the password and every secret-looking parameter as `***`.

    Never fails: a malformed URL loses more of its text rather than a part of its secret.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = "", url
    if separator:
        rest = _MISSING_HOST.sub(rf"\1:{MASK}", rest)
    return scheme + separator + _mask_parameters(_mask_password(rest))


def has_secret(url: str) -> bool:
    """Whether `url` holds anything that `mask_url` hides."""
    return mask_url(url) != url


def is_secret(name: str) -> bool:
    """Whether a URL parameter of this name holds a secret."""
    return _SECRET_NAMES.search(unquote(name)) is not None


def _mask_password(rest: str) -> str:
    head, query_mark, query = rest.partition("?")
    if rest.startswith("/") or "@" not in rest:
        return rest
    if "@" not in head and query_mark and "=" in query and _PLAIN_HOST.fullmatch(head):
        return rest  # The only @ stands in a parameter.
    # The last @, because a password typed raw may hold one itself.
    credentials, _, tail = rest.rpartition("@")
    user, colon, _ = credentials.partition(":")
    return f"{user}{colon}{MASK if colon else ''}@{tail}"


def _mask_parameters(rest: str) -> str:
    def masked(match: re.Match[str]) -> str:
        mark, name, value = match.groups()
        shown = MASK if value and is_secret(name) else value
        return f"{mark}{name}={shown}"

    return _PARAMETER.sub(masked, rest)
