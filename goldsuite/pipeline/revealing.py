"""Showing what is held out, and whether the ledger that a record names is still what it was."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from goldsuite.errors import RefusedError, UsageError
from goldsuite.model.run import RunRecord
from goldsuite.pipeline.held_out import reveal_held_out
from goldsuite.pipeline.settings import Settings
from goldsuite.records.ledger import default_ledger, read_ledger

__all__ = ["LedgerState", "Reveal", "ledger_state"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reveal:
    """What the user says of showing held-out gold, SQL and evidence."""

    wanted: bool
    """`--reveal`."""
    reason: str | None
    """`--peek`."""
    ledger: Path | None
    """`--ledger`, or the setting; None for where the record says."""

    def confirm(
        self,
        records: Sequence[tuple[RunRecord, Path]],
        settings: Settings,
        *,
        own_run: bool = False,
    ) -> None:
        """Count the look that showing these records is; nothing where none is held out.

        Args:
            own_run: whether the records are shown at the end of their own runs, whose look it then
                belongs to.

        Raises:
            UsageError: there is a reason, and nothing is revealed.
            RefusedError: no reason was given, or there is no place for the ledger.
        """
        if not self.wanted:
            if self.reason is not None and not own_run:
                raise UsageError("--peek gives the reason for --reveal; give --reveal too")
            return
        for record, path in records:
            cases = len({case.id for case in record.cases if case.split == "test"})
            if not cases:
                continue
            ledger = _ledger_of(record, path, self.ledger)
            if ledger is None:
                ledger = default_ledger(settings.suite)
            if not ledger.parent.is_dir():
                raise RefusedError(
                    f"{ledger}: the ledger in which looks at held-out cases are counted has no "
                    "folder here. Name it with --ledger."
                )
            reveal_held_out(
                ledger,
                suite=record.suite.name,
                run_id=record.run_id if own_run else None,
                cases=cases,
                reason=self.reason,
                told=record.held_out,
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerState:
    """What a look at the ledger of a record shows."""

    lines: tuple[str, ...]
    """Whole sentences for the reader."""
    broken: bool
    """It was edited or cut since the record was written."""


def ledger_state(record: RunRecord, path: Path, ledger: Path | None = None) -> LedgerState:
    """Hold the ledger against what `record`, which stands at `path`, says of it.

    Raises:
        RecordError: it cannot be read.
    """
    info, place = record.held_out, _ledger_of(record, path, ledger)
    if info is None or place is None:
        return LedgerState(lines=(), broken=False)
    if not place.is_file():
        gone = f"the ledger of looks at held-out cases is not at {place}: not verified"
        return LedgerState(lines=(gone,) if info.length else (), broken=False)
    found = read_ledger(place)
    problems = [*found.unnoticed]
    if not found.holds(length=info.length, head=info.head):
        problems.append(f"{place}: no longer ends or goes on as this record says.")
    if problems:
        told = tuple(f"BROKEN ledger: {problem}" for problem in problems)
        return LedgerState(lines=told, broken=True)
    since = found.looks - info.looks
    if since <= 0:
        return LedgerState(lines=(), broken=False)
    times = f"{since} time{'s' if since != 1 else ''}"
    line = f"the held-out cases were looked at {times} since this run, {found.looks} in all"
    return LedgerState(lines=(line,), broken=False)


def _ledger_of(record: RunRecord, path: Path, given: Path | None) -> Path | None:
    """The place that was given, else the one that the record names; None where it names none."""
    if given is not None:
        return given
    if record.held_out is None:
        return None
    return (path.resolve().parent / record.held_out.ledger).resolve()
