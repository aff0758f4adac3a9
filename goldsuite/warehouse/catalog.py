"""Reads the catalog: what tables there are, how they join, and which values their columns hold.

Structure comes from SQLAlchemy's inspector, counts and values from queries through a door with a
short time limit. What the engine would not tell in time stays unknown, never 0.
"""

from collections.abc import Mapping, Sequence
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


def read_catalog(engine: Engine, door: Door) -> Catalog:
    """Read every table and view of the warehouse; `door` runs the counts.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: the engine would not list its tables.
    """
    inspector = inspect(engine)
    quote = engine.dialect.identifier_preparer
    tables = [
        _read_table(inspector, door, quote, name=name, schema=schema, kind=kind)
        for schema in _schemas(inspector, engine)
        for kind, names in (
            ("table", inspector.get_table_names(schema)),
            ("view", inspector.get_view_names(schema)),
        )
        for name in names
    ]
    return Catalog(tables=tuple(sorted(tables, key=lambda t: (t.schema or "", t.name))))


def _schemas(inspector: Inspector, engine: Engine) -> list[str | None]:
    if engine.dialect.name == "sqlite":
        return [None]  # Attached databases do not exist here, and listing them tells a path.
    default = inspector.default_schema_name
    others = sorted(name for name in inspector.get_schema_names() if name != default)
    return [None, *others]


def _read_table(
    inspector: Inspector,
    door: Door,
    quote: IdentifierPreparer,
    *,
    name: str,
    schema: str | None,
    kind: str,
) -> CatalogTable:
    try:
        reflected = inspector.get_columns(name, schema)
    except SQLAlchemyError:
        # A view whose tables are gone, or a virtual table that this engine cannot read.
        return CatalogTable(name=name, schema=schema, kind=kind, columns=())
    place = quote.quote_identifier(name)
    if schema is not None:
        place = f"{quote.quote_identifier(schema)}.{place}"
    count = _row_count(door, place)
    texts = {
        c["name"]: _as_text(quote.quote_identifier(c["name"]), c["type"])
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


def _as_text(column: str, kind: sqltypes.TypeEngine[Any]) -> str:
    # Two enums have no type in common; any other column is read as it is, so that a number in
    # SQLite's untyped column is not taken for a text.
    return f"cast({column} as varchar)" if _is_enum(kind) else column


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
