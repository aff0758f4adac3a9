"""SQLite: a file opened read-only, with an authorizer that lets through reading alone."""

import sqlite3
import time
from collections.abc import Callable, Collection
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from sqlalchemy.engine import Engine, create_engine
from sqlalchemy.engine.url import URL
from sqlalchemy.pool import NullPool

from goldsuite.model.result_set import ProblemKind
from goldsuite.sqltext.gate import Refusal
from goldsuite.warehouse.adapter import Redaction
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.files import first_bytes, path_redactions

_STEPS = 10_000
"""Instructions of SQLite's machine between two looks at the clock: well under a millisecond."""
_BUSY_S = 5.0

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
# SQLAlchemy adds REGEXP in Python, where no time limit reaches an unlucky pattern.
_DENIED_TO_ANALYSTS = _DENIED_FUNCTIONS | {"regexp"}


class ProgressLimit:
    """Stops what runs on a connection once its time is up."""

    def __init__(self, raw: sqlite3.Connection, seconds: float) -> None:
        self.expired = False
        self._raw = raw
        self._end = time.monotonic() + seconds

    def __enter__(self) -> Self:
        self._raw.set_progress_handler(self._look, _STEPS)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._raw.set_progress_handler(None, 0)

    def _look(self) -> int:
        self.expired = self.expired or time.monotonic() >= self._end
        return int(self.expired)


class SQLiteFile:
    """Implements `goldsuite.warehouse.adapter.Adapter` for one SQLite file."""

    dialect = "sqlite"

    errors: tuple[type[Exception], ...] = (sqlite3.Error,)
    probe: str | None = "select count(*) from sqlite_master"

    def __init__(self, path: Path, limits: Limits) -> None:
        self.name = f"SQLite {sqlite3.sqlite_version}"
        self.redactions: tuple[Redaction, ...] = path_redactions(path)
        self._path = path
        self._max_value = min(limits.max_bytes, 1_000_000_000)

    def engine(self, *, guarded: bool) -> Engine:
        url = URL.create("sqlite", database=str(self._path))
        denied = _DENIED_TO_ANALYSTS if guarded else _DENIED_FUNCTIONS
        return create_engine(url, creator=lambda: self._session(denied), poolclass=NullPool)

    def check(
        self,
        raw: Any,  # noqa: ARG002
        sql: str,  # noqa: ARG002
        *,
        parsed: bool,  # noqa: ARG002
        guarded: bool,  # noqa: ARG002
        allow_functions: Collection[str] = (),  # noqa: ARG002
    ) -> Refusal | None:
        # Python's sqlite3 runs one statement only, and the authorizer judges every name in it.
        return None

    def time_limit(self, raw: Any, seconds: float) -> ProgressLimit:
        return ProgressLimit(raw, seconds)

    def problem_kind(self, error: BaseException) -> ProblemKind:
        name = getattr(error, "sqlite_errorname", None) or ""
        text = str(error)
        if name in {"SQLITE_TOOBIG", "SQLITE_NOMEM"} or isinstance(error, MemoryError):
            return "too_large"
        refused = name.startswith(("SQLITE_AUTH", "SQLITE_READONLY"))
        if refused or "not authorized" in text or "one statement at a time" in text:
            return "refused"
        return "failed"

    def column_type(self, described: Any) -> str | None:  # noqa: ARG002
        return None  # SQLite types values, not columns.

    def close(self) -> None:
        return

    def _session(self, denied: frozenset[str]) -> sqlite3.Connection:
        raw = sqlite3.connect(
            f"file:{quote(str(self._path))}?mode=ro",
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
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self._max_value)
        raw.set_authorizer(_authorizer(denied))
        return raw


def open_hint(error: BaseException, path: Path) -> str:
    """What to try when `path` cannot be used; empty where nothing is known."""
    name = getattr(error, "sqlite_errorname", None) or ""
    if name == "SQLITE_NOTADB":
        # DuckDB writes its mark behind a checksum of eight bytes.
        if first_bytes(path, 12)[8:] == b"DUCK":
            return f"The file is a DuckDB database: use duckdb:///{path.name}."
        return "The file is no SQLite database, or it is damaged: build it again."
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "Another process is writing to the file: end it, or use a copy."
    if name.startswith("SQLITE_CANTOPEN"):
        return "Check that the file and its folder may be read by this user."
    return ""


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
