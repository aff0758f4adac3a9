"""Asks: one question first, then several at once, each put on record as it is answered.

Whatever an analyst does, each trial gives exactly one answer and the run goes on. What ends a run
is the first question failing, the record failing, or someone interrupting.
"""

import asyncio
import logging
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from goldsuite.analysts.base import AnalystSource
from goldsuite.errors import AnalystError, RunStoppedError
from goldsuite.model.answer import Answer, Reply
from goldsuite.model.question import Prompt, Trial
from goldsuite.runner.progress import Progress

__all__ = ["Outcome", "ask"]

_LOGGER = logging.getLogger(__name__)
_STOPPING_S = 15.0
"""How long an analyst may take to end after it was cancelled; then it is left to itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What one go of asking came to."""

    answered: int
    """Trials asked in this go; every one has an answer."""
    errors: int
    elapsed_s: float


async def ask(
    trials: Sequence[Trial],
    source: AnalystSource,
    *,
    concurrency: int,
    timeout_s: float,
    record: Callable[[Answer], None],
    on_progress: Callable[[Progress], None] = lambda _: None,
    as_of: date | None = None,
    clock: Callable[[], float] = time.monotonic,
    canary: bool = True,
) -> Outcome:
    """Ask every trial, and hand each answer to `record` as soon as it is there.

    Cancelling (Ctrl-C) ends the analysts at work; what was recorded stays recorded. The caller
    closes `source`.

    Args:
        trials: what to ask; a fresh analyst answers each.
        source: makes the analysts.
        concurrency: how many work at once, at least 1.
        timeout_s: seconds for one trial.
        record: puts one answer on record; what it raises ends the run.
        on_progress: told at the start and after each answer.
        as_of: the date that "today" means, for every prompt.
        clock: monotonic seconds.
        canary: ask the first question alone, and stop if it ends in an error.

    Raises:
        RunStoppedError: the first question ended in an error; it is recorded, the rest not asked.
    """
    run = _Run(source, timeout_s=timeout_s, as_of=as_of, clock=clock)
    board = _Board(total=len(trials), lanes=concurrency, clock=clock, tell=on_progress)
    board.show()
    queue = iter(trials)

    async def work(mine: Iterator[Trial]) -> None:
        for trial in mine:
            board.begin()
            answer = await run.ask(trial)
            record(answer)
            board.end(answer)

    if canary and trials:
        await work(iter([next(queue)]))
        _stop_if_broken(board, source.name)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(max(concurrency, 1), len(trials))):
                group.create_task(work(queue))
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return Outcome(answered=board.answered, errors=board.errors, elapsed_s=board.elapsed_s)


def _stop_if_broken(board: "_Board", name: str) -> None:
    if board.last_error is not None:
        raise RunStoppedError(
            f"The first question was asked alone, and the analyst {name!r} broke on it, so no "
            f"other was asked: {board.last_error}"
        )


class _Run:
    """Asks one trial after the other under the same conditions."""

    def __init__(
        self,
        source: AnalystSource,
        *,
        timeout_s: float,
        as_of: date | None,
        clock: Callable[[], float],
    ) -> None:
        self._source = source
        self._timeout_s = timeout_s
        self._as_of = as_of
        self._clock = clock

    async def ask(self, trial: Trial) -> Answer:
        prompt = Prompt(token=trial.token, text=trial.question.text, as_of=self._as_of)
        started = self._clock()
        # A task of its own: what an analyst does to its task, cancelling included, stays there.
        task = asyncio.create_task(self._answer(prompt))
        try:
            await asyncio.wait({task}, timeout=self._timeout_s)
            elapsed_s = self._clock() - started
            reply = _reply_of(task) if task.done() else await self._time_out(task)
        finally:
            await _end(task)
        return Answer(
            id=trial.question.id,
            trial=trial.number,
            reply=reply,
            latency_ms=round(elapsed_s * 1000, 3),
        )

    async def _answer(self, prompt: Prompt) -> Reply:
        return await self._source.fresh().answer(prompt)

    async def _time_out(self, task: asyncio.Task[Reply]) -> Reply:
        await _end(task)
        left = "" if task.done() else "; it did not stop when it was told to, and may still work"
        return Reply(error=f"timed out after {self._timeout_s:g} s{left}")


async def _end(task: asyncio.Task[Reply]) -> None:
    if not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_STOPPING_S)
    if task.done() and not task.cancelled():
        task.exception()  # looked at, or asyncio complains about an error that nobody saw


def _reply_of(task: asyncio.Task[Reply]) -> Reply:
    if task.cancelled():
        return Reply(error="the analyst cancelled itself")
    error = task.exception()
    if error is not None:
        return _broken(error)
    reply: object = task.result()
    if not isinstance(reply, Reply):
        return Reply(error=f"the analyst gave {type(reply).__name__}, which is no Reply")
    if reply.error is not None and not reply.error.strip():
        # An empty message would read as "no error".
        return replace(reply, error="the analyst broke without saying why")
    return reply


def _broken(error: BaseException) -> Reply:
    if not isinstance(error, Exception):  # KeyboardInterrupt, SystemExit: not the analyst's to give
        raise error
    _LOGGER.info("an analyst broke", exc_info=error)
    if isinstance(error, AnalystError):
        return Reply(error=str(error) or type(error).__name__)
    frames = traceback.extract_tb(error.__traceback__)
    where = f" (at {Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = str(error)
    return Reply(error=f"{type(error).__name__}{': ' if text else ''}{text}{where}")


class _Board:
    """Counts what has come in."""

    def __init__(
        self,
        *,
        total: int,
        lanes: int,
        clock: Callable[[], float],
        tell: Callable[[Progress], None],
    ) -> None:
        self.answered = 0
        self.errors = 0
        self.last_error: str | None = None
        self._in_flight = 0
        self._worked_ms = 0.0
        self._total = total
        self._lanes = max(lanes, 1)
        self._clock = clock
        self._tell = tell
        self._started = clock()

    @property
    def elapsed_s(self) -> float:
        return self._clock() - self._started

    def begin(self) -> None:
        self._in_flight += 1

    def end(self, answer: Answer) -> None:
        self._in_flight -= 1
        self.answered += 1
        self.last_error = answer.reply.error
        self.errors += answer.reply.error is not None
        self._worked_ms += answer.latency_ms or 0.0
        self.show()

    def show(self) -> None:
        self._tell(
            Progress(
                answered=self.answered,
                total=self._total,
                in_flight=self._in_flight,
                errors=self.errors,
                elapsed_s=self.elapsed_s,
                eta_s=self._eta_s(),
            )
        )

    def _eta_s(self) -> float | None:
        """By the mean working time: the first question, asked alone, says nothing of the pace."""
        if not self.answered:
            return None
        left = self._total - self.answered
        return self._worked_ms / 1000 / self.answered * left / max(1, min(self._lanes, left))
