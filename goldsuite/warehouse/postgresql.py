"""PostgreSQL: read-only transactions, one statement by a server-side cursor, cancelled on time.

Every statement gets a session of its own, so that no setting, lock or temporary table of one
reaches another. A superuser's analyst door runs as `pg_read_all_data`: as the session's user, not
only as its role, so that no `set_config('role', ...)` leads back. The way back that the engine
leaves open (`session_authorization`) is closed by the gate alone.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import psycopg
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine, create_engine
from sqlalchemy.engine.url import URL
from sqlalchemy.pool import NullPool

from goldsuite.errors import WarehouseError
from goldsuite.model.result_set import ProblemKind
from goldsuite.sqltext.gate import Refusal, Rule
from goldsuite.warehouse.adapter import Redaction
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.postgresql_session import ExportedSnapshot, Session, type_name
from goldsuite.warehouse.server import REFLECTING, Server
from goldsuite.warehouse.server_limit import CancelTimer

ERRORS: tuple[type[Exception], ...] = (psycopg.Error,)

_CONNECT_S = 10
_MARGIN_MS = 500
"""The server's own limit strikes a little later than ours: it is for the case that we are gone."""
_READER = "pg_read_all_data"

PROPER_ROLE = """\
create role goldsuite login password '...';
grant pg_read_all_data to goldsuite;
alter role goldsuite set default_transaction_read_only = on;"""
"""What gives goldsuite a role that may read and nothing else."""

ESTIMATES = """
select n.nspname, c.relname, cast(c.reltuples as bigint)
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'm') and c.reltuples >= 1000000"""
"""Schema, name and estimated rows of every table that is dear to count."""

_FACTS = """
select current_setting('server_version'), current_setting('server_version_num')::int,
    r.rolname, r.rolsuper, exists (select from pg_roles where rolname = 'pg_read_all_data'),
    array(select rolname::text from pg_roles where rolname in ('pg_read_server_files',
        'pg_write_server_files', 'pg_execute_server_program')
        and pg_has_role(r.oid, oid, 'member') order by 1)
from pg_roles r where r.rolname = current_user"""

