"""Which tables and columns a query reads, against what is forbidden, required, or claimed.

Read from the text: what a view reads in its turn is not seen. `*` and a whole row stand for every
column of their table.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from goldsuite.diagnosis.lineage_rules import LineageRules, read_pattern
from goldsuite.sqltext.parsing import UNREADABLE, parse_query

__all__ = ["Finding", "Read", "check_reads", "read_lineage"]

ALL = "*"
"""As a column: every one of the table, where it is not known which these are."""


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Read:
    """A table, or a column of it, that a query reads; all in lower case."""

    schema: str
    """Empty where none is written."""
    table: str
    column: str
    """Empty for the table itself."""

    def __str__(self) -> str:
        return ".".join(filter(None, (self.schema, self.table, self.column)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """Something that is not as it should be."""

    flag: str
    evidence: str
    """A whole sentence."""


def check_reads(
    sql: str, rules: LineageRules, *, dialect: str, columns: Mapping[str, Sequence[str]]
) -> tuple[Finding, ...]:
    """What of the rules a query does not keep to.

    `columns` has the columns of each table of the warehouse, both in lower case.
    """
    if not rules.given:
        return ()
    reads = read_lineage(sql, dialect, columns)
    if reads is None:
        told = "The SQL cannot be taken apart, so what it reads was not checked."
        return (Finding(flag="lineage_unread", evidence=told),)
    return (*_forbidden(reads, rules.forbid), *_missing(reads, rules.require))


def _forbidden(reads: Sequence[Read], patterns: Sequence[str]) -> Iterator[Finding]:
    for pattern in patterns:
        found = [read for read in reads if _fits(read, read_pattern(pattern))]
        # A column says more than the table that it is of.
        told = [read for read in found if read.column] or found
        if told:
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(map(str, told)))
            yield Finding(
                flag="forbidden_read", evidence=f"The SQL reads {names}; `{pattern}` is forbidden."
            )


def _missing(reads: Sequence[Read], patterns: Sequence[str]) -> Iterator[Finding]:
    for pattern in patterns:
        if not any(_fits(read, read_pattern(pattern)) for read in reads):
            yield Finding(
                flag="required_read_missing",
                evidence=f"The SQL reads nothing that fits `{pattern}`, which is required.",
            )


def _fits(read: Read, parts: tuple[str, ...]) -> bool:
    """Two parts may mean a table's column or a schema's table."""
    names: tuple[tuple[str, ...], ...] = ((read.table,),)
    if len(parts) == 2:
        names = ((read.table, read.column), (read.schema, read.table))
    elif len(parts) == 3:
        names = ((read.schema, read.table, read.column),)
    return any(_all_fit(each, parts) for each in names)


def _all_fit(names: Sequence[str], parts: Sequence[str]) -> bool:
    return all(
        bool(name) and (name == ALL or fnmatchcase(name, part))
        for name, part in zip(names, parts, strict=True)
    )


def read_lineage(
    sql: str, dialect: str, columns: Mapping[str, Sequence[str]]
) -> tuple[Read, ...] | None:
    """Every table and column that `sql` reads, sorted; None where it cannot be taken apart."""
    query = parse_query(sql, dialect)
    if query is None:
        return None
    try:
        scopes = traverse_scope(query)
        found = {read for scope in scopes for read in _reads(scope, columns)}
        # Tables that no scope has, as in what sqlglot does not follow: better named than missed.
        names = {cte.alias.lower() for cte in query.find_all(exp.CTE)}
        for table in query.find_all(exp.Table):
            if table.name and (table.db or table.name.lower() not in names):
                found.add(_read(table, ""))
    except UNREADABLE:
        return None
    return tuple(sorted(found))


def _reads(scope: Scope, columns: Mapping[str, Sequence[str]]) -> Iterator[Read]:
    tables = _tables(scope)
    for column in scope.columns:
        owner = _owner(scope, column.table) if column.table else None
        if owner is not None:
            yield from _of_table(owner, column.name, columns)
        elif not column.table:
            yield from _bare(column.name, scope, columns)
    for star in scope.expression.find_all(exp.Star):
        if isinstance(star.parent, exp.Count) or star.find_ancestor(exp.Select) is not (
            scope.expression
        ):
            continue
        alias = star.parent.table if isinstance(star.parent, exp.Column) else ""
        for name, table in tables.items():
            if alias in ("", name):
                yield from _of_table(table, ALL, columns)


def _bare(name: str, scope: Scope, columns: Mapping[str, Sequence[str]]) -> Iterator[Read]:
    """A column without its table is of those that have it; of all that are not known, perhaps."""
    around: Scope | None = scope
    while around is not None:
        for alias, table in _tables(around).items():
            known = columns.get(table.name.lower())
            if alias.lower() == name.lower() and around is scope:
                yield from _of_table(table, ALL, columns)  # a whole row
            elif known is None or name.lower() in known:
                yield _read(table, name)
        around = around.parent


def _of_table(
    table: exp.Table, column: str, columns: Mapping[str, Sequence[str]]
) -> Iterator[Read]:
    if column != ALL:
        yield _read(table, column)
        return
    for name in columns.get(table.name.lower(), (ALL,)):
        yield _read(table, name)


def _owner(scope: Scope, alias: str) -> exp.Table | None:
    """The table that an alias stands for, here or in a query around; None for a derived one."""
    around: Scope | None = scope
    while around is not None:
        if alias in around.selected_sources:
            return _tables(around).get(alias)
        around = around.parent
    return None


def _tables(scope: Scope) -> dict[str, exp.Table]:
    return {
        alias: node
        for alias, (node, source) in scope.selected_sources.items()
        if isinstance(node, exp.Table) and isinstance(source, exp.Table)
    }


def _read(table: exp.Table, column: str) -> Read:
    return Read(schema=table.db.lower(), table=table.name.lower(), column=column.lower())
