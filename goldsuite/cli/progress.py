"""What a person sees while a run goes on. No accuracy: the key is still closed."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal

    from rich.live import Live
    from rich.text import Text

    from goldsuite.runner.progress import Progress

__all__ = ["LiveDisplay", "PlainDisplay", "progress_display", "progress_line"]

_PLAIN_EVERY_S = 10.0
_BAR = 24


@contextmanager
def progress_display(
    out: IO[str], *, plain: bool = False
) -> "Iterator[LiveDisplay | PlainDisplay]":
    """A live display on a terminal; plain lines now and then elsewhere, or where asked for."""
    if plain or not out.isatty():
        yield PlainDisplay(out)
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(file=out, highlight=False, markup=False)
    with Live(console=console, transient=True, refresh_per_second=4) as live:
        yield LiveDisplay(live)


class PlainDisplay:
    """One line at the start, every ten seconds, and at the end."""

    run_id: str | None = None

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._last = float("-inf")
        self._done = False

    def say(self, message: str) -> None:
        print(message, file=self._out, flush=True)

    def started(self, run_id: str) -> None:
        self.run_id = run_id

    def progress(self, progress: "Progress") -> None:
        done = progress.answered == progress.total
        if progress.elapsed_s - self._last >= _PLAIN_EVERY_S or (done and not self._done):
            self._done = done
            self._last = progress.elapsed_s
            self.say(progress_line(progress))


class LiveDisplay:
    """A bar and a line that are drawn again and again, gone when the run ends."""

    run_id: str | None = None

    def __init__(self, live: "Live", clock: Callable[[], float] = time.monotonic) -> None:
        self._live = live
        self._clock = clock
        self._seen: tuple[Progress, float] | None = None

    def say(self, message: str) -> None:
        self._live.console.print(message, soft_wrap=True)

    def started(self, run_id: str) -> None:
        self.run_id = run_id

    def progress(self, progress: "Progress") -> None:
        first = self._seen is None
        self._seen = (progress, self._clock())
        if first:
            self._live.update(self)  # drawn at its own rhythm from now on, whatever comes in

    def __rich__(self) -> "Text":
        """What is drawn: the clock runs on between two answers."""
        from rich.text import Text

        if self._seen is None:
            return Text()
        progress, since = self._seen
        filled = round(_BAR * progress.answered / progress.total) if progress.total else _BAR
        return Text.assemble(
            ("█" * filled, "green"),
            ("░" * (_BAR - filled), "dim"),
            " ",
            progress_line(progress, later_s=self._clock() - since),
        )


def progress_line(progress: "Progress", *, later_s: float = 0.0) -> str:
    """One line; `later_s` after `progress` was told. What was not measured is left out."""
    parts = [f"answered {progress.answered}/{progress.total}"]
    left = progress.total - progress.answered
    if progress.in_flight and left:
        parts.append(f"{progress.in_flight} in flight")
    parts.append(_counted(progress.errors, "error", "errors"))
    if progress.retries:
        parts.append(_counted(progress.retries, "retry", "retries"))
    if progress.tokens is not None:
        parts.append(f"{progress.tokens:,} tokens")
    if progress.cost is not None:
        parts.append(f"{_money(progress.cost)} so far")
    parts.append(f"{_clock(progress.elapsed_s + later_s)} elapsed")
    if progress.eta_s is not None and left:
        cost = "" if progress.eta_cost is None else f" and {_money(progress.eta_cost)}"
        parts.append(f"about {_clock(max(0.0, progress.eta_s - later_s))}{cost} to go")
    return ", ".join(parts)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _money(dollars: "Decimal") -> str:
    return f"${dollars:,.2f}" if dollars >= 1 else f"${dollars:.4f}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
