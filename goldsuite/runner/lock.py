"""Locks the answers: their hash and the time, taken before anyone opens the key."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from goldsuite.durable import write_whole
from goldsuite.errors import RecordError, RefusedError

__all__ = [
    "AnswersLock",
    "LockState",
    "earlier_locks",
    "is_locked",
    "lift_lock",
    "lock_answers",
    "read_lock",
    "verify_lock",
]

_NAME = "lock.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswersLock:
    """What `lock.json` says."""

    answers_sha256: str
    """Over the bytes of `answers.jsonl`; hex."""
    answers_locked_at: datetime
    """With its time zone."""


class LockState(StrEnum):
    """What a look at the answers shows."""

    INTACT = "intact"
    CHANGED = "changed"
    """The bytes are not those that were locked."""
    MISSING = "missing"
    """There is no lock, or no answers file."""


def lock_answers(answers: Path, *, now: datetime) -> AnswersLock:
    """Make `answers` read-only, and write its hash and the time to `lock.json` beside it.

    Locking again, as when a run was killed between lock and grading, gives the first lock.

    Raises:
        RefusedError: the answers were locked before and have changed since.
        RecordError: there is no such file, or it or the lock cannot be written.
    """
    if is_locked(answers):
        if verify_lock(answers) is not LockState.INTACT:
            raise RefusedError(
                f"{answers}: has changed since it was locked, so it is no longer what the analyst "
                "said. Run the questions again."
            )
        return read_lock(answers)
    try:
        # First closed to writing, then hashed: nothing can come between.
        answers.chmod(0o444)
        lock = AnswersLock(answers_sha256=_hash(answers), answers_locked_at=now)
        text = json.dumps(
            {
                "answers_sha256": lock.answers_sha256,
                "answers_locked_at": lock.answers_locked_at.isoformat(),
            },
            indent=2,
        )
        write_whole(_lock_path(answers), f"{text}\n")
    except OSError as error:
        raise RecordError(f"{answers}: cannot be locked: {error.strerror}.") from error
    return lock


def is_locked(answers: Path) -> bool:
    """Whether a lock stands beside `answers`."""
    return _lock_path(answers).exists()


def read_lock(answers: Path) -> AnswersLock:
    """The lock beside `answers`.

    Raises:
        RecordError: there is none, or it cannot be read.
    """
    return _read(_lock_path(answers))


def _read(path: Path) -> AnswersLock:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return AnswersLock(
            answers_sha256=str(fields["answers_sha256"]),
            answers_locked_at=datetime.fromisoformat(fields["answers_locked_at"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise RecordError(f"{path}: no lock that can be read: {error!r}.") from None


def verify_lock(answers: Path, *, sha256: str | None = None) -> LockState:
    """Compare `answers` with its lock, or with the hash that a record keeps.

    Raises:
        RecordError: the lock itself cannot be read.
    """
    if not answers.is_file() or (sha256 is None and not is_locked(answers)):
        return LockState.MISSING
    expected = read_lock(answers).answers_sha256 if sha256 is None else sha256
    return LockState.INTACT if _hash(answers) == expected else LockState.CHANGED


def lift_lock(answers: Path) -> AnswersLock:
    """Open locked answers for a resumed run, and keep the old lock as `lock-N.json`.

    The analyst still cannot reach the key, but it has been opened by then: a record made from such
    answers should name the old lock beside the new one.

    Raises:
        RefusedError: the answers have changed since they were locked.
        RecordError: there is no lock.
    """
    lock = read_lock(answers)
    if verify_lock(answers) is not LockState.INTACT:
        raise RefusedError(f"{answers}: has changed since it was locked; it is not resumed.")
    path = _lock_path(answers)
    path.rename(path.with_name(f"lock-{len(_lifted(answers)) + 1}.json"))
    answers.chmod(0o644)
    return lock


def earlier_locks(answers: Path) -> tuple[AnswersLock, ...]:
    """The locks of `answers` that were lifted, oldest first.

    Raises:
        RecordError: one cannot be read.
    """
    return tuple(map(_read, _lifted(answers)))


def _lifted(answers: Path) -> list[Path]:
    found = answers.parent.glob("lock-*.json")
    return sorted(found, key=lambda path: (len(path.name), path.name))


def _lock_path(answers: Path) -> Path:
    return answers.with_name(_NAME)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
