"""One line of the ledger of looks: what happened, and the hash of the line before it."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from goldsuite.model.held_out import ReleaseBasis

__all__ = [
    "LEDGER_VERSION",
    "Entry",
    "EntryKind",
    "Release",
    "hash_of",
    "read_entry",
    "write_entry",
]

LEDGER_VERSION = 1


class EntryKind(StrEnum):
    """What a line tells."""

    RESERVED = "reserved"
    """A run started; nothing was looked at yet."""
    USED = "used"
    """A run of a release opened the key: the one look that a release has."""
    PEEKED = "peeked"
    """A run opened the key although its release had had its look."""
    REVEALED = "revealed"
    """Gold, SQL or evidence of held-out cases was shown to a person."""
    RETIRED = "retired"
    """A case went from test to train."""
    NOTICED = "noticed"
    """The ledger had been tampered with, and somebody went on all the same."""


LOOKS = frozenset({EntryKind.USED, EntryKind.PEEKED, EntryKind.REVEALED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Release:
    """What is being released, as far as it can be told."""

    name: str
    basis: ReleaseBasis
    commit: str | None = None
    """Of the project where its tree is clean, whatever the release is called."""
    fingerprint: str | None = None
    """Of context, model and prompt; hex."""

    def is_that_of(self, other: "Release") -> bool:
        """Whether `other`, which had its look, is this one under this or another name.

        A name that a person gave is taken at its word. Elsewhere a tag on a commit that was looked
        at makes no new release, and neither does an edit that changes nothing of what is measured.
        """
        if self.name == other.name:
            return True
        if self.basis == "option":
            return False
        if self.basis == "fingerprint":
            return self.fingerprint is not None and self.fingerprint == other.fingerprint
        return self.commit is not None and self.commit == other.commit


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One line."""

    number: int
    """1-based."""
    kind: EntryKind
    at: datetime
    """With its time zone."""
    suite: str
    looks: int
    """At the held-out cases so far, this one included."""
    look: str | None = None
    """What belongs to one look has the same: the runs of one command, and what they reveal."""
    run_id: str | None = None
    release: Release | None = None
    cases: int | None = None
    """How many held-out cases it is about."""
    case: str | None = None
    """The one that was retired."""
    reason: str | None = None
    """As the user gave it."""
    heads: tuple[str, ...] = ()
    """Of a `noticed` line: the hashes that records tell and the ledger no longer has."""
    previous: str
    """Hash of the line before; empty for the first."""


def hash_of(line: bytes) -> str:
    """The hash of one line without its end; hex."""
    return hashlib.sha256(line).hexdigest()


def write_entry(entry: Entry) -> bytes:
    """The line of `entry`, without its end; what is not told is left out."""
    fields: dict[str, Any] = {
        "ledger_version": LEDGER_VERSION,
        "number": entry.number,
        "kind": entry.kind.value,
        "at": entry.at.isoformat(),
        "suite": entry.suite,
        "looks": entry.looks,
        "look": entry.look,
        "run_id": entry.run_id,
        "cases": entry.cases,
        "case": entry.case,
        "reason": entry.reason,
        "heads": list(entry.heads) or None,
    }
    if entry.release is not None:
        release = entry.release
        fields |= {
            "release": release.name,
            "basis": release.basis,
            "commit": release.commit,
            "fingerprint": release.fingerprint,
        }
    fields = {name: value for name, value in fields.items() if value is not None}
    text = json.dumps(fields | {"previous": entry.previous}, ensure_ascii=False)
    return text.encode("utf-8", "replace")


def read_entry(line: bytes) -> Entry:
    """The entry of one line.

    Raises:
        ValueError, KeyError, TypeError: it is none.
    """
    fields = json.loads(line)
    if int(fields["ledger_version"]) > LEDGER_VERSION:
        raise ValueError(
            f"written by a newer goldsuite (ledger version {fields['ledger_version']}); upgrade"
        )
    at = datetime.fromisoformat(fields["at"])
    if at.tzinfo is None:
        raise ValueError("its time has no zone")
    release = None
    if "release" in fields:
        release = Release(
            name=str(fields["release"]),
            basis=fields["basis"],
            commit=fields.get("commit"),
            fingerprint=fields.get("fingerprint"),
        )
    return Entry(
        number=int(fields["number"]),
        kind=EntryKind(fields["kind"]),
        at=at,
        suite=str(fields["suite"]),
        looks=int(fields["looks"]),
        look=fields.get("look"),
        run_id=fields.get("run_id"),
        release=release,
        cases=fields.get("cases"),
        case=fields.get("case"),
        reason=fields.get("reason"),
        heads=tuple(fields.get("heads", ())),
        previous=str(fields["previous"]),
    )
