"""Spark's own SQL server (the thrift server), through pyhive.

Every statement gets a session of its own, with settings that keep Spark from reading a statement
otherwise than the gate did, and from reading files in place of tables.
"""

from typing import Any

from pyhive import hive
from pyhive.sqlalchemy_hive import HiveDialect
from sqlalchemy.engine import Engine
from sqlalchemy.engine.url import URL
from TCLIService import ttypes
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TBufferedTransport, TTransportException
from thrift_sasl import TSaslClientTransport

from goldsuite.errors import WarehouseError
from goldsuite.model.result_set import ProblemKind
from goldsuite.warehouse.adapter import Redaction
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.server import Server
from goldsuite.warehouse.spark import NOT_READ_ONLY, SparkSQL, spark_engine
from goldsuite.warehouse.spark_reflection import SparkReflection
from goldsuite.warehouse.spark_thrift_session import FAULTS, SparkSession, StoppedError, said

ERRORS = FAULTS
ESTIMATES: str | None = None
PORT = 10000

AUTHENTICATION = ("CUSTOM", "LDAP", "NONE", "NOSASL")
"""What `?auth=` may be: as `hive.server2.authentication` of the server is."""

_CONNECT_MS = 10_000
_CALL_MS = 60_000
"""For one answer of the server; statements run beside the calls."""
_MARGIN_S = 2
"""The server's own limit strikes a little later than ours: it is for the case that we are gone."""


class SparkThriftDialect(SparkReflection, HiveDialect):  # type: ignore[misc] # pyhive has no types
    """What SQLAlchemy must know of Spark's thrift server."""

    @classmethod
    def import_dbapi(cls) -> Any:
        """The driver; pyhive says it by a name that SQLAlchemy no longer wants."""
        return hive

    def is_disconnect(self, e: Any, connection: Any, cursor: Any) -> bool:  # noqa: ARG002
        """Whether the connection broke."""
        return isinstance(e, (TTransportException, OSError, EOFError))


class SparkThrift(SparkSQL):
    """Implements `goldsuite.warehouse.adapter.Adapter` for one thrift server of Spark."""

    errors = ERRORS

    def __init__(self, url: URL, limits: Limits, redactions: tuple[Redaction, ...]) -> None:
        """Connect to `url`.

        Raises:
            pyhive.hive.Error, thrift.Thrift.TException, OSError: there is no such server or schema;
                `open_hint` says what to try.
            WarehouseError: the server is not Spark, or does not take the settings.
        """
        super().__init__(url, limits, redactions)
        self._auth = _authentication(url)
        self._settings = _settings(limits)
        session = self._session()
        try:
            product = _info(session, ttypes.TGetInfoType.CLI_DBMS_NAME)
            self.name = f"{product} {_info(session, ttypes.TGetInfoType.CLI_DBMS_VER)}"
            if product != "Spark SQL":
                raise WarehouseError(f"the server is {self.name}, which goldsuite does not open")
            self._check_settings(session)
        finally:
            session.close()

    @property
    def warnings(self) -> tuple[str, ...]:
        return (f"{self.name} {NOT_READ_ONLY}.",)

    def engine(self, *, guarded: bool) -> Engine:  # noqa: ARG002 - the server knows no roles
        return spark_engine(SparkThriftDialect, self._session)

    def problem_kind(self, error: BaseException) -> ProblemKind:
        return "timed_out" if isinstance(error, StoppedError) else super().problem_kind(error)

    def column_type(self, described: Any) -> str | None:
        return str(described[1]).removesuffix("_TYPE").lower()

    def _session(self) -> SparkSession:
        # pyhive's own socket has no time limit.
        socket = TSocket(self._url.host, self._url.port or PORT)
        socket.setTimeout(_CONNECT_MS)
        socket.open()
        socket.setTimeout(_CALL_MS)
        try:
            return SparkSession(
                socket,
                username=self._url.username,
                database=self._url.database or "default",
                configuration={f"set:hiveconf:{k}": v for k, v in self._settings.items()},
                thrift_transport=self._transport(socket),
            )
        except hive.OperationalError as error:
            raise hive.OperationalError(said(error)) from None

    def _transport(self, socket: TSocket) -> Any:
        if self._auth == "NOSASL":
            return _Opened(socket)
        user, password = self._url.username or "goldsuite", self._url.password or "x"

        def client() -> Any:
            return hive.get_installed_sasl(
                host=self._url.host, sasl_auth="PLAIN", username=user, password=password
            )

        return TSaslClientTransport(client, "PLAIN", socket)

    def _check_settings(self, session: SparkSession) -> None:
        cursor = session.cursor()
        cursor.execute("set")
        held = {str(row[0]): str(row[1]) for row in cursor.fetchall()}
        for name, value in self._settings.items():
            if held.get(name) != value:
                raise WarehouseError(
                    f"{self.name} does not take the setting {name}={value} for a session"
                )


class _Opened(TBufferedTransport):  # type: ignore[misc] # thrift has no types
    """A transport whose socket is open already."""

    def open(self) -> None:
        return


def open_adapter(
    server: Server,  # noqa: ARG001 - there is only this one
    url: URL,
    limits: Limits,
    redactions: tuple[Redaction, ...],
) -> SparkThrift:
    """Connect to `url`."""
    return SparkThrift(url, limits, redactions)


def open_hint(error: BaseException) -> str:
    """What to try when the server cannot be used; empty where nothing is known."""
    if isinstance(error, (TTransportException, OSError, EOFError)):
        return (
            f"Is the thrift server running, are host and port (default {PORT}) right, and "
            f"?auth= as the server has it ({', '.join(AUTHENTICATION)})?"
        )
    if "SCHEMA_NOT_FOUND" in str(error):
        return "Check the schema's name, the last part of the URL."
    return ""


def _authentication(url: URL) -> str:
    for name in sorted(set(url.query) - {"auth"}):
        raise WarehouseError(f"the URL's parameter {name!r} is unknown: only 'auth' is known here")
    auth = url.query.get("auth") or ("LDAP" if url.password else "NONE")
    if auth not in AUTHENTICATION:
        raise WarehouseError(f"auth={auth!r}: write one of {', '.join(AUTHENTICATION)}")
    return str(auth)


def _settings(limits: Limits) -> dict[str, str]:
    return {
        # A name and a path in one would be a file, and `${env:X}` the server's environment.
        "spark.sql.runSQLOnFiles": "false",
        "spark.sql.variable.substitute": "false",
        # Strings and names as the gate reads them.
        "spark.sql.ansi.doubleQuotedIdentifiers": "false",
        "spark.sql.parser.escapedStringLiterals": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.thriftServer.queryTimeout": str(int(limits.timeout_s) + _MARGIN_S),
    }


def _info(session: SparkSession, what: int) -> str:
    request = ttypes.TGetInfoReq(session.sessionHandle, what)
    return str(session.client.GetInfo(request).infoValue.stringValue)
