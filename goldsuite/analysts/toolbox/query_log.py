"""The log of what ran for one trial: one JSON line per query, written by the server that ran it.

A query whose line cannot be written gives the agent nothing, so that a log holds all that an agent
got to see. The file stands where the agent's own rights reach: what an agent that goes looking
might write into it is only kept out by a sandbox.
"""

import json
import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self

from goldsuite.analysts.row_fields import decode_json, read_queries
from goldsuite.errors import AnalystError, UsageError
from goldsuite.model.answer import LoggedQuery

__all__ = ["MAX_BYTES", "QueryLog", "ReadLog", "read_query_log"]

MAX_BYTES = 50_000_000
"""Of one log; no query runs for a trial whose log is full."""
_SHOWN_FAULTS = 3


class QueryLog:
    """Appends to the log of one trial. Safe to call from several threads."""

    def __init__(self, path: Path, *, token: str | None, max_bytes: int = MAX_BYTES) -> None:
        """Open the log, which may hold lines already.

        Args:
            path: the file; one that is made is readable for its owner alone.
            token: of the trial, written into every line; None outside of a run.
            max_bytes: of the whole file.

        Raises:
            UsageError: it cannot be opened.
        """
        self._token = token
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        try:
            # For its owner alone from the first moment; a file that is there keeps its mode.
            opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            self._file: IO[bytes] = os.fdopen(opened, "ab", buffering=0)
        except OSError as error:
            raise UsageError(
                f"{path}: the log of the queries cannot be written ({error.strerror}). "
                "Name a file in a folder that is there."
            ) from None

    def write(self, query: LoggedQuery) -> None:
        """Append one line; it has left this process when the call returns.

        Raises:
            AnalystError: the log is full, or cannot be written.
        """
        told = {
            "token": self._token,
            "sql": query.sql,
            "rows": query.rows,
            "value": query.value,
            "error": query.error,
        }
        kept = {key: value for key, value in told.items() if value is not None}
        line = json.dumps(kept).encode() + b"\n"
        with self._lock:
            if self._file.tell() + len(line) > self._max_bytes:
                raise AnalystError("the log of this trial's queries is full: no more queries run")
            try:
                written = self._file.write(line)
            except OSError as error:
                why = error.strerror or type(error).__name__
                raise AnalystError(f"the query cannot be logged ({why}): no queries run") from None
            if written < len(line):
                raise AnalystError("the query cannot be logged (no space): no queries run")

    def close(self) -> None:
        """Nothing can be written afterwards."""
        with suppress(OSError):
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadLog:
    """What a log says of one trial."""

    queries: tuple[LoggedQuery, ...]
    """In the order of the file."""
    faults: tuple[str, ...]
    """A sentence for each kind of line that was passed over; empty for a sound log."""


def read_query_log(path: Path, *, token: str | None, max_bytes: int = MAX_BYTES) -> ReadLog | None:
    """The queries that were logged for the trial `token`; None where no server ever wrote there.

    A line that cannot be read, or is another trial's, is passed over and told.

    Raises:
        AnalystError: the file is there and cannot be read.
    """
    try:
        if path.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
    except OSError as error:
        raise AnalystError(f"the log of the queries cannot be read: {error.strerror}") from None
    queries: list[LoggedQuery] = []
    damaged: list[int] = []
    foreign = 0
    lines = content[:max_bytes].split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fields = _fields(line)
            if fields.get("token") != token:
                foreign += 1
                continue
            queries += read_queries([fields])
        except (ValueError, RecursionError):
            damaged.append(number)
    return ReadLog(
        queries=tuple(queries),
        faults=tuple(_faults(damaged, foreign, cut=len(content) > max_bytes)),
    )


def _fields(line: bytes) -> dict[str, Any]:
    # Ends in a ValueError where the line is no UTF-8, too.
    text = line.decode()
    fields, end = decode_json(text)
    if text[end:].strip() or not isinstance(fields, dict) or not isinstance(fields.get("sql"), str):
        raise ValueError("no logged query")
    return fields


def _faults(damaged: list[int], foreign: int, *, cut: bool) -> list[str]:
    faults = []
    if damaged:
        shown = ", ".join(map(str, damaged[:_SHOWN_FAULTS]))
        more = f" and {len(damaged) - _SHOWN_FAULTS} more" if len(damaged) > _SHOWN_FAULTS else ""
        faults.append(f"query log: line {shown}{more} cannot be read")
    if foreign:
        faults.append(f"query log: {foreign} lines do not carry the trial's token")
    if cut:
        faults.append("query log: larger than any that a server of ours writes; its end is unread")
    return faults
