"""How long one trial waited for a service, apart from how long it worked.

The pool hangs a meter on every trial; whatever holds the trial back finds it through the context
and says when waiting begins and ends. A trial whose requests go out side by side counts as waiting
only while none of them is under way.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from goldsuite.errors import ServiceError

__all__ = ["Meter", "current_meter", "measured"]

_CURRENT: ContextVar["Meter | None"] = ContextVar("goldsuite_meter", default=None)


class Meter:
    """Counts the waiting and the retries of one trial."""

    def __init__(self, clock: Callable[[], float], *, max_wait_s: float) -> None:
        """Count by `clock`, in monotonic seconds, and call more than `max_wait_s` too long."""
        self.retries = 0
        """Requests that were sent again."""
        self.used = False
        """Whether anything was sent through a pace at all."""
        self.max_wait_s = max_wait_s
        self._clock = clock
        self._waited_s = 0.0
        self._waiting = 0
        self._trying = 0
        self._tries = 0
        self._since = 0.0

    @property
    def waited_s(self) -> float:
        """Seconds waited up to now."""
        return self._waited_s + (self._clock() - self._since if self.is_waiting else 0.0)

    @property
    def is_waiting(self) -> bool:
        """Whether the trial is held back at this moment."""
        return self._waiting > 0 and not self._trying

    @property
    def left_s(self) -> float:
        """Seconds that the trial may still wait."""
        return max(0.0, self.max_wait_s - self.waited_s)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """The time inside of the block is waiting."""
        self._change(waiting=1)
        try:
            yield
        finally:
            self._change(waiting=-1)

    @contextmanager
    def trying(self) -> Iterator[None]:
        """The time inside is work; if the service fails it was in vain, and counts as waiting."""
        self.used = True
        self._change(trying=1)
        self._tries += 1
        began, only = self._clock(), self._tries if self._trying == 1 else None
        try:
            yield
        except ServiceError:
            if only == self._tries:  # no other request of the trial was under way meanwhile
                self._waited_s += self._clock() - began
            raise
        finally:
            self._change(trying=-1)

    def _change(self, *, waiting: int = 0, trying: int = 0) -> None:
        now = self._clock()
        if self.is_waiting:
            self._waited_s += now - self._since
        self._since = now
        self._waiting += waiting
        self._trying += trying


@contextmanager
def measured(meter: Meter) -> Iterator[Meter]:
    """Make `meter` the one of the task that runs, and of all tasks that it starts."""
    token = _CURRENT.set(meter)
    try:
        yield meter
    finally:
        _CURRENT.reset(token)


def current_meter() -> Meter | None:
    """The meter of the trial that is being asked; None outside of a run."""
    return _CURRENT.get()
