"""The time limit of a statement on a server: cancel it there, and if that fails, hang up."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

_REPEAT_S = 0.1
_GRACE_S = 0.6
"""After that long without an end the connection itself is cut."""


class CancelTimer:
    """Cancels what a session runs once its time is up, again and again until the statement ends.

    Again, because a cancel that comes between two commands is forgotten.
    """

    def __init__(
        self, seconds: float, *, cancel: Callable[[], None], cut: Callable[[], None], name: str
    ) -> None:
        """Prepare the limit.

        Args:
            cancel: asks the server to stop the statement; may fail, and must itself end soon.
            cut: ends the connection, so that whoever waits on it wakes up.
            name: of the watching thread.
        """
        self._seconds = seconds
        self._cancel = cancel
        self._cut = cut
        self._end = float("inf")
        self._expired = False
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name=name, daemon=True)

    @property
    def expired(self) -> bool:
        """True once the limit has stopped the statement, or would have."""
        return self._expired

    def __enter__(self) -> Self:
        self._end = time.monotonic() + self._seconds
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # The server's own limit may strike first; what it stopped is no answer either.
        self._expired = self._expired or time.monotonic() >= self._end
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        if self._done.wait(self._seconds):
            return
        self._expired = True
        cut_at = self._end + _GRACE_S
        while True:
            # A cancel fails where the statement is just ending or the server is gone: the first
            # needs none, the second is what cutting is for.
            with contextlib.suppress(Exception):
                self._cancel()
            if time.monotonic() >= cut_at:
                with contextlib.suppress(Exception):
                    self._cut()
            if self._done.wait(_REPEAT_S):
                return


def hang_up(descriptor: int) -> None:
    """Shut a socket of another thread down: it wakes with an error, and the server sees the end."""
    with socket.socket(fileno=socket.dup(descriptor)) as ours:
        ours.shutdown(socket.SHUT_RDWR)
