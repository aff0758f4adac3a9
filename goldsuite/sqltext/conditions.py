"""Conditions of a query, split at AND and brought to one way of saying the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sqlglot import exp
from sqlglot.optimizer.simplify import simplify

from goldsuite.sqltext.parsing import UNREADABLE
from goldsuite.sqltext.resolve import instance_of, named_table
from goldsuite.sqltext.windows import Bound, is_temporal, moment, read_bounds, write_window

__all__ = [
    "Equality",
    "Predicate",
    "as_read",
    "column_names",
    "conjuncts",
    "equality",
    "plain",
    "read_predicates",
    "subquery_of",
]


_SIMPLIFIED = 300
"""Nodes of a condition, at most, for it to be simplified."""
_CALENDAR_WORDS = frozenset({"year", "quarter", "month", "week", "day", "date"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Predicate:
    """One condition on rows or groups; all bounds that one AND sets on a time are one."""

    text: str
    """With tables in place of aliases."""
    columns: tuple[str, ...]
    """`table.column`, or the bare name where the table is not known."""
    literals: tuple[str, ...]
    """Texts and numbers that it compares with."""
    temporal: bool
    """True for a condition on one time; false where it ties times to each other or to more."""
    keeps_null: bool = False
    """True where it may hold although its column is NULL."""
    outer_join: str | None = None
    """The table of the outer join whose ON holds it; elsewhere it filters rows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Equality:
    """A join condition: two readings of tables tied by equal values."""

    sides: tuple[tuple[int, str, str], tuple[int, str, str]]
    """Instance, table, column."""
    bare: tuple[bool, bool]
    """Whether each side is the column itself, not an expression over it, such as a cast."""


