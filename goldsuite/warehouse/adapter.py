"""What one engine must provide so that the doors can run SQL on it.

A new engine is one file that implements `Adapter`, and one line in `engines.py`.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from sqlalchemy.engine import Engine

from goldsuite.model.result_set import ProblemKind
from goldsuite.sqltext.gate import Refusal
from goldsuite.warehouse.base import Snapshot
from goldsuite.warehouse.cells import Row


class Deadline(Protocol):
    """The running time limit of one statement."""

    @property
    def expired(self) -> bool:
        """True once the limit has stopped the statement, or would have."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Redaction:
    """A text that must not reach a message, and what stands in its place."""

    text: str
    shown: str


class Adapter(Protocol):
    """One open database of one engine."""

    @property
    def dialect(self) -> str:
        """sqlglot's name of the SQL dialect."""
        ...

    @property
    def name(self) -> str:
        """Name and version, such as `DuckDB 2.0.1`."""
        ...

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises, where SQLAlchemy does not wrap it: while rows are fetched."""
        ...

    @property
    def probe(self) -> str | None:
        """What to run after `select 1` where that does not touch the data; else None."""
        ...

    @property
    def redactions(self) -> tuple[Redaction, ...]:
        """Secrets and paths of the warehouse, the longest first."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of the account, and of what cannot be enforced."""
        ...

    def engine(self, *, guarded: bool) -> Engine:
        """A SQLAlchemy engine whose every checkout is a connection in a fresh, locked session."""
        ...

    def check(
        self,
        raw: Any,
        sql: str,
        *,
        parsed: bool,
        guarded: bool,
        allow_functions: Collection[str] = (),
    ) -> Refusal | None:
        """The engine's own view of `sql`: one statement, and a query?

        Args:
            raw: the driver's connection, as the engine's pool gave it.
            parsed: whether the gate could read `sql`. If not, the engine decides alone, and on
                the guarded door what cannot be shown safe is refused.
        """
        ...

    def time_limit(self, raw: Any, seconds: float) -> AbstractContextManager[Deadline]:
        """Stop what runs on `raw` once `seconds` have passed, fetching included."""
        ...

    def problem_kind(self, error: BaseException) -> ProblemKind:
        """What a driver's error means."""
        ...

    def column_type(self, described: Any) -> str | None:
        """The engine's name of a column's type, from its entry in `cursor.description`."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class CellCursor(Protocol):
    """A driver's cursor whose rows hold cells already."""

    def batches(self) -> Iterator[Sequence[Row]]:
        """All rows that are left, in parts."""
        ...


class Hold(Protocol):
    """What keeps the data still, until it is closed."""

    @property
    def snapshot(self) -> Snapshot:
        """What held so far; `NONE` once it was lost."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Steady(Protocol):
    """What an adapter has besides, where it can hold its engine to one zone and one state."""

    @property
    def time_zone(self) -> str:
        """Of every session, whatever the machine, the server or the account has."""
        ...

    def hold_still(self) -> Hold:
        """Let all sessions that begin from now on see one state of the data, if that can be."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainHold:
    """A hold that needs nothing to be kept."""

    snapshot: Snapshot

    def close(self) -> None:
        """Nothing."""
