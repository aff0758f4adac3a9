"""Which runs of a folder are meant."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase

from goldsuite.errors import UsageError
from goldsuite.model.run import RunSplit
from goldsuite.nearest import did_you_mean
from goldsuite.records.header import RunHeader

__all__ = ["RunFilter", "filter_runs"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RunFilter:
    """What a run must be; None for any."""

    split: RunSplit | None = None
    suite: str | None = None
    """By its name."""
    analyst: str | None = None
    """A name such as `baseline` or a pattern such as `anthropic:*`, of the analyst or its model."""
    tag: str | None = None
    """Of at least one case that was asked."""
    since: datetime | None = None
    """Began then or later."""

    def holds(self, run: RunHeader) -> bool:
        return (
            self.split in {None, run.split}
            and self.suite in {None, run.suite}
            and (self.analyst is None or _is_called(run, self.analyst))
            and (self.tag is None or self.tag in run.tags)
            and (self.since is None or run.started_at >= self.since)
        )


def _is_called(run: RunHeader, pattern: str) -> bool:
    return any(fnmatchcase(name, pattern) for name in (run.analyst, run.model) if name)


def filter_runs(runs: Iterable[RunHeader], wanted: RunFilter) -> tuple[RunHeader, ...]:
    """Those of `runs` that are meant, in their order.

    Raises:
        UsageError: a suite, analyst or tag is in no run at all, so that it may be misspelt.
    """
    runs = tuple(runs)
    found = tuple(run for run in runs if wanted.holds(run))
    if runs and not found:
        _check("--suite", wanted.suite, {run.suite for run in runs})
        _check("--tag", wanted.tag, {tag for run in runs for tag in run.tags})
        if wanted.analyst is not None and not any(_is_called(run, wanted.analyst) for run in runs):
            _check("--analyst", wanted.analyst, {run.analyst for run in runs})
    return found


def _check(option: str, word: str | None, known: set[str]) -> None:
    if word is not None and word not in known:
        names = sorted(known)
        hint = did_you_mean(word, names) or (
            f" Known: {', '.join(names[:10])}." if names else " No run has any."
        )
        raise UsageError(f"{option} {word!r}: no run has it.{hint}")
