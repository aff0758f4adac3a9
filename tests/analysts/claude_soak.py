"""Many faulty replies in one run, and what is left over after them."""

import asyncio
import gc
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.analysts.claude.source import ClaudeSource
from goldsuite.errors import SpendLimitError
from goldsuite.model.answer import Reply
from goldsuite.model.question import Prompt
from tests.analysts.claude_agents import ANSWER, STREAMED, WHOLE, Lab, Patience
from tests.stand_in.process import call, error, fault, say, text

__all__ = ["AT_ONCE", "Left", "soak", "trouble"]

_T = TypeVar("_T")
AT_ONCE = 20
_LOOKS = 1_000
_STREAM_FAULTS = (
    fault("cut", say=[ANSWER]),
    fault("ends_early", events=2, say=[text("Three.")]),
    fault("event", error={"type": "overloaded_error", "message": "Busy"}),
    fault("plain", say=[ANSWER]),
    say(text("Hm"), stop="bored"),
)
_WHOLE_FAULTS = (
    error(429, "rate_limit_error", retry_after="3600"),
    error(429, "rate_limit_error", code="enforced_spend_limit_reached"),
    error(529, "overloaded_error"),
    error(500, "api_error"),
    error(400, "invalid_request_error"),
    fault("drop"),
    fault("cut", say=[ANSWER]),
    fault("raw", body="<html>", type="text/html"),
    fault("raw", body='{"id": "m', type="application/json"),
    fault("raw", body='{"id": "msg_1"}', type="application/json"),
    say(stop="refusal"),
    say(text("Thr"), stop="max_tokens"),
    say(call("run_sql", sql="select 1"), stop="bored"),
)
_FAULTS = len(_STREAM_FAULTS) + len(_WHOLE_FAULTS)


class _Forgetful(Patience):
    """A pace that keeps no faults: each would hold on to what it was raised from."""

    async def send(self, request: Callable[[], Awaitable[_T]]) -> _T:
        return await request()


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    """What there is at one moment of a run."""

    tasks: int
    objects: int
    """That Python's collector knows, after a collection."""
    files: int
    """Open in this process, sockets among them."""
    at_service: int
    """Connections that the service sees."""


async def soak(shop: Lab, replies: int, *, rounds: int) -> tuple[Counter[str], list[Left]]:
    """Ask until `replies` faulty replies have come; what was left after each of `rounds` parts.

    The last is what is left after the source was closed.
    """
    sources = [(shop.source(o, pace=_Forgetful()), o) for o in (WHOLE, STREAMED)]
    shop.stand_in.script({"whole": _WHOLE_FAULTS, "stream": _STREAM_FAULTS})
    ends: Counter[str] = Counter()
    left = []
    for _ in range(rounds):
        share = replies // rounds
        streamed = share * len(_STREAM_FAULTS) // _FAULTS
        for (source, options), count in zip(sources, (share - streamed, streamed), strict=True):
            questions = iter([_question(options)] * count)
            await asyncio.gather(*(_worker(source, questions, ends) for _ in range(AT_ONCE)))
        left.append(await _left(shop))
    for source, _ in sources:
        await source.aclose()
    left.append(await _left(shop, closed=True))
    return ends, left


def _question(options: ClaudeOptions) -> str:
    return "stream" if options is STREAMED else "whole"


async def _worker(source: ClaudeSource, questions: Iterator[str], ends: Counter[str]) -> None:
    for question in questions:
        prompt = Prompt(token="t", text=question)
        try:
            reply = await source.fresh().answer(prompt)
        except SpendLimitError:
            ends["spend limit"] += 1
        else:
            ends[_end(reply)] += 1


def _end(reply: Reply) -> str:
    told = [reply.error is not None, reply.declined is not None, reply.value is not None]
    if sum(told) != 1:
        return f"no clear end: {reply!r}"
    return reply.error_source or ("declined" if reply.declined else "answered")


async def _left(shop: Lab, *, closed: bool = False) -> Left:
    """What is left once what is about to end has ended; what never ends is looked at in vain."""
    for _ in range(_LOOKS):
        at_service = await asyncio.to_thread(shop.stand_in.connections)
        if len(asyncio.all_tasks()) == 1 and not (closed and at_service):
            break
        await asyncio.sleep(0.02)
    gc.collect()
    return Left(
        tasks=len(asyncio.all_tasks()),
        objects=len(gc.get_objects()),
        files=len(os.listdir("/proc/self/fd")),  # noqa: PTH208  a count is all that is wanted
        at_service=at_service,
    )


def trouble(ends: Counter[str], left: list[Left], replies: int) -> list[str]:
    """What is wrong with the outcome of a soak; each round but the first is compared."""
    *rounds, closed = left
    found = []
    if sum(ends.values()) != replies or set(ends) - {
        "service",
        "analyst",
        "declined",
        "spend limit",
    }:
        found.append(f"not one clear end for each of {replies} replies: {ends}")
    if any(state.tasks != 1 for state in left):
        found.append(f"tasks are left: {[state.tasks for state in left]}")
    # The first round fills the caches; from then on, less than an object may stay for each reply.
    grown, compared = rounds[-1].objects - rounds[1].objects, replies * (len(rounds) - 2)
    if grown * len(rounds) >= compared:
        found.append(f"objects are left: {[state.objects for state in rounds]}")
    if any(state.at_service > 2 * AT_ONCE for state in rounds) or closed.at_service:
        found.append(f"connections are left: {[state.at_service for state in left]}")
    if closed.files > min(state.files for state in rounds):
        found.append(f"files are left: {[state.files for state in left]}")
    return found