_REFUSED = frozenset({"25006", "42501"})
_TIMED_OUT = frozenset({"57014", "55P03"})
_TOO_LARGE = frozenset({"53000", "53100", "53200", "53400", "54000"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """What kind of server it is, and as whom we are connected."""

    version: str
    version_number: int
    """Such as 150018."""
    user: str
    superuser: bool
    has_reader: bool
    """Whether `pg_read_all_data` is there (since PostgreSQL 14)."""
    server_roles: tuple[str, ...]
    """The roles among the user's that reach files and programs of the server."""


class PostgreSQL:
    """Implements `goldsuite.warehouse.adapter.Adapter` for one PostgreSQL database."""

    dialect = "postgres"
    time_zone = "UTC"
    errors = ERRORS
    probe: str | None = None

    def __init__(self, url: URL, limits: Limits, redactions: tuple[Redaction, ...]) -> None:
        """Connect to `url`.

        Raises:
            psycopg.Error: there is no such server, user or database; `open_hint` says what to try.
            WarehouseError: a superuser, on a server that has no reading role to drop to.
        """
        self.redactions = redactions
        self._url = url.set(drivername="postgresql+psycopg")
        self._limits = limits
        self._held: ExportedSnapshot | None = None
        self._facts = read_facts(self._session)
        self.name = f"PostgreSQL {self._facts.version.split()[0]}"
        if self._facts.superuser and not self._facts.has_reader:
            raise WarehouseError(
                f"{self.name} has no role {_READER!r}, and {self._facts.user!r} is a superuser: "
                "connect as a role that may only SELECT."
            )

    @property
    def warnings(self) -> tuple[str, ...]:
        facts = self._facts
        if facts.superuser:
            return (
                (
                    f"connected as the superuser {facts.user!r}: the analyst's statements run as "
                    f"{_READER!r}, those of the key as {facts.user!r} in a read-only transaction. "
                    f"Better connect as a role of its own:\n{PROPER_ROLE}"
                ),
            )
        if facts.server_roles:
            names = ", ".join(facts.server_roles)
            return (
                (
                    f"{facts.user!r} is a member of {names}, which reach beyond the data; only the "
                    f"parse gate keeps analysts from it. Better connect as another:\n{PROPER_ROLE}"
                ),
            )
        return ()

    def engine(self, *, guarded: bool) -> Engine:
        engine = create_engine(self._url, creator=self._session, poolclass=NullPool)
        setup = self._setup(guarded=guarded)

        @event.listens_for(engine, "begin")
        def _prepare(connection: Connection) -> None:
            raw: Any = connection.connection.driver_connection
            if self._held is not None:
                self._held.take_over(raw)
            raw.execute(setup)
            raw.streams = not connection.get_execution_options().get(REFLECTING, False)

        # Not passing parameters keeps the `%` of users' SQL.
        return engine.execution_options(no_parameters=True)

    def check(
        self,
        raw: Any,  # noqa: ARG002
        sql: str,  # noqa: ARG002
        *,
        parsed: bool,
        guarded: bool,
        allow_functions: Collection[str] = (),  # noqa: ARG002
    ) -> Refusal | None:
        if parsed or not guarded:
            return None  # The cursor takes one query only, and the transaction reads only.
        why = "sqlglot cannot read it, so it cannot be shown to be harmless; write it simpler"
        return Refusal(rule=Rule.NOT_PARSED, message=why)

    def time_limit(self, raw: Any, seconds: float) -> CancelTimer:
        return CancelTimer(seconds, cancel=raw.stop, cut=raw.cut, name="postgresql-time-limit")

    def problem_kind(self, error: BaseException) -> ProblemKind:
        state = getattr(error, "sqlstate", None) or ""
        if state in _REFUSED or _is_refusal_of_the_cursor(error, state):
            return "refused"
        if state in _TIMED_OUT:
            return "timed_out"
        if state in _TOO_LARGE or isinstance(error, MemoryError):
            return "too_large"
        return "failed"

    def column_type(self, described: Any) -> str | None:
        return type_name(described)

    def hold_still(self) -> ExportedSnapshot:
        """Let all sessions that begin from now on see what one of our own sees."""
        self._held = ExportedSnapshot(self._session, self._facts.version_number)
        return self._held

    def close(self) -> None:
        return

    def _session(self) -> Session:
        # SQLAlchemy knows how its URLs map to the driver's words.
        arguments = self._url.get_dialect()().create_connect_args(self._url)[1]
        settings: dict[str, Any] = {
            "application_name": "goldsuite",
            "connect_timeout": _CONNECT_S,
            "client_encoding": "utf8",
            **arguments,
        }
        session = Session.connect(**settings)
        session.prepare_reading()
        return session

    def _setup(self, *, guarded: bool) -> str:
        """What is set at the start of each transaction, and ends with it."""
        limit = int(self._limits.timeout_s * 1000) + _MARGIN_MS
        settings = {
            "statement_timeout": limit,
            "lock_timeout": limit,
            "idle_in_transaction_session_timeout": limit + 60_000,
            "timezone": f"'{self.time_zone}'",
            "datestyle": "'ISO'",
            "intervalstyle": "'postgres'",
            "standard_conforming_strings": "on",
            # A cursor is planned for its first rows; here all are fetched.
            "cursor_tuple_fraction": 1.0,
        }
        if self._facts.version_number >= 140_000:
            # A server that computes notices that its client is gone.
            settings["client_connection_check_interval"] = 1000
        lines = [f"set local {name} = {value}" for name, value in settings.items()]
        if guarded and self._facts.superuser:
            lines.append(f"set local session authorization {_READER}")
        return "; ".join(lines)


def open_adapter(
    server: Server,  # noqa: ARG001 - there is only this one
    url: URL,
    limits: Limits,
    redactions: tuple[Redaction, ...],
) -> PostgreSQL:
    """Connect to `url`."""
    return PostgreSQL(url, limits, redactions)


def read_facts(connect: Any) -> Facts:
    """Ask a server what it is; `connect` opens a session.

    Raises:
        psycopg.Error: it cannot be asked.
    """
    session = connect()
    try:
        row = session.execute(_FACTS).fetchone()
    finally:
        session.close()
    version, number, user, superuser, has_reader, roles = row
    return Facts(
        version=version,
        version_number=number,
        user=user,
        superuser=superuser,
        has_reader=has_reader,
        server_roles=tuple(roles),
    )


# What the server said, and what to try: its messages carry no code before a session stands.
_HINTS = (
    ("password authentication failed", "Check user and password; the password is never shown."),
    ("no password supplied", "Put the password into the URL or into PGPASSWORD."),
    ("role ", "Check the user's name in the URL."),
    ("database ", "Check the database's name, the last part of the URL."),
    ("no pg_hba.conf entry", "The server admits no such user from here: ask its administrator."),
    ("Connection refused", "Is the server running, and are host and port right?"),
    ("No such file or directory", "Is the server running, and is the socket's folder right?"),
    ("resolve host", "Check the host's name in the URL."),
    ("Name or service not known", "Check the host's name in the URL."),
    ("timeout", "The server does not answer: check host, port, network and firewall."),
    ("SSL", "Check `?sslmode=` in the URL."),
)


def open_hint(error: BaseException) -> str:
    """What to try when the server cannot be used; empty where nothing is known."""
    text = str(error)
    return next((hint for sign, hint in _HINTS if sign in text), "")


def _is_refusal_of_the_cursor(error: BaseException, state: str) -> bool:
    text = str(error)
    several = state == "42601" and "multiple commands" in text
    return several or (state == "0A000" and "data-modifying" in text)
