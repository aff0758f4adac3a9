"""Two runs at once, question by question, so that neither of them has the better hour."""

import asyncio
from collections.abc import Awaitable, Callable

__all__ = ["Alternation"]


class Alternation:
    """Lets two runs begin their questions in turn: A B, B A, A B, and so on.

    The n-th question of one is begun right beside the n-th of the other, and they take turns in
    going first. How many are under way at once is each run's own affair. A run that has ended
    holds the other one back no longer.
    """

    def __init__(self) -> None:
        """Both have begun nothing yet."""
        self._begun = [0, 0]
        self._ended = [False, False]
        self._changed = asyncio.Condition()

    def gate(self, side: int) -> Callable[[], Awaitable[None]]:
        """What run `side`, 0 or 1, waits for before each of its questions."""

        async def enter() -> None:
            async with self._changed:
                await self._changed.wait_for(lambda: self._may_begin(side))
                self._begun[side] += 1
                self._changed.notify_all()

        return enter

    async def end(self, side: int) -> None:
        """Run `side` begins no further question."""
        async with self._changed:
            self._ended[side] = True
            self._changed.notify_all()

    def _may_begin(self, side: int) -> bool:
        if self._ended[1 - side]:
            return True
        question, theirs = self._begun[side], self._begun[1 - side]
        goes_first = question % 2 == side
        return theirs >= question + (0 if goes_first else 1)
