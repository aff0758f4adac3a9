"""A real service on loopback: what is posted, what is read, and every way it can fail."""

import asyncio
import json
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

import pytest

from goldsuite.analysts.http import HttpSource
from goldsuite.errors import AnalystError, ServiceError, UsageError
from goldsuite.model.answer import Reply, Usage
from goldsuite.model.question import Prompt

_T = TypeVar("_T")
PROMPT = Prompt(token="t-1", text="How many orders in München?", as_of=date(2025, 12, 31))


class Once:
    """A pace that tries once."""

    async def send(self, request: Callable[[], Awaitable[_T]]) -> _T:
        return await request()


@dataclass(kw_only=True)
class Service:
    """Answers every request in the same way, and keeps what it was sent."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """Sent in place of all of it."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    sent: list[dict[str, str]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/ask"


def _handler(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            service.asked.append(json.loads(self.rfile.read(length)))
            service.sent.append({name.lower(): value for name, value in self.headers.items()})
            with suppress(BrokenPipeError, ConnectionResetError):
                self._reply()

        def _reply(self) -> None:
            if service.raw is not None:
                self.wfile.write(service.raw)
                self.close_connection = True
                return
            self.send_response(service.status)
            for name, value in service.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(service.body)))
            self.end_headers()
            self.wfile.write(service.body)

        def log_message(self, *_: object) -> None:
            return

    return Handler


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    made = Service()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(made))
    made.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


def _ask(url: str, **options: Any) -> Reply:
    async def go() -> Reply:
        source = HttpSource(url, pace=Once(), dialect="duckdb", **options)
        try:
            return await source.fresh().answer(PROMPT)
        finally:
            await source.aclose()

    return asyncio.run(go())


def test_the_question_is_posted_and_the_words_of_an_answer_are_read(service: Service) -> None:
    service.body = (
        b'{"analyst_value": 12.50, "analyst_query": "select 1", "definition_source": "My own '
        b'choice.", "cost": 0.01, "usage": {"input_tokens": 7}, "turns": 2, "tools": ["sql"],'
        b' "other": 1}'
    )
    assert _ask(service.url) == Reply(
        value="12.50",
        query="select 1",
        definition_source="my own choice",
        cost=Decimal("0.01"),
        usage=Usage(input_tokens=7),
        turns=2,
        tools=("sql",),
    )
    assert service.asked == [
        {
            "question": "How many orders in München?",
            "token": "t-1",
            "as_of": "2025-12-31",
            "dialect": "duckdb",
        }
    ]


def test_headers_come_from_variables_and_leave_no_trace(service: Service) -> None:
    service.status, service.body = 403, b"Bearer sk-12345678 is not allowed"
    with pytest.raises(AnalystError) as caught:
        _ask(
            service.url,
            headers={"Authorization": "AGENT_AUTH"},
            environ={"AGENT_AUTH": "Bearer sk-12345678"},
        )
    assert service.sent[0]["authorization"] == "Bearer sk-12345678"
    assert str(caught.value) == "the service answered 403: *** is not allowed"


@pytest.mark.parametrize(
    ("status", "headers", "overloaded", "wait"),
    [
        (429, {"retry-after": "17"}, True, 17.0),
        (529, {"retry-after-ms": "250"}, True, 0.25),
        (503, {}, False, None),
        (500, {"retry-after": "soon"}, False, None),
        (408, {}, False, None),
    ],
)
def test_a_fault_of_the_service_may_be_asked_again(
    service: Service, status: int, headers: dict[str, str], overloaded: bool, wait: float | None
) -> None:
    service.status, service.headers = status, headers
    with pytest.raises(ServiceError) as caught:
        _ask(service.url)
    assert (caught.value.overloaded, caught.value.retry_after_s) == (overloaded, wait)


