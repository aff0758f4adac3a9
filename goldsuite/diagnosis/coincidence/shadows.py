"""Queries that read small databases in place of the warehouse's tables.

Every table becomes a shadow: one relation that holds the rows of all databases, each with its
database's number. A query on shadows sees one database, whose number is a literal or, where all are
asked in one statement, a column.
"""

from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal

from sqlglot import exp

from goldsuite.diagnosis.coincidence.databases import TinyDatabase
from goldsuite.diagnosis.coincidence.domains import Value
from goldsuite.diagnosis.coincidence.kinds import Kind
from goldsuite.diagnosis.coincidence.shape import Shape, TinyColumn, TinyTable
from goldsuite.diagnosis.coincidence.subject import real_tables

__all__ = ["ALL", "NUMBER", "cast_type", "guard_divisors", "quoted", "shadow_name", "shadowed",
           "value_text", "values_query"]  # fmt: skip

NUMBER = "goldsuite_db"
"""The column with the database's number."""
ALL = "goldsuite_all"
"""The relation of all numbers."""
_PREFIX = "goldsuite_t_"

_MYSQL_TYPES = {
    Kind.INTEGER: "SIGNED", Kind.FLOAT: "DOUBLE", Kind.DATE: "DATE", Kind.TIMESTAMP: "DATETIME",
    Kind.TIME: "TIME", Kind.TEXT: "CHAR", Kind.ANY: "CHAR", Kind.BOOLEAN: "SIGNED",
}  # fmt: skip
_SQLITE_TYPES = {Kind.INTEGER: "INTEGER", Kind.FLOAT: "REAL", Kind.TEXT: "TEXT"}
_COMMON_TYPES = {Kind.TEXT: "VARCHAR", Kind.ANY: "VARCHAR", Kind.BOOLEAN: "BOOLEAN"}


def shadow_name(table: TinyTable) -> str:
    """The name of the relation that holds the table's rows in all databases."""
    return f"{_PREFIX}{table.name.lower()}"


def shadowed(tree: exp.Query, shape: Shape, number: exp.Expr, dialect: str) -> exp.Query:
    """A copy of `tree` that reads the shadows; `number` says which database."""
    copy = tree.copy()
    for node in real_tables(copy):
        table = shape.of(node.name)
        if table is not None:
            node.replace(_reading(node, table, number, dialect))
    for column in copy.find_all(exp.Column):
        # A derived table has a name, but no schema.
        column.set("db", None)
        column.set("catalog", None)
    return copy


def _reading(node: exp.Table, table: TinyTable, number: exp.Expr, dialect: str) -> exp.Subquery:
    columns = [_typed(column, dialect) for column in table.columns]
    rows = exp.select(*columns).from_(exp.table_(shadow_name(table), quoted=True))
    rows = rows.where(exp.EQ(this=exp.column(NUMBER, quoted=True), expression=number.copy()))
    alias = node.args.get("alias")
    subquery = exp.Subquery(
        this=rows, alias=alias.copy() if alias else exp.TableAlias(this=node.this.copy())
    )
    for join in node.args.get("joins") or ():
        subquery.append("joins", join.copy())
    return subquery


def _typed(column: TinyColumn, dialect: str) -> exp.Expr:
    found = exp.column(column.name, quoted=True)
    type_text = _SQLITE_TYPES.get(column.kind) if dialect == "sqlite" else None
    if type_text is None:
        return found
    # In SQLite a cast gives the column the affinity that the table's own has.
    return exp.alias_(exp.cast(found, type_text), column.name, quoted=True)


def guard_divisors(tree: exp.Query) -> exp.Query:
    """A copy in which a division by zero gives NULL: an error would end the whole statement."""
    copy = tree.copy()
    for node in list(copy.find_all(exp.Div, exp.Mod, exp.IntDiv)):
        divisor = node.expression
        if isinstance(divisor, exp.Expr) and not isinstance(divisor, (exp.Literal, exp.Nullif)):
            zero = exp.Literal.number(0)
            node.set("expression", exp.Nullif(this=divisor.copy(), expression=zero))
    return copy


def quoted(name: str, dialect: str) -> str:
    """An identifier, quoted."""
    return exp.to_identifier(name, quoted=True).sql(dialect=dialect)


def cast_type(column: TinyColumn, dialect: str) -> str | None:
    """The type that a made-up value of the column is cast to; None where none fits."""
    if dialect == "sqlite":
        return None
    if dialect == "mysql":
        if column.kind is Kind.DECIMAL:
            return column.type if "(" in column.type else "DECIMAL(38, 10)"
        return _MYSQL_TYPES.get(column.kind)
    return _COMMON_TYPES.get(column.kind, column.type.replace("_", " "))


def value_text(value: Value) -> str | None:
    """A value as plain text, as every engine reads it into its type; None for NULL."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, (date, time)):
        return value.isoformat()
    return format(value, "f") if isinstance(value, Decimal) else repr(value)


def _literal(value: Value, dialect: str) -> str:
    text = value_text(value)
    if text is None:
        return "NULL"
    if isinstance(value, bool):
        return ("1" if value else "0") if dialect in {"mysql", "sqlite"} else text
    if isinstance(value, (int, float, Decimal)):
        return text
    return exp.Literal.string(text).sql(dialect=dialect)


def values_query(
    table: TinyTable, databases: Sequence[tuple[int, TinyDatabase]], dialect: str
) -> str:
    """A query of literals that gives the shadow of `table`: number, then the table's columns."""
    rows = [(number, row) for number, found in databases for row in found.rows[table.name]]
    if not rows:
        nothing = ", ".join(_cast("NULL", column, dialect) for column in table.columns)
        return f"SELECT 0, {nothing}"  # No database has that number.
    lines = []
    for place, (number, row) in enumerate(rows):
        cells = [_literal(value, dialect) for value in row]
        if place == 0:
            # The first row decides which types the columns have.
            cells = [_cast(c, col, dialect) for c, col in zip(cells, table.columns, strict=True)]
        lines.append(", ".join([str(number), *cells]))
    if dialect == "mysql":
        # MySQL and MariaDB write rows of values in two ways; this is read by both.
        return " UNION ALL ".join(f"SELECT {line}" for line in lines)
    return f"VALUES {', '.join(f'({line})' for line in lines)}"


def _cast(text: str, column: TinyColumn, dialect: str) -> str:
    type_text = cast_type(column, dialect)
    return text if type_text is None else f"CAST({text} AS {type_text})"
