"""The inside of a worker process: runs one statement after another on a file of its own.

Whatever happens here ends no more than this process. A second thread listens to the door, because
the first one is deep in the engine: it interrupts a statement, and ends the process when the door
is gone.
"""

import contextlib
import os
import resource
import threading
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from goldsuite.warehouse.confine import forbid_changes
from goldsuite.warehouse.worker_wire import RowPacker, pack, unpack

SERIAL_BYTES = 8
"""An interrupt names the session that it means, as a big-endian number of this many bytes."""

_PART_ROWS = 250
_BATCH_ROWS = 10_000
_BATCH_BYTES = 4_000_000
_HEADROOM = 512 * 2**20
"""What Python, the engine's code and the rows on their way take besides the engine's own limit."""
_PER_CPU = 16 * 2**20
"""The stack of an engine's thread, and what its allocator keeps for it."""


class Session(Protocol):
    """One fresh session of an engine; used by one statement."""

    def kinds(self, sql: str) -> list[str] | None:
        """What statements `sql` holds, in the engine's words; None where it cannot tell."""
        ...

    def execute(self, sql: str, parameters: Sequence[Any]) -> list[tuple[str, str | None]] | None:
        """Run `sql`: names and types of the columns; None where it gives none."""
        ...

    def fetch(self, size: int) -> Sequence[Sequence[Any]]:
        """Up to `size` more rows; none at the end."""
        ...

    def interrupt(self) -> None:
        """Stop, from another thread, what runs."""
        ...

    def close(self) -> None: ...


class Database(Protocol):
    """An open file."""

    def session(self) -> Session: ...


def serve(requests: "Connection[Any, Any]", control: int, order: Mapping[str, Any]) -> None:
    """Open the file that `order` names, and do what `requests` ask until they end."""
    try:
        _restrain(order)
        database = _open(order)
        sessions = _Sessions(database)
    except Exception as error:  # noqa: BLE001 - whatever it is, the door must hear of it
        requests.send_bytes(pack(_described(error)))
        return
    threading.Thread(target=sessions.listen, args=(control,), daemon=True).start()
    # Gone is gone: nothing here is worth cleaning up.
    with contextlib.suppress(EOFError, OSError):
        while True:
            _serve_session(requests, sessions.current, order["max_value_bytes"])
            sessions.renew()


class _Sessions:
    """The session that the next request goes to, and its number."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._serial = 0
        self.current = database.session()

    def renew(self) -> None:
        with self._lock:
            # From here on an interrupt that comes late finds nothing that it means.
            self._serial += 1
        self.current.close()
        self.current = self._database.session()

    def listen(self, control: int) -> None:
        while meant := os.read(control, SERIAL_BYTES):
            with self._lock, contextlib.suppress(Exception):
                if int.from_bytes(meant, "big") == self._serial:
                    self.current.interrupt()
        os._exit(0)


def _serve_session(
    requests: "Connection[Any, Any]", session: Session, max_value_bytes: int
) -> None:
    requests.send_bytes(pack(("ok", None)))
    task = _Task(session, max_value_bytes)
    while True:
        name, *arguments = unpack(requests.recv_bytes())
        if name == "end":
            return
        try:
            reply = pack(("ok", task.answer(name, arguments)))
        except Exception as error:  # noqa: BLE001 - a fault of one statement ends only that
            reply = pack(_described(error))
        requests.send_bytes(reply)


class _Task:
    """What is asked of one session."""

    def __init__(self, session: Session, max_value_bytes: int) -> None:
        self._session = session
        self._max_value_bytes = max_value_bytes

    def answer(self, name: str, arguments: Sequence[Any]) -> object:
        if name == "kinds":
            return self._session.kinds(arguments[0])
        if name == "fetch":
            return self._batch()
        if name != "execute":
            raise ValueError(f"{name!r} is no request that a worker knows")
        columns = self._session.execute(*arguments)
        if columns is None:
            return None, [], False
        rows, more = self._batch()
        return columns, rows, more

    def _batch(self) -> tuple[object, bool]:
        """The next rows, as much as is sent at once, and whether more may follow."""
        rows = RowPacker()
        size = 0
        while rows.rows < _BATCH_ROWS and size < _BATCH_BYTES:
            part = self._session.fetch(_PART_ROWS)
            if not part:
                return rows.packed(), False
            text_size, longest = rows.add(part)
            if longest > self._max_value_bytes:
                raise MemoryError(f"one value takes more than {self._max_value_bytes:,} bytes")
            size += text_size
        return rows.packed(), True


def _described(error: Exception) -> tuple[str, str, str, str | None]:
    """An error as plain values: `worker_connection` makes it one again."""
    code = getattr(error, "sqlite_errorname", None)
    return "error", type(error).__name__, str(error), code


def _open(order: Mapping[str, Any]) -> Database:
    path = Path(order["path"])
    # Each imports its own driver alone, so that a worker starts quickly.
    if order["engine"] == "duckdb":
        from goldsuite.warehouse.duckdb_session import open_database as open_duckdb

        if order["allow_paths"]:
            # What stands in a view relative to it.
            os.chdir(order["folder"])
        return open_duckdb(path, order["memory_bytes"], order["allow_paths"])
    from goldsuite.warehouse.sqlite_session import open_database as open_sqlite

    return open_sqlite(path, order["max_value_bytes"], guarded=order["guarded"])


def _restrain(order: Mapping[str, Any]) -> None:
    """Take from this process what it does not need, before it sees any SQL."""
    memory = order["memory_bytes"] + _HEADROOM + _PER_CPU * (os.cpu_count() or 1)
    # Not the address space: engines and allocators reserve far more of it than they use.
    _lower(resource.RLIMIT_DATA, memory)
    _lower(resource.RLIMIT_FSIZE, order["file_bytes"])
    _lower(resource.RLIMIT_CORE, 0)
    # Where the machine itself runs out of memory, this process is the one to end (Linux).
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("900", encoding="ascii")
    if not order["file_bytes"]:
        forbid_changes()


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))