@pytest.mark.parametrize(
    ("status", "headers", "body", "part"),
    [
        (200, {}, b"<html>", "no JSON"),
        (200, {}, b"", "no JSON"),
        (200, {}, b"\xff\xfe", "no JSON"),
        (200, {}, b'{"analyst_value": 1', "no JSON"),
        (200, {}, b'{"analyst_value": 1} {}', "not one JSON object"),
        (200, {}, b"[1]", "not one JSON object"),
        (200, {}, b'{"value": 1}', "its keys: 'value'"),
        (200, {}, b'{"analyst_value": 1, "cost": "much"}', "'cost' is 'much'"),
        (200, {"content-encoding": "gzip"}, b"x", "is compressed"),
        (200, {}, b"x" * 2_001, "longer than 2,000 bytes"),
        (302, {"location": "http://127.0.0.1:1/"}, b"", "redirects are not followed"),
        (404, {}, b"no such path", "the service answered 404: no such path"),
        (204, {}, b"", "the service answered 204"),
    ],
)
def test_a_reply_that_is_no_answer_says_what_is_wrong(
    service: Service, status: int, headers: dict[str, str], body: bytes, part: str
) -> None:
    service.status, service.headers, service.body = status, headers, body
    with pytest.raises(AnalystError) as caught:
        _ask(service.url, max_bytes=2_000)
    assert part in str(caught.value)
    assert not isinstance(caught.value, ServiceError)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{",
    ],
)
def test_a_connection_that_breaks_is_the_services_fault(service: Service, raw: bytes) -> None:
    service.raw = raw
    with pytest.raises(ServiceError, match="the connection to the service failed"):
        _ask(service.url)


def test_a_service_that_is_not_there_is_the_services_fault(service: Service) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(ServiceError, match="the connection to the service failed"):
            _ask(f"http://127.0.0.1:{port}/ask")


def test_declining_and_a_fault_of_its_own_are_taken_from_the_reply(service: Service) -> None:
    service.body = b'{"declined": "no such data"}'
    assert _ask(service.url) == Reply(declined="no such data")
    service.body = b'{"error": "my database is down", "queries": [{"sql": "select 1"}]}'
    assert _ask(service.url) == Reply(error="my database is down")


def test_certificates_are_verified_and_can_be_named(service: Service, tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip(reason="openssl is not installed, so there is no certificate to try")
    key, certificate = tmp_path / "key.pem", tmp_path / "ca.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    service.body = b'{"analyst_value": 1}'
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(service))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    url = f"https://127.0.0.1:{server.server_port}/ask"
    try:
        with pytest.raises(AnalystError, match=r"not trusted.*ca_file=FILE") as told:
            _ask(url)
        assert not isinstance(told.value, ServiceError)
        assert _ask(url, ca_file=certificate) == Reply(value="1")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("url", "options", "part"),
    [
        ("http://", {}, "an address such as"),
        ("https:agent", {}, "an address such as"),
        ("http://h:x/", {}, "an address such as"),
        ("https://me:pw@h/", {}, "header.Authorization=VARIABLE"),
        ("https://h/", {"headers": {"X-Key": "KEY"}}, "the variable 'KEY' is not set"),
        ("https://h/", {"headers": {"X-Key": "BAD"}}, "only printable ASCII"),
        ("https://h/", {"ca_file": Path("/no/such.pem")}, "cannot be used"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_run(
    url: str, options: dict[str, Any], part: str
) -> None:
    with pytest.raises(UsageError) as caught:
        HttpSource(url, pace=Once(), dialect="duckdb", environ={"BAD": "a\nb"}, **options)
    assert part in str(caught.value)
    assert "pw" not in str(caught.value)


def test_a_source_names_its_address_without_a_query() -> None:
    source = HttpSource(
        "http://agent.example:81/ask?key=sk-12345678",
        pace=Once(),
        dialect="duckdb",
        headers={"X-Key": "KEY"},
        environ={"KEY": "sk-87654321"},
    )
    assert (source.name, source.isolation) == ("http://agent.example:81/ask", "remote")
    assert source.notes == {"headers": "X-Key from KEY", "transport": "not encrypted"}
    asyncio.run(source.aclose())
