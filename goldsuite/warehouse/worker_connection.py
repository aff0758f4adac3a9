"""A worker process as the PEP 249 connection that SQLAlchemy and the door work with."""

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType, TracebackType
from typing import Any, Self

from goldsuite.warehouse.cells import Row
from goldsuite.warehouse.worker_pool import TimeLimit, Worker, WorkerPool
from goldsuite.warehouse.worker_wire import unpack_rows

ErrorMaker = Callable[[str, str, str | None], Exception]
"""From the name of an error's class, its text and the engine's code to the error."""

_QUESTION_S = 10.0
"""For what runs outside of a statement's limit: how the engine reads it, what SQLAlchemy asks."""


def error_maker(driver: ModuleType) -> ErrorMaker:
    """Makes errors of `driver`; what it does not know becomes Python's own, or a RuntimeError."""
    known: Mapping[str, type[Exception]] = {
        name: value
        for module in (builtins, driver)
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }

    def make(name: str, text: str, code: str | None) -> Exception:
        try:
            error = known.get(name, RuntimeError)(text)
        except TypeError:  # Some of Python's own take more than a text.
            error = RuntimeError(text)
        if code is not None:
            # Python's sqlite3 gives its errors this name, by which they are told apart.
            vars(error)["sqlite_errorname"] = code
        return error

    return make


class WorkerConnection:
    """One fresh session in a worker; closing it gives the worker back."""

    isolation_level: str | None = None

    def __init__(self, pool: WorkerPool, make_error: ErrorMaker) -> None:
        self.autocommit = True
        self._pool = pool
        self._make_error = make_error
        self._limit: TimeLimit | None = None
        self._worker: Worker | None = pool.take()

    def cursor(self) -> "WorkerCursor":
        return WorkerCursor(self)

    def time_limit(self, seconds: float) -> "StatementLimit":
        """Stop what is asked of this connection once `seconds` have passed."""
        return StatementLimit(self, seconds)

    def ask(self, name: str, *arguments: Any) -> Any:
        """Ask the worker.

        Raises:
            OverdueError: the limit of the statement came first.
            WorkerLostError: the process ended.
            Exception: what the engine raised.
        """
        return self._value(self._open_worker().ask(name, *arguments, limit=self._running_limit()))

    def ask_ahead(self, name: str, *arguments: Any) -> None:
        """Let the worker begin with what `answer` will wait for; raises as `ask` does."""
        self._open_worker().ask_ahead(name, *arguments)

    def answer(self) -> Any:
        """What the worker replies to `ask_ahead`; raises as `ask` does."""
        return self._value(self._open_worker().answer(limit=self._running_limit()))

    def statement_kinds(self, sql: str) -> list[str] | None:
        """What statements the engine reads in `sql`; None where it cannot tell."""
        kinds: list[str] | None = self.ask("kinds", sql)
        return kinds

    def set_limit(self, limit: TimeLimit | None) -> None:
        self._limit = limit

    def create_function(self, *_: Any, **__: Any) -> None:
        """Nothing: SQLAlchemy wants a function in SQLite that is refused to analysts."""

    def begin(self) -> None:
        """Nothing: one statement is its own transaction, and it only reads."""

    def commit(self) -> None:
        """Nothing, as in `begin`."""

    def rollback(self) -> None:
        """Nothing, as in `begin`."""

    def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            self._pool.give_back(worker)

    def _open_worker(self) -> Worker:
        if self._worker is None:
            raise RuntimeError("the session is closed")
        return self._worker

    def _running_limit(self) -> TimeLimit:
        return self._limit or TimeLimit(_QUESTION_S)

    def _value(self, reply: tuple[Any, ...]) -> Any:
        status, *values = reply
        if status != "ok":
            raise self._make_error(*values)
        return values[0]


class WorkerCursor:
    """A PEP 249 cursor, and a `goldsuite.warehouse.adapter.CellCursor`: its rows hold cells."""

    arraysize = 1
    lastrowid = None

    def __init__(self, connection: WorkerConnection) -> None:
        self._connection = connection
        self.description: Sequence[Any] | None = None
        self.rowcount = -1
        self._rows: Sequence[Row] = []
        self._next = 0
        self._ahead = False

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        columns, packed, more = self._connection.ask("execute", sql, list(parameters))
        self.description = columns and [
            (*column, None, None, None, None, None) for column in columns
        ]
        self._keep(packed, more=more)

    def executemany(self, sql: str, parameters: Sequence[Sequence[Any]]) -> None:
        for values in parameters:
            self.execute(sql, values)

    def batches(self) -> Iterator[Sequence[Row]]:
        """All rows that are left, in parts."""
        while self._rows or self._ahead:
            part, self._rows = self._rows[self._next :], []
            self._next = 0
            if part:
                yield part
            if self._ahead:
                self._take()

    def fetchone(self) -> Row | None:
        rows = self.fetchmany(1)
        return rows[0] if rows else None

    def fetchmany(self, size: int | None = None) -> list[Row]:
        """Up to `size` rows, at times fewer; none only at the end."""
        while self._next >= len(self._rows) and self._ahead:
            self._take()
        start = self._next
        self._next = min(len(self._rows), start + (size or self.arraysize))
        return list(self._rows[start : self._next])

    def fetchall(self) -> list[Row]:
        return [row for batch in self.batches() for row in batch]

    def close(self) -> None:
        self._rows, self._ahead = [], False

    def _take(self) -> None:
        packed, more = self._connection.answer()
        self._keep(packed, more=more)

    def _keep(self, packed: Sequence[Any], *, more: bool) -> None:
        self._ahead = more
        if more:
            # The worker fetches while this process unpacks what came.
            self._connection.ask_ahead("fetch")
        self._rows, self._next = unpack_rows(packed), 0


class StatementLimit:
    """Implements `goldsuite.warehouse.adapter.Deadline` by waiting no longer for the worker."""

    def __init__(self, connection: WorkerConnection, seconds: float) -> None:
        self._connection = connection
        self._seconds = seconds
        self._limit = TimeLimit(seconds)

    @property
    def expired(self) -> bool:
        return self._limit.expired

    def __enter__(self) -> Self:
        self._limit = TimeLimit(self._seconds)
        self._connection.set_limit(self._limit)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.set_limit(None)
