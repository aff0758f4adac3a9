"""SQLite: a file opened read-only, with an authorizer that lets through reading alone.

Gold runs in this process under a progress handler. Analysts' statements run in worker processes,
because one slow LIKE pattern is a single instruction of SQLite's machine, in which no handler is
asked.
"""

import sqlite3
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy.engine import Engine, create_engine
from sqlalchemy.engine.url import URL
from sqlalchemy.pool import NullPool

from goldsuite.model.result_set import ProblemKind
from goldsuite.sqltext.gate import Refusal
from goldsuite.warehouse.adapter import Redaction
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.files import first_bytes, path_redactions
from goldsuite.warehouse.sqlite_session import open_session
from goldsuite.warehouse.worker_connection import (
    StatementLimit,
    WorkerConnection,
    error_maker,
)
from goldsuite.warehouse.worker_pool import (
    OverdueError,
    WorkerLostError,
    WorkerOrder,
    WorkerPool,
)

_STEPS = 10_000
"""Instructions of SQLite's machine between two looks at the clock: well under a millisecond."""
DEFAULT_WORKERS = 4


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

    def __init__(self, path: Path, limits: Limits, workers: int = DEFAULT_WORKERS) -> None:
        """Take `path`, which is opened for each statement.

        Args:
            workers: statements that the analyst's door may run at once, each in a process of its
                own with an equal share of the memory.
        """
        self.name = f"SQLite {sqlite3.sqlite_version}"
        self.redactions: tuple[Redaction, ...] = path_redactions(path)
        self._path = path
        self._max_bytes = limits.max_bytes
        self._pool = WorkerPool(
            WorkerOrder(
                engine="sqlite",
                path=path,
                memory_bytes=limits.memory_bytes // workers,
                max_value_bytes=limits.max_bytes,
                # SQLite sorts in temporary files.
                file_bytes=limits.memory_bytes // workers,
            ),
            workers,
        )
        self._make_error = error_maker(sqlite3)

    def engine(self, *, guarded: bool) -> Engine:
        url = URL.create("sqlite", database=str(self._path))
        creator = self._worker_session if guarded else self._session
        return create_engine(url, creator=creator, poolclass=NullPool)

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

    def time_limit(self, raw: Any, seconds: float) -> ProgressLimit | StatementLimit:
        if isinstance(raw, WorkerConnection):
            return raw.time_limit(seconds)
        return ProgressLimit(raw, seconds)

    def problem_kind(self, error: BaseException) -> ProblemKind:
        name = getattr(error, "sqlite_errorname", None) or ""
        text = str(error)
        too_large = isinstance(error, (MemoryError, WorkerLostError))
        if too_large or name in {"SQLITE_TOOBIG", "SQLITE_NOMEM"}:
            return "too_large"
        if isinstance(error, OverdueError):
            return "timed_out"
        refused = name.startswith(("SQLITE_AUTH", "SQLITE_READONLY"))
        if refused or "not authorized" in text or "one statement at a time" in text:
            return "refused"
        return "failed"

    def column_type(self, described: Any) -> str | None:  # noqa: ARG002
        return None  # SQLite types values, not columns.

    def close(self) -> None:
        self._pool.close()

    def worker_processes(self) -> Sequence[int]:
        """The process ids of the workers that are there, sorted."""
        return self._pool.processes()

    def _session(self) -> sqlite3.Connection:
        return open_session(self._path, self._max_bytes, guarded=False)

    def _worker_session(self) -> WorkerConnection:
        return WorkerConnection(self._pool, self._make_error)


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
