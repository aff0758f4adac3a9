"""What a warehouse is to the rest: two doors and a catalog."""

from dataclasses import dataclass
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
    """What the engine may take for all statements of one door together (DuckDB; SQLite at the
    analyst's door). At the analyst's door each of the statements that may run at once has an equal
    share, in a process that gets some 0.5 GB more for all else."""


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
