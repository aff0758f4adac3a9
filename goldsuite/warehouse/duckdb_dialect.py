"""A SQLAlchemy dialect for DuckDB 2: connections, execution, binds and reflection.

Own it until a kept library supports DuckDB 2: duckdb-engine fails at reflection on every current
pair of versions, and duckdb-sqlalchemy pins duckdb below 2.

One connection holds one result at a time, as DuckDB's own connections do: read a result to its end
before the next statement on the same connection.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import duckdb
from sqlalchemy import types as sqltypes
from sqlalchemy.dialects import registry
from sqlalchemy.engine import URL, Connection, reflection
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.exc import NoSuchTableError

from goldsuite.warehouse.duckdb_session import statement_kinds

_SIMPLE_TYPES: dict[str, type[sqltypes.TypeEngine[Any]]] = {
    "BIGINT": sqltypes.BIGINT,
    "BLOB": sqltypes.BLOB,
    "BOOLEAN": sqltypes.BOOLEAN,
    "DATE": sqltypes.DATE,
    "DOUBLE": sqltypes.DOUBLE,
    "FLOAT": sqltypes.FLOAT,
    "INTEGER": sqltypes.INTEGER,
    "SMALLINT": sqltypes.SMALLINT,
    "TIME": sqltypes.TIME,
    "TIMESTAMP": sqltypes.TIMESTAMP,
    "VARCHAR": sqltypes.VARCHAR,
}
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")


class DuckDBType(sqltypes.UserDefinedType[Any]):
    """A type that SQLAlchemy has no name for, kept in DuckDB's own words."""

    cache_ok = True

    def __init__(self, spelling: str) -> None:
        self.spelling = spelling

    def get_col_spec(self, **_: Any) -> str:
        return self.spelling


class DuckDBCursor:
    """A PEP 249 cursor that shares its connection's transaction and temporary objects."""

    arraysize = 1

    def __init__(self, raw: duckdb.DuckDBPyConnection) -> None:
        self._raw = raw
        self.description: Sequence[Any] | None = None
        self.rowcount = -1

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        if parameters:
            self._raw.execute(sql, parameters)
        else:
            self._raw.execute(sql)
        self.description = self._raw.description

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        for values in parameters:
            self.execute(sql, values)

    def fetchone(self) -> Any:
        return self._raw.fetchone()

    def fetchmany(self, size: int | None = None) -> list[Any]:
        return self._raw.fetchmany(size or self.arraysize)

    def fetchall(self) -> list[Any]:
        return self._raw.fetchall()

    def close(self) -> None:
        self.description = None


class DuckDBConnection:
    """A PEP 249 connection over one DuckDB session."""

    def __init__(self, raw: duckdb.DuckDBPyConnection) -> None:
        self.raw = raw
        self.autocommit = False

    def cursor(self) -> DuckDBCursor:
        return DuckDBCursor(self.raw)

    def statement_kinds(self, sql: str) -> list[str] | None:
        """What statements DuckDB reads in `sql`; None where it is no DuckDB SQL."""
        return statement_kinds(self.raw, sql)

    def begin(self) -> None:
        if not self.autocommit:
            self.raw.execute("begin")

    def commit(self) -> None:
        self._end("commit")

    def rollback(self) -> None:
        self._end("rollback")

    def close(self) -> None:
        self.raw.close()

    def _end(self, statement: str) -> None:
        if self.autocommit:
            return
        try:
            self.raw.execute(statement)
        except duckdb.TransactionException:
            # Outside a transaction DuckDB commits by itself and calls this an error.
            return


