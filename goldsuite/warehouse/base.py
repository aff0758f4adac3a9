"""What a warehouse is to the rest: two doors and a catalog."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from goldsuite.model.result_set import Execution


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What one statement may take."""

    timeout_s: float = 60.0
    max_rows: int = 1_000_000
    max_bytes: int = 1_000_000_000
    """Rough size of the fetched cells."""
    memory_bytes: int = 4_000_000_000
    """What the engine may take (DuckDB and SQLite): all of it for each statement of the key's door;
    at the analyst's, each of the statements that may run at once has an equal share. A statement's
    process gets some 0.5 GB more for all else."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CatalogColumn:
    name: str
    type: str
    nullable: bool
    comment: str | None = None
    values: tuple[str, ...] = ()
    """The distinct values, sorted, of a text column that has few; else empty."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ForeignKey:
    columns: tuple[str, ...]
    table: str
    """Referred to."""
    referred_columns: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CatalogTable:
    """One table or view of the warehouse."""

    name: str
    schema: str | None
    """None for the default schema, which needs no qualifier."""
    kind: str
    """`table` or `view`."""
    columns: tuple[CatalogColumn, ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    row_count: int | None = None
    row_count_estimated: bool = False
    """True if the engine's own estimate stands in for a count that would take long."""
    comment: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Catalog:
    tables: tuple[CatalogTable, ...]
    """Sorted by schema and name."""


class Door(Protocol):
    """A way to run SQL. Safe to call from several threads."""

    @property
    def dialect(self) -> str:
        """sqlglot's name of the SQL dialect."""
        ...

    def execute(self, sql: str) -> Execution:
        """Run one statement; a refusal, an engine error or a limit comes back as a problem."""
        ...


class Snapshot(StrEnum):
    """What keeps gold and analyst SQL on one state of the data."""

    EXPORTED = "exported"
    """One snapshot of the server, which every session takes over (PostgreSQL)."""
    READ_ONLY_FILE = "read-only file"
    """While the file is open nobody can write to it (DuckDB)."""
    UNCHANGED_FILE = "unchanged file"
    """Nobody is kept from writing, and nobody did (SQLite)."""
    BEGUN_TOGETHER = "begun together"
    """The sessions of one case take their snapshots right after each other (MySQL, MariaDB): what
    is committed in the milliseconds between is seen by the later ones alone."""
    NONE = "none"
    """Data that changes meanwhile may be seen by one query and not by the other."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """What became of the statements of one case, in the order in which they were given."""

    gold: tuple[Execution, ...]
    analyst: tuple[Execution, ...]


class Moment(Protocol):
    """The time in which gold and analyst are to see one state of the data."""

    @property
    def snapshot(self) -> Snapshot:
        """What held so far. Read it last: a snapshot can be lost."""
        ...

    def execute(self, gold: Sequence[str], analyst: Sequence[str]) -> Answers:
        """Run the statements of one case back to back. Safe to call from several threads."""
        ...


class Warehouse(Protocol):
    """One open warehouse."""

    @property
    def dialect(self) -> str:
        """sqlglot's name of the SQL dialect."""
        ...

    @property
    def engine(self) -> str:
        """Name and version, such as `DuckDB 2.0.1`."""
        ...

    @property
    def masked_url(self) -> str:
        """The URL with every secret masked."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of the account and of what this engine cannot enforce."""
        ...

    @property
    def gold(self) -> Door:
        """The key's door: read-only, with no list of allowed functions."""
        ...

    @property
    def analyst(self) -> Door:
        """The analyst's door: read-only, guarded by the parse gate."""
        ...

    @property
    def concurrency(self) -> int:
        """Statements that run at once through each door."""
        ...

    @property
    def time_zone(self) -> str | None:
        """Of the sessions of both doors; None where the engine could not be held to one."""
        ...

    def moment(self) -> AbstractContextManager[Moment]:
        """Hold the data still, as far as the engine can, until the block ends."""
        ...

    def preflight(self) -> None:
        """Run `select 1` through the session's SQLAlchemy engine.

        Raises:
            goldsuite.errors.PreflightError: it failed; says why, and what to try.
        """
        ...

    def catalog(self) -> Catalog:
        """Tables, columns, keys and low-cardinality values; read once, then cached."""
        ...

    def close(self) -> None: ...
