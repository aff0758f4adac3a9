"""SQL building blocks in the warehouse's dialect: names, dates, truncation, medians."""

import re
from datetime import date
from functools import cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from goldsuite.analysts.baseline.plan import UnresolvedError
from goldsuite.analysts.baseline.schema import Entity, Field
from goldsuite.analysts.baseline.windows import Grain

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")

_SQLITE_FLOORS = {
    Grain.DAY: "DATE({0})",
    Grain.WEEK: "DATE({0}, 'weekday 0', '-6 days')",
    Grain.MONTH: "DATE({0}, 'start of month')",
    Grain.QUARTER: (
        "DATE({0}, 'start of month',"
        " '-' || ((CAST(STRFTIME('%m', {0}) AS INTEGER) - 1) % 3) || ' months')"
    ),
    Grain.YEAR: "DATE({0}, 'start of year')",
}
"""SQLite has no DATE_TRUNC, and keeps times as text."""

NO_MEDIAN = frozenset({"sqlite", "mysql"})
"""Dialects without an aggregate for the median."""


@cache
def _reserved() -> frozenset[str]:
    # sqlglot lists reserved words for some dialects only; these two cover standard SQL.
    return frozenset(
        word
        for dialect in ("duckdb", "mysql")
        for word in Dialect.get_or_raise(dialect).generator_class.RESERVED_KEYWORDS
    )


def identifier(name: str) -> exp.Identifier:
    """`name`, quoted only where it has to be."""
    plain = _PLAIN.fullmatch(name) is not None and name not in _reserved()
    return exp.Identifier(this=name, quoted=not plain)


def column(field: Field) -> exp.Column:
    """`table.column`."""
    return exp.Column(this=identifier(field.name), table=identifier(field.table))


def column_of(alias: str, name: str) -> exp.Column:
    return exp.Column(this=identifier(name), table=identifier(alias))


def table(entity: Entity) -> exp.Table:
    """The table for FROM and JOIN, aliased only where its name is not unique."""
    schema = identifier(entity.schema) if entity.schema else None
    made = exp.Table(this=identifier(entity.name), db=schema)
    if entity.alias != entity.name:
        made.set("alias", exp.TableAlias(this=identifier(entity.alias)))
    return made


def text(value: str) -> exp.Literal:
    return exp.Literal.string(value)


def number(value: object) -> exp.Expr:
    return exp.Literal.number(str(value))


def day(value: date, dialect: str) -> exp.Expr:
    """A date literal; plain text in SQLite, whose times are text."""
    literal = exp.Literal.string(value.isoformat())
    return literal if dialect == "sqlite" else exp.cast(literal, exp.DataType.Type.DATE)


def floored(value: exp.Expr, grain: Grain, dialect: str) -> exp.Expr:
    """`value` cut to the start of its day, week (Monday), month, quarter or year, as a date."""
    if dialect == "sqlite":
        written = _SQLITE_FLOORS[grain].format(value.sql(dialect=dialect))
        return exp.maybe_parse(written, dialect=dialect)
    if grain is Grain.DAY:
        return exp.cast(value.copy(), exp.DataType.Type.DATE)
    cut = exp.TimestampTrunc(this=value.copy(), unit=exp.var(grain.value.upper()))
    return exp.cast(cut, exp.DataType.Type.DATE)


def ratio(part: exp.Expr, whole: exp.Expr) -> exp.Expr:
    """`part / whole` as a fraction, NULL where `whole` is 0."""
    # 1.0 first: some engines divide whole numbers to whole numbers.
    return exp.Div(
        this=exp.Mul(this=number("1.0"), expression=_wrapped(part)),
        expression=exp.Nullif(this=whole, expression=number(0)),
    )


def _wrapped(value: exp.Expr) -> exp.Expr:
    return exp.paren(value, copy=False) if isinstance(value, exp.Binary) else value


def share(predicate: exp.Expr) -> exp.Expr:
    """The share of rows for which `predicate` holds, 0 to 1."""
    return exp.Avg(this=exp.Case().when(predicate, number("1.0")).else_(number(0)))


def aggregate(name: str, value: exp.Expr) -> exp.Expr:
    """`sum`, `avg`, `median`, `max`, `min`, `count` or `count distinct` of `value`."""
    match name:
        case "sum":
            return exp.Sum(this=value)
        case "avg":
            return exp.Avg(this=value)
        case "median":
            return exp.Median(this=value)
        case "max":
            return exp.Max(this=value)
        case "min":
            return exp.Min(this=value)
        case "count":
            return exp.Count(this=value)
        case "count distinct":
            return exp.Count(this=exp.Distinct(expressions=[value]))
    raise UnresolvedError(f"no aggregate is called {name!r}")