class DuckDBDialect(DefaultDialect):
    """`duckdb:///path/to/file.duckdb`; parameters of the URL are DuckDB settings."""

    name = "duckdb"
    driver = "duckdb"
    supports_statement_cache = True
    supports_native_boolean = True
    supports_native_decimal = True
    supports_default_values = True
    supports_multivalues_insert = True
    postfetch_lastrowid = False
    default_paramstyle = "qmark"
    default_schema_name: str

    @classmethod
    def import_dbapi(cls) -> Any:
        return duckdb

    def create_connect_args(self, url: URL) -> tuple[list[str], dict[str, Any]]:
        return [url.database or ":memory:"], {"config": dict(url.query)}

    def connect(self, *cargs: Any, **cparams: Any) -> Any:
        return DuckDBConnection(duckdb.connect(*cargs, **cparams))

    def do_rollback(self, dbapi_connection: Any) -> None:
        dbapi_connection.rollback()

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.begin()

    def get_isolation_level_values(self, dbapi_conn: Any) -> list[Any]:  # noqa: ARG002
        return ["SNAPSHOT", "AUTOCOMMIT"]

    def get_default_isolation_level(self, dbapi_conn: Any) -> Any:  # noqa: ARG002
        return "SNAPSHOT"

    def get_isolation_level(self, dbapi_connection: Any) -> Any:
        return "AUTOCOMMIT" if dbapi_connection.autocommit else "SNAPSHOT"

    def set_isolation_level(self, dbapi_connection: Any, level: Any) -> None:
        dbapi_connection.autocommit = level == "AUTOCOMMIT"

    def _get_default_schema_name(self, connection: Connection) -> str:
        return str(connection.exec_driver_sql("select current_schema()").scalar_one())

    @reflection.cache
    def get_schema_names(self, connection: Connection, **_: Any) -> list[str]:
        return _names(
            connection,
            "select schema_name from duckdb_schemas() where database_name = current_database() "
            # `internal` is true for `main`, which holds the user's tables.
            "and schema_name not in ('information_schema', 'pg_catalog') order by 1",
        )

    @reflection.cache
    def get_table_names(
        self, connection: Connection, schema: str | None = None, **_: Any
    ) -> list[str]:
        return _names(
            connection,
            "select table_name from duckdb_tables() where database_name = current_database() "
            "and schema_name = ? and not temporary order by 1",
            schema or self.default_schema_name,
        )

    @reflection.cache
    def get_view_names(
        self, connection: Connection, schema: str | None = None, **_: Any
    ) -> list[str]:
        return _names(
            connection,
            "select view_name from duckdb_views() where database_name = current_database() "
            "and schema_name = ? and not internal and not temporary order by 1",
            schema or self.default_schema_name,
        )

    def has_table(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> bool:
        names = self.get_table_names(connection, schema) + self.get_view_names(connection, schema)
        return table_name in names

    @reflection.cache
    def get_columns(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> list[Any]:
        rows = _rows(
            connection,
            "select column_name, data_type, is_nullable, column_default, comment "
            "from duckdb_columns() where database_name = current_database() "
            "and schema_name = ? and table_name = ? order by column_index",
            schema or self.default_schema_name,
            table_name,
        )
        if not rows:
            raise NoSuchTableError(table_name)
        return [
            {
                "name": name,
                "type": _type_named(spelling),
                "nullable": nullable,
                "default": default,
                "comment": comment,
                "autoincrement": False,
            }
            for name, spelling, nullable, default, comment in rows
        ]

    @reflection.cache
    def get_pk_constraint(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> Any:
        rows = self._constraints(connection, table_name, schema, "PRIMARY KEY")
        if not rows:
            return {"constrained_columns": [], "name": None}
        name, columns, _table, _referred = rows[0]
        return {"constrained_columns": columns, "name": name}

    @reflection.cache
    def get_foreign_keys(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> list[Any]:
        return [
            {
                "name": name,
                "constrained_columns": columns,
                "referred_schema": schema,  # DuckDB has no keys across schemas.
                "referred_table": table,
                "referred_columns": referred,
                "options": {},
            }
            for name, columns, table, referred in self._constraints(
                connection, table_name, schema, "FOREIGN KEY"
            )
        ]

    @reflection.cache
    def get_unique_constraints(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> list[Any]:
        rows = self._constraints(connection, table_name, schema, "UNIQUE")
        return [{"name": name, "column_names": columns} for name, columns, _t, _r in rows]

    def get_indexes(self, *_: Any, **__: Any) -> list[Any]:
        # DuckDB keeps an index's columns as text only, and no reader of ours needs them.
        return []

    @reflection.cache
    def get_table_comment(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> Any:
        rows = _rows(
            connection,
            "select comment from (select schema_name, table_name as name, comment "
            "from duckdb_tables() where database_name = current_database() union all "
            "select schema_name, view_name, comment from duckdb_views() "
            "where database_name = current_database()) where schema_name = ? and name = ?",
            schema or self.default_schema_name,
            table_name,
        )
        if not rows:
            raise NoSuchTableError(table_name)
        return {"text": rows[0][0]}

    def _constraints(
        self, connection: Connection, table_name: str, schema: str | None, kind: str
    ) -> list[Any]:
        rows = _rows(
            connection,
            # Lists as text, which passes the doors: a result of theirs holds no lists.
            "select constraint_name, to_json(constraint_column_names)::varchar, referenced_table, "
            "to_json(referenced_column_names)::varchar from duckdb_constraints() "
            "where database_name = current_database() and schema_name = ? and table_name = ? "
            "and constraint_type = ? order by constraint_index",
            schema or self.default_schema_name,
            table_name,
            kind,
        )
        return [
            (name, json.loads(columns), table, json.loads(referred) if referred else [])
            for name, columns, table, referred in rows
        ]


def register() -> None:
    """Make `create_engine("duckdb:///...")` use this dialect, in this process."""
    registry.register("duckdb", __name__, DuckDBDialect.__name__)


def _rows(connection: Connection, sql: str, *parameters: str) -> list[Any]:
    return list(connection.exec_driver_sql(sql, parameters).fetchall())


def _names(connection: Connection, sql: str, *parameters: str) -> list[str]:
    return [str(row[0]) for row in _rows(connection, sql, *parameters)]


def _type_named(spelling: str) -> sqltypes.TypeEngine[Any]:
    if simple := _SIMPLE_TYPES.get(spelling):
        return simple()
    if decimal := _DECIMAL.fullmatch(spelling):
        return sqltypes.DECIMAL(int(decimal[1]), int(decimal[2]))
    return DuckDBType(spelling)
