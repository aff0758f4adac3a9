"""What Spark SQL is to the doors, whichever server speaks it: Spark's own, or Sail.

Neither has a read-only mode, a transaction or an account that a client could lower, so that below
the parse gate only the rights of the server's own user stand: what the gate cannot read is refused
on both doors, and `warnings` says so.
"""

from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy.dialects import registry
from sqlalchemy.engine import Engine, create_engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.engine.url import URL
from sqlalchemy.pool import NullPool

from goldsuite.model.result_set import ProblemKind
from goldsuite.sqltext.gate import Refusal, Rule
from goldsuite.warehouse.adapter import PlainHold, Redaction
from goldsuite.warehouse.base import Limits, Snapshot
from goldsuite.warehouse.server_limit import CancelTimer

NOT_READ_ONLY = (
    "has no read-only mode, so that the parse gate alone keeps statements from writing, and from "
    "reading files that the server may read: run the server as a user of the system that may only "
    "read the data, on data that you can restore"
)

_TOO_LARGE = ("outofmemory", "resources exhausted", "maxresultsize")


class SparkSQL:
    """The part of `goldsuite.warehouse.adapter.Adapter` that all servers of Spark SQL share."""

    dialect = "spark"
    time_zone = "UTC"
    probe: str | None = None
    errors: tuple[type[Exception], ...] = ()

    def __init__(self, url: URL, limits: Limits, redactions: tuple[Redaction, ...]) -> None:
        """Take note of `url`; nothing is opened yet."""
        self.redactions = redactions
        self._url = url
        self._limits = limits

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
        # On the key's door too: below the gate nothing keeps this engine from writing.
        why = "sqlglot cannot read it as Spark SQL, so it cannot be shown to only read"
        return Refusal(rule=Rule.NOT_PARSED, message=why)

    def time_limit(self, raw: Any, seconds: float) -> CancelTimer:
        return CancelTimer(seconds, cancel=raw.stop, cut=raw.cut, name="spark-time-limit")

    def problem_kind(self, error: BaseException) -> ProblemKind:
        said = str(error).lower()
        if isinstance(error, MemoryError) or any(words in said for words in _TOO_LARGE):
            return "too_large"
        return "failed"

    def hold_still(self) -> PlainHold:
        """Tables of Spark have no state that several statements could share."""
        return PlainHold(snapshot=Snapshot.NONE)

    def close(self) -> None:
        return


def spark_engine(dialect: type[DefaultDialect], connect: Callable[[], Any]) -> Engine:
    """An engine whose every checkout is a new session made by `connect`."""
    name = dialect.__name__.lower()
    registry.register(f"goldsuite.{name}", dialect.__module__, dialect.__name__)
    engine = create_engine(URL.create(f"goldsuite+{name}"), creator=connect, poolclass=NullPool)
    # Not passing parameters keeps the `%` of users' SQL.
    return engine.execution_options(no_parameters=True)
