"""One session of Spark's thrift server: statements run beside it, so that they can be cancelled."""

import contextlib
import re
import threading
import time
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from pyhive import hive
from TCLIService import ttypes
from thrift.Thrift import TException
from thrift.transport.TSocket import TSocket

from goldsuite.model.result_set import Cell
from goldsuite.warehouse.cells import json_cell
from goldsuite.warehouse.server_limit import hang_up

FAULTS: tuple[type[Exception], ...] = (hive.Error, TException, OSError, EOFError)
"""What the driver raises; the latter three where the connection breaks."""

_FIRST_WAIT_S = 0.005
_LONGEST_WAIT_S = 0.1
_LOCK_S = 0.5
_CANCEL_MS = 1_000
_RUNNING = frozenset(
    {
        ttypes.TOperationState.INITIALIZED_STATE,
        ttypes.TOperationState.PENDING_STATE,
        ttypes.TOperationState.RUNNING_STATE,
    }
)
_STOPPED = "the server stopped the statement"
_DAYS = re.compile(r"(-?)(\d+) (\d+):(\d+):(\d+)(?:\.(\d{1,6})\d*)?")


class StoppedError(hive.OperationalError):  # type: ignore[misc] # pyhive has no types
    """The server cancelled the statement, or its own limit did."""


class SparkCursor(hive.Cursor):  # type: ignore[misc] # pyhive has no types
    """A cursor that waits for its statement without holding the connection."""

    _connection: "SparkSession"
    _operationHandle: Any  # noqa: N815 - named by pyhive
    _data: Any

    def execute(self, sql: str, parameters: Any = None) -> None:  # noqa: ARG002
        """Run `sql` and wait for its end; what SQLAlchemy asks here never has parameters."""
        lock = self._connection.lock
        try:
            with lock:
                super().execute(sql, async_=True)
            wait = _FIRST_WAIT_S
            while (state := self._state_on_server()) in _RUNNING:
                time.sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT_S)
        except hive.OperationalError as error:
            raise hive.OperationalError(said(error)) from None
        if state != ttypes.TOperationState.FINISHED_STATE:
            raise StoppedError(_STOPPED)

    @property
    def description(self) -> Any:
        with self._connection.lock:
            return super().description

    def cancel(self) -> None:
        """Stop the statement, from another thread."""
        if self._operationHandle is not None:
            super().cancel()

    def close(self) -> None:
        with self._connection.lock, contextlib.suppress(*FAULTS):
            super().close()

    def _state_on_server(self) -> int:
        with self._connection.lock:
            status = self.poll(get_progress_update=False)
        if status.operationState == ttypes.TOperationState.ERROR_STATE:
            raise hive.OperationalError(_brief(status.errorMessage))
        state: int = status.operationState
        return state

    def _fetch_more(self) -> None:
        # As pyhive's, whose reader of timestamps fails on years that Python does not have.
        request = ttypes.TFetchResultsReq(
            operationHandle=self._operationHandle,
            orientation=ttypes.TFetchOrientation.FETCH_NEXT,
            maxRows=self.arraysize,
        )
        described = self.description
        with self._connection.lock:
            response = self._connection.client.FetchResults(request)
        if response.status.statusCode != ttypes.TStatusCode.SUCCESS_STATUS:
            raise hive.OperationalError(said(hive.OperationalError(response)))
        columns = [
            _cells(hive._unwrap_column(column), entry[1])  # noqa: SLF001 - else only in `_fetch_more`
            for column, entry in zip(response.results.columns, described, strict=True)
        ]
        rows = list(zip(*columns, strict=True))
        self._data += rows
        if not rows:
            self._state = self._STATE_FINISHED


class SparkSession(hive.Connection):  # type: ignore[misc] # pyhive has no types
    """A connection that can be stopped from another thread."""

    _transport: Any

    def __init__(self, socket: TSocket, **settings: Any) -> None:
        """Open a session; `socket` is the one below `settings["thrift_transport"]`."""
        self._socket = socket
        self.lock = threading.RLock()
        self._cursors: list[SparkCursor] = []
        super().__init__(**settings)

    def cursor(self, *_: Any, **__: Any) -> SparkCursor:
        cursor = SparkCursor(self)
        self._cursors.append(cursor)
        return cursor

    def rollback(self) -> None:
        """Nothing: the server has no transactions."""

    def stop(self) -> None:
        """Cancel, from another thread, what runs."""
        # The client speaks for one thread at a time; who holds it for long is cut.
        if self.lock.acquire(timeout=_LOCK_S):
            self._socket.setTimeout(_CANCEL_MS)
            try:
                for cursor in tuple(self._cursors):
                    cursor.cancel()
            finally:
                self.lock.release()

    def cut(self) -> None:
        """Hang up, from another thread."""
        hang_up(self._socket.handle.fileno())

    def close(self) -> None:
        for cursor in self._cursors:
            cursor.close()
        self._cursors.clear()
        with contextlib.suppress(*FAULTS):
            super().close()
        self._transport.close()


def said(error: BaseException) -> str:
    """What the server said, without the Java classes that it passed."""
    response = error.args[0] if error.args else None
    status = getattr(response, "status", None)
    return _brief(getattr(status, "errorMessage", None) or str(error))


def _brief(message: str) -> str:
    # Behind the reason stand the plan or the Java calls, each on lines of its own; before it the
    # classes that it passed, "org.apache.spark...Exception: " the last.
    reason = message.split("\n\tat ", 1)[0].split(";\n", 1)[0]
    _, found, rest = reason.rpartition("Exception: ")
    return (rest if found else reason).strip() or message


def _cells(values: Sequence[Any], kind: str) -> list[Any]:
    reader = _READERS.get(kind)
    if reader is None:
        return list(values)
    return [None if value is None else reader(value) for value in values]


def _tolerant(reader: Callable[[str], Cell]) -> Callable[[str], Cell]:
    def read(text: str) -> Cell:
        try:
            return reader(text)
        except ValueError:
            return text  # Python has no such year.

    return read


def _days(text: str) -> Cell:
    match = _DAYS.fullmatch(text)
    if match is None:
        return text
    sign, days, hours, minutes, seconds, part = match.groups()
    length = timedelta(
        days=int(days),
        hours=int(hours),
        minutes=int(minutes),
        seconds=int(seconds),
        microseconds=int((part or "0").ljust(6, "0")),
    )
    return -length if sign else length


_READERS: dict[str, Callable[[Any], Cell]] = {
    "ARRAY_TYPE": json_cell,
    "DATE_TYPE": _tolerant(date.fromisoformat),
    "DECIMAL_TYPE": Decimal,
    "INTERVAL_DAY_TIME_TYPE": _tolerant(_days),
    "MAP_TYPE": json_cell,
    "STRUCT_TYPE": json_cell,
    "TIMESTAMP_TYPE": _tolerant(datetime.fromisoformat),
}
