"""The servers that a URL may name: which driver, which dialect, which extra installs it."""

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.engine.url import URL

from goldsuite.errors import WarehouseError
from goldsuite.warehouse.adapter import Adapter, Redaction
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.files import secrets_of
from goldsuite.warehouse.urls import MASK

REFLECTING = "goldsuite_reflecting"
"""The execution option of an engine by which SQLAlchemy reads the catalog: its own statements are
many, small and trusted, so that they take no cursor on the server."""

AT_ONCE = "goldsuite_at_once"
"""The execution option of an engine whose sessions take their snapshot when they begin."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """One kind of server."""

    label: str
    dialect: str
    """sqlglot's name of it."""
    extra: str
    """`pip install 'goldsuite[extra]'` brings the driver."""
    needs: str
    """The module that this extra brings."""
    drivers: frozenset[str]
    """Names after the `+` of a URL that mean the driver used here."""
    adapter: str = "generic_server"
    """The module of `goldsuite.warehouse` that opens it."""


SERVERS: dict[str, Server] = {
    "postgresql": Server(
        label="PostgreSQL",
        dialect="postgres",
        extra="postgresql",
        needs="psycopg",
        drivers=frozenset({"psycopg"}),
        adapter="postgresql",
    ),
    "mysql": Server(
        label="MySQL",
        dialect="mysql",
        extra="mysql",
        needs="pymysql",
        drivers=frozenset({"pymysql"}),
        adapter="mysql",
    ),
    "mariadb": Server(
        label="MariaDB",
        dialect="mysql",
        extra="mysql",
        needs="pymysql",
        drivers=frozenset({"pymysql"}),
        adapter="mysql",
    ),
    "hive": Server(
        label="Spark",
        dialect="spark",
        extra="spark",
        needs="pyhive",
        drivers=frozenset({"thrift"}),
        adapter="spark_thrift",
    ),
    "sail": Server(
        label="Sail",
        dialect="spark",
        extra="sail",
        needs="adbc_driver_flightsql",
        drivers=frozenset({"flightsql"}),
        adapter="sail",
    ),
    "snowflake": Server(
        label="Snowflake",
        dialect="snowflake",
        extra="snowflake",
        needs="snowflake.sqlalchemy",
        drivers=frozenset(),
    ),
    "bigquery": Server(
        label="BigQuery",
        dialect="bigquery",
        extra="bigquery",
        needs="sqlalchemy_bigquery",
        drivers=frozenset(),
    ),
    "databricks": Server(
        label="Databricks",
        dialect="databricks",
        extra="databricks",
        needs="databricks.sqlalchemy",
        drivers=frozenset(),
    ),
    "redshift": Server(
        label="Redshift",
        dialect="redshift",
        extra="redshift",
        needs="sqlalchemy_redshift",
        drivers=frozenset({"redshift_connector", "psycopg2"}),
    ),
    "clickhousedb": Server(
        label="ClickHouse",
        dialect="clickhouse",
        extra="clickhouse",
        needs="clickhouse_connect",
        drivers=frozenset({"connect"}),
    ),
    "trino": Server(
        label="Trino",
        dialect="trino",
        extra="trino",
        needs="trino.sqlalchemy",
        drivers=frozenset({"rest"}),
    ),
}

# What people write for the names above.
_ALIASES = {
    "adbc": "sail",
    "clickhouse": "clickhousedb",
    "postgres": "postgresql",
    "spark": "hive",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenServer:
    """How to open one server, its driver being there."""

    server: Server
    open: Callable[[URL, Limits, tuple[Redaction, ...]], Adapter]
    hint: Callable[[BaseException], str]
    errors: tuple[type[Exception], ...]
    estimates: str | None
    """SQL that lists schema, name and estimated rows of the tables that are dear to count."""


def known_server(url: URL) -> Server | None:
    """The kind of server that `url` names, or None."""
    backend = url.get_backend_name()
    return SERVERS.get(_ALIASES.get(backend, backend))


def plain_url(url: URL) -> URL:
    """`url` with the name that SQLAlchemy knows instead of an alias."""
    backend, plus, driver = url.drivername.partition("+")
    return url.set(drivername=_ALIASES.get(backend, backend) + plus + driver)


def load_server(server: Server, url: URL, masked_url: str) -> OpenServer:
    """The code that opens `server`.

    Raises:
        WarehouseError: the URL asks for another driver, or the driver is not installed.
    """
    backend, _, driver = url.drivername.partition("+")
    if driver and driver not in server.drivers:
        raise WarehouseError(
            f"{masked_url}: goldsuite opens {server.label} by another driver than {driver!r}: "
            f"write {backend}://..."
        )
    if not _installed(server.needs):
        raise WarehouseError(
            f"{masked_url}: the driver for {server.label} is not installed: "
            f"pip install 'goldsuite[{server.extra}]'"
        )
    try:
        module = importlib.import_module(f"goldsuite.warehouse.{server.adapter}")
    except ModuleNotFoundError as error:
        raise WarehouseError(
            f"{masked_url}: {error.name!r} is not installed: "
            f"pip install 'goldsuite[{server.extra}]'"
        ) from None
    return OpenServer(
        server=server,
        open=lambda url, limits, redactions: module.open_adapter(server, url, limits, redactions),
        hint=module.open_hint,
        errors=module.ERRORS,
        estimates=module.ESTIMATES,
    )


def secret_redactions(url: URL) -> tuple[Redaction, ...]:
    """What keeps the URL's secrets out of a driver's messages."""
    return tuple(Redaction(text=secret, shown=MASK) for secret in secrets_of(url))


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:
        return False
