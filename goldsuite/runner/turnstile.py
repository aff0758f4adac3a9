"""Lets so many in at once, first come, first served; how many may change at any time."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

__all__ = ["Turnstile"]


class Turnstile:
    """A semaphore whose width is asked for anew whenever someone comes or goes."""

    def __init__(self, width: Callable[[], int]) -> None:
        """Let in as many as `width` says, at least one."""
        self._width = width
        self._inside = 0
        self._queue: deque[asyncio.Future[None]] = deque()

    @property
    def inside(self) -> int:
        """How many are in at this moment."""
        return self._inside

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait to be let in; the block is inside."""
        await self.enter()
        try:
            yield
        finally:
            self.leave()

    async def enter(self) -> None:
        """Wait to be let in; whoever is calls `leave` in the end."""
        if not self._queue and self._has_room():
            self._inside += 1
            return
        waiter = asyncio.get_running_loop().create_future()
        self._queue.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.cancelled():
                self._queue.remove(waiter)
            else:  # let in and cancelled in the same moment: the place is for the next one
                self.leave()
            raise

    def leave(self) -> None:
        """Go out, and let the next one in."""
        self._inside -= 1
        self.look()

    def look(self) -> None:
        """Let in who has room: to be called whenever the width has grown."""
        while self._queue and self._has_room():
            waiter = self._queue.popleft()
            if not waiter.done():
                self._inside += 1
                waiter.set_result(None)

    def _has_room(self) -> bool:
        return self._inside < max(1, self._width())
