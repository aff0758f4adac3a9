"""What earlier records tell of the ledger, so that a cut, edited or deleted one is noticed."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldsuite.errors import RecordError
from goldsuite.records.file import read_plain
from goldsuite.records.head import split_head
from goldsuite.records.ledger import Ledger
from goldsuite.records.runs_dir import record_paths

__all__ = ["Anchor", "lost_anchors", "recent_anchors"]

_ENOUGH = 5
"""Records end in another order than they begin; the newest few hold all that the rest do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Anchor:
    """How a record says that the ledger ended when it was written."""

    run_id: str
    length: int
    head: str
    looks: int


def recent_anchors(runs_dir: Path, ledger: Path, *, suite: str) -> tuple[Anchor, ...]:
    """What the newest records of `suite` say of that ledger, newest first.

    A record that cannot be read tells nothing.
    """
    found: list[Anchor] = []
    for anchor in _anchors(runs_dir, ledger, suite):
        found.append(anchor)
        if len(found) == _ENOUGH:
            break
    return tuple(found)


def lost_anchors(ledger: Ledger, anchors: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
    """Those that the ledger does not bear out."""
    return tuple(a for a in anchors if not ledger.holds(length=a.length, head=a.head))


def _anchors(runs_dir: Path, ledger: Path, suite: str) -> Iterator[Anchor]:
    for path in reversed(record_paths(runs_dir)):
        plain = _head_of(path)
        told = plain.get("held_out")
        if not isinstance(told, dict) or _suite_of(plain) != suite:
            continue
        if (runs_dir / str(told.get("ledger"))).resolve() == ledger.resolve():
            yield Anchor(
                run_id=path.stem,
                length=int(told.get("length") or 0),
                head=str(told.get("head") or ""),
                looks=int(told.get("looks") or 0),
            )


def _head_of(path: Path) -> dict[str, Any]:
    """What the record says before its cases; empty where it cannot be read."""
    try:
        return split_head(path.read_bytes()) or read_plain(path)
    except (OSError, RecordError):
        return {}


def _suite_of(plain: dict[str, Any]) -> str | None:
    suite = plain.get("suite")
    return suite.get("name") if isinstance(suite, dict) else None
