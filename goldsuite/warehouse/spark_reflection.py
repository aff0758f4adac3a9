"""Reads the catalog of Spark SQL for SQLAlchemy, by SHOW and DESCRIBE.

Neither library does: sqlalchemy-adbc asks Flight SQL for a catalog that Sail does not implement,
and pyhive takes the first column of SHOW TABLES, which in Spark is the schema, for the table.
Spark knows no keys that could be read.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import types as sqltypes
from sqlalchemy.engine import Connection
from sqlalchemy.engine.interfaces import (
    ReflectedColumn,
    ReflectedForeignKeyConstraint,
    ReflectedPrimaryKeyConstraint,
    ReflectedTableComment,
)
from sqlalchemy.sql.compiler import IdentifierPreparer

_TEXT_TYPES = ("string", "varchar", "char")


class SparkPreparer(IdentifierPreparer):
    """Quotes names with backticks."""

    def __init__(self, dialect: Any, **_: Any) -> None:
        super().__init__(dialect, initial_quote="`", final_quote="`")


class SparkType(sqltypes.UserDefinedType[Any]):
    """A type in Spark's own words."""

    cache_ok = True

    def __init__(self, spelling: str) -> None:
        self.spelling = spelling

    def __str__(self) -> str:
        return self.spelling

    def get_col_spec(self, **_: Any) -> str:
        return self.spelling


class SparkText(sqltypes.String):
    """A type of texts in Spark's own words."""

    def __init__(self, spelling: str) -> None:
        super().__init__()
        self.spelling = spelling

    def __str__(self) -> str:
        return self.spelling


class SparkReflection:
    """What a SQLAlchemy dialect of Spark SQL says of the catalog; put it first among the bases."""

    preparer = SparkPreparer
    default_schema_name: str | None
    identifier_preparer: IdentifierPreparer
    supports_statement_cache = False

    def _get_default_schema_name(self, connection: Connection) -> str:
        return str(connection.exec_driver_sql("select current_schema()").fetchall()[0][0])

    def get_schema_names(self, connection: Connection, **_: Any) -> list[str]:
        return [row[0] for row in connection.exec_driver_sql("show databases").fetchall()]

    def get_table_names(
        self, connection: Connection, schema: str | None = None, **_: Any
    ) -> list[str]:
        rows = self._list(connection, "show tables", schema)
        views = set(self.view_names(connection, schema))
        return [name for _, name, temporary in rows if not temporary and name not in views]

    def get_view_names(
        self, connection: Connection, schema: str | None = None, **_: Any
    ) -> list[str]:
        return self.view_names(connection, schema)

    def get_columns(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> list[ReflectedColumn]:
        return self.table_columns(connection, self._place(table_name, schema))

    def get_pk_constraint(self, *_: Any, **__: Any) -> ReflectedPrimaryKeyConstraint:
        return {"constrained_columns": [], "name": None}

    def get_foreign_keys(self, *_: Any, **__: Any) -> list[ReflectedForeignKeyConstraint]:
        return []

    def get_table_comment(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> ReflectedTableComment:
        place = self._place(table_name, schema)
        rows = connection.exec_driver_sql(f"describe table extended {place}").fetchall()
        return {"text": _detail([tuple(row) for row in rows], "Comment")}

    def view_names(self, connection: Connection, schema: str | None) -> list[str]:
        """The views of `schema`, save those of a session."""
        rows = self._list(connection, "show views", schema)
        return [name for _, name, temporary in rows if not temporary]

    def table_columns(self, connection: Connection, place: str) -> list[ReflectedColumn]:
        """The columns of the table `place`, which is quoted. DESCRIBE tells of no NOT NULL."""
        rows = connection.exec_driver_sql(f"describe table {place}").fetchall()
        found = []
        for name, kind, comment in rows:
            if not name or name.startswith("#"):
                break  # What follows are partitions, which stand above too.
            found.append(reflected(name, kind, nullable=True, comment=comment))
        return found

    def _list(
        self, connection: Connection, command: str, schema: str | None, tail: str = ""
    ) -> list[Sequence[Any]]:
        quoted = self.identifier_preparer.quote_identifier(
            schema or self.default_schema_name or "default"
        )
        rows = connection.exec_driver_sql(f"{command} in {quoted}{tail}").fetchall()
        return [tuple(row) for row in rows]

    def _place(self, table: str, schema: str | None) -> str:
        quote = self.identifier_preparer.quote_identifier
        return quote(table) if schema is None else f"{quote(schema)}.{quote(table)}"


def reflected(name: str, kind: str, *, nullable: bool, comment: str | None) -> ReflectedColumn:
    """One column, its type in Spark's words."""
    is_text = kind.lower().startswith(_TEXT_TYPES)
    spelled: sqltypes.TypeEngine[Any] = SparkText(kind) if is_text else SparkType(kind)
    return {
        "name": name,
        "type": spelled,
        "nullable": nullable,
        "default": None,
        "comment": comment or None,
    }


def _detail(rows: Iterable[Sequence[Any]], name: str) -> str | None:
    """What stands beside `name` below the columns."""
    below = False
    for label, value, *_ in rows:
        below = below or str(label or "").startswith("# Detailed")
        if below and label == name:
            return value or None
    return None
