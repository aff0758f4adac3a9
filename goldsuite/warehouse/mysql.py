"""MySQL and MariaDB: read-only transactions, killed on time by a second connection.

Every statement gets a session of its own, so that no variable, lock or temporary table of one
reaches another. A read-only session refuses changes of rows and of the schema; what else an account
may do (write files, set globals, lift the read-only mode for one statement) is its privileges'
matter: the gate refuses it, and `warnings` tells of an account that may do more than read.
"""

from collections.abc import Collection
from typing import Any

import pymysql
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine, create_engine
from sqlalchemy.engine.url import URL
from sqlalchemy.pool import NullPool
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import TokenType

from goldsuite.model.result_set import ProblemKind
from goldsuite.sqltext.gate import Refusal, Rule
from goldsuite.warehouse.adapter import PlainHold, Redaction
from goldsuite.warehouse.base import Limits, Snapshot
from goldsuite.warehouse.mysql_session import Session, type_name
from goldsuite.warehouse.server import AT_ONCE, REFLECTING, Server
from goldsuite.warehouse.server_limit import CancelTimer

ERRORS: tuple[type[Exception], ...] = (pymysql.Error,)

_CONNECT_S = 10
_MARGIN_S = 0.5
"""The server's own limit strikes a little later than ours: it is for the case that we are gone."""

PROPER_USER = """\
create user goldsuite@'%' identified by '...';
grant select, show view on {database}.* to goldsuite@'%';"""
"""What gives goldsuite an account that may read and nothing else."""

ESTIMATES = """
select table_schema, table_name, table_rows from information_schema.tables
where table_rows >= 1000000"""
"""Schema, name and estimated rows of every table that is dear to count."""

_PRIVILEGES = """
select distinct lower(privilege_type) from (
    select grantee, privilege_type from information_schema.user_privileges
    union all select grantee, privilege_type from information_schema.schema_privileges
    union all select grantee, privilege_type from information_schema.table_privileges) p
where grantee = concat('''', replace(current_user(), '@', '''@'''), '''') order by 1"""
_READING = frozenset({"usage", "select", "show view", "show databases", "references", "process"})

_QUOTING_MODES = frozenset({"ANSI_QUOTES", "NO_BACKSLASH_ESCAPES"})
_QUERY_STARTS = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN, TokenType.VALUES})

_REFUSED = frozenset({1044, 1045, 1142, 1143, 1227, 1290, 1370, 1792})
_TIMED_OUT = frozenset({1205, 1317, 1969, 3024})
_TOO_LARGE = frozenset({1037, 1038, 1041, 1104, 1114, 1153, 3019})


