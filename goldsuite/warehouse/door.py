"""A door: the only way by which SQL reaches a warehouse.

Every statement passes the parse gate, then the engine's own check, and runs in a fresh session
under a time limit and the caps on rows and bytes. Nothing that one statement leaves behind is seen
by another.
"""

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from threading import BoundedSemaphore
from typing import Any

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from goldsuite.model.result_set import Column, Execution, Problem, ResultSet
from goldsuite.sqltext.gate import Refusal, Rule, check_query
from goldsuite.warehouse.adapter import Adapter, CellCursor, Redaction
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.cells import Row, RowReader, size_of
from goldsuite.warehouse.server import REFLECTING

_BATCH_ROWS = 1_000
_MAX_MESSAGE = 600

# What a driver was seen to raise besides its own errors: NUL bytes, huge integers, no memory.
_DRIVER_FAULTS = (SQLAlchemyError, ValueError, OverflowError, RuntimeError, MemoryError)


class _LostConnectionError(RuntimeError):
    """The connection broke while a statement ran; its cause is the driver's error."""


class SqlDoor:
    """Implements `goldsuite.warehouse.base.Door` over one SQLAlchemy engine."""

    def __init__(
        self,
        adapter: Adapter,
        limits: Limits,
        *,
        guarded: bool,
        concurrency: int,
        allow_functions: Collection[str] = (),
    ) -> None:
        self._adapter = adapter
        self._limits = limits
        self._faults: tuple[type[Exception], ...] = (*_DRIVER_FAULTS, *adapter.errors)
        self._guarded = guarded
        self._allow_functions = frozenset(allow_functions)
        self._engine = adapter.engine(guarded=guarded)
        # Waiting for a free place is not the statement's time.
        self._places = BoundedSemaphore(concurrency)

    @property
    def dialect(self) -> str:
        return self._adapter.dialect

    @property
    def sqlalchemy_engine(self) -> Engine:
        """The engine that every statement of this door goes through."""
        return self._engine

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        """What connecting and running may raise."""
        return self._faults

    def execute(self, sql: str, *, connection: Connection | None = None) -> Execution:
        """Run one statement; a refusal, an engine error or a limit comes back as a problem.

        Args:
            connection: of this door's engine, fresh but begun; else one is made. Where it is lost
                the statement is asked again on a new one.
        """
        refusal = check_query(
            sql, self.dialect, guarded=self._guarded, allow_functions=self._allow_functions
        )
        unread = refusal is not None and refusal.rule is Rule.NOT_PARSED
        if refusal is not None and not unread:
            return self._refused(sql, refusal)
        try:
            try:
                return self._run_once(sql, parsed=not unread, connection=connection)
            except _LostConnectionError:
                # A query changes nothing, so that it may be asked again, on a new connection.
                return self._run_once(sql, parsed=not unread)
        except self._faults as error:
            return self._failed(sql, error)

    def limited_to(self, max_rows: int) -> "SqlDoor":
        """The same door for a reader who looks at the first rows alone; never close both."""
        door = copy(self)
        fewer = min(max_rows, self._limits.max_rows)
        door._limits = replace(self._limits, max_rows=fewer)  # noqa: SLF001 - our own class
        return door

    def close(self) -> None:
        self._engine.dispose()

    def try_writing(self, sql: str) -> Problem | None:
        """Run `sql` past the gate and roll it back: why it failed, None where it was let through.

        For statements that change nothing even where they are let through.
        """
        plain = self._engine.execution_options(**{REFLECTING: True})
        try:
            with self._places, plain.connect() as connection:
                raw = connection.connection.driver_connection
                with self._adapter.time_limit(raw, self._limits.timeout_s):
                    connection.exec_driver_sql(sql).close()
                connection.rollback()
        except self._faults as error:
            return self._failed(sql, error).problem
        return None

    def _run_once(
        self, sql: str, *, parsed: bool, connection: Connection | None = None
    ) -> Execution:
        raw: Any = None
        try:
            if connection is not None:
                raw = connection.connection.driver_connection
                return self._run(connection, sql, parsed=parsed)
            with self._places, self._engine.connect() as fresh:
                raw = fresh.connection.driver_connection
                return self._run(fresh, sql, parsed=parsed)
        except self._faults as error:
            if self._is_lost(error, raw):
                raise _LostConnectionError(str(error)) from error
            raise

    def _is_lost(self, error: Exception, raw: Any) -> bool:
        if isinstance(error, DBAPIError):
            return error.connection_invalidated
        # While rows are fetched SQLAlchemy wraps nothing.
        fault: Any = error
        return raw is not None and self._engine.dialect.is_disconnect(fault, raw, None)

    def _run(self, connection: Connection, sql: str, *, parsed: bool) -> Execution:
        raw = connection.connection.driver_connection
        refusal = self._adapter.check(
            raw,
            sql,
            parsed=parsed,
            guarded=self._guarded,
            allow_functions=self._allow_functions,
        )
        if refusal is not None:
            return self._refused(sql, refusal)
        started = time.perf_counter()
        fault: Exception | None = None
        outcome: ResultSet | Problem | None = None
        with self._adapter.time_limit(raw, self._limits.timeout_s) as deadline:
            try:
                outcome = self._fetch(connection, sql, started)
            except self._faults as error:
                fault = error
        if deadline.expired:
            # Even with a result: an engine may answer an interrupt with a partial one.
            message = f"stopped after {self._limits.timeout_s:g} s, the limit for one statement"
            return Execution(sql=sql, problem=Problem(kind="timed_out", message=message))
        if fault is not None:
            raise fault
        if isinstance(outcome, ResultSet):
            return Execution(sql=sql, result=outcome)
        return Execution(sql=sql, problem=outcome)

    def _fetch(self, connection: Connection, sql: str, started: float) -> ResultSet | Problem:
        # Never text(): it would read `:x` and `{'a':1}` in the user's SQL as binds.
        with closing(connection.exec_driver_sql(sql)) as outcome:
            cursor: Any = outcome.cursor
            if cursor is None or cursor.description is None:
                return Problem(kind="failed", message="the statement returned no columns")
            columns = tuple(
                Column(name=str(entry[0] or ""), type=self._adapter.column_type(entry))
                for entry in cursor.description
            )
            rows, truncated = self._rows(cursor, columns)
        elapsed = time.perf_counter() - started
        return ResultSet(columns=columns, rows=rows, truncated=truncated, elapsed_s=elapsed)

    def _rows(self, cursor: Any, columns: tuple[Column, ...]) -> tuple[tuple[Row, ...], bool]:
        """The rows until a cap is reached, and whether there was more."""
        rows: list[Row] = []
        size = 0
        for batch in _batches(cursor, RowReader([column.type for column in columns])):
            taken = size_of(batch)
            if not self._is_over(len(rows) + len(batch), size + taken):
                rows += batch
                size += taken
                continue
            for row in batch:
                if self._is_over(len(rows) + 1, size):
                    return tuple(rows), True
                rows.append(row)
                size += size_of([row])
        return tuple(rows), self._is_over(len(rows), size)

    def _is_over(self, rows: int, size: int) -> bool:
        return rows > self._limits.max_rows or size > self._limits.max_bytes

    def _refused(self, sql: str, refusal: Refusal) -> Execution:
        return Execution(sql=sql, problem=Problem(kind="refused", message=str(refusal)))

    def _failed(self, sql: str, error: BaseException) -> Execution:
        cause = driver_error(error)
        kind = self._adapter.problem_kind(cause)
        message = one_line(cause, self._adapter.redactions)
        if kind == "refused":
            message = f"refused by the engine's own lock-down: {message}"
        return Execution(sql=sql, problem=Problem(kind=kind, message=message))


def _batches(cursor: Any, reader: RowReader) -> Iterator[Sequence[Row]]:
    if isinstance(cursor, CellCursor):
        for cells in cursor.batches():
            yield reader.read_cells(cells)
        return
    while batch := cursor.fetchmany(_BATCH_ROWS):
        yield reader.read(batch)


def driver_error(error: BaseException) -> BaseException:
    """The driver's own error under SQLAlchemy's, which would repeat the statement."""
    if isinstance(error, _LostConnectionError) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig
    return error


def one_line(error: BaseException, redactions: tuple[Redaction, ...]) -> str:
    """What the engine said: its first paragraph, on one line, without secrets and paths."""
    # psycopg's text repeats the statement; what the server said stands apart.
    said = getattr(getattr(error, "diag", None), "message_primary", None)
    text = said or str(error).strip() or type(error).__name__
    # Behind a blank line DuckDB repeats the SQL and gives advice on extensions.
    text = " ".join(text.split("\n\n", 1)[0].split())
    for redaction in redactions:
        text = text.replace(redaction.text, redaction.shown)
    return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + "…"
