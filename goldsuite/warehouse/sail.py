"""Sail, a server of Spark SQL, over Arrow Flight SQL.

A statement is cancelled on time, but Sail 0.7 goes on with a join that it cannot interrupt. All
connections share one session there, which holds no state that a query could change.
"""

from typing import Any

import pyarrow as pa
from adbc_driver_flightsql import dbapi as flightsql
from adbc_driver_manager import AdbcStatusCode, dbapi
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.engine.url import URL
from sqlalchemy_adbc.flightsql import ADBCFlightSQLDialect

from goldsuite.errors import WarehouseError
from goldsuite.model.result_set import ProblemKind
from goldsuite.warehouse.adapter import Redaction
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.sail_session import FlightSession, call_limits
from goldsuite.warehouse.server import Server
from goldsuite.warehouse.spark import NOT_READ_ONLY, SparkSQL, spark_engine
from goldsuite.warehouse.spark_reflection import SparkReflection, reflected

ERRORS: tuple[type[Exception], ...] = (dbapi.Error,)
ESTIMATES: str | None = None
PORT = 32010
"""On which Sail listens unless told otherwise."""

_CONNECT_S = 10.0
_MARGIN_S = 1.0
"""Each call's own limit strikes a little later than ours."""
_TIMED_OUT = frozenset({AdbcStatusCode.TIMEOUT, AdbcStatusCode.CANCELLED})
_FACTS = "select version(), current_timezone()"


class SailDialect(SparkReflection, ADBCFlightSQLDialect):  # type: ignore[misc] # untyped library
    """What SQLAlchemy must know of Sail."""

    def view_names(self, connection: Connection, schema: str | None) -> list[str]:
        # The answer to SHOW VIEWS is not of the schema that Sail announces, and so is unreadable.
        rows = self._list(connection, "show table extended", schema, " like '*'")
        return [
            name
            for _, name, temporary, information in rows
            if not temporary and "Type: VIEW" in information.splitlines()
        ]

    def table_columns(self, connection: Connection, place: str) -> list[ReflectedColumn]:
        rows = connection.exec_driver_sql(f"show columns in {place}").fetchall()
        return [reflected(row[0], row[2], nullable=bool(row[3]), comment=row[1]) for row in rows]

    def is_disconnect(self, e: Any, connection: Any, cursor: Any) -> bool:  # noqa: ARG002
        """Whether the server is gone."""
        return _is_gone(e)


class Sail(SparkSQL):
    """Implements `goldsuite.warehouse.adapter.Adapter` for one Sail server."""

    errors = (*ERRORS, OSError, pa.ArrowException)  # The latter two while rows are read.

    def __init__(self, url: URL, limits: Limits, redactions: tuple[Redaction, ...]) -> None:
        """Connect to `url`.

        Raises:
            adbc_driver_manager.dbapi.Error: there is no such server; `open_hint` says what to try.
            WarehouseError: its sessions are not in UTC.
        """
        super().__init__(url, limits, redactions)
        plain = url.set(drivername="adbc+flightsql", port=url.port or PORT)
        (self._address,), settings = SailDialect().build_connect_args(plain)
        self._options: dict[str, str] = settings.get("db_kwargs", {})
        session = self._session()
        try:
            cursor = session.cursor()
            cursor.execute(_FACTS)
            (version, zone), *_ = cursor.fetchall()
        finally:
            session.close()
        self.name = f"Sail {version}"
        if zone != "UTC":
            raise WarehouseError(
                f"{self.name} runs in the time zone {zone!r}, and no client can change that: "
                "start the server with TZ=UTC"
            )

    @property
    def warnings(self) -> tuple[str, ...]:
        return (
            f"{self.name} {NOT_READ_ONLY}.",
            (
                f"{self.name} cannot interrupt every join: a statement is given up at the limit, "
                "but the server may go on with it until it is started anew."
            ),
        )

    def engine(self, *, guarded: bool) -> Engine:  # noqa: ARG002 - the server knows no roles
        return spark_engine(SailDialect, self._session)

    def problem_kind(self, error: BaseException) -> ProblemKind:
        if getattr(error, "status_code", None) in _TIMED_OUT:
            return "timed_out"
        return super().problem_kind(error)

    def column_type(self, described: Any) -> str | None:
        return str(described[1])

    def _session(self) -> FlightSession:
        reach = {**self._options, **call_limits(_CONNECT_S)}
        run = call_limits(self._limits.timeout_s + _MARGIN_S)
        # Without autocommit the driver warns that there are no transactions.
        return FlightSession(
            flightsql.connect(self._address, db_kwargs=reach, conn_kwargs=run, autocommit=True)
        )


def open_adapter(
    server: Server,  # noqa: ARG001 - there is only this one
    url: URL,
    limits: Limits,
    redactions: tuple[Redaction, ...],
) -> Sail:
    """Connect to `url`."""
    return Sail(url, limits, redactions)


def open_hint(error: BaseException) -> str:
    """What to try when the server cannot be used; empty where nothing is known."""
    if "tls" in str(error).lower():
        return "Write ?tls=false behind the URL where the server speaks without TLS, as Sail does."
    if _is_gone(error):
        return f"Is the server running, and are host and port (default {PORT}) right?"
    return ""


def _is_gone(error: BaseException) -> bool:
    if isinstance(error, OSError):  # pyarrow's, which keeps no code
        return "(Unavailable;" in str(error)
    return getattr(error, "status_code", None) == AdbcStatusCode.IO
