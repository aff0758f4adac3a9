"""One SELECT of a query: what it reads, ties together, groups and cuts."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from goldsuite.sqltext.conditions import Equality, conjuncts, equality, subquery_of
from goldsuite.sqltext.measures import Measure, has_aggregate, read_measures
from goldsuite.sqltext.resolve import instance_of, select_of, source_nodes

__all__ = ["Block", "Reading", "is_semi", "read_block"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """One reading of a table in FROM or JOIN, derived tables that only select looked through."""

    table: str
    instance: int
    how: str
    """`from`, `inner`, `left`, `right`, `full`, `cross`, `semi` or `anti`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One SELECT."""

    outermost: bool
    """True for the query itself and for each branch of its UNION."""
    semi: bool
    """True below IN and EXISTS, where repeated rows do not matter."""
    readings: tuple[Reading, ...]
    derived: bool
    """True where it also reads a query that groups, cuts or removes duplicates."""
    aggregates: tuple[Measure, ...]
    grain: tuple[str, ...]
    """What it groups by, sorted; the output columns where it says DISTINCT; else empty."""
    distinct: bool
    equalities: tuple[Equality, ...]


def read_block(scope: Scope, dialect: str, *, outermost: bool) -> Block:
    """Read the SELECT that `scope` stands for; its names are resolved already."""
    select = select_of(scope)
    readings = tuple(_readings(scope))
    measures = (m for p in select.selects for m, _ in read_measures(p, dialect, own=True))
    return Block(
        outermost=outermost,
        semi=is_semi(select),
        readings=readings,
        derived=len(readings) < _count_sources(scope),
        aggregates=tuple(measures),
        grain=tuple(sorted({key.sql(dialect=dialect, comments=False) for key in _grain(select)})),
        distinct=select.args.get("distinct") is not None,
        equalities=tuple(dict.fromkeys(_equalities(scope, dialect))),
    )


def is_semi(select: exp.Expr) -> bool:
    """Whether a query stands below IN or EXISTS."""
    node = select
    while isinstance(node.parent, exp.Subquery | exp.SetOperation):
        node = node.parent
    return isinstance(node.parent, exp.In | exp.Exists)


def _grain(select: exp.Select) -> list[exp.Expr]:
    group, outputs = select.args.get("group"), select.selects
    if group is not None and not group.args.get("all"):
        return [key for part in group.expressions for key in _group_keys(part)]
    if group is not None or select.args.get("distinct") is not None:
        return [o.unalias() for o in outputs if not has_aggregate(o, own=True)]
    return []


def _group_keys(node: exp.Expr) -> list[exp.Expr]:
    return list(node.expressions) if isinstance(node, exp.Tuple) else [node]


def _readings(scope: Scope, how: str | None = None) -> Iterator[Reading]:
    for node, join in source_nodes(select_of(scope)):
        name = node.alias_or_name
        source = scope.selected_sources[name][1] if name in scope.selected_sources else None
        kind = how or _join_kind(join)
        if isinstance(source, exp.Table):
            number = instance_of(source)
            if number is not None:
                yield Reading(table=source.name, instance=number, how=kind)
        elif isinstance(source, Scope) and _only_selects(source):
            yield from _readings(source, None if join is None else kind)


def _only_selects(scope: Scope) -> bool:
    """Whether a derived table passes its rows on, neither grouped nor cut nor made distinct."""
    select = scope.expression
    if not isinstance(select, exp.Select) or any(
        has_aggregate(p, own=True) for p in select.selects
    ):
        return False
    return not any(select.args.get(k) for k in ("group", "distinct", "limit", "fetch", "qualify"))


def _count_sources(scope: Scope) -> int:
    """How many sources there are below, derived tables that only select looked through."""
    sources = [source for _, source in scope.selected_sources.values()]
    below = [s for s in sources if isinstance(s, Scope) and _only_selects(s)]
    return len(sources) - len(below) + sum(map(_count_sources, below))


def _join_kind(join: exp.Join | None) -> str:
    if join is None:
        return "from"
    if join.kind in ("SEMI", "ANTI"):
        return join.kind.lower()
    return (join.side or ("cross" if join.kind == "CROSS" else "inner")).lower()


def _equalities(scope: Scope, dialect: str) -> Iterator[Equality]:
    """What ties the tables of a SELECT together, and what ties it to the query around it."""
    select = select_of(scope)
    conditions = [w.this for key in ("where", "having") if (w := select.args.get(key)) is not None]
    for node, join in source_nodes(select):
        if join is not None:
            conditions += [on] if (on := join.args.get("on")) is not None else []
            yield from _using(node, join, scope)
    for condition in conditions:
        for part in conjuncts(condition, dialect):
            if (tie := equality(part) or _membership_tie(part)) is not None:
                yield tie
    for _, source in scope.selected_sources.values():
        if isinstance(source, Scope) and _only_selects(source):
            yield from _equalities(source, dialect)


def _membership_tie(node: exp.Expr) -> Equality | None:
    """`a.x IN (SELECT b.y ...)` ties like `a.x = b.y`."""
    query = subquery_of(node)
    if not isinstance(query, exp.Select) or not isinstance(node, exp.In) or not query.selects:
        return None
    return equality(exp.EQ(this=node.this.copy(), expression=query.selects[0].unalias().copy()))


def _using(node: exp.Expr, join: exp.Join, scope: Scope) -> Iterator[Equality]:
    first = next((t for t, _ in source_nodes(select_of(scope))), None)
    if not isinstance(node, exp.Table) or not isinstance(first, exp.Table):
        return
    ours, theirs = instance_of(first), instance_of(node)
    for identifier in join.args.get("using") or ():
        if ours is not None and theirs is not None:
            ends = sorted(
                [(ours, first.name, identifier.name), (theirs, node.name, identifier.name)]
            )
            yield Equality(sides=(ends[0], ends[1]), bare=(True, True))
