"""The verified queries of a Snowflake semantic model.

Each has `name`, `question`, `sql`, and may have `verified_by` and `verified_at`, in seconds since
1970. Their SQL speaks of logical tables, written with two underscores before the name, and of
logical columns: each stands for the model's base table or expression, and is put in its place.
Source: https://docs.snowflake.com/user-guide/snowflake-cortex/cortex-analyst/verified-query-repository
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from goldsuite.suite.importers.base import Candidate, Reading, Source, Untaken
from goldsuite.suite.importers.entry import Entry, NotTakenError, collect
from goldsuite.suite.importers.yaml_text import Document, read_document

__all__ = ["read_snowflake"]

_KEYS = frozenset(
    ("name", "question", "sql", "verified_by", "verified_at", "use_as_onboarding_question")
)
_COLUMNS = ("dimensions", "time_dimensions", "facts", "measures")
_DIALECT = "snowflake"
_SIGN = "__"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Table:
    """A logical table."""

    base: str
    columns: Mapping[str, str]
    """Logical name, in lower case, to the expression over the base table."""


def read_snowflake(source: Source) -> Reading:
    """Implements `goldsuite.suite.importers.base.Importer`."""
    model = read_document(source, what="a semantic model")
    if model.data.get("verified_queries") in (None, []):
        raise source.error(
            1, "the semantic model has no `verified_queries`, so there is nothing to import."
        )
    entries = list(model.entries("verified_queries"))
    tables = dict(_tables(model))
    return collect((_candidate(entry, tables) for entry in entries), entries=entries, known=_KEYS)


def _candidate(entry: Entry, tables: Mapping[str, _Table]) -> Candidate | Untaken:
    try:
        return entry.candidate(
            id=entry.text("name").replace("/", "-").replace("\\", "-"),
            question=entry.text("question"),
            gold_sql=[_physical(entry.text("sql"), tables)],
            fields={
                "verified_by": entry.optional("verified_by"),
                "verified_at": _day(entry.data.get("verified_at")),
            },
        )
    except NotTakenError as reason:
        return entry.untaken(str(reason))


def _day(seconds: Any) -> date | None:
    if isinstance(seconds, datetime):
        return seconds.date()
    if seconds is None or isinstance(seconds, date):
        return seconds
    try:
        return datetime.fromtimestamp(int(Decimal(seconds)), tz=UTC).date()
    except (ArithmeticError, ValueError, TypeError, OverflowError, OSError):
        raise NotTakenError("'verified_at' is no number of seconds since 1970") from None


def _tables(model: Document) -> Iterator[tuple[str, _Table]]:
    for index, entry in enumerate(model.entries("tables")):
        base = entry.data.get("base_table")
        name = entry.data.get("name")
        if not isinstance(base, dict) or not isinstance(name, str):
            continue
        parts = [str(base[key]) for key in ("database", "schema", "table") if base.get(key)]
        columns = {
            str(column.data["name"]).lower(): str(column.data["expr"])
            for kind in _COLUMNS
            for column in model.entries("tables", index, kind)
            if column.data.get("name") and column.data.get("expr")
        }
        yield name.lower(), _Table(base=".".join(parts), columns=columns)


def _physical(sql: str, tables: Mapping[str, _Table]) -> str:
    """`sql` over base tables; unchanged where it names no logical table."""
    try:
        tree = sqlglot.parse_one(sql, read=_DIALECT)
    except (SqlglotError, RecursionError):
        return sql
    scopes = traverse_scope(tree) if isinstance(tree, exp.Query) else []
    changed = [_rewritten(scope, tables) for scope in scopes]
    return tree.sql(dialect=_DIALECT) if any(changed) else sql


def _rewritten(scope: Scope, tables: Mapping[str, _Table]) -> bool:
    """Whether a source of `scope` was logical; its name and columns are replaced in place."""
    logical = {
        alias: (source, table)
        for alias, source in scope.sources.items()
        if isinstance(source, exp.Table)
        and source.name.startswith(_SIGN)
        and (table := tables.get(source.name.removeprefix(_SIGN).lower())) is not None
    }
    unknown = [
        source.name
        for source in scope.sources.values()
        if isinstance(source, exp.Table)
        and source.name.startswith(_SIGN)
        and source.name.removeprefix(_SIGN).lower() not in tables
    ]
    if unknown:
        raise NotTakenError(f"the model has no table {unknown[0].removeprefix(_SIGN)!r}")
    only = next(iter(logical)) if len(scope.sources) == 1 and logical else None
    for column in list(scope.columns):
        owner = column.table or only or _owner(column, logical)
        if owner in logical:
            _replace_column(column, logical[owner][1], owner)
    for alias, (source, table) in logical.items():
        named = exp.to_table(table.base, dialect=_DIALECT, alias=alias)
        source.replace(named)
    return bool(logical)


def _owner(column: exp.Column, logical: Mapping[str, tuple[exp.Table, _Table]]) -> str | None:
    """The one logical table that has a column of that name."""
    owners = [a for a, (_, table) in logical.items() if column.name.lower() in table.columns]
    if len(owners) > 1:
        raise NotTakenError(f"the column {column.name!r} may be of several tables")
    return owners[0] if owners else None


def _replace_column(column: exp.Column, table: _Table, alias: str) -> None:
    text = table.columns.get(column.name.lower())
    if text is None:
        return
    try:
        meant = sqlglot.parse_one(text, read=_DIALECT, into=exp.Condition)
    except (SqlglotError, RecursionError):
        raise NotTakenError(f"the expression of {column.name!r} cannot be read") from None
    for inner in meant.find_all(exp.Column):
        if not inner.table:
            inner.set("table", exp.to_identifier(alias))
    new: exp.Expr = meant if isinstance(meant, exp.Column) else exp.paren(meant)
    # A bare column of the output keeps the name that the model gives it.
    if isinstance(column.parent, exp.Select) and column.arg_key == "expressions":
        new = exp.alias_(meant, column.name)
    column.replace(new)
