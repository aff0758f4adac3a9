"""The one door to the held-out cases: a release gets one look, and every look is written down.

A look is reserved when a run starts, and used up when the key is opened: what fails, crashes or is
stopped before that costs nothing. Whoever is at the door holds the ledger's lock, so that of two
runs at once one gets the look and the other is refused before it sees a gold.
"""

import fcntl
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from goldsuite.errors import RefusedError
from goldsuite.model.held_out import HeldOutInfo
from goldsuite.model.question import Trial
from goldsuite.pipeline.settings import Settings
from goldsuite.records.ledger import Ledger, LedgerPen, default_ledger, open_ledger, read_ledger
from goldsuite.records.ledger_anchor import Anchor, lost_anchors, recent_anchors
from goldsuite.records.ledger_entry import Entry, EntryKind, Release

__all__ = [
    "HeldOutDoor",
    "HeldOutRequest",
    "check_reveal",
    "held_out_cases",
    "ledger_info",
    "ledger_path",
    "reveal_held_out",
]

_PEEK = 'To look all the same, give --peek "REASON": the look is counted, with its reason.'


def _token() -> str:
    return secrets.token_hex(6)


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOutRequest:
    """What the user says at the door."""

    release: str | None = None
    """Name of the release; None to see it from git, or from what is measured."""
    peek: str | None = None
    """Why a look is taken although the release has had its own."""
    allow_leaks: bool = False
    """Whether to go on where the context holds parts of held-out cases."""
    look: str = field(default_factory=_token)
    """The runs of one command have the same: together they are one look."""
    configurations: int = 1
    """Runs of this command."""
    reveal: bool = False
    """Whether gold, SQL and evidence are to be shown at the end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOutDoor:
    """The door as one run meets it."""

    ledger: Path
    runs_dir: Path
    suite: str
    cases: int
    """Held-out cases that the run asks."""
    release: Release
    request: HeldOutRequest

    def check(self) -> None:
        """See whether the run could go through, before anybody is asked anything.

        Raises:
            RefusedError: the release has had its look, another run is about to take it, or the
                ledger was tampered with; and no reason to peek was given.
        """
        self._admit(read_ledger(self.ledger), self.release, self.request.peek, run_id=None)

    def reserve(self, run_id: str) -> None:
        """Note that the run has started; what it may cost is only counted by `use`.

        A resumed run is for the release that it was started for, with the reason given then.

        Raises:
            RefusedError: as `check`.
        """
        with open_ledger(self.ledger) as pen:
            if pen.ledger.look_of(run_id) is not None:
                return
            reserved = pen.ledger.reservation_of(run_id)
            release, reason = self._meant(reserved)
            self._enter(pen, run_id, release, reason)
            if reserved is None or reserved.reason != reason:
                self._write(pen, EntryKind.RESERVED, run_id, release, reason)

    def use(self, run_id: str) -> None:
        """Count the look: the next thing that happens is that the key is opened.

        A run that opened the key before, and is resumed, looks no second time.

        Raises:
            RefusedError: another run took the release's look in the meantime, or the ledger was
                tampered with; the answers stay locked.
        """
        with open_ledger(self.ledger) as pen:
            if pen.ledger.look_of(run_id) is not None:
                return
            release, reason = self._meant(pen.ledger.reservation_of(run_id))
            used = self._enter(pen, run_id, release, reason)
            kind = EntryKind.PEEKED if used else EntryKind.USED
            self._write(pen, kind, run_id, release, reason)

    def _meant(self, reserved: Entry | None) -> tuple[Release, str | None]:
        """Release and reason of the run: those of its start, unless another reason is given now."""
        if reserved is None or reserved.release is None:
            return self.release, self.request.peek
        return reserved.release, self.request.peek or reserved.reason

    def _write(
        self, pen: LedgerPen, kind: EntryKind, run_id: str, release: Release, reason: str | None
    ) -> None:
        pen.append(
            kind, at=_now(), suite=self.suite, look=self._look_of(pen.ledger, run_id),
            run_id=run_id, release=release, cases=self.cases, reason=reason,
        )  # fmt: skip

    def _look_of(self, ledger: Ledger, run_id: str) -> str:
        reserved = ledger.reservation_of(run_id)
        return reserved.look if reserved and reserved.look else self.request.look

    def _enter(
        self, pen: LedgerPen, run_id: str, release: Release, reason: str | None
    ) -> Entry | None:
        """As `_admit`; a ledger that was tampered with is noted in itself."""
        used = self._admit(pen.ledger, release, reason, run_id=run_id)
        lost = self._lost(pen.ledger)
        if lost or pen.ledger.unnoticed:
            pen.append(
                EntryKind.NOTICED, at=_now(), suite=self.suite, run_id=run_id, reason=reason,
                heads=tuple(dict.fromkeys(anchor.head for anchor in lost)),
                looks=max((anchor.looks for anchor in lost), default=0),
            )  # fmt: skip
        return used

    def _admit(
        self, ledger: Ledger, release: Release, reason: str | None, *, run_id: str | None
    ) -> Entry | None:
        """The look that the release has had already, where there is a reason to take another."""
        problems = (*ledger.unnoticed, *map(_told, self._lost(ledger)))
        if problems and reason is None:
            raise RefusedError(
                f"{ledger.path}: the ledger of looks at the held-out cases was tampered with: "
                f"{' '.join(problems)} Restore it, as from version control. To go on as it is, "
                'give --peek "REASON": that is written down too.'
            )
        look = self._look_of(ledger, run_id) if run_id else self.request.look
        used = ledger.use_of(release, look=look, run_id=run_id)
        if used is not None and reason is None:
            kept = "" if run_id is None else " The answers of this run are locked and kept."
            raise RefusedError(f"{_had(release, used)}{kept} {_PEEK}")
        if used is None and reason is None:
            self._check_others(ledger, run_id, release, look)
        return used

    def _check_others(
        self, ledger: Ledger, run_id: str | None, release: Release, look: str
    ) -> None:
        """Whether another run that can be seen is on its way to the same look."""
        for entry in ledger.entries:
            if (
                entry.kind is EntryKind.RESERVED
                and entry.run_id not in {None, run_id}
                and entry.look != look
                and entry.release is not None
                and release.is_that_of(entry.release)
                and _is_at_work(self.runs_dir / str(entry.run_id))
            ):
                raise RefusedError(
                    f"release {release.name!r} ({release.basis}): run {entry.run_id} is at work on "
                    f"its one look at the held-out cases. Wait until it ends. {_PEEK}"
                )

    def _lost(self, ledger: Ledger) -> tuple[Anchor, ...]:
        return _lost_of(ledger, self.runs_dir, self.suite)


def ledger_path(settings: Settings) -> Path:
    """Where the ledger of the suite stands."""
    return settings.ledger or default_ledger(settings.suite)


def held_out_cases(trials: Sequence[Trial]) -> tuple[str, ...]:
    """Ids of the held-out cases among them, each once."""
    named = (trial.question.id for trial in trials if trial.question.split == "test")
    return tuple(dict.fromkeys(named))


def ledger_info(
    path: Path, *, runs_dir: Path, suite: str, run_id: str | None, configurations: int = 1
) -> HeldOutInfo:
    """What a record that is written now says of the ledger.

    Raises:
        RecordError: the ledger cannot be read.
    """
    ledger = read_ledger(path)
    mine = ledger.look_of(run_id) if run_id else None
    problems = (
        *(problem.text for problem in ledger.problems),
        *(_told(anchor) for anchor in _lost_of(ledger, runs_dir, suite)),
        *(_noted(entry) for entry in ledger.entries if entry.kind is EntryKind.NOTICED),
    )
    return HeldOutInfo(
        ledger=os.path.relpath(path.resolve(), runs_dir.resolve()),
        length=ledger.length,
        head=ledger.head,
        looks=ledger.looks,
        look=mine.looks if mine else None,
        release=mine.release.name if mine and mine.release else None,
        basis=mine.release.basis if mine and mine.release else None,
        peek=mine.reason if mine else None,
        configurations=configurations if mine else 1,
        problems=problems,
    )


def reveal_held_out(
    path: Path,
    *,
    suite: str,
    run_id: str | None,
    cases: int,
    reason: str | None,
    told: HeldOutInfo | None = None,
) -> int:
    """Count that gold, SQL or evidence of held-out cases is about to be shown.

    What a run reveals at its own end belongs to its look. Returns the number of looks so far.

    Args:
        run_id: of the run that reveals at its own end; None for a later command.
        told: what the record that is shown says of the ledger.

    Raises:
        RefusedError: no reason was given.
        RecordError: the ledger cannot be written.
    """
    check_reveal(path, cases, reason)
    with open_ledger(path) as pen:
        mine = pen.ledger.look_of(run_id) if run_id else None
        lost = told is not None and not pen.ledger.holds(length=told.length, head=told.head)
        if lost or pen.ledger.unnoticed:
            pen.append(
                EntryKind.NOTICED, at=_now(), suite=suite, reason=reason,
                heads=(told.head,) if told and lost else (), looks=told.looks if told else 0,
            )  # fmt: skip
        entry = pen.append(
            EntryKind.REVEALED, at=_now(), suite=suite, look=mine.look if mine else _token(),
            run_id=run_id, cases=cases, reason=reason,
        )  # fmt: skip
        return entry.looks


def check_reveal(ledger: Path, cases: int, reason: str | None) -> None:
    """Held-out cases are shown with a reason alone.

    Raises:
        RefusedError: there is none.
    """
    if reason is None:
        raise RefusedError(
            f"--reveal shows the key of {cases} held-out case{'s' if cases != 1 else ''}, which is "
            'a look at the held-out set: say why with --peek "REASON". It is counted in '
            f"{ledger}, and in every later report."
        )


def _lost_of(ledger: Ledger, runs_dir: Path, suite: str) -> tuple[Anchor, ...]:
    return lost_anchors(ledger, recent_anchors(runs_dir, ledger.path, suite=suite))


def _had(release: Release, used: Entry) -> str:
    run = f" by run {used.run_id}" if used.run_id else ""
    other = used.release
    known = f", then called {other.name!r}" if other and other.name != release.name else ""
    return (
        f"release {release.name!r} ({release.basis}) has had its one look at the held-out cases: "
        f"{used.at.isoformat(timespec='seconds')}{run}{known}. A new release gets a new one "
        "(--release TAG)."
    )


def _told(anchor: Anchor) -> str:
    return (
        f"Run {anchor.run_id} saw {anchor.length} line{'s' if anchor.length != 1 else ''} and "
        f"{anchor.looks} look{'s' if anchor.looks != 1 else ''}, of which the ledger no longer "
        "holds the last line."
    )


def _noted(entry: Entry) -> str:
    reason = f" ({entry.reason})" if entry.reason else ""
    return f"Tampering was noticed and gone on over on {entry.at:%Y-%m-%d}{reason}."


def _is_at_work(folder: Path) -> bool:
    """Whether a process holds the run's folder, as far as this machine can see."""
    try:
        handle = os.open(folder / "busy", os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _now() -> datetime:
    return datetime.now(UTC)
