"""Reads the catalog: what tables there are, how they join, and which values their columns hold.

Structure comes from SQLAlchemy's inspector, counts and values from queries through a door with a
short time limit. What the engine would not tell in time stays unknown, never 0.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import inspect
from sqlalchemy import types as sqltypes
from sqlalchemy.engine import Engine, Inspector
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql.compiler import IdentifierPreparer

from goldsuite.warehouse.base import Catalog, CatalogColumn, CatalogTable, Door, ForeignKey

MAX_VALUES = 50
"""A text column with more distinct values than this is not low in cardinality."""
MAX_VALUE_CHARS = 200
"""A longer value makes its column prose, whose values help nobody."""
MAX_SAMPLED_ROWS = 5_000_000
"""Values are not read from a larger table."""
_COLUMNS_PER_QUERY = 100  # SQLite refuses more than 500 parts of a UNION.
_SYSTEM_SCHEMAS = frozenset(
    {"information_schema", "mysql", "performance_schema", "pg_catalog", "sys"}
)


def read_catalog(engine: Engine, door: Door, *, estimates: str | None = None) -> Catalog:
    """Read every table and view of the warehouse; `door` runs the counts.

    Args:
        estimates: SQL that lists schema, name and estimated rows of the tables that are too large
            to be counted; None: all are counted.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: the engine would not list its tables.
    """
    inspector = inspect(engine)
    quote = engine.dialect.identifier_preparer
    estimated = _estimates(door, estimates)
    tables = [
        _read_table(
            inspector,
            door,
            quote,
            name=name,
            schema=schema,
            kind=kind,
            estimate=estimated.get((schema or inspector.default_schema_name, name)),
        )
        for schema in _schemas(inspector, engine)
        for kind, name in _names(inspector, schema)
    ]
    return Catalog(tables=tuple(sorted(tables, key=lambda t: (t.schema or "", t.name))))


def _schemas(inspector: Inspector, engine: Engine) -> list[str | None]:
    dialect, default = engine.dialect.name, inspector.default_schema_name
    if dialect == "sqlite":
        return [None]  # Attached databases do not exist here, and listing them tells a path.
    if dialect in {"mysql", "mariadb"} and default:
        return [None]  # The others are other databases, not parts of this one.
    hidden = {default, *_SYSTEM_SCHEMAS}
    others = sorted(name for name in inspector.get_schema_names() if name not in hidden)
    return [None, *others] if default else [*others]


def _names(inspector: Inspector, schema: str | None) -> Iterator[tuple[str, str]]:
    for name in inspector.get_table_names(schema):
        yield "table", name
    views = set(inspector.get_view_names(schema))
    with contextlib.suppress(NotImplementedError):  # Where an engine has none.
        views.update(inspector.get_materialized_view_names(schema))
    for name in sorted(views):
        yield "view", name


def _estimates(door: Door, sql: str | None) -> dict[tuple[str | None, str], int]:
    """Estimated rows by schema and name; empty where the engine tells none."""
    result = door.execute(sql).result if sql else None
    rows = result.rows if result else ()
    return {
        (schema, name): int(count)
        for schema, name, count in rows
        if isinstance(schema, str) and isinstance(name, str) and isinstance(count, (int, Decimal))
    }


def _read_table(
    inspector: Inspector,
    door: Door,
    quote: IdentifierPreparer,
    *,
    name: str,
    schema: str | None,
    kind: str,
    estimate: int | None,
) -> CatalogTable:
    try:
        reflected = inspector.get_columns(name, schema)
    except SQLAlchemyError:
        # A view whose tables are gone, or a virtual table that this engine cannot read.
        return CatalogTable(name=name, schema=schema, kind=kind, columns=())
    place = quote.quote_identifier(name)
    if schema is not None:
        place = f"{quote.quote_identifier(schema)}.{place}"
    count = estimate if estimate is not None else _row_count(door, place)
    text_type = "char" if quote.dialect.name in {"mysql", "mariadb"} else "varchar"
    texts = {
        c["name"]: _as_text(quote.quote_identifier(c["name"]), c["type"], text_type)
        for c in reflected
        if _holds_text(c["type"])
    }
    values: dict[str, tuple[str, ...]] = {}
    if count is not None and count <= MAX_SAMPLED_ROWS:
        values = _values(door, place, texts)
    return CatalogTable(
        name=name,
        schema=schema,
        kind=kind,
        columns=tuple(
            CatalogColumn(
                name=c["name"],
                type=_type_name(c["type"]),
                nullable=bool(c["nullable"]),
                comment=c.get("comment"),
                values=values.get(c["name"], ()),
            )
            for c in reflected
        ),
        primary_key=_primary_key(inspector, name, schema) if kind == "table" else (),
        foreign_keys=_foreign_keys(inspector, name, schema) if kind == "table" else (),
        row_count=count,
        row_count_estimated=estimate is not None,
        comment=_comment(inspector, name, schema),
    )


def _primary_key(inspector: Inspector, name: str, schema: str | None) -> tuple[str, ...]:
    return tuple(inspector.get_pk_constraint(name, schema)["constrained_columns"])


def _foreign_keys(inspector: Inspector, name: str, schema: str | None) -> tuple[ForeignKey, ...]:
    keys = [
        ForeignKey(
            columns=tuple(key["constrained_columns"]),
            table=key["referred_table"],
            referred_columns=tuple(key["referred_columns"]),
        )
        for key in inspector.get_foreign_keys(name, schema)
    ]
    return tuple(sorted(keys, key=lambda key: (key.columns, key.table)))


def _comment(inspector: Inspector, name: str, schema: str | None) -> str | None:
    try:
        return inspector.get_table_comment(name, schema)["text"]
    except NotImplementedError:  # SQLite has no comments.
        return None


def _row_count(door: Door, place: str) -> int | None:
    result = door.execute(f"select count(*) from {place}").result  # noqa: S608 - quoted above
    if result is None:
        return None
    count = result.rows[0][0]
    return count if isinstance(count, int) else None


def _type_name(kind: sqltypes.TypeEngine[Any]) -> str:
    # A column without a declared type (SQLite) takes any value.
    return "ANY" if isinstance(kind, sqltypes.NullType) else str(kind)


def _is_enum(kind: sqltypes.TypeEngine[Any]) -> bool:
    return str(kind).upper().startswith("ENUM")


def _holds_text(kind: sqltypes.TypeEngine[Any]) -> bool:
    return isinstance(kind, (sqltypes.String, sqltypes.NullType)) or _is_enum(kind)


def _as_text(column: str, kind: sqltypes.TypeEngine[Any], text_type: str) -> str:
    # Two enums have no type in common; any other column is read as it is, so that a number in
    # SQLite's untyped column is not taken for a text.
    return f"cast({column} as {text_type})" if _is_enum(kind) else column


def _values(door: Door, place: str, columns: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The distinct values, by name, of those of `columns` (name to SQL) that have few."""
    found: dict[str, tuple[str, ...]] = {}
    names = list(columns)
    for start in range(0, len(names), _COLUMNS_PER_QUERY):
        part = names[start : start + _COLUMNS_PER_QUERY]
        result = door.execute(_values_query(place, [columns[name] for name in part])).result
        if result is None or result.truncated:
            continue
        for index, name in enumerate(part):
            seen = [value for number, value in result.rows if number == index]
            texts = sorted({v for v in seen if isinstance(v, str) and len(v) <= MAX_VALUE_CHARS})
            if len(seen) <= MAX_VALUES and len(texts) == len(seen):
                found[name] = tuple(texts)
    return found


def _values_query(place: str, columns: Sequence[str]) -> str:
    # One value more than is shown tells that there are too many; the engine stops there.
    parts = [
        f"select {index} as i, v from (select distinct {column} as v from {place} "  # noqa: S608
        f"where {column} is not null limit {MAX_VALUES + 1}) as t{index}"
        for index, column in enumerate(columns)
    ]
    return " union all ".join(parts)
