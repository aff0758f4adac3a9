"""Whether a pass was luck: do two queries that agree on today's data agree on other data too?"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

__all__ = [
    "Coincidence",
    "CoincidenceMethod",
    "CoincidenceVerdict",
    "Counterexample",
    "ShownCell",
    "ShownTable",
]

ShownCell: TypeAlias = int | float | str | bool | None


class CoincidenceVerdict(StrEnum):
    """What is known of two queries with the same result; that they are equivalent is none of it."""

    PROVEN = "proven"
    """Both have one canonical form."""
    REFUTED = "refuted"
    """They differ on a database that keeps to every known key."""
    REFUTED_ONLY_IF_FK_BREAKS = "refuted_only_if_fk_breaks"
    """They differ only where a row refers to another that is not there."""
    NOT_REFUTED = "not_refuted"
    """They agreed on every database that was tried, which proves nothing."""
    NOT_APPLICABLE = "not_applicable"


CoincidenceMethod: TypeAlias = Literal["canonical_form", "local", "warehouse", "transpiled"]
"""`local`: on small databases in a DuckDB of our own, in the queries' own dialect. `warehouse`: in
the warehouse, on tables written into the query. `transpiled`: in our DuckDB, in its dialect."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownTable:
    """A table or a result as a person reads it."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[ShownCell, ...], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Counterexample:
    """The smallest database that was found on which the two queries differ."""

    tables: tuple[ShownTable, ...]
    """Every table that is read, with the columns that the queries name."""
    gold: ShownTable
    """What the gold query returns on it."""
    analyst: ShownTable
    """What the analyst's returns."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Coincidence:
    """What came of looking for a database on which gold and analyst differ."""

    verdict: CoincidenceVerdict
    databases: int
    """On which both queries ran and what they returned was compared."""
    method: CoincidenceMethod | None
    """None where nothing was tried."""
    counterexample: Counterexample | None = None
    """Where the verdict is one of the two refutations."""
    reason: str | None = None
    """A whole sentence: why the method does not apply, or what kind of data tells them apart."""
    executions: int = 0
    """Statements that were run for it."""
    elapsed_ms: float = 0.0

    @property
    def is_lucky(self) -> bool:
        """Whether the pass was luck as far as is known."""
        return self.verdict is CoincidenceVerdict.REFUTED
