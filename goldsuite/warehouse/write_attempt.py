"""Is a warehouse read-only? Tried at each door, past the gate, with a write that changes nothing.

The statement deletes the rows of a table for which a false condition holds. The engine judges it by
what it is, before it looks at any row; where it is let through, no row is gone, and the transaction
is rolled back besides.
"""

from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp

from goldsuite.warehouse.base import Catalog, CatalogTable
from goldsuite.warehouse.engines import OpenWarehouse

__all__ = ["WriteAttempt", "WriteOutcome", "attempt_writes"]


class WriteOutcome(StrEnum):
    """What became of the attempt."""

    REFUSED = "refused"
    LET_THROUGH = "let through"
    UNCLEAR = "unclear"
    """It failed, but not as a refusal."""
    NOT_TRIED = "not tried"
    """There is no table to try it on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WriteAttempt:
    """One write at one door."""

    door: str
    """`gold` or `analyst`."""
    statement: str | None
    outcome: WriteOutcome
    message: str | None = None
    """What the engine said."""


def attempt_writes(warehouse: OpenWarehouse) -> tuple[WriteAttempt, ...]:
    """Try to write at the gold door and at the analyst's.

    Raises:
        goldsuite.errors.WarehouseError: the engine would not tell its tables.
    """
    table = _a_table(warehouse.catalog())
    statement = None if table is None else _deletion(table, warehouse.dialect)
    return tuple(_attempt(warehouse, door, statement) for door in ("gold", "analyst"))


def _attempt(warehouse: OpenWarehouse, door: str, statement: str | None) -> WriteAttempt:
    if statement is None:
        return WriteAttempt(door=door, statement=None, outcome=WriteOutcome.NOT_TRIED)
    problem = (warehouse.gold if door == "gold" else warehouse.analyst).try_writing(statement)
    if problem is None:
        return WriteAttempt(door=door, statement=statement, outcome=WriteOutcome.LET_THROUGH)
    refused = problem.kind == "refused"
    return WriteAttempt(
        door=door,
        statement=statement,
        outcome=WriteOutcome.REFUSED if refused else WriteOutcome.UNCLEAR,
        message=problem.message,
    )


def _a_table(catalog: Catalog) -> CatalogTable | None:
    """One of the default schema if there is any: that one needs no further right to be reached."""
    tables = [table for table in catalog.tables if table.kind == "table"]
    return min(tables, key=lambda table: (table.schema or "", table.name), default=None)


def _deletion(table: CatalogTable, dialect: str) -> str:
    target = exp.table_(table.name, db=table.schema, quoted=True)
    return exp.delete(target, where="1 = 0", dialect=dialect).sql(dialect=dialect)
