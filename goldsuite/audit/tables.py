"""What a query's tables are by the catalog: which one a column belongs to, and what is like it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp
from sqlglot.errors import SqlglotError

from goldsuite.warehouse.base import Catalog, CatalogTable

__all__ = ["Source", "Tables", "own_columns", "own_sources"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A table of the catalog as one SELECT reads it."""

    alias: str
    node: exp.Table
    table: CatalogTable


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The catalog, asked in the words of a query."""

    catalog: Catalog
    dialect: str

    @cached_property
    def _by_name(self) -> dict[str, CatalogTable]:
        # A table of the default schema is the one that a bare name means.
        others = sorted(self.catalog.tables, key=lambda table: table.schema is None)
        return {table.name.lower(): table for table in others}

    def find(self, node: exp.Table) -> CatalogTable | None:
        """The table that a query reads; None for a CTE, a function, and what is not there."""
        found = self._by_name.get(node.name.lower())
        schema = node.text("db").lower()
        if found is None or not schema or (found.schema or schema).lower() == schema:
            return found
        same = (t for t in self.catalog.tables if t.name.lower() == node.name.lower())
        return next((t for t in same if (t.schema or "").lower() == schema), None)

    def sources(self, select: exp.Select) -> list[Source]:
        """The tables of the catalog that `select` itself reads."""
        ctes = {cte.alias.lower() for cte in select.root().find_all(exp.CTE)}
        return [
            Source(alias=node.alias_or_name.lower(), node=node, table=table)
            for node in own_sources(select)
            if node.name.lower() not in ctes and (table := self.find(node)) is not None
        ]

    def owner(self, column: exp.Column, sources: list[Source]) -> Source | None:
        """Whose column it is; None where that cannot be told."""
        if column.table:
            return next((s for s in sources if s.alias == column.table.lower()), None)
        has = [s for s in sources if self.has(s.table, column.name)]
        return has[0] if len(has) == 1 else None

    @staticmethod
    def has(table: CatalogTable, column: str) -> bool:
        return any(each.name.lower() == column.lower() for each in table.columns)

    def family(self, table: CatalogTable, column: str) -> str | None:
        """`number` or `time`; None for anything else."""
        found = next((c for c in table.columns if c.name.lower() == column.lower()), None)
        if found is None:
            return None
        try:
            kind = exp.DataType.build(found.type, dialect=self.dialect)
        except (SqlglotError, ValueError):
            return None
        if kind.is_type(*exp.DataType.NUMERIC_TYPES):
            return "number"
        return "time" if kind.is_type(*exp.DataType.TEMPORAL_TYPES) else None


def own_sources(select: exp.Select) -> Iterator[exp.Table]:
    """The tables in FROM and JOIN of `select` itself, not of its subqueries."""
    start = select.args.get("from_")
    joins = [join.this for join in select.args.get("joins") or ()]
    yield from (n for n in [start and start.this, *joins] if isinstance(n, exp.Table))


def own_columns(select: exp.Select) -> list[exp.Column]:
    """The columns in `select` itself, not in its subqueries."""
    return [c for c in select.find_all(exp.Column) if c.find_ancestor(exp.Select) is select]
