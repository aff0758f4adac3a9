"""Asks one trial, and makes one answer of whatever the analyst does.

`timeout_s` is for work. Waiting for a service that limits its rate stops that clock, and has a
limit of its own; so every trial ends within the sum of the two, and a while to end its analyst.
"""

import asyncio
import logging
import traceback
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from goldsuite.analysts.base import AnalystSource
from goldsuite.errors import AnalystError, RunStoppedError, ServiceError
from goldsuite.model.answer import Answer, Reply
from goldsuite.model.question import Prompt, Trial
from goldsuite.runner.meter import Meter, measured

__all__ = ["Asker"]

_LOGGER = logging.getLogger(__name__)
_STOPPING_S = 15.0
"""How long an analyst may take to end after it was cancelled; then it is left to itself."""
_LOOK_S = 0.05
"""How soon it is seen that the clock has changed, where the one that stands has less left."""


class Asker:
    """Asks one trial after the other under the same conditions."""

    def __init__(
        self,
        source: AnalystSource,
        *,
        timeout_s: float,
        max_wait_s: float,
        as_of: date | None,
        clock: Callable[[], float],
    ) -> None:
        self._source = source
        self._timeout_s = timeout_s
        self._max_wait_s = max_wait_s
        self._as_of = as_of
        self._clock = clock

    async def ask(self, trial: Trial) -> Answer:
        """The answer to `trial`, whatever happens.

        Raises:
            RunStoppedError: no further question would be answered either.
        """
        prompt = Prompt(token=trial.token, text=trial.text, as_of=self._as_of)
        meter = Meter(self._clock, max_wait_s=self._max_wait_s)
        started = self._clock()
        # A task of its own: what an analyst does to its task, cancelling included, stays there.
        with measured(meter):
            task = asyncio.create_task(self._answer(prompt))
        try:
            await self._wait(task, meter, started)
            waited_s = meter.waited_s
            elapsed_s = self._clock() - started
            reply = _reply_of(task) if task.done() else await self._time_out(task, waited_s)
        finally:
            await _end(task)
        return Answer(
            id=trial.question.id,
            trial=trial.number,
            reply=reply,
            latency_ms=round(max(0.0, elapsed_s - waited_s) * 1000, 3),
            waited_ms=round(waited_s * 1000, 3) if meter.used else None,
            retries=meter.retries if meter.used else None,
        )

    async def _answer(self, prompt: Prompt) -> Reply:
        return await self._source.fresh().answer(prompt)

    async def _wait(self, task: asyncio.Task[Reply], meter: Meter, started: float) -> None:
        """Until the task is done, or has worked or waited for too long."""
        while not task.done():
            left_s = self._timeout_s - (self._clock() - started - meter.waited_s)
            if left_s <= 0 or meter.left_s <= 0:
                return
            # It may begin to wait or to work at any moment: then the other clock runs.
            if meter.is_waiting:
                pause_s = min(max(left_s, _LOOK_S), meter.left_s)
            else:
                pause_s = min(left_s, max(meter.left_s, _LOOK_S))
            await asyncio.wait({task}, timeout=pause_s)

    async def _time_out(self, task: asyncio.Task[Reply], waited_s: float) -> Reply:
        await _end(task)
        left = "" if task.done() else "; it did not stop when it was told to, and may still work"
        if waited_s >= self._max_wait_s:
            error = f"waited {self._max_wait_s:g} s for its service to take a request{left}"
            return Reply(error=error, error_source="service")
        return Reply(error=f"timed out after {self._timeout_s:g} s{left}", error_source="timeout")


async def _end(task: asyncio.Task[Reply]) -> None:
    if not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_STOPPING_S)
    if task.done() and not task.cancelled():
        task.exception()  # looked at, or asyncio complains about an error that nobody saw


def _reply_of(task: asyncio.Task[Reply]) -> Reply:
    if task.cancelled():
        return Reply(error="the analyst cancelled itself", error_source="analyst")
    error = task.exception()
    if error is not None:
        return _broken(error)
    reply: object = task.result()
    if not isinstance(reply, Reply):
        kind = type(reply).__name__
        return Reply(error=f"the analyst gave {kind}, which is no Reply", error_source="analyst")
    if reply.error is None:
        return reply
    # An empty message would read as "no error".
    return replace(
        reply,
        error=reply.error if reply.error.strip() else "the analyst broke without saying why",
        error_source=reply.error_source or "analyst",
    )


def _broken(error: BaseException) -> Reply:
    if not isinstance(error, Exception):  # KeyboardInterrupt, SystemExit: not the analyst's to give
        raise error
    if isinstance(error, RunStoppedError):
        raise error
    _LOGGER.info("an analyst broke", exc_info=error)
    if isinstance(error, AnalystError):
        return Reply(
            error=str(error) or type(error).__name__,
            error_source="service" if isinstance(error, ServiceError) else "analyst",
        )
    frames = traceback.extract_tb(error.__traceback__)
    where = f" (at {Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = str(error)
    return Reply(
        error=f"{type(error).__name__}{': ' if text else ''}{text}{where}", error_source="analyst"
    )
