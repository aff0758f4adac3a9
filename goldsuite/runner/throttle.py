"""Keeps requests to a service at the rate that it bears, by what it answers.

How many are sent at once begins small and doubles every round (slow start) up to the limit. A 429
or 529 halves it, once for all requests that were under way together; from then on it grows by one a
round. A service that says how long to wait is obeyed by everyone, up to a cap of our own: what asks
for an hour would stand still, and no deadline would ever tell why.

Only faults of the service are tried again, with exponential backoff and full jitter (Brooker 2015,
"Exponential Backoff And Jitter", AWS Architecture Blog), so often at most and no longer than the
trial may wait.
"""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from goldsuite.errors import ServiceError
from goldsuite.runner.meter import Meter, current_meter
from goldsuite.runner.turnstile import Turnstile

__all__ = ["Sleep", "Throttle"]

_T = TypeVar("_T")


class Sleep(Protocol):
    """Waits for so many seconds."""

    def __call__(self, seconds: float, /) -> Awaitable[object]: ...


class Throttle:
    """The `Pace` of a run: adaptive concurrency, backoff, and waiting that is accounted for."""

    def __init__(
        self,
        *,
        limit: int,
        start: int = 4,
        max_tries: int = 8,
        base_s: float = 1.0,
        cap_s: float = 60.0,
        retry_after_cap_s: float = 120.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        uniform: Callable[[float, float], float] = random.uniform,
    ) -> None:
        """A throttle for one run.

        Args:
            limit: requests at once at most.
            start: requests at once in the beginning.
            max_tries: how often one request is sent in all, at least once.
            base_s: upper bound of the first wait in seconds; it doubles from try to try.
            cap_s: upper bound of any such wait.
            retry_after_cap_s: how long a service's own `retry-after` is obeyed at most.
            clock: monotonic seconds.
            sleep: waits; replaced in tests, together with the clock.
            uniform: a random number between two.
        """
        self._limit = max(limit, 1)
        self._window = float(min(max(start, 1), self._limit))
        self._slow_start = True
        self._round = 0
        self._resume_at = -math.inf
        self._max_tries = max(max_tries, 1)
        self._base_s = base_s
        self._cap_s = cap_s
        self._retry_after_cap_s = retry_after_cap_s
        self._clock = clock
        self._sleep = sleep
        self._uniform = uniform
        self._requests = Turnstile(lambda: self.window)
        self._used = False
        self.trials = Turnstile(lambda: self.width)
        """Holds trials back from starting while the service does not bear more."""

    @property
    def window(self) -> int:
        """Requests that may be under way at once at this moment."""
        return int(self._window)

    @property
    def width(self) -> int:
        """Trials that may be under way at once: as many as allowed, until something was sent."""
        return self.window if self._used else self._limit

    async def send(self, request: Callable[[], Awaitable[_T]]) -> _T:
        """See `goldsuite.analysts.base.Pace`.

        Raises:
            ServiceError: the last try failed too, or the trial would have to wait for too long.
        """
        self._used = True
        meter = current_meter() or Meter(self._clock, max_wait_s=math.inf)
        tries = 1
        while True:
            try:
                return await self._try(request, meter)
            except ServiceError as error:
                wait_s = self._wait_s(error, tries)
                if tries >= self._max_tries or wait_s > meter.left_s:
                    raise
                tries += 1
                meter.retries += 1
                with meter.waiting():
                    await self._sleep(wait_s)

    async def _try(self, request: Callable[[], Awaitable[_T]], meter: Meter) -> _T:
        with meter.waiting():
            await self._requests.enter()
        try:
            await self._until_resumed(meter)
            sent_in = self._round
            try:
                with meter.trying():
                    result = await request()
            except ServiceError as error:
                self._note(error, sent_in)
                raise
            self._widen()
            return result
        finally:
            self._requests.leave()

    async def _until_resumed(self, meter: Meter) -> None:
        """Wait as long as the service told any of us to wait."""
        while (wait_s := self._resume_at - self._clock()) > 0:
            if wait_s > meter.left_s:
                raise ServiceError(
                    f"the service asked to wait, and this question has waited for "
                    f"{meter.waited_s:.0f} s already"
                )
            with meter.waiting():
                # Spread a little, so that those who wait do not all come back in one moment.
                await self._sleep(wait_s + self._uniform(0, self._base_s / 10))

    def _wait_s(self, error: ServiceError, tries: int) -> float:
        if error.retry_after_s is not None:
            return self._capped(error.retry_after_s) + self._uniform(0, self._base_s)
        # The exponent is bounded, or a long run of failures would overflow the float.
        return self._uniform(0, min(self._cap_s, self._base_s * 2 ** min(tries - 1, 30)))

    def _capped(self, retry_after_s: float) -> float:
        return min(max(retry_after_s, 0.0), self._retry_after_cap_s)

    def _note(self, error: ServiceError, sent_in: int) -> None:
        """What a failure says to all: wait, or be fewer."""
        if not error.overloaded:
            return
        if error.retry_after_s is not None:
            until = self._clock() + self._capped(error.retry_after_s)
            self._resume_at = max(self._resume_at, until)
        if sent_in == self._round:  # else it was sent before the last cut, which is the answer
            self._round += 1
            self._slow_start = False
            self._window = max(1.0, self._window / 2)

    def _widen(self) -> None:
        grown = self._window + (1.0 if self._slow_start else 1.0 / self._window)
        self._window = min(float(self._limit), grown)
        self._requests.look()
        self.trials.look()
