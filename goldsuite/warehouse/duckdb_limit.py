"""The time limit of statements that DuckDB runs in this process: one watching thread for all."""

import contextlib
import threading
import time
from types import TracebackType
from typing import Self

import duckdb

_REPEAT_S = 0.05


class InterruptLimit:
    """Interrupts one session at its time, again and again until the statement ends.

    Again, because an interrupt that comes before the engine has begun is forgotten.
    """

    def __init__(
        self, watch: "InterruptWatch", raw: duckdb.DuckDBPyConnection, seconds: float
    ) -> None:
        self.expired = False
        self.next_look = 0.0
        self.raw = raw
        self._watch = watch
        self._seconds = seconds

    def __enter__(self) -> Self:
        self.next_look = time.monotonic() + self._seconds
        self._watch.add(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._watch.remove(self)


class InterruptWatch:
    """One thread, started when first needed, that ends what has run too long."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: set[InterruptLimit] = set()
        self._thread: threading.Thread | None = None
        self._wakes_at = 0.0
        self._closed = False

    def limit(self, raw: duckdb.DuckDBPyConnection, seconds: float) -> InterruptLimit:
        """The limit of what will run on `raw`, to be entered."""
        return InterruptLimit(self, raw, seconds)

    def add(self, limit: InterruptLimit) -> None:
        with self._changed:
            self._running.add(limit)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._look, name="duckdb-time-limit", daemon=True
                )
                self._thread.start()
            elif limit.next_look < self._wakes_at:
                # Limits are mostly alike, so that the thread is rarely woken for a new one.
                self._changed.notify()

    def remove(self, limit: InterruptLimit) -> None:
        with self._changed:
            self._running.discard(limit)

    def close(self) -> None:
        """End the thread; nothing may run any more."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _look(self) -> None:
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                for limit in self._running:
                    if limit.next_look <= now:
                        limit.expired = True
                        limit.next_look = now + _REPEAT_S
                        # Under the lock: a statement that has ended is never interrupted.
                        with contextlib.suppress(duckdb.Error):
                            limit.raw.interrupt()
                self._wakes_at = min(
                    (limit.next_look for limit in self._running), default=float("inf")
                )
                idle = self._wakes_at == float("inf")
                self._changed.wait(None if idle else max(0.0, self._wakes_at - time.monotonic()))
