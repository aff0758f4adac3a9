"""Puts answers on record in groups: those that are ready together share one write to the disk.

Making a file lasting takes a millisecond or ten, and a hundred answers may come in at once. The
write stands in a thread of its own, so that the analysts work on meanwhile.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from goldsuite.model.answer import Answer

__all__ = ["Desk"]

Record = Callable[[Sequence[Answer]], None]


class Desk:
    """Takes answers from many tasks, and gives them to one writer in groups."""

    def __init__(self, record: Record) -> None:
        """Write with `record`: when it returns, all that it was given is on the disk."""
        self._record = record
        self._waiting: list[tuple[Answer, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None
        # Its own, not asyncio's shared ones: analysts that hang in those must not keep it waiting.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")

    def put(self, answer: Answer) -> asyncio.Future[None]:
        """Have `answer` written; the future ends when it is on record.

        It ends with whatever `record` raised for the group. Cancelling it takes nothing back.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((answer, done))
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        return done

    async def close(self) -> None:
        """Wait until all that was put is written."""
        if self._writer is not None:
            await asyncio.wait({self._writer})
        self._thread.shutdown()

    async def _write(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            error = await self._write_group([answer for answer, _ in group])
            for _, done in group:
                if done.done():
                    continue
                if error is None:
                    done.set_result(None)
                else:
                    done.set_exception(error)
        self._writer = None

    async def _write_group(self, answers: Sequence[Answer]) -> Exception | None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._record, answers)
        except Exception as error:  # noqa: BLE001 - raised again in every task that waits for it
            return error
        return None
