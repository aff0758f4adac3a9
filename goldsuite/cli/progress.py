"""What a person sees while a run goes on. No accuracy: the key is still closed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.live import Live

    from goldsuite.runner.progress import Progress

__all__ = ["LiveDisplay", "PlainDisplay", "progress_display"]

_PLAIN_EVERY_S = 10.0


@contextmanager
def progress_display(out: IO[str]) -> "Iterator[LiveDisplay | PlainDisplay]":
    """A live line on a terminal, plain lines now and then elsewhere."""
    if not out.isatty():
        yield PlainDisplay(out)
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(file=out, highlight=False, markup=False)
    with Live(console=console, transient=True, refresh_per_second=8) as live:
        yield LiveDisplay(live)


class PlainDisplay:
    """One line at the start, every ten seconds, and at the end."""

    run_id: str | None = None

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._last = float("-inf")

    def say(self, message: str) -> None:
        print(message, file=self._out, flush=True)

    def started(self, run_id: str) -> None:
        self.run_id = run_id

    def progress(self, progress: "Progress") -> None:
        done = progress.answered == progress.total
        if done or progress.elapsed_s - self._last >= _PLAIN_EVERY_S:
            self._last = progress.elapsed_s
            self.say(_line(progress))


class LiveDisplay:
    """One line that is drawn again and again, gone when the run ends."""

    run_id: str | None = None

    def __init__(self, live: "Live") -> None:
        self._live = live

    def say(self, message: str) -> None:
        self._live.console.print(message, soft_wrap=True)

    def started(self, run_id: str) -> None:
        self.run_id = run_id

    def progress(self, progress: "Progress") -> None:
        from rich.text import Text

        self._live.update(Text(_line(progress)))


def _line(progress: "Progress") -> str:
    errors = "1 error" if progress.errors == 1 else f"{progress.errors} errors"
    parts = [
        f"answered {progress.answered}/{progress.total}",
        errors,
        f"{_clock(progress.elapsed_s)} elapsed",
    ]
    if progress.eta_s is not None and progress.answered < progress.total:
        parts.append(f"about {_clock(progress.eta_s)} to go")
    return ", ".join(parts)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
