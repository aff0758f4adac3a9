"""Queries that ask what day it is: found, and answered with the suite's `as_of`.

"Today" is the date given; a timestamp is its midnight. Only a query with a clock function is
written anew by sqlglot; every other text is left to the letter.
"""

from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from sqlglot import exp

from goldsuite.sqltext.parsing import parse_statements

__all__ = ["ClockReading", "set_clock"]

_DATES = (exp.CurrentDate, exp.UtcDate)
_TIMESTAMPS = (
    exp.CurrentTimestamp,
    exp.CurrentDatetime,
    exp.Localtimestamp,
    exp.UtcTimestamp,
    exp.CurrentTimestampLTZ,
)
_TIMES = (exp.CurrentTime, exp.Localtime, exp.UtcTime)

_DATE_NAMES = frozenset({"today", "curdate"})
_TIMESTAMP_NAMES = frozenset({
    "now", "get_current_timestamp", "transaction_timestamp", "statement_timestamp",
    "clock_timestamp", "current_localtimestamp", "sysdate",
})  # fmt: skip
_TIME_NAMES = frozenset({"current_localtime", "get_current_time", "curtime"})

_SQLITE_FUNCTIONS = frozenset({
    "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff",
})  # fmt: skip
_SQLITE_NODES = (exp.Date, exp.Time, exp.Datetime, exp.TimeToStr, exp.TsOrDsToTimestamp)


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockReading:
    """A query, and whether its result depends on when it is run."""

    sql: str
    """With every clock function replaced where a date was given."""
    dependent: bool


@lru_cache(maxsize=65_536)
def set_clock(sql: str, dialect: str, as_of: date | None) -> ClockReading:
    """Answer the clock functions in `sql` with `as_of`; with None only tell whether there are any.

    SQL that sqlglot cannot parse is returned as it is, as not dependent.
    """
    statements = parse_statements(sql, dialect)
    if statements is None or len(statements) != 1:
        return ClockReading(sql=sql, dependent=False)
    tree = statements[0]
    moment = as_of or date(2000, 1, 1)
    found = [(node, new) for node in tree.walk() if (new := _reading(node, dialect, moment))]
    if not found or as_of is None:
        return ClockReading(sql=sql, dependent=bool(found))
    for node, new in found:
        if node is tree:
            tree = new
        else:
            node.replace(new)
    return ClockReading(sql=tree.sql(dialect=dialect), dependent=True)


def _reading(node: exp.Expr, dialect: str, moment: date) -> exp.Expr | None:
    """What stands in place of `node`; None where it asks no clock."""
    if dialect == "sqlite":
        new = _sqlite_reading(node, moment)
        if new is not None:
            return new
    name = node.name.lower() if isinstance(node, exp.Anonymous) else ""
    if isinstance(node, _DATES) or name in _DATE_NAMES:
        return _text_or_cast(moment.isoformat(), "DATE", dialect)
    if isinstance(node, _TIMESTAMPS) or name in _TIMESTAMP_NAMES:
        return _text_or_cast(f"{moment.isoformat()} 00:00:00", "TIMESTAMP", dialect)
    if isinstance(node, _TIMES) or name in _TIME_NAMES:
        return _text_or_cast("00:00:00", "TIME", dialect)
    if name == "age" and len(node.expressions) == 1:
        today = _text_or_cast(moment.isoformat(), "DATE", dialect)
        return exp.Anonymous(this="age", expressions=[today, node.expressions[0].copy()])
    return _cast_reading(node, dialect, moment)


def _text_or_cast(text: str, kind: str, dialect: str) -> exp.Expr:
    literal = exp.Literal.string(text)
    return literal if dialect == "sqlite" else exp.cast(literal, kind, dialect=dialect)


def _cast_reading(node: exp.Expr, dialect: str, moment: date) -> exp.Expr | None:
    """`'today'::date` and `timestamp 'now'`, as PostgreSQL and DuckDB know them."""
    if not (isinstance(node, exp.Cast) and _is_word(node.this, {"now", "today"})):
        return None
    if not node.to.is_type(*exp.DataType.TEMPORAL_TYPES):
        return None
    return exp.cast(exp.Literal.string(moment.isoformat()), node.to.copy(), dialect=dialect)


def _sqlite_reading(node: exp.Expr, moment: date) -> exp.Expr | None:
    """SQLite asks the clock by the word 'now', or by a date function without arguments."""
    if _is_word(node, {"now"}) and _is_sqlite_date_function(node.parent):
        return exp.Literal.string(moment.isoformat())
    if _is_sqlite_date_function(node) and not any(node.iter_expressions()):
        name = node.name or node.sql_names()[0]  # type: ignore[attr-defined]
        return exp.Anonymous(this=name, expressions=[exp.Literal.string(moment.isoformat())])
    return None


def _is_sqlite_date_function(node: exp.Expr | None) -> bool:
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in _SQLITE_FUNCTIONS
    return isinstance(node, _SQLITE_NODES)


def _is_word(node: object, words: set[str]) -> bool:
    return isinstance(node, exp.Literal) and node.is_string and node.this.lower() in words