class MySQL:
    """Implements `goldsuite.warehouse.adapter.Adapter` for one MySQL or MariaDB database."""

    dialect = "mysql"
    time_zone = "UTC"
    errors = ERRORS
    probe: str | None = None

    def __init__(self, url: URL, limits: Limits, redactions: tuple[Redaction, ...]) -> None:
        """Connect to `url`.

        Raises:
            pymysql.Error: there is no such server, user or database; `open_hint` says what to try.
        """
        self.redactions = redactions
        self._url = url.set(drivername="mysql+pymysql")
        self._limits = limits
        with self._session() as session, session.cursor() as cursor:
            cursor.execute("select version(), @@session.sql_mode, database()")
            version, modes, database = cursor.fetchone()
            cursor.execute(_PRIVILEGES)
            held = [str(name) for (name,) in cursor.fetchall()]
        self.name = f"{'MariaDB' if 'MariaDB' in version else 'MySQL'} {version.split('-')[0]}"
        self._odd_quotes = sorted(_QUOTING_MODES.intersection(modes.split(",")))
        self._beyond = [name for name in held if name not in _READING]
        self._database = database or "DATABASE"

    @property
    def warnings(self) -> tuple[str, ...]:
        if not self._beyond:
            return ()
        shown = ", ".join(self._beyond[:6]) + (", ..." if len(self._beyond) > 6 else "")
        return (
            (
                f"the account may do more than read ({shown}); a read-only transaction stops "
                "changes of rows, but for all else only the parse gate stands before it. Better "
                f"connect as an account of its own:\n{PROPER_USER.format(database=self._database)}"
            ),
        )

    def engine(self, *, guarded: bool) -> Engine:  # noqa: ARG002 - the account decides, not the door
        engine = create_engine(self._url, creator=self._session, poolclass=NullPool)

        @event.listens_for(engine, "begin")
        def _prepare(connection: Connection) -> None:
            raw: Any = connection.connection.driver_connection
            if connection.get_execution_options().get(AT_ONCE, False):
                raw.take_snapshot()
            raw.streams = not connection.get_execution_options().get(REFLECTING, False)

        # Not passing parameters keeps the `%` of users' SQL.
        return engine.execution_options(no_parameters=True)

    def check(
        self,
        raw: Any,  # noqa: ARG002
        sql: str,
        *,
        parsed: bool,
        guarded: bool,
        allow_functions: Collection[str] = (),  # noqa: ARG002
    ) -> Refusal | None:
        if guarded and self._odd_quotes and "\\" in sql:
            # The gate read the text as if a backslash escaped, so it may have seen other strings.
            modes = " and ".join(self._odd_quotes)
            why = f"with {modes} a backslash means something else here; write it without one"
            return Refusal(rule=Rule.NOT_PARSED, message=why)
        if parsed:
            return None
        if guarded:
            why = "sqlglot cannot read it, so it cannot be shown to be harmless; write it simpler"
            return Refusal(rule=Rule.NOT_PARSED, message=why)
        return _check_words(sql)

    def time_limit(self, raw: Any, seconds: float) -> CancelTimer:
        return CancelTimer(seconds, cancel=raw.stop, cut=raw.cut, name="mysql-time-limit")

    def problem_kind(self, error: BaseException) -> ProblemKind:
        code = error.args[0] if error.args else None
        if code in _REFUSED:
            return "refused"
        if code in _TIMED_OUT:
            return "timed_out"
        if code in _TOO_LARGE or isinstance(error, MemoryError):
            return "too_large"
        return "failed"

    def column_type(self, described: Any) -> str | None:
        return type_name(described)

    def hold_still(self) -> PlainHold:
        """No session can take over another's snapshot here: those of a case begin together."""
        return PlainHold(snapshot=Snapshot.BEGUN_TOGETHER)

    def close(self) -> None:
        return

    def _session(self) -> Session:
        # SQLAlchemy knows how its URLs map to the driver's words.
        arguments = self._url.get_dialect()().create_connect_args(self._url)[1]
        arguments.pop("client_flag", None)  # SQLAlchemy's own, which pymysql sets by itself.
        settings: dict[str, Any] = {
            "charset": "utf8mb4",
            "connect_timeout": _CONNECT_S,
            **arguments,
            "local_infile": False,
            "autocommit": False,
        }
        session = Session(**settings)
        with session.cursor() as cursor:
            for line in self._setup(mariadb=session.is_mariadb):
                cursor.execute(line)
        return session

    def _setup(self, *, mariadb: bool) -> tuple[str, ...]:
        seconds = self._limits.timeout_s + _MARGIN_S
        whole = int(seconds) + 1
        limit = (
            f"max_statement_time = {seconds:.3f}"
            if mariadb
            else f"max_execution_time = {int(seconds * 1000)}"
        )
        return (
            (
                f"set session time_zone = '+00:00', {limit}, lock_wait_timeout = {whole}, "
                f"innodb_lock_wait_timeout = {whole}, wait_timeout = {whole + 60}"
            ),
            "set session transaction isolation level repeatable read, read only",
        )


def open_adapter(
    server: Server,  # noqa: ARG001 - there is only this one
    url: URL,
    limits: Limits,
    redactions: tuple[Redaction, ...],
) -> MySQL:
    """Connect to `url`."""
    return MySQL(url, limits, redactions)


def _check_words(sql: str) -> Refusal | None:
    """Judge a text of the key that sqlglot cannot read, where the transaction alone is too weak.

    `SET STATEMENT tx_read_only = 0 FOR ...` lifts it, and files and globals are beyond it.
    """
    try:
        tokens = Dialect.get_or_raise("mysql").tokenize(sql)
    except SqlglotError:
        return Refusal(rule=Rule.NOT_PARSED, message="its words cannot be told apart")
    if not tokens or tokens[0].token_type not in _QUERY_STARTS:
        return Refusal(rule=Rule.QUERY_ONLY, message="it does not start like a query")
    if any(token.token_type is TokenType.INTO for token in tokens):
        return Refusal(rule=Rule.NO_WRITES, message="INTO writes a file, a table or a variable")
    if any(c.startswith(("!", "M!")) for token in tokens for c in token.comments):
        return Refusal(rule=Rule.NO_HIDDEN_CODE, message="a comment that MySQL executes")
    return None


_HINTS = {
    1044: "The account may not use that database: check its name, the last part of the URL.",
    1045: "Check user and password; the password is never shown.",
    1049: "Check the database's name, the last part of the URL.",
    1130: "The server admits no such account from here: ask its administrator.",
    1698: "This account logs in without a password, by the system's user: use another.",
    2003: "Is the server running, and are host and port right?",
    2002: "Is the server running, and is the socket's path right?",
    2013: "The server hung up: check host, port and `?ssl_ca=`.",
}


def open_hint(error: BaseException) -> str:
    """What to try when the server cannot be used; empty where nothing is known."""
    return _HINTS.get(error.args[0] if error.args else 0, "")
