"""Queries that ask what day it is: found, and answered with the suite's `as_of`.

"Today" is the date given; a timestamp is its midnight in UTC, the zone of every session. Only a
query with a clock function is written anew by sqlglot; every other text is left to the letter.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from sqlglot import exp

from goldsuite.sqltext.parsing import parse_statements

__all__ = ["ClockReading", "asks_clock", "set_clock"]

_DATES = (exp.CurrentDate, exp.UtcDate)
_INSTANTS = (exp.CurrentTimestamp, exp.CurrentDatetime, exp.UtcTimestamp, exp.CurrentTimestampLTZ)
_TIMES = (exp.CurrentTime, exp.UtcTime)

_DATE_NAMES = frozenset({"today", "curdate", "utc_date"})
_INSTANT_NAMES = frozenset({
    "now", "get_current_timestamp", "transaction_timestamp", "statement_timestamp",
    "clock_timestamp", "sysdate", "utc_timestamp",
})  # fmt: skip
_LOCAL_NAMES = frozenset({"current_localtimestamp"})
_TIME_NAMES = frozenset({"current_localtime", "get_current_time", "curtime", "utc_time"})

_INSTANT_TYPES = {"postgres": "TIMESTAMPTZ", "duckdb": "TIMESTAMPTZ", "mysql": "DATETIME"}
"""The type of `now()`. With a zone where the engine's own has one, as `at time zone` turns round
what it does for a type without."""
_LOCAL_TYPES = {"mysql": "DATETIME"}

# Words that become a date or a time when they are cast, and how many days from today they are.
_DAYS = {"now": 0, "today": 0, "tomorrow": 1, "yesterday": -1}
_IMPLICIT = frozenset({"postgres", "redshift"})
"""Dialects in which a bare text beside a date is read as one, these words included."""
_COMPARISONS = (
    exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In,
    exp.NullSafeEQ, exp.NullSafeNEQ,
)  # fmt: skip
_BARE_NAMES = frozenset({"utc_date", "utc_time", "utc_timestamp"})
"""Reserved words of MySQL that need no brackets; sqlglot takes them for columns then."""

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
    unanswered: bool = False
    """Whether it still does in `sql`: a bare `'today'` that PostgreSQL takes for the clock if what
    it is compared with is a date, and for a text if that is one."""


def asks_clock(statements: Iterable[str], dialect: str, as_of: date | None = None) -> bool:
    """Whether any of `statements` gives another result when it is run on another day.

    Args:
        as_of: answers what it can; None where nothing answers the clock.
    """
    readings = [set_clock(sql, dialect, as_of) for sql in statements]
    return any(reading.unanswered if as_of else reading.dependent for reading in readings)


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
    answered = {id(node) for node, _ in found}
    unanswered = dialect in _IMPLICIT and any(
        id(node) not in answered and _is_compared_word(node) for node in tree.walk()
    )
    if not found or as_of is None:
        return ClockReading(sql=sql, dependent=bool(found) or unanswered, unanswered=unanswered)
    for node, new in found:
        if node is tree:
            tree = new
        else:
            node.replace(new)
    return ClockReading(sql=tree.sql(dialect=dialect), dependent=True, unanswered=unanswered)


def _reading(node: exp.Expr, dialect: str, moment: date) -> exp.Expr | None:
    """What stands in place of `node`; None where it asks no clock."""
    if dialect == "sqlite":
        new = _sqlite_reading(node, moment)
        if new is not None:
            return new
    if isinstance(node, exp.Dot):
        # As `pg_catalog.now()`; the schema goes with the function.
        built_in = node.this.name.lower() == "pg_catalog"
        return _function_reading(node.expression, dialect, moment) if built_in else None
    if _is_qualified(node):
        return None
    return (
        _function_reading(node, dialect, moment)
        or _cast_reading(node, dialect, moment)
        or _compared_reading(node, dialect, moment)
    )


def _is_qualified(node: exp.Expr) -> bool:
    """Whether it is the last part of a name with dots, which is judged as a whole."""
    return isinstance(node.parent, exp.Dot) and node.parent.expression is node


def _function_reading(node: exp.Expr, dialect: str, moment: date) -> exp.Expr | None:
    name = _called_name(node, dialect)
    if name == "age" and len(node.expressions) == 1:
        today = _text_or_cast(moment.isoformat(), "DATE", dialect)
        return exp.Anonymous(this="age", expressions=[today, node.expressions[0].copy()])
    if dialect == "mysql" and name == "unix_timestamp" and not node.expressions:
        midnight = datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
        return exp.Literal.number(int(midnight.timestamp()))
    if name == "timeofday":
        return exp.Literal.string(f"{moment:%a %b %d} 00:00:00.000000 {moment.year} UTC")
    kind = _kind_of(node, name, dialect)
    return None if kind is None else _text_or_cast(_text_of(kind, moment), kind, dialect)


def _called_name(node: exp.Expr, dialect: str) -> str:
    """The name of a function that sqlglot does not know as one of its own; else empty."""
    if isinstance(node, exp.Anonymous):
        return node.name.lower()
    bare = dialect == "mysql" and isinstance(node, exp.Column) and not node.table
    if bare and isinstance(node.this, exp.Identifier) and not node.this.quoted:
        name = node.name.lower()
        return name if name in _BARE_NAMES else ""
    return ""


def _kind_of(node: exp.Expr, name: str, dialect: str) -> str | None:
    """The type of a clock function's value; None for all else."""
    if isinstance(node, _DATES) or name in _DATE_NAMES:
        return "DATE"
    if isinstance(node, _INSTANTS) or name in _INSTANT_NAMES:
        return _INSTANT_TYPES.get(dialect, "TIMESTAMP")
    # MySQL's LOCALTIME is another name of its NOW().
    local = isinstance(node, exp.Localtime) and dialect == "mysql"
    if local or isinstance(node, exp.Localtimestamp) or name in _LOCAL_NAMES:
        return _LOCAL_TYPES.get(dialect, "TIMESTAMP")
    if isinstance(node, (*_TIMES, exp.Localtime)) or name in _TIME_NAMES:
        return "TIME"
    return None


