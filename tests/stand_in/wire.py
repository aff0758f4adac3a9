"""Just enough HTTP/1.1 on asyncio streams: every byte that goes out is in our hands, faults too."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_BODY = 64_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request of a connection; None where the client has closed it."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.split("\r\n")
    method, path, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    length = int(headers.get("content-length", "0"))
    if length > MAX_BODY:
        return None
    body = await reader.readexactly(length)
    return Request(method=method, path=path.partition("?")[0], headers=headers, body=body)


def head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [
        f"HTTP/1.1 {status} Stand-in",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def whole(status: int, body: bytes, headers: Mapping[str, str]) -> bytes:
    """A response with its length told."""
    return head(status, {**headers, "content-length": str(len(body))}) + body


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


LAST_CHUNK = b"0\r\n\r\n"


def event(name: str, data: object) -> bytes:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
