"""A server that goldsuite knows only through SQLAlchemy: Snowflake, BigQuery, Trino and the like.

What can be done without knowing the engine is done: the parse gate on both doors, a session per
statement that is rolled back, and a time limit that hangs up. Whether the engine then stops, and
whether the account may write, goldsuite cannot say; `warnings` tells so.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy.engine import Engine, create_engine
from sqlalchemy.engine.url import URL
from sqlalchemy.pool import NullPool

from goldsuite.model.result_set import ProblemKind
from goldsuite.sqltext.gate import Refusal, Rule
from goldsuite.warehouse.adapter import Redaction
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.server import Server
from goldsuite.warehouse.server_limit import CancelTimer

ERRORS: tuple[type[Exception], ...] = ()
ESTIMATES: str | None = None


class GenericServer:
    """Implements `goldsuite.warehouse.adapter.Adapter` by SQLAlchemy alone."""

    probe: str | None = None

    def __init__(self, server: Server, url: URL, redactions: tuple[Redaction, ...]) -> None:
        """Take note of `url`; nothing is opened yet."""
        self.dialect = server.dialect
        self.name = server.label
        self.redactions = redactions
        self._url = url
        self.errors: tuple[type[Exception], ...] = (url.get_dialect().import_dbapi().Error,)

    @property
    def warnings(self) -> tuple[str, ...]:
        return (
            (
                f"{self.name} was not tried by goldsuite's own tests. The parse gate refuses what "
                "is no query, but nothing in the engine was set to read-only, and at the limit the "
                "connection is closed without knowing that the statement ended: connect as an "
                "account that may only read, with a statement timeout of its own."
            ),
        )

    def engine(self, *, guarded: bool) -> Engine:  # noqa: ARG002 - the account decides, not the door
        engine = create_engine(self._url, poolclass=NullPool)
        return engine.execution_options(no_parameters=True)

    def check(
        self,
        raw: Any,  # noqa: ARG002
        sql: str,  # noqa: ARG002
        *,
        parsed: bool,
        guarded: bool,  # noqa: ARG002
        allow_functions: Collection[str] = (),  # noqa: ARG002
    ) -> Refusal | None:
        if parsed:
            return None
        # On the key's door too: below the gate nothing is known to keep this engine from writing.
        why = f"sqlglot cannot read it as {self.dialect}, so it cannot be shown to only read"
        return Refusal(rule=Rule.NOT_PARSED, message=why)

    def time_limit(self, raw: Any, seconds: float) -> CancelTimer:
        return CancelTimer(seconds, cancel=raw.close, cut=raw.close, name="server-time-limit")

    def problem_kind(self, error: BaseException) -> ProblemKind:
        return "too_large" if isinstance(error, MemoryError) else "failed"

    def column_type(self, described: Any) -> str | None:
        return described[1] if isinstance(described[1], str) else None

    def close(self) -> None:
        return


def open_adapter(
    server: Server,
    url: URL,
    limits: Limits,  # noqa: ARG001 - no setting for them is known
    redactions: tuple[Redaction, ...],
) -> GenericServer:
    """The adapter for `url`."""
    return GenericServer(server, url, redactions)


def open_hint(error: BaseException) -> str:  # noqa: ARG001 - its words are not known
    """What to try when the server cannot be used."""
    return "Check host, account and password in the URL; the password is never shown."
