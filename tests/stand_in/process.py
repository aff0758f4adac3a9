"""Starting the stand-in, telling it what to reply, and the words of its scripts."""

import contextlib
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.stand_in.server import KEY

__all__ = ["KEY", "StandIn", "call", "error", "fault", "say", "stand_in", "text", "thinking"]

ROOT = Path(__file__).parents[2]
_NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))

Step = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class StandIn:
    """A running stand-in."""

    url: str

    @property
    def environ(self) -> dict[str, str]:
        """The variables that lead the SDK to it."""
        return {"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": KEY}

    def script(self, scripts: Mapping[str, Sequence[Step]]) -> None:
        """Reply by `scripts` from now on: steps by question, `*` for all others."""
        self._control("scripts", json.dumps(scripts).encode())

    def seen(self) -> dict[str, Any]:
        """Requests since the last script, and the connections."""
        return self._control("seen", None)

    def connections(self) -> int:
        """How many are open, but for our own."""
        return int(self._control("connections", None)["open"])

    def bodies(self) -> list[dict[str, Any]]:
        """The body of each request since the last script."""
        return [request["body"] for request in self.seen()["requests"]]

    def _control(self, what: str, data: bytes | None) -> dict[str, Any]:
        request = urllib.request.Request(f"{self.url}/stand_in/{what}", data=data)  # noqa: S310
        request.add_header("connection", "close")
        with _NO_PROXY.open(request, timeout=30) as response:
            state = json.loads(response.read())
        assert isinstance(state, dict)
        return state


@contextlib.contextmanager
def stand_in() -> Iterator[StandIn]:
    """A stand-in in a process of its own, ended at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.stand_in.server"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield StandIn(url=f"http://127.0.0.1:{int(process.stdout.readline())}")
    finally:
        process.stdin.close()
        process.stdout.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


# -- Words of scripts ------------------------------------------------------------------------------


def say(*blocks: Mapping[str, Any], **rest: Any) -> Step:
    """A reply of `blocks`; `stop`, `usage`, `stop_details`, `delay_s` in `rest`."""
    return {"say": blocks, **rest}


def text(words: str) -> Mapping[str, Any]:
    return {"type": "text", "text": words}


def thinking(words: str) -> Mapping[str, Any]:
    return {"type": "thinking", "thinking": words, "signature": f"signed({words})"}


def call(tool: str, /, **arguments: Any) -> Mapping[str, Any]:
    return {"type": "tool_use", "name": tool, "input": arguments}


def fault(kind: str, **rest: Any) -> Step:
    """A fault as `replies.send` knows it."""
    return {"fault": kind, **rest}


def error(
    status: int, kind: str, message: str = "told", *, code: str | None = None, **headers: str
) -> Step:
    """An error of the service, with `headers` such as `retry_after`."""
    details = {} if code is None else {"details": {"error_code": code}}
    body = {"type": "error", "error": {"type": kind, "message": message, **details}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return fault("status", status=status, body=body, headers=named)
