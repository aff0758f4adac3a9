"""Holding Python's cycle collector back while much is built that stays."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["without_collector"]


@contextmanager
def without_collector() -> Iterator[None]:
    """Hold the cycle collector back: it doubles or triples the time that large data takes.

    Reading a large file makes millions of small objects that stay alive; walking them again and
    again finds nothing to free. What is counted down to nothing is freed all the same.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
