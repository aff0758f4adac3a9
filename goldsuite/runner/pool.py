"""Asks: one question first, then several at once, each put on record as it is answered.

Whatever an analyst does, each trial gives exactly one answer and the run goes on. What ends a run
is the first question failing, a limit, a service that will answer nothing more, the record failing,
or someone interrupting.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date

from goldsuite.analysts.base import AnalystSource
from goldsuite.errors import RunStoppedError
from goldsuite.model.answer import Answer
from goldsuite.model.question import Trial
from goldsuite.runner.asker import Asker
from goldsuite.runner.desk import Desk
from goldsuite.runner.limits import Budget, ErrorWatch, Limits
from goldsuite.runner.progress import Board, Progress
from goldsuite.runner.throttle import Throttle
from goldsuite.runner.turnstile import Turnstile

__all__ = ["Outcome", "ask"]


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
    record: Callable[[Sequence[Answer]], None],
    on_progress: Callable[[Progress], None] = lambda _: None,
    as_of: date | None = None,
    clock: Callable[[], float] = time.monotonic,
    canary: bool = True,
    throttle: Throttle | None = None,
    max_wait_s: float = 600.0,
    limits: Limits | None = None,
    earlier: Iterable[Answer] = (),
    planned: int | None = None,
    gate: Callable[[], Awaitable[None]] | None = None,
) -> Outcome:
    """Ask every trial, and hand the answers to `record` as soon as they are there.

    Cancelling (Ctrl-C) ends the analysts at work; what was answered is recorded. The caller closes
    `source`.

    Args:
        trials: what to ask; a fresh analyst answers each.
        source: makes the analysts.
        concurrency: how many work at once, at least 1.
        timeout_s: seconds that an analyst may work on one trial.
        record: puts answers on record, one or more at a time, in a thread of its own; what it
            raises ends the run.
        on_progress: told when a trial begins and ends.
        as_of: the date that "today" means, for every prompt.
        clock: monotonic seconds.
        canary: ask the first question alone, and stop if it ends in an error.
        throttle: the pace of the analyst's service; once it is used, trials start only as the
            service bears them. None for an analyst without one.
        max_wait_s: seconds that one trial may wait for its service, beside `timeout_s`.
        limits: what else ends the run.
        earlier: answers of earlier goes, which count for the budget.
        planned: trials of the whole run, where these are what is left of it.
        gate: waited for before each trial, which is no part of its time.

    Raises:
        RunStoppedError: the first question ended in an error, a limit was reached, or the service
            will answer nothing more; what was answered is recorded.
    """
    limits = limits or Limits()
    lanes = max(concurrency, 1)
    desk = Desk(record)
    pool = _Pool(
        trials,
        Asker(source, timeout_s=timeout_s, max_wait_s=max_wait_s, as_of=as_of, clock=clock),
        desk,
        Board(
            total=len(trials),
            lanes=lambda: lanes if throttle is None else min(lanes, throttle.width),
            clock=clock,
            tell=on_progress,
        ),
        limits,
        budget=Budget(limits, earlier),
        errors=ErrorWatch(limits.max_errors, planned=planned or len(trials)),
        turns=None if throttle is None else throttle.trials,
        gate=gate,
    )
    try:
        return await pool.run(lanes, canary=source.name if canary else None)
    finally:
        await desk.close()


class _Pool:
    """The lanes of one go, and what they share."""

    def __init__(
        self,
        trials: Sequence[Trial],
        asker: Asker,
        desk: Desk,
        board: Board,
        limits: Limits,
        *,
        budget: Budget,
        errors: ErrorWatch,
        turns: Turnstile | None,
        gate: Callable[[], Awaitable[None]] | None,
    ) -> None:
        self._todo = deque(trials)
        self._asker = asker
        self._desk = desk
        self._board = board
        self._watch = limits.watch
        self._budget = budget
        self._errors = errors
        self._turns = turns
        self._gate = gate
        self._admitted = 0
        self._ended = asyncio.Event()
        self._stop: str | None = None

    async def run(self, lanes: int, *, canary: str | None) -> Outcome:
        self._board.show()
        if canary is not None and self._todo:
            await self._ask_first(canary)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(lanes, len(self._todo))):
                    group.create_task(self._lane(group))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        if self._stop is not None:
            raise RunStoppedError(f"The run was stopped: {self._stop}")
        board = self._board
        return Outcome(answered=board.answered, errors=board.errors, elapsed_s=board.elapsed_s)

    async def _ask_first(self, name: str) -> None:
        answer = await self._next()
        if answer is None:
            return
        await self._report(answer, self._desk.put(answer))
        if answer.reply.error is not None:
            raise RunStoppedError(
                f"The first question was asked alone, and the analyst {name!r} broke on it, so no "
                f"other was asked: {answer.reply.error}"
            )

    async def _lane(self, group: asyncio.TaskGroup) -> None:
        """One question after the other; while an answer is written, the next one is asked."""
        report: asyncio.Task[None] | None = None
        while (answer := await self._next()) is not None:
            written = self._desk.put(answer)
            if report is not None:
                await report  # a slow disk holds the lane back: one unwritten answer is enough
            report = group.create_task(self._report(answer, written))

    async def _report(self, answer: Answer, written: asyncio.Future[None]) -> None:
        await written
        self._board.end(answer)

    async def _next(self) -> Answer | None:
        """Ask the next trial; None where there is none to be asked any more."""
        async with self._turn():
            if not await self._admit():
                return None
            try:
                trial = self._todo.popleft()
                if self._gate is not None:
                    await self._gate()
                return await self._ask(trial)
            finally:
                self._admitted -= 1
                self._ended.set()

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        if self._turns is None:
            yield
            return
        async with self._turns.turn():
            yield

    async def _admit(self) -> bool:
        """Whether to ask one more; where the budget says not yet, after others have ended."""
        while self._todo and self._stop is None:
            if self._budget.admits(self._admitted):
                self._admitted += 1
                return True
            if not self._admitted:
                self._stop = self._budget.reason
                break
            self._ended.clear()
            await self._ended.wait()
        return False

    async def _ask(self, trial: Trial) -> Answer:
        self._board.begin()
        answer = await self._asker.ask(trial)
        self._budget.add(answer)
        hopeless = self._errors.add(answer)
        # With nothing left to ask, stopping for errors would save nothing.
        self._stop = self._stop or self._seen(trial, answer) or (hopeless if self._todo else None)
        return answer

    def _seen(self, trial: Trial, answer: Answer) -> str | None:
        return None if self._watch is None else self._watch(trial, answer)
