"""Mutants that read another column, or a table that looks like the right one."""

from collections.abc import Iterator

from sqlglot import exp

from goldsuite.audit.edits import copy_with
from goldsuite.audit.tables import Source, Tables, own_columns
from goldsuite.warehouse.base import CatalogTable

__all__ = ["other_columns", "other_sources", "other_times"]

_MOST = 2
"""Other columns that are tried for one; those whose names share a word come first."""
_ALIKE = 0.8
"""Share of a table's columns that another must have to look like it, whatever its name."""

Edit = tuple[str, exp.Expr, exp.Expr | None]


def other_columns(tree: exp.Expr, tables: Tables) -> Iterator[Edit]:
    """An aggregate over another number of the same table."""
    for select in tree.find_all(exp.Select):
        sources = tables.sources(select)
        for column in own_columns(select):
            # What only counts rows is the same for each column without NULLs.
            aggregate = column.find_ancestor(exp.AggFunc)
            owner = tables.owner(column, sources)
            if aggregate is None or isinstance(aggregate, exp.Count) or owner is None:
                continue
            for name in _others(column.name, owner, "number", tables):
                copy, (place,) = copy_with(tree, column)
                place.set("this", exp.to_identifier(name))
                yield f"`{name}` in place of `{column.name}`", copy, None


def other_times(tree: exp.Expr, tables: Tables) -> Iterator[Edit]:
    """A window over another date of the same table, wherever the SELECT reads the right one."""
    for select in tree.find_all(exp.Select):
        sources = tables.sources(select)
        found: dict[tuple[str, str], list[exp.Column]] = {}
        for column in own_columns(select):
            owner = tables.owner(column, sources)
            if owner is not None and tables.family(owner.table, column.name) == "time":
                found.setdefault((owner.alias, column.name.lower()), []).append(column)
        owners = {source.alias: source for source in sources}
        for (alias, name), columns in found.items():
            for other in _others(name, owners[alias], "time", tables):
                copy, places = copy_with(tree, *columns)
                for place in places:
                    place.set("this", exp.to_identifier(other))
                yield f"`{other}` in place of `{name}`", copy, None


def _others(name: str, owner: Source, family: str, tables: Tables) -> list[str]:
    """Columns of the same family, keys left out."""
    table = owner.table
    if tables.family(table, name) != family:
        return []
    keys = {*table.primary_key, *(c for key in table.foreign_keys for c in key.columns)}
    found = [
        column.name
        for column in table.columns
        if column.name.lower() != name.lower()
        and column.name not in keys
        and not column.name.lower().endswith("id")
        and tables.family(table, column.name) == family
    ]
    return sorted(found, key=lambda other: not _words(other) & _words(name))[:_MOST]


def other_sources(tree: exp.Expr, tables: Tables) -> Iterator[Edit]:
    """A table that has all columns that are read, and looks like the right one."""
    for select in tree.find_all(exp.Select):
        sources = tables.sources(select)
        # A correlated subquery reads the columns of the query around it.
        inside = [*select.find_all(exp.Column)]
        for source in sources:
            used = {c.name.lower() for c in inside if tables.owner(c, sources) is source}
            for other in tables.catalog.tables:
                if other is source.table or not _looks_like(other, source.table, used):
                    continue
                copy, (place,) = copy_with(tree, source.node)
                named = exp.table_(other.name, db=other.schema, alias=source.node.alias_or_name)
                place.replace(named)
                yield f"table `{other.name}` in place of `{source.table.name}`", copy, None


def _looks_like(other: CatalogTable, table: CatalogTable, used: set[str]) -> bool:
    names = {column.name.lower() for column in other.columns}
    own = {column.name.lower() for column in table.columns}
    if not used or not used <= names:
        return False
    return bool(_words(other.name) & _words(table.name)) or len(own & names) >= _ALIKE * len(own)


def _words(name: str) -> set[str]:
    return {word.removesuffix("s") for word in name.lower().split("_") if len(word) > 2}