def _text_of(kind: str, moment: date) -> str:
    if kind == "DATE":
        return moment.isoformat()
    if kind == "TIME":
        return "00:00:00"
    return f"{moment.isoformat()} 00:00:00" + ("+00:00" if kind == "TIMESTAMPTZ" else "")


def _text_or_cast(text: str, kind: str, dialect: str) -> exp.Expr:
    literal = exp.Literal.string(text)
    return literal if dialect == "sqlite" else exp.cast(literal, kind, dialect=dialect)


def _cast_reading(node: exp.Expr, dialect: str, moment: date) -> exp.Expr | None:
    """`'today'::date` and `timestamp 'now'`, as PostgreSQL and DuckDB know them."""
    if not (isinstance(node, exp.Cast) and _is_word(node.this, _DAYS)):
        return None
    target = node.to
    if target.is_type(exp.DataType.Type.TIME, exp.DataType.Type.TIMETZ):
        text = "00:00:00"
    elif target.is_type(*exp.DataType.TEMPORAL_TYPES):
        text = (moment + timedelta(days=_DAYS[node.this.name.strip().lower()])).isoformat()
    else:
        return None
    return exp.cast(exp.Literal.string(text), target.copy(), dialect=dialect)


def _compared_reading(node: exp.Expr, dialect: str, moment: date) -> exp.Expr | None:
    """A bare `'today'` beside what is a date for sure, which the engine makes a date."""
    comparison = node.parent
    if dialect not in _IMPLICIT or comparison is None or not _is_compared_word(node):
        return None
    others = [part for part in comparison.iter_expressions() if part is not node]
    if not any(map(_is_temporal, others)):
        return None
    day = moment + timedelta(days=_DAYS[node.name.strip().lower()])
    return exp.Literal.string(day.isoformat())


def _is_compared_word(node: exp.Expr) -> bool:
    return _is_word(node, _DAYS) and isinstance(node.parent, _COMPARISONS)


def _is_temporal(node: exp.Expr) -> bool:
    """Whether its text alone shows that it is a date or a time; a column's type is not known."""
    if isinstance(node, exp.Cast):
        return bool(node.to.is_type(*exp.DataType.TEMPORAL_TYPES))
    if isinstance(node, (exp.Paren, exp.Add, exp.Sub)):
        return _is_temporal(node.this)
    return isinstance(node, (*_DATES, *_INSTANTS, exp.TimestampTrunc, exp.DateTrunc))


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


def _is_word(node: object, words: Container[str]) -> bool:
    return isinstance(node, exp.Literal) and node.is_string and node.this.strip().lower() in words
