"""SQLite: a file opened read-only, with an authorizer that lets through reading alone.

Every statement runs in a worker process: one slow LIKE pattern is a single instruction of SQLite's
machine, which nothing but the end of its process stops; and its 'localtime' is the zone of its
process, which is UTC there. Gold has workers of its own.
"""

import sqlite3
import threading
from collections.abc import Collection, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Engine, create_engine
from sqlalchemy.engine.url import URL
from sqlalchemy.pool import NullPool

from goldsuite.model.result_set import ProblemKind
from goldsuite.sqltext.gate import Refusal
from goldsuite.warehouse.adapter import Redaction
from goldsuite.warehouse.base import Limits, Snapshot
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
    WorkerStartError,
)

DEFAULT_WORKERS = 4


class ChangeWatch:
    """Sees whether anybody has changed the file. Implements `goldsuite.warehouse.adapter.Hold`.

    A read transaction held open would not do: in one journal mode it binds its own connection
    alone, in the other it makes a writer wait, and the waiting writer all new readers.
    """

    def __init__(self, raw: sqlite3.Connection) -> None:
        """Watch through `raw`, which is closed at the end."""
        self._raw = raw
        # Two threads on one connection with an authorizer can wait for each other for ever.
        self._one_at_a_time = threading.Lock()
        self._first = self._version()

    @property
    def snapshot(self) -> Snapshot:
        same = self._first is not None and self._version() == self._first
        return Snapshot.UNCHANGED_FILE if same else Snapshot.NONE

    def close(self) -> None:
        self._raw.close()

    def _version(self) -> int | None:
        """A number that is another one once another connection has committed a change."""
        with self._one_at_a_time:
            try:
                row = self._raw.execute("pragma data_version").fetchone()
            except sqlite3.Error:
                return None
        return int(row[0])


class SQLiteFile:
    """Implements `goldsuite.warehouse.adapter.Adapter` for one SQLite file."""

    dialect = "sqlite"
    time_zone = "UTC"
    errors: tuple[type[Exception], ...] = (sqlite3.Error, WorkerStartError)
    warnings: tuple[str, ...] = ()
    probe: str | None = "select count(*) from sqlite_master"

    def __init__(self, path: Path, limits: Limits, workers: int = DEFAULT_WORKERS) -> None:
        """Take `path`, which is opened for each statement.

        Args:
            workers: statements that each door may run at once, each in a process of its own; those
                of the analyst's door have an equal share of the memory.

        Raises:
            sqlite3.Error: it cannot be read; `open_hint` says what to try.
        """
        self.name = f"SQLite {sqlite3.sqlite_version}"
        self.redactions: tuple[Redaction, ...] = path_redactions(path)
        self._path = path
        self._max_bytes = limits.max_bytes
        with closing(self._open()) as raw:
            raw.execute(str(self.probe)).fetchall()
        share = limits.memory_bytes // workers
        self._gold = self._workers(limits.memory_bytes, workers, guarded=False)
        self._pool = self._workers(share, workers, guarded=True)
        self._make_error = error_maker(sqlite3)

    def engine(self, *, guarded: bool) -> Engine:
        url = URL.create("sqlite", database=str(self._path))
        pool = self._pool if guarded else self._gold

        def connect() -> WorkerConnection:
            # A worker that waits has the file open already, and would still read one that is gone.
            if not self._path.exists():
                raise sqlite3.OperationalError("unable to open database file")
            return WorkerConnection(pool, self._make_error)

        return create_engine(url, creator=connect, poolclass=NullPool)

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

    def time_limit(self, raw: WorkerConnection, seconds: float) -> StatementLimit:
        return raw.time_limit(seconds)

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

    def hold_still(self) -> ChangeWatch:
        """Keep nobody from writing, but see whether somebody did."""
        return ChangeWatch(self._open())

    def close(self) -> None:
        self._gold.close()
        self._pool.close()

    def worker_processes(self) -> Sequence[int]:
        """The process ids of the analyst's workers that are there, sorted."""
        return self._pool.processes()

    def _open(self) -> sqlite3.Connection:
        return open_session(self._path, self._max_bytes, guarded=False)

    def _workers(self, memory_bytes: int, count: int, *, guarded: bool) -> WorkerPool:
        order = WorkerOrder(
            engine="sqlite",
            path=self._path,
            memory_bytes=memory_bytes,
            max_value_bytes=self._max_bytes,
            # SQLite sorts in temporary files.
            file_bytes=memory_bytes,
            guarded=guarded,
        )
        return WorkerPool(order, count)


def open_adapter(
    path: Path,
    limits: Limits,
    workers: int,
    allow_paths: Sequence[Path],  # noqa: ARG001 - SQLite's data lies in one file
    folder: Path,  # noqa: ARG001
) -> SQLiteFile:
    """Open `path`."""
    return SQLiteFile(path, limits, workers)


def open_hint(error: BaseException, path: Path) -> str:
    """What to try when `path` cannot be used; empty where nothing is known."""
    name = getattr(error, "sqlite_errorname", None) or ""
    if name == "SQLITE_NOTADB":
        # DuckDB writes its mark behind a checksum of eight bytes.
        if first_bytes(path, 12)[8:] == b"DUCK":
            return f"The file is a DuckDB database: use duckdb:///{path}."
        return "The file is no SQLite database, or it is damaged: build it again."
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "Another process is writing to the file: end it, or use a copy."
    if name.startswith("SQLITE_CANTOPEN"):
        return "Check that the file and its folder may be read by this user."
    return ""
