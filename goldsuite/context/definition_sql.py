"""Telling SQL from prose in a dictionary that other tools wrote.

A dictionary mixes both under the same keys: `filter: orders.status = 'paid'` beside `filter: only
paid orders`. sqlglot decides. The dictionary does not say its dialect, so it is tried in sqlglot's
own, which takes in most of the others', and in those that quote by `backticks` and [brackets].
"""

from dataclasses import dataclass
from typing import TypeVar

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

_Node = TypeVar("_Node", bound=exp.Expr)

_DIALECTS = ("", "bigquery", "tsql")
_PARTS_OF_A_PLAIN_SELECT = frozenset({"expressions", "from_", "joins", "where"})


@dataclass(frozen=True, kw_only=True, slots=True)
class SelectParts:
    """One aggregate query, taken apart into what a metric is made of."""

    sql: str
    source: str
    joins: tuple[str, ...]
    filters: tuple[str, ...]


def is_condition(text: str) -> bool:
    """True if `text` can stand in a WHERE clause."""
    return _parse(text, exp.Condition) is not None


def is_aggregate(text: str) -> bool:
    """True if `text` is an expression with an aggregate in it, such as `sum(a) / count(*)`."""
    tree = _parse(text, exp.Condition)
    return tree is not None and tree.find(exp.AggFunc) is not None


def is_table(text: str) -> bool:
    """True if `text` is the name of a table, with or without schema."""
    return _parse(text, exp.Table) is not None


def table_of(expression: str) -> str | None:
    """The one table that the columns of `expression` are qualified with; None if not just one."""
    tree = _parse(expression, exp.Condition)
    if tree is None:
        return None
    names = {
        ".".join(part.name for part in column.parts[:-1]) for column in tree.find_all(exp.Column)
    }
    return next(iter(names)) or None if len(names) == 1 else None


def equal_columns(condition: str) -> tuple[exp.Column, exp.Column] | None:
    """The two sides of `a.x = b.y`; None for any other condition."""
    tree = _parse(condition, exp.Condition)
    if not isinstance(tree, exp.EQ):
        return None
    left, right = tree.this, tree.expression
    if isinstance(left, exp.Column) and isinstance(right, exp.Column):
        return left, right
    return None


def is_query(text: str) -> bool:
    """True if `text` is a whole query."""
    # Unions and WITH come by the same way in.
    return isinstance(_parse_as(text, exp.Select, _DIALECTS), exp.Query)


def select_parts(query: str) -> SelectParts | None:
    """The parts of a plain query for one aggregate; None for any other query.

    Plain means: one output, one table to start from, inner joins with a condition, a WHERE clause,
    and nothing else. Without table aliases: the parts would no longer say what they refer to.
    """
    # In sqlglot's own dialect alone: the parts are written in it again.
    tree = _parse(query, exp.Select, ("",))
    if tree is None:
        return None
    used = {name for name, value in tree.args.items() if value}
    joins = tree.args.get("joins") or []
    tables = [tree.args["from_"].this if "from_" in used else None, *(j.this for j in joins)]
    plain = (
        used <= _PARTS_OF_A_PLAIN_SELECT
        and len(tree.expressions) == 1
        and tree.expressions[0].find(exp.AggFunc) is not None
        and tree.find(exp.Subquery, exp.Window) is None
        and all(isinstance(table, exp.Table) and not table.alias for table in tables)
        and all(set(_used(join)) <= {"this", "on", "kind"} and "on" in join.args for join in joins)
        and all(join.kind in ("", "INNER") for join in joins)
    )
    if not plain:
        return None
    where = tree.args.get("where")
    condition = where.this if where else None
    conjuncts = condition.flatten(unnest=False) if isinstance(condition, exp.And) else [condition]
    return SelectParts(
        sql=tree.expressions[0].unalias().sql(),
        source=tables[0].sql(),
        joins=tuple(f"{join.this.sql()} on {join.args['on'].sql()}" for join in joins),
        filters=tuple(part.sql() for part in conjuncts if part is not None),
    )


def _used(node: exp.Expr) -> set[str]:
    return {name for name, value in node.args.items() if value}


def _parse(text: str, into: type[_Node], dialects: tuple[str, ...] = _DIALECTS) -> _Node | None:
    tree = _parse_as(text, into, dialects)
    return tree if isinstance(tree, into) else None


def _parse_as(text: str, into: type[exp.Expr], dialects: tuple[str, ...]) -> exp.Expr | None:
    for dialect in dialects:
        try:
            return sqlglot.parse_one(text, into=into, read=dialect)
        except (SqlglotError, RecursionError):
            continue
    return None
