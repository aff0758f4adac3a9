"""Two queries compared clause by clause, as sets: what the benchmarks call component match.

Aliases are resolved to tables, conditions split at AND, and the order of equal-ranking parts does
not count. As everywhere in this package nothing is executed: queries that mean the same may still
differ here.

Source: Yu et al. (2018), Spider, section "Evaluation Metrics" (exact set match); unlike there,
values count.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from goldsuite.model.grade import Component
from goldsuite.sqltext.canonical import fold_identifiers
from goldsuite.sqltext.conditions import conjuncts
from goldsuite.sqltext.parsing import UNREADABLE, parse_query
from goldsuite.sqltext.resolve import named_table, resolve_names, select_of, source_nodes

__all__ = ["Component", "bare_days", "component_match", "exact_match", "nearest_components"]


Clauses: TypeAlias = MappingProxyType[Component, tuple[tuple[str, ...], ...]]
"""For each clause one entry per SELECT that has it, all sorted."""


def component_match(predicted: str, gold: str, dialect: str) -> dict[Component, bool] | None:
    """Whether each clause is the same; a clause that neither query has is left out.

    None where either text is no single query that can be read.
    """
    ours, theirs = _read(gold, dialect), _read(predicted, dialect)
    if ours is None or theirs is None:
        return None
    return {c: ours[c] == theirs[c] for c in Component if ours[c] or theirs[c]}


def exact_match(predicted: str, gold: str, dialect: str) -> bool | None:
    """Whether every clause is the same; None where either text cannot be read."""
    matches = component_match(predicted, gold, dialect)
    return None if matches is None else all(matches.values())


def nearest_components(
    predicted: str, golds: Sequence[str], dialect: str
) -> dict[Component, bool] | None:
    """The clauses of the gold that shares the greatest part of them; of equals the first.

    None where `predicted` or every gold is no single query that can be read.
    """
    found = [component_match(predicted, gold, dialect) for gold in golds]
    read = [matches for matches in found if matches]
    return max(read, key=lambda m: Fraction(sum(m.values()), len(m)), default=None)


@lru_cache(maxsize=16_384)
def _read(sql: str, dialect: str) -> Clauses | None:
    query = parse_query(sql, dialect)
    if query is None:
        return None
    try:
        scopes = resolve_names(_unquoted(query, dialect))
        found = [part for scope in scopes for part in _parts(scope, dialect)]
    except UNREADABLE:
        return None
    return MappingProxyType({
        component: tuple(sorted(tuple(sorted(texts)) for kind, texts in found if kind is component))
        for component in Component
    })  # fmt: skip


def _unquoted(query: exp.Query, dialect: str) -> exp.Query:
    fold_identifiers(query, dialect)
    for alias in list(query.find_all(exp.Alias)):
        alias.set("alias", exp.to_identifier(alias.alias, quoted=False))
    return query


def _parts(scope: Scope, dialect: str) -> Iterator[tuple[Component, list[str]]]:
    def text(node: exp.Expr) -> str:
        return node.sql(dialect=dialect, comments=False, identify=True)

    query = scope.expression
    if isinstance(query, exp.SetOperation):
        distinct = "" if query.args.get("distinct") else " ALL"
        yield Component.SET_OPERATIONS, [type(query).__name__.upper() + distinct]
    if isinstance(query, exp.Select):
        yield from _clauses(scope, dialect)
    if (order := query.args.get("order")) is not None:
        # The order of sort keys counts, so they stay one text.
        yield Component.ORDER_BY, [", ".join(_sort_key(o, dialect) for o in order.expressions)]
    limits = [text(n).strip() for key in ("limit", "fetch", "offset") if (n := query.args.get(key))]
    if limits:
        yield Component.LIMIT, limits


def _clauses(scope: Scope, dialect: str) -> Iterator[tuple[Component, list[str]]]:
    def text(node: exp.Expr) -> str:
        return node.sql(dialect=dialect, comments=False, identify=True)

    select = select_of(scope)
    distinct = ["DISTINCT"] if select.args.get("distinct") is not None else []
    yield Component.SELECT, distinct + [text(p.unalias()) for p in select.selects]
    sources = list(source_nodes(select))
    if sources:
        yield Component.FROM, [_source(node) for node, _ in sources]
    joins = [j for node, join in sources if (j := _join(node, join, dialect))]
    if joins:
        yield Component.JOINS, joins
    for component, key in ((Component.WHERE, "where"), (Component.HAVING, "having")):
        if (clause := select.args.get(key)) is not None:
            yield component, [text(bare_days(p)) for p in conjuncts(clause.this, dialect)]
    if (group := select.args.get("group")) is not None:
        yield Component.GROUP_BY, [text(key) for key in group.expressions] or ["ALL"]


def bare_days(condition: exp.Expr) -> exp.Expr:
    """`day >= DATE '2025-01-01'` as `day >= '2025-01-01'`: the engine casts where it must."""
    for cast in list(condition.find_all(exp.Cast)):
        compared = isinstance(cast.parent, exp.Predicate)
        of_text = isinstance(cast.this, exp.Literal) and cast.this.is_string
        if compared and of_text and cast.is_type(*exp.DataType.TEMPORAL_TYPES):
            cast.replace(cast.this)
    return condition


def _source(node: exp.Expr) -> str:
    return named_table(node) if isinstance(node, exp.Table) else "(derived)"


def _join(node: exp.Expr, join: exp.Join | None, dialect: str) -> str | None:
    """The kind of an outer join with its table, and what ties it; an inner join needs no name."""
    if join is None:
        return None
    on = join.args.get("on")
    parts = [p.sql(dialect=dialect, identify=True) for p in conjuncts(on, dialect)] if on else []
    parts += [f"USING {identifier.name}" for identifier in join.args.get("using") or ()]
    kind = " ".join(filter(None, [join.method, join.side, join.kind])).replace("INNER", "")
    return " AND ".join([f"{kind} {_source(node) if join.side else ''}".strip(), *sorted(parts)])


def _sort_key(node: exp.Expr, dialect: str) -> str:
    text = node.this.sql(dialect=dialect, comments=False, identify=True)
    return f"{text} DESC" if node.args.get("desc") else text
