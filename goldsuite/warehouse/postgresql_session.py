"""One PostgreSQL session: thrown away after one statement, and reading each type as it is.

psycopg refuses values that Python's types cannot hold (`infinity`, years before Christ, 24:00) and
reads a month as 30 days; here such a value comes as the server's own text.
"""

from collections.abc import Callable
from typing import Any

import psycopg
from psycopg import adapters
from psycopg.adapt import Buffer, Loader
from psycopg.types import datetime as psycopg_datetime
from psycopg.types.string import TextLoader

from goldsuite.warehouse.base import Snapshot
from goldsuite.warehouse.server_limit import hang_up

_CANCEL_S = 0.5
_HAS_TRANSACTION_TIMEOUT = 170_000

# Read as text: JSON keeps its numbers exact until it becomes canonical, ranges their own spelling.
_AS_TEXT = (
    "json",
    "jsonb",
    "int4range",
    "int8range",
    "numrange",
    "daterange",
    "tsrange",
    "tstzrange",
    "int4multirange",
    "int8multirange",
    "nummultirange",
    "datemultirange",
    "tsmultirange",
    "tstzmultirange",
)


class Session(psycopg.Connection[Any]):
    """A connection whose end never hides what became of its statement."""

    streams = False
    """Whether cursors are the server's: they fetch rows as asked for, and take one query only."""

    def cursor(self, name: str = "", **options: Any) -> Any:
        """A cursor; one of the server where this session streams."""
        # A fixed name: the engine's messages may repeat it.
        return super().cursor(name or ("goldsuite" if self.streams else ""), **options)

    def commit(self) -> None:
        """Roll back: older servers let a read-only transaction create large objects."""
        self.rollback()

    def rollback(self) -> None:
        """Roll back; a connection that is lost has nothing to roll back."""
        try:
            if not self.closed:
                super().rollback()
        except psycopg.Error:
            self.close()

    def stop(self) -> None:
        """Ask the server, from another thread, to cancel the running statement."""
        self.cancel_safe(timeout=_CANCEL_S)

    def cut(self) -> None:
        """Hang up, from another thread."""
        hang_up(self.fileno())

    def prepare_reading(self) -> None:
        """Set how values are read and how transactions begin."""
        self.prepare_threshold = None
        self.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        self.read_only = True
        # The map is asked for per connection, so that no other user of psycopg is changed.
        for name, loader in _LOADERS.items():
            self.adapters.register_loader(name, loader)


class ExportedSnapshot:
    """A state of the data that one session holds, and that others take over.

    Implements `goldsuite.warehouse.adapter.Hold`. Where the server exports none (one that only
    speaks like PostgreSQL), or loses it, sessions go on without, and `snapshot` says so.
    """

    def __init__(self, connect: Callable[[], Session], version_number: int) -> None:
        """Export the snapshot of a session made by `connect`."""
        self._holder: Session | None = None
        self._name = ""
        try:
            self._holder = connect()
            self._name = self._export(version_number)
        except psycopg.Error:
            self.close()

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot.EXPORTED if self._name else Snapshot.NONE

    def take_over(self, session: Session) -> None:
        """Let `session`, whose transaction has not begun, see the state that is held."""
        if not self._name:
            return
        try:
            session.execute(f"set transaction snapshot '{self._name}'".encode())
        except psycopg.Error:
            if session.closed:
                raise
            # The holder's session is gone, by a restart or an administrator.
            self._name = ""
            session.rollback()

    def close(self) -> None:
        self._name = ""
        if self._holder is not None:
            self._holder.close()

    def _export(self, version_number: int) -> str:
        if self._holder is None:
            return ""
        # It waits for as long as others work.
        self._holder.execute("set local idle_in_transaction_session_timeout = 0")
        if version_number >= _HAS_TRANSACTION_TIMEOUT:
            self._holder.execute("set local transaction_timeout = 0")
        row = self._holder.execute("select pg_export_snapshot()").fetchone()
        return str(row[0]) if row else ""


def type_name(described: Any) -> str | None:
    """PostgreSQL's name of a column's type, from its entry in `cursor.description`."""
    known = adapters.types.get(described.type_code)
    if known is None:
        return None
    return f"{known.name}[]" if described.type_code == known.array_oid else known.name


class _TolerantLoader(Loader):
    """Reads with another loader, and gives the server's text where that one cannot."""

    base: type[Loader]

    def __init__(self, oid: int, context: Any = None) -> None:
        super().__init__(oid, context)
        self._base = self.base(oid, context)

    def load(self, data: Buffer) -> Any:
        try:
            return self._base.load(data)
        except psycopg.DataError:
            return bytes(data).decode()


class _IntervalLoader(_TolerantLoader):
    base = psycopg_datetime.IntervalLoader

    def load(self, data: Buffer) -> Any:
        text = bytes(data)
        # A month has no fixed length: as a timedelta it would equal 30 days.
        return text.decode() if b"mon" in text or b"year" in text else super().load(data)


def _tolerant(loader: type[Loader]) -> type[Loader]:
    return type(f"Tolerant{loader.__name__}", (_TolerantLoader,), {"base": loader})


_LOADERS: dict[str, type[Loader]] = {
    "date": _tolerant(psycopg_datetime.DateLoader),
    "time": _tolerant(psycopg_datetime.TimeLoader),
    "timetz": _tolerant(psycopg_datetime.TimetzLoader),
    "timestamp": _tolerant(psycopg_datetime.TimestampLoader),
    "timestamptz": _tolerant(psycopg_datetime.TimestamptzLoader),
    "interval": _IntervalLoader,
    **dict.fromkeys(_AS_TEXT, TextLoader),
}
