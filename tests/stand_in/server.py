"""A strict local stand-in of the Messages API, in a process of its own, for tests.

    python -m tests.stand_in.server

prints its port, and serves until its standard input is closed. What it replies is told by scripts:
for each question a list of steps, gone through in order and begun again at the end.
"""

import asyncio
import json
import sys
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any

from tests.stand_in.prompt_cache import PromptCache, count_tokens
from tests.stand_in.replies import Drops, Hangs, Step, send
from tests.stand_in.rules import Memory, refusals
from tests.stand_in.wire import Request, read_request, whole

KEY = "sk-stand-in-0123456789"
_JSON = {"content-type": "application/json"}
_REMEMBERED = 500
"""Requests that a test can look at."""


class StandInServer:
    """Scripts, what was seen, and the connections."""

    def __init__(self) -> None:
        self.scripts: dict[str, Sequence[Step]] = {}
        self.places: Counter[str] = Counter()
        self.seen: deque[dict[str, Any]] = deque(maxlen=_REMEMBERED)
        self.asked = 0
        self.open = 0
        self.numbered = 0
        self.memory = Memory()
        self.cache = PromptCache()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own = False
        self.open += 1
        try:
            while (request := await read_request(reader)) is not None:
                if request.path.startswith("/stand_in/"):
                    self.open -= not own  # the tests' own connection is not counted
                    own = True
                    writer.write(self._control(request))
                    await writer.drain()
                else:
                    await self._reply(request, writer)
        except Hangs:
            await reader.read(1)
        except (Drops, ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # cancelled at the end of all, where asyncio would complain
        finally:
            self.open -= not own
            writer.close()

    def _control(self, request: Request) -> bytes:
        if request.path == "/stand_in/scripts":
            self.scripts = request.json()
            self.places.clear()
            self.seen.clear()
        state: dict[str, Any] = {"asked": self.asked, "open": self.open}
        if request.path == "/stand_in/seen":
            state["requests"] = list(self.seen)
        return whole(200, json.dumps(state).encode(), _JSON)

    async def _reply(self, request: Request, writer: asyncio.StreamWriter) -> None:
        body = request.json() if request.method == "POST" else {}
        self.asked += 1
        self.seen.append({"path": request.path, "body": body, "headers": dict(request.headers)})
        refused = self._refused(request, body)
        if refused is not None:
            status, kind, message = refused
            writer.write(_error(status, kind, message))
            await writer.drain()
        elif request.path.endswith("/count_tokens"):
            counted = {"input_tokens": count_tokens(body)}
            writer.write(whole(200, json.dumps(counted).encode(), _JSON))
            await writer.drain()
        else:
            await self._step(body, writer)

    async def _step(self, body: Mapping[str, Any], writer: asyncio.StreamWriter) -> None:
        question = _question(body)
        script = self.scripts.get(question) or self.scripts["*"]
        step = script[self.places[question] % len(script)]
        self.places[question] += 1
        await asyncio.sleep(step.get("delay_s", 0))
        reply = step.get("reply") or self._message(body, step)
        self.memory.keep(reply)
        await send(step, reply, writer, streamed=bool(body.get("stream")))

    def _message(self, body: Mapping[str, Any], step: Step) -> dict[str, Any]:
        content = [self._numbered(block) for block in step.get("say", [])]
        calls = any(block.get("type") == "tool_use" for block in content)
        usage = {**self.cache.usage(body), "output_tokens": len(json.dumps(content)) // 4 + 1}
        return {
            "id": f"msg_{self.asked}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": step.get("stop", "tool_use" if calls else "end_turn"),
            "stop_sequence": None,
            "stop_details": step.get("stop_details"),
            "usage": step.get("usage", usage),
        }

    def _numbered(self, block: Mapping[str, Any]) -> dict[str, Any]:
        """`block`, a call with an id that no other has."""
        if block.get("type") != "tool_use" or "id" in block:
            return dict(block)
        self.numbered += 1
        return {"type": "tool_use", "id": f"toolu_{self.numbered:06}", **block}

    def _refused(self, request: Request, body: Mapping[str, Any]) -> tuple[int, str, str] | None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        given = given or request.headers.get("x-api-key", "")
        if given != KEY:
            # A careless gateway, which quotes what it was given.
            return 401, "authentication_error", f"invalid credentials: {given}"
        if request.path not in {"/v1/messages", "/v1/messages/count_tokens"}:
            return 404, "not_found_error", f"no such path: {request.path}"
        if "anthropic-version" not in request.headers:
            return 400, "invalid_request_error", "anthropic-version: header is required"
        if not str(body.get("model", "")).startswith("claude-"):
            return 404, "not_found_error", f"model: {body.get('model')}"
        counted = {"max_tokens": 1} if request.path.endswith("/count_tokens") else {}
        faults = list(refusals({**counted, **body}, self.memory))
        if not faults and not counted and _question(body) not in self.scripts:
            faults = [] if "*" in self.scripts else ["the stand-in has no script for this"]
        return (400, "invalid_request_error", "; ".join(faults)) if faults else None


def _question(body: Mapping[str, Any]) -> str:
    content = body["messages"][0]["content"]
    return str(content if isinstance(content, str) else content[0]["text"])


def _error(status: int, kind: str, message: str) -> bytes:
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return whole(status, json.dumps(body).encode(), {**_JSON, "request-id": "req_refused"})


_MAX_HEAD = 1_000_000


async def main() -> None:
    stand_in = StandInServer()
    server = await asyncio.start_server(stand_in.serve, "127.0.0.1", 0, limit=_MAX_HEAD)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
