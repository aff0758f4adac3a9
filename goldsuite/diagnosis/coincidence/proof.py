"""Equal because of one canonical form: names resolved, derived tables merged, logic simplified."""

from typing import Any

from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.canonicalize import canonicalize
from sqlglot.optimizer.eliminate_ctes import eliminate_ctes
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.normalize import normalize
from sqlglot.optimizer.optimizer import optimize
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.optimizer.simplify import simplify

from goldsuite.diagnosis.coincidence.subject import Subject
from goldsuite.sqltext.canonical import normal_form
from goldsuite.sqltext.parsing import UNREADABLE

__all__ = ["canonical_text", "same_text"]

_RULES = (qualify, merge_subqueries, eliminate_ctes, annotate_types, canonicalize)
_LOGIC = (normalize, simplify)
"""All of them keep what a query means also where values are NULL; none turns subqueries into
joins."""
_INNER = frozenset({"", "INNER", "CROSS"})
_TRUE_BOOLEANS = frozenset({"duckdb", "postgres"})
"""Dialects in which a column of type BOOLEAN holds nothing but true, false and NULL."""


def same_text(gold: str, analyst: str, dialect: str) -> bool:
    """Whether two texts are one query but for their writing."""
    one, other = normal_form(gold, dialect), normal_form(analyst, dialect)
    return one.parsed and other.parsed and one.text == other.text


def canonical_text(subject: Subject) -> str | None:
    """The canonical form of a query, for comparing; None where sqlglot cannot make one."""
    schema: dict[str, Any] = {t.name: {c.name: c.type for c in t.columns} for t in subject.tables}
    options: dict[str, Any] = {"schema": schema, "dialect": subject.dialect}
    try:
        tree = optimize(
            subject.tree.copy(), rules=_RULES, validate_qualify_columns=True, identify=False,
            quote_identifiers=False, **options,
        )  # fmt: skip
        for identifier in tree.find_all(exp.Identifier):
            identifier.set("quoted", None)
        for select in list(tree.find_all(exp.Select)):
            _join_by_where(select)
        if subject.dialect in _TRUE_BOOLEANS:
            _shorten_booleans(tree)
        _rename_sources(tree)
        _forget_names(tree)
        return str(optimize(tree, rules=_LOGIC, **options).sql(dialect=subject.dialect))
    except UNREADABLE:
        return None


def _join_by_where(select: exp.Select) -> None:
    """Where all joins are inner ones: sources in the order of their names, conditions below."""
    joins, start = select.args.get("joins") or [], select.args.get("from_")
    if not joins or start is None or not all(map(_is_inner, joins)):
        return
    sources = [start.this, *(join.this for join in joins)]
    if not all(isinstance(source, (exp.Table, exp.Subquery)) for source in sources):
        return
    if any(source.args.get("joins") for source in sources):
        return
    conditions = [on for join in joins if (on := join.args.get("on")) is not None]
    ordered = sorted(sources, key=lambda s: s.name if isinstance(s, exp.Table) else "")
    select.set("from_", exp.From(this=ordered[0].copy()))
    select.set("joins", [exp.Join(this=s.copy(), kind="CROSS") for s in ordered[1:]])
    for condition in conditions:
        select.where(condition.copy(), copy=False)


def _is_inner(join: exp.Join) -> bool:
    return (
        not join.side
        and not join.method
        and join.kind.upper() in _INNER
        and not join.args.get("using")
    )


def _shorten_booleans(tree: exp.Expr) -> None:
    """`b = TRUE` as `b`, `b = FALSE` as `NOT b`."""
    for node in list(tree.find_all(exp.EQ)):
        column, literal = node.this, node.expression
        if not isinstance(literal, exp.Boolean):
            column, literal = literal, column
        if not isinstance(literal, exp.Boolean) or not isinstance(column, exp.Column):
            continue
        if column.is_type(exp.DataType.Type.BOOLEAN):
            node.replace(column.copy() if literal.this else exp.Not(this=column.copy()))


def _rename_sources(tree: exp.Expr) -> None:
    """Sources called after their places, no two alike: an alias is only a name."""
    columns: list[tuple[exp.Column, str]] = []
    holders: list[tuple[exp.Expr, str]] = []
    for scope in traverse_scope(tree):
        names: dict[str, str] = {}
        for alias, (node, _) in scope.selected_sources.items():
            names[alias] = f"s{len(holders)}"
            holders.append((_holder(node), names[alias]))
        # Those of subqueries that read this scope are among its columns.
        columns += [(c, names[c.table]) for c in scope.columns if c.table in names]
    # Only now: a new name could be another source's old one.
    for column, name in columns:
        column.set("table", exp.to_identifier(name))
    for holder, name in holders:
        holder.set("alias", exp.TableAlias(this=exp.to_identifier(name)))


def _holder(node: exp.Expr) -> exp.Expr:
    """What carries the alias of a source: the brackets, where it is a query."""
    while not isinstance(node, (exp.Table, exp.Subquery)) and node.parent is not None:
        node = node.parent
    return node


def _forget_names(tree: exp.Expr) -> None:
    """The outermost columns are told by their place, not by their name."""
    if isinstance(tree, exp.Select) and tree.args.get("order") is None:
        plain = [projection.unalias() for projection in tree.selects]
        tree.set("expressions", [exp.alias_(p.copy(), f"c{n}") for n, p in enumerate(plain)])
