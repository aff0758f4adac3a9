"""The hash that a record carries of itself, so that a later change is noticed.

`record_sha256` is the SHA-256 of the file's text without the one line that holds it: two-space
JSON, keys in the order in which they stand. A file that was only laid out anew still has it.
Whoever means to deceive can compute it as well: against that a record has to be kept where its
history is kept, such as git.
"""

import hashlib
from enum import StrEnum
from typing import Any

__all__ = ["SealState", "seal", "seal_state", "sealed_text"]

_OPENING = b'\n  "record_sha256": '
"""Begins a line of its own: no JSON string holds a line break, and two spaces are the top level."""
_FIRST_SEALED = 2
"""The first format whose records have a hash."""


class SealState(StrEnum):
    """What the hash tells of a record file."""

    INTACT = "intact"
    CHANGED = "changed"
    UNSEALED = "unsealed"
    """Written before records carried a hash."""


def sealed_text(text: str) -> str:
    """The text of a record file, as `goldsuite.records.file.record_json` writes it, with its hash.

    Raises:
        ValueError: it has no line for the hash.
    """
    raw = text.encode()
    start, end = _line(raw)
    line = b'%b"%b",' % (_OPENING, seal(raw).encode())
    return (raw[:start] + line + raw[end:]).decode()


def seal(raw: bytes) -> str:
    """The hash over a file as goldsuite writes it, in hex.

    Raises:
        ValueError: it has no line for the hash.
    """
    start, end = _line(raw)
    found = hashlib.sha256(memoryview(raw)[:start])
    found.update(memoryview(raw)[end:])
    return found.hexdigest()


def seal_state(raw: bytes, version: int, told: object, plain: "dict[str, Any] | None") -> SealState:
    """Whether a record file is still what was written.

    Args:
        raw: the file's bytes.
        version: its `schema_version`.
        told: its `record_sha256`.
        plain: its content, for a file that is laid out otherwise than goldsuite does; None to look
            at the bytes alone.
    """
    if told is None:
        return SealState.UNSEALED if version < _FIRST_SEALED else SealState.CHANGED
    try:
        if seal(raw) == told:
            return SealState.INTACT
    except ValueError:
        pass
    if plain is not None and seal(_laid_out(plain)) == told:
        return SealState.INTACT
    return SealState.CHANGED


def _line(raw: bytes) -> tuple[int, int]:
    """Where the line of the hash begins, with the line break before it, and where it ends."""
    start = raw.index(_OPENING)
    return start, raw.index(b"\n", start + 1)


def _laid_out(plain: dict[str, Any]) -> bytes:
    # As dear to import as it is quick: needed for files alone that were laid out anew.
    from pydantic_core import to_json

    return to_json(plain, indent=2, inf_nan_mode="constants") + b"\n"
