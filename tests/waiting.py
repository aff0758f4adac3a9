"""Waiting for what comes about sooner or later, however slow the machine is."""

import time
from collections.abc import Callable

LIVENESS_S = 60.0
"""No measure of speed: what has not come by then does not come."""


def comes_true(condition: Callable[[], bool], seconds: float = LIVENESS_S) -> bool:
    """Whether `condition` holds before `seconds` have passed; looks again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def falls_idle(used: Callable[[], float]) -> bool:
    """Whether a stretch of 0.3 s comes in which hardly any time of a processor is used.

    Args:
        used: seconds of processor time that were used so far.
    """

    def is_idle() -> bool:
        before = used()
        time.sleep(0.3)
        return used() - before < 0.1

    return comes_true(is_idle)
