"""One MySQL or MariaDB session: thrown away after one statement, and reading each type as it is."""

import contextlib
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import pymysql
from pymysql.constants import FIELD_TYPE
from pymysql.converters import conversions, convert_timedelta
from pymysql.cursors import SSCursor

from goldsuite.warehouse.server_limit import hang_up

_KILLER_S = 1
"""For each step of the connection that ends another one's statement."""

_TYPE_NAMES: dict[int, str] = {
    code: name
    for name, code in sorted(vars(FIELD_TYPE).items())
    if name.isupper() and isinstance(code, int)
}
_DAY = timedelta(days=1)
_CONTEXTS: dict[str, Any] = {}
"""The TLS contexts of this process, by the settings that they were made from."""


if TYPE_CHECKING:  # Generic in the stubs alone.
    _Connection = pymysql.connections.Connection[Any]
else:
    _Connection = pymysql.connections.Connection


class StreamCursor(SSCursor):
    """A cursor whose rows come as they are asked for, and that stops where they are not."""

    def close(self) -> None:
        """Forget the rest of the rows; pymysql would read them all."""
        session: Any = self.connection
        if isinstance(session, Session) and session.streaming:
            session.abandon()
            self.connection: Any = None
            return
        super().close()

    # The driver's own would read what was left when the cursor is collected.
    __del__ = close


class Session(_Connection):
    """A connection whose end never waits for rows that nobody wants."""

    _result: Any
    _sock: Any
    server_version: str
    server_thread_id: tuple[int]

    def __init__(self, **settings: Any) -> None:
        self._settings = settings
        self.streams = False
        super().__init__(**settings, conv=_CONVERSIONS)

    @property
    def streaming(self) -> bool:
        """Whether the server still sends rows of a statement."""
        return self._result is not None and bool(self._result.unbuffered_active)

    @property
    def is_mariadb(self) -> bool:
        return "MariaDB" in self.server_version

    def cursor(self, cursor: Any = None) -> Any:
        """A cursor; one that streams its rows where this session does."""
        return super().cursor(StreamCursor if self.streams else cursor)

    def take_snapshot(self) -> None:
        """Begin the transaction with what is committed now, not with the first read."""
        with self.cursor() as cursor:
            cursor.execute("start transaction with consistent snapshot, read only")

    def commit(self) -> None:
        """Roll back: nothing that runs here is to last."""
        self.rollback()

    def rollback(self) -> None:
        """Roll back; where rows still come, or the connection is lost, end it instead."""
        if self.streaming:
            self.abandon()
        if self.open:
            try:
                super().rollback()
            except pymysql.Error:
                self.close()

    def close(self) -> None:
        """Close; a second time does nothing."""
        if self.open:
            super().close()

    def abandon(self) -> None:
        """End the session on both sides, whatever it runs."""
        with contextlib.suppress(pymysql.Error):
            self._kill("kill")
        if self._result is not None:
            self._result.unbuffered_active = False
            self._result = None
        self.close()

    def stop(self) -> None:
        """End the running statement, from another thread and by another connection."""
        self._kill("kill query")

    def cut(self) -> None:
        """End the session and hang up, from another thread."""
        try:
            self._kill("kill")
        finally:
            hang_up(self._sock.fileno())

    def _create_ssl_ctx(self, sslp: Any) -> Any:
        # Each session is new; reading the machine's certificates again would cost most of its time.
        key = repr(sorted(sslp.items())) if isinstance(sslp, dict) else repr(sslp)
        if key not in _CONTEXTS:
            _CONTEXTS[key] = super()._create_ssl_ctx(sslp)  # type: ignore[misc]
        return _CONTEXTS[key]

    def _kill(self, command: str) -> None:
        brief = {"connect_timeout": _KILLER_S, "read_timeout": _KILLER_S}
        with Session(**{**self._settings, **brief}) as killer, killer.cursor() as cursor:
            cursor.execute(f"{command} {self.server_thread_id[0]}")


def type_name(described: Any) -> str | None:
    """The driver's name of a column's type, from its entry in `cursor.description`."""
    return _TYPE_NAMES.get(described[1])


def _bits(value: bytes) -> int:
    return int.from_bytes(value, "big")


def _time(value: str | bytes) -> time | timedelta | str:
    """A TIME: of the day where it can be one, else a duration (MySQL goes to 838 hours)."""
    read = convert_timedelta(value)
    if isinstance(read, timedelta) and timedelta(0) <= read < _DAY:
        return (datetime.min + read).time()  # noqa: DTZ901 - a time has no zone here
    return read  # type: ignore[no-any-return, unused-ignore]


_CONVERSIONS: dict[Any, Any] = {
    **conversions,
    FIELD_TYPE.BIT: _bits,
    FIELD_TYPE.TIME: _time,
}
