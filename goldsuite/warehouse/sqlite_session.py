"""SQLite, opened read-only behind an authorizer, with nothing else loaded.

Both doors open their sessions here, in worker processes.
"""

import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

_BUSY_S = 5.0
_MAX_VALUE = 1_000_000_000

_READING = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    }
)
# With an argument these name a table or an index. `database_list` would tell the file's path.
_SCHEMA_PRAGMAS = frozenset(
    {
        "foreign_key_list",
        "index_info",
        "index_list",
        "index_xinfo",
        "table_info",
        "table_list",
        "table_xinfo",
    }
)
# Without an argument: asked for by SQLAlchemy when it connects, and by full-text tables.
_STATE_PRAGMAS = frozenset({"page_size", "read_uncommitted", "table_list", "data_version"})
_DENIED_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "sqlite_log"})
# Python's patterns are SQLite's REGEXP here, as in SQLAlchemy: code of the key's owner alone.
_DENIED_TO_ANALYSTS = _DENIED_FUNCTIONS | {"regexp"}


def open_session(path: Path, max_bytes: int, *, guarded: bool) -> sqlite3.Connection:
    """A fresh connection to `path` that only reads.

    Args:
        max_bytes: of one value.
        guarded: whether an analyst's SQL will run on it.

    Raises:
        sqlite3.Error: the file cannot be opened.
    """
    raw = sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro",
        uri=True,
        timeout=_BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )
    # One text of a wrong encoding must not cost the whole result.
    raw.text_factory = _decoded
    raw.execute("pragma query_only = on")
    raw.execute("pragma trusted_schema = off")
    raw.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(max_bytes, _MAX_VALUE))
    raw.set_authorizer(_authorizer(_DENIED_TO_ANALYSTS if guarded else _DENIED_FUNCTIONS))
    return raw


class SQLiteSession:
    """Implements `goldsuite.warehouse.worker.Session`."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        # For analysts there to be refused: an unknown function would be an error of the SQL.
        raw.create_function("regexp", 2, _matches)
        self._raw = raw
        self._cursor = raw.cursor()

    def kinds(self, sql: str) -> None:  # noqa: ARG002
        """Nothing: Python's sqlite3 tells no kinds, and runs one statement only."""
        return

    def execute(self, sql: str, parameters: Sequence[Any]) -> list[tuple[str, str | None]] | None:
        self._cursor.execute(sql, parameters)
        if self._cursor.description is None:
            return None
        return [(str(entry[0] or ""), None) for entry in self._cursor.description]

    def fetch(self, size: int) -> Sequence[Sequence[Any]]:
        return self._cursor.fetchmany(size)

    def interrupt(self) -> None:
        self._raw.interrupt()

    def close(self) -> None:
        self._raw.close()


class SQLiteDatabase:
    """Implements `goldsuite.warehouse.worker.Database`."""

    def __init__(self, path: Path, max_bytes: int, *, guarded: bool) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._guarded = guarded

    def session(self) -> SQLiteSession:
        return SQLiteSession(open_session(self._path, self._max_bytes, guarded=self._guarded))


def open_database(path: Path, max_bytes: int, *, guarded: bool) -> SQLiteDatabase:
    """`path` for a worker process; `guarded` as in `open_session`."""
    return SQLiteDatabase(path, max_bytes, guarded=guarded)


def _matches(pattern: str, value: object) -> bool | None:
    return None if value is None else re.search(pattern, str(value)) is not None


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _authorizer(
    denied: frozenset[str],
) -> Callable[[int, str | None, str | None, str | None, str | None], int]:
    def authorize(
        action: int,
        first: str | None,
        second: str | None,
        database: str | None,
        trigger: str | None,  # noqa: ARG001 - SQLite passes it
    ) -> int:
        if action == sqlite3.SQLITE_FUNCTION:
            allowed = (second or "").lower() not in denied
        elif action == sqlite3.SQLITE_PRAGMA:
            pragmas = _STATE_PRAGMAS if second is None else _SCHEMA_PRAGMAS
            allowed = (first or "").lower() in pragmas
        elif action == sqlite3.SQLITE_UPDATE:
            # A virtual table (full text, JSON) asks for this when it declares its columns. A
            # real update of the schema is refused by `mode=ro` and without `writable_schema`.
            allowed = first == "sqlite_master" and database == "main"
        else:
            allowed = action in _READING
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    return authorize
