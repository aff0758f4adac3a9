"""The ledger of looks at the held-out cases: a file beside the suite that only grows.

Each line holds the hash of the line before it, so that none can be changed, put in or taken out
unseen. Cutting the tail leaves a whole chain; that is seen by the records, which keep the number of
lines and the last hash. Whoever writes holds a lock on the file.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from goldsuite.durable import sync_folder
from goldsuite.errors import RecordError
from goldsuite.records.ledger_entry import (
    LOOKS,
    Entry,
    EntryKind,
    Release,
    hash_of,
    read_entry,
    write_entry,
)

__all__ = ["Ledger", "LedgerPen", "default_ledger", "open_ledger", "read_ledger"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """Something that an untouched ledger does not have."""

    line: int
    """1-based."""
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Ledger:
    """What the file says."""

    path: Path
    entries: tuple[Entry, ...] = ()
    """Lines that cannot be read are left out."""
    hashes: tuple[str, ...] = ()
    """Of every line."""
    problems: tuple[Problem, ...] = ()

    @property
    def length(self) -> int:
        return len(self.hashes)

    @property
    def head(self) -> str:
        """Hash of the last line; empty without any."""
        return self.hashes[-1] if self.hashes else ""

    @property
    def looks(self) -> int:
        """Distinct looks so far; never fewer than any line told."""
        count, seen = 0, set[str]()
        for entry in self.entries:
            if entry.kind in LOOKS and (entry.look is None or entry.look not in seen):
                count += 1
                seen.update(() if entry.look is None else (entry.look,))
            elif entry.kind is EntryKind.NOTICED:
                count = max(count, entry.looks)
        return count

    @property
    def unnoticed(self) -> tuple[str, ...]:
        """Problems that nobody has gone on over, whole sentences."""
        noticed = max((e.number for e in self.entries if e.kind is EntryKind.NOTICED), default=0)
        return tuple(p.text for p in self.problems if p.line > noticed)

    def holds(self, *, length: int, head: str) -> bool:
        """Whether it once ended as a record says, or somebody has noted that it does not."""
        if length == 0 or (length <= self.length and self.hashes[length - 1] == head):
            return True
        return any(head in entry.heads for entry in self.entries)

    def use_of(self, release: Release, *, look: str | None, run_id: str | None) -> Entry | None:
        """The one look that `release` has had already, by another look than this; None without."""
        return next(
            (
                entry
                for entry in self.entries
                if entry.kind in {EntryKind.USED, EntryKind.PEEKED}
                and entry.release is not None
                and release.is_that_of(entry.release)
                and (look is None or entry.look != look)
                and (run_id is None or entry.run_id != run_id)
            ),
            None,
        )

    def reservation_of(self, run_id: str) -> Entry | None:
        """The last one of a run."""
        kept = (e for e in self.entries if e.kind is EntryKind.RESERVED and e.run_id == run_id)
        return max(kept, key=lambda entry: entry.number, default=None)

    def look_of(self, run_id: str) -> Entry | None:
        """The line by which a run opened the key; None where it has not."""
        opened = {EntryKind.USED, EntryKind.PEEKED}
        return next((e for e in self.entries if e.kind in opened and e.run_id == run_id), None)


class LedgerPen:
    """A ledger that is held for writing."""

    def __init__(self, ledger: Ledger, handle: int) -> None:
        """Use `open_ledger`."""
        self.ledger = ledger
        self._handle = handle

    def append(
        self,
        kind: EntryKind,
        *,
        at: datetime,
        suite: str,
        look: str | None = None,
        run_id: str | None = None,
        release: Release | None = None,
        cases: int | None = None,
        case: str | None = None,
        reason: str | None = None,
        heads: tuple[str, ...] = (),
        looks: int = 0,
    ) -> Entry:
        """Write one line, and have it on the disk before this returns.

        Args:
            looks: at least so many looks are counted from now on; for a `noticed` line.

        Raises:
            RecordError: it cannot be written.
        """
        ledger = self.ledger
        entry = Entry(
            number=ledger.length + 1, kind=kind, at=at, suite=suite, looks=looks, look=look,
            run_id=run_id, release=release, cases=cases, case=case, reason=reason, heads=heads,
            previous=ledger.head,
        )  # fmt: skip
        counted = replace(ledger, entries=(*ledger.entries, entry)).looks
        entry = replace(entry, looks=counted)
        line = write_entry(entry)
        try:
            os.write(self._handle, line + b"\n")
            os.fsync(self._handle)
        except OSError as error:
            raise RecordError(f"{ledger.path}: cannot be written: {error.strerror}.") from error
        self.ledger = replace(
            ledger, entries=(*ledger.entries, entry), hashes=(*ledger.hashes, hash_of(line))
        )
        return entry


def default_ledger(suite: Path) -> Path:
    """Where the ledger of a suite stands unless somebody names another place."""
    return suite.with_name(f"{suite.stem}.ledger.jsonl")


def read_ledger(path: Path) -> Ledger:
    """Read and verify a ledger; one that is not there is empty.

    Raises:
        RecordError: the file cannot be read.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return Ledger(path=path)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}.") from None
    return _parsed(path, raw)


@contextmanager
def open_ledger(path: Path) -> Iterator[LedgerPen]:
    """Hold a ledger for writing; whoever else wants to write waits.

    A file that is not there is made with its first line.

    Raises:
        RecordError: it cannot be opened for writing.
    """
    handle = _held(path)
    try:
        raw = path.read_bytes()
        if raw and not raw.endswith(b"\n"):
            # A line that was cut off, by a crash or by hand: never joined to the next one.
            os.write(handle, b"\n")
        yield LedgerPen(_parsed(path, raw), handle)
        if not os.fstat(handle).st_size:
            path.unlink(missing_ok=True)
        else:
            sync_folder(path.parent)
    finally:
        os.close(handle)


def _held(path: Path) -> int:
    """A handle that holds the lock on the file which has that name now."""
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise RecordError(
                f"{path}: the ledger of looks at held-out cases cannot be written: "
                f"{error.strerror}. Name another place with --ledger."
            ) from None
        fcntl.flock(handle, fcntl.LOCK_EX)
        # Another process may have taken an empty file away while this one waited.
        if path.exists() and os.fstat(handle).st_ino == path.stat().st_ino:
            return handle
        os.close(handle)


def _parsed(path: Path, raw: bytes) -> Ledger:
    lines = raw.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    entries: list[Entry] = []
    problems: list[Problem] = []
    before = ""
    for number, line in enumerate(lines, 1):
        try:
            entry = read_entry(line)
        except (ValueError, KeyError, TypeError, RecursionError):
            problems.append(Problem(line=number, text=f"{path}:{number}: no line of a ledger."))
        else:
            entries.append(entry)
            if entry.previous != before or entry.number != number:
                problems.append(
                    Problem(
                        line=number,
                        text=f"{path}:{number}: does not follow from the line before it: a line "
                        "was changed, put in or taken out.",
                    )
                )
        before = hash_of(line)
    return Ledger(
        path=path,
        entries=tuple(entries),
        hashes=tuple(map(hash_of, lines)),
        problems=tuple(problems),
    )