def plain(node: exp.Expr) -> exp.Expr:
    """`node` without the brackets around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def column_names(node: exp.Expr) -> tuple[str, ...]:
    """The distinct columns of an expression, sorted."""
    columns = node.find_all(exp.Column)
    return tuple(sorted({f"{c.table}.{c.name}" if c.table else c.name for c in columns}))


def conjuncts(condition: exp.Expr, dialect: str) -> Iterator[exp.Expr]:
    """The parts of `condition` that all must hold, each simplified; copies are worked on."""
    bare = plain(condition)
    parts = bare.flatten() if isinstance(bare, exp.And) else [bare]
    for part in parts:
        yield from _split(_simplified(part.copy(), dialect))


def _simplified(condition: exp.Expr, dialect: str) -> exp.Expr:
    """Dates computed, constants on the right; a long condition is left as it is written.

    sqlglot's time for this grows with the cube of the length.
    """
    if sum(1 for _ in islice(condition.walk(), _SIMPLIFIED + 1)) > _SIMPLIFIED:
        return condition
    try:
        simplified: exp.Expr = simplify(condition, dialect=dialect)
    except UNREADABLE:
        return condition
    return simplified


def equality(node: exp.Expr) -> Equality | None:
    """`a.x = b.y` between two readings of tables; None for any other condition."""
    if not isinstance(node, exp.EQ):
        return None
    left, right = list(node.this.find_all(exp.Column)), list(node.expression.find_all(exp.Column))
    if len(left) != 1 or len(right) != 1:
        return None
    ours, theirs = instance_of(left[0]), instance_of(right[0])
    if ours is None or theirs is None or ours == theirs:
        return None
    ends = [
        ((ours, left[0].table, left[0].name), plain(node.this) is left[0]),
        ((theirs, right[0].table, right[0].name), plain(node.expression) is right[0]),
    ]
    (first, first_bare), (second, second_bare) = sorted(ends)
    return Equality(sides=(first, second), bare=(first_bare, second_bare))


def subquery_of(node: exp.Expr) -> exp.Query | None:
    """The query below EXISTS, IN or `= ANY`, also where NOT stands before it."""
    node = plain(node)
    if isinstance(node, exp.Not):
        return subquery_of(node.this)
    if isinstance(node, exp.Exists) and isinstance(node.this, exp.Expr):
        found: exp.Expr = node.this.unnest()
    elif isinstance(node, exp.In) and isinstance(node.args.get("query"), exp.Expr):
        found = node.args["query"].unnest()
    else:
        return None
    return found if isinstance(found, exp.Query) else None


def read_predicates(
    nodes: list[exp.Expr], dialect: str, dates: frozenset[str], outer_join: str | None = None
) -> list[Predicate]:
    """One AND of conditions as predicates; conditions that only tie tables are left out."""
    found: list[Predicate] = []
    windows: dict[str, list[Bound]] = {}
    for node in nodes:
        bounds = read_bounds(node, dates)
        if bounds:
            column = column_names(bounds[0].column)[0]
            windows.setdefault(column, []).extend(bounds)
        elif equality(node) is None and not _is_semi_join(node):
            found.append(_predicate(node, dialect, outer_join))
    for column, bounds_of in windows.items():
        text = write_window(column, bounds_of)
        literals = tuple(sorted({bound.at for bound in bounds_of}))
        found.append(
            Predicate(
                text=text,
                columns=(column,),
                literals=literals,
                temporal=True,
                outer_join=outer_join,
            )
        )
    return found


def _split(node: exp.Expr) -> Iterator[exp.Expr]:
    node = plain(node)
    if isinstance(node, exp.And):
        yield from (part for side in node.flatten() for part in _split(side))
    elif isinstance(node, exp.Between) and moment(node.args["low"]) is None:
        yield exp.GTE(this=node.this.copy(), expression=node.args["low"].copy())
        yield exp.LTE(this=node.this.copy(), expression=node.args["high"].copy())
    elif not (isinstance(node, exp.Boolean) and node.this):
        yield _canonical(node)


def _canonical(node: exp.Expr) -> exp.Expr:
    node = plain(node)
    if isinstance(node, exp.Not):
        inner = _canonical(node.this)
        return plain(inner.this) if isinstance(inner, exp.Not) else exp.Not(this=inner)
    if isinstance(node, exp.EQ | exp.NEQ | exp.Is) and isinstance(node.expression, exp.Boolean):
        subject = _canonical(node.this)
        holds = bool(node.expression.this) is not isinstance(node, exp.NEQ)
        return subject if holds else exp.Not(this=subject)
    if isinstance(node, exp.GT | exp.LT) and isinstance(node.this, exp.Count):
        return _closed_count(node)
    if isinstance(node, exp.Or):
        return _as_membership(node) or node
    if isinstance(node, exp.In) and node.expressions and not node.args.get("query"):
        return _membership(node.this, list(node.expressions))
    return node


def _closed_count(node: exp.GT | exp.LT) -> exp.Expr:
    """`COUNT(*) > 1` is `COUNT(*) >= 2`: counts are whole."""
    if not (isinstance(node.expression, exp.Literal) and node.expression.is_int):
        return node
    least, kind = (1, exp.GTE) if isinstance(node, exp.GT) else (-1, exp.LTE)
    number = exp.Literal.number(int(node.expression.name) + least)
    return kind(this=node.this.copy(), expression=number)


def _as_membership(node: exp.Or) -> exp.Expr | None:
    """`x = 1 OR x = 2` is `x IN (1, 2)`."""
    subjects: list[exp.Expr] = []
    values: list[exp.Expr] = []
    for part in map(plain, node.flatten()):
        if isinstance(part, exp.EQ) and isinstance(part.expression, exp.Literal):
            values.append(part.expression)
        elif isinstance(part, exp.In) and part.expressions:
            values.extend(part.expressions)
        else:
            return None
        subjects.append(part.this)
    return _membership(subjects[0], values) if len(set(subjects)) == 1 else None


def _membership(subject: exp.Expr, values: list[exp.Expr]) -> exp.Expr:
    distinct = sorted(set(values), key=lambda v: v.sql())
    if len(distinct) == 1:
        return exp.EQ(this=subject.copy(), expression=distinct[0].copy())
    return exp.In(this=subject.copy(), expressions=[v.copy() for v in distinct])


def _is_semi_join(node: exp.Expr) -> bool:
    return not isinstance(plain(node), exp.Not) and subquery_of(node) is not None


def _predicate(node: exp.Expr, dialect: str, outer_join: str | None) -> Predicate:
    literals = {literal.name for literal in node.find_all(exp.Literal)}
    columns = column_names(node)
    return Predicate(
        text=_anti_join_text(node) or as_read(node, dialect),
        columns=columns,
        literals=tuple(sorted(literals)),
        temporal=len(columns) == 1 and (is_temporal(node) or _on_calendar(columns[0], literals)),
        keeps_null=_keeps_null(node),
        outer_join=outer_join,
    )


def _on_calendar(column: str, literals: set[str]) -> bool:
    """Whether a column of a calendar, such as `fiscal_year`, is compared with a value."""
    words = column.rpartition(".")[2].lower().split("_")
    return bool(literals) and not _CALENDAR_WORDS.isdisjoint(words)


def _keeps_null(node: exp.Expr) -> bool:
    tests = (n for n in node.find_all(exp.Is) if isinstance(n.expression, exp.Null))
    asks_for_null = any(not isinstance(test.parent, exp.Not) for test in tests)
    return asks_for_null or node.find(exp.Coalesce) is not None


def as_read(node: exp.Expr, dialect: str) -> str:
    """`x IS NOT NULL` rather than sqlglot's `NOT x IS NULL`, and so for IN and LIKE."""
    inner = node.this if isinstance(node, exp.Not) else None
    for kind, word in ((exp.Is, "IS NOT"), (exp.In, "NOT IN"), (exp.Like, "NOT LIKE")):
        if isinstance(inner, kind):
            left = inner.this.sql(dialect=dialect, comments=False)
            rest = inner.sql(dialect=dialect, comments=False).removeprefix(left).lstrip()
            return f"{left} {word} {rest.partition(' ')[2]}"
    return node.sql(dialect=dialect, comments=False)


def _anti_join_text(node: exp.Expr) -> str | None:
    """What NOT IN and NOT EXISTS exclude; the subquery's own conditions are read by themselves."""
    query = subquery_of(node)
    if query is None:
        return None
    tables = sorted({named_table(table) for table in query.find_all(exp.Table)})
    how = "NOT EXISTS" if node.find(exp.Exists) else "NOT IN"
    return f"{how} ({', '.join(tables)})"
