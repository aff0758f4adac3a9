"""What a query reads, keeps, groups and measures, as its tree says it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from goldsuite.sqltext.blocks import Block, is_semi, read_block
from goldsuite.sqltext.canonical import fold_identifiers
from goldsuite.sqltext.conditions import Predicate, conjuncts, read_predicates
from goldsuite.sqltext.measures import Measure, has_aggregate, read_measures
from goldsuite.sqltext.parsing import UNREADABLE, parse_query, parse_statements
from goldsuite.sqltext.resolve import Owner, named_table, resolve_names, select_of, source_nodes

__all__ = ["Ordering", "QueryShape", "orders_at_top_level", "read_shape"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ordering:
    """ORDER BY with LIMIT and OFFSET, of the query itself or of a part that is cut."""

    text: str
    cuts: bool
    """True where it has a LIMIT, OFFSET or FETCH."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryShape:
    """A query, taken apart; every text has tables in place of aliases."""

    tables: tuple[str, ...]
    """Real tables with their schema where one is written, sorted."""
    main_table: str | None
    """The table that the measure reads; else the first one read."""
    blocks: tuple[Block, ...]
    predicates: tuple[Predicate, ...]
    measures: tuple[Measure, ...]
    """Of the outermost SELECT, derived columns put in, as often as they occur."""
    outputs: tuple[str, ...]
    """Output columns that are no aggregates, sorted."""
    windows: tuple[str, ...]
    """Window functions, sorted."""
    set_operations: tuple[str, ...]
    orderings: tuple[Ordering, ...]
    """By their text."""
    semi_tables: tuple[str, ...]
    """Tables that are read only to see whether a row exists, sorted."""


def orders_at_top_level(sql: str, dialect: str) -> bool | None:
    """Whether the outermost query has an ORDER BY; None where `sql` is no single query.

    One in a window, a subquery, a common table expression or a branch of a UNION does not count.
    """
    return _orders(sql, dialect)


@lru_cache(maxsize=16_384)
def _orders(sql: str, dialect: str) -> bool | None:
    statements = parse_statements(sql, dialect)
    if statements is None or len(statements) != 1:
        return None
    node = statements[0]
    if not isinstance(node, exp.Query):
        return None
    while isinstance(node, exp.Subquery) and node.args.get("order") is None:
        node = node.this
    return isinstance(node, exp.Query) and node.args.get("order") is not None


def read_shape(
    sql: str,
    dialect: str,
    *,
    owner: Owner | None = None,
    dates: frozenset[str] = frozenset(),
    rename: Mapping[str, str] | None = None,
) -> QueryShape | None:
    """Take `sql` apart; None where it is no single query, or its names contradict each other.

    `dates` names the columns, as `table.column`, known to hold days without a time of day.
    `rename` reads one table as if it were another, so that queries on either can be compared.
    """
    query = parse_query(sql, dialect)
    if query is None:
        return None
    try:
        scopes = resolve_names(_renamed(_folded(query, dialect), rename or {}), owner)
        return _Reader(dialect=dialect, dates=dates, root=query).read(scopes)
    except UNREADABLE:
        return None


def _folded(query: exp.Query, dialect: str) -> exp.Query:
    fold_identifiers(query, dialect)
    for identifier in query.find_all(exp.Identifier):
        identifier.set("quoted", None)  # the texts are read by people, not run
    return query


def _renamed(query: exp.Query, rename: Mapping[str, str]) -> exp.Query:
    for table in [t for t in query.find_all(exp.Table) if t.name in rename]:
        alias = table.alias_or_name
        table.set("this", exp.to_identifier(rename[table.name]))
        table.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
    return query


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reader:
    dialect: str
    dates: frozenset[str]
    root: exp.Query

    def read(self, scopes: list[Scope]) -> QueryShape:
        selects = [s for s in scopes if isinstance(s.expression, exp.Select)]
        blocks = tuple(
            read_block(s, self.dialect, outermost=self._is_outermost(s.expression)) for s in selects
        )
        outer = [select_of(s) for s in selects if self._is_outermost(s.expression)]
        read = [pair for s in outer for pair in self._measures(s)]
        measures = tuple(measure for measure, _ in read)
        predicates = [p for scope in selects for p in self._predicates(select_of(scope))]
        for _, conditions in read:
            split = [part for c in conditions for part in conjuncts(c, self.dialect)]
            predicates += read_predicates(split, self.dialect, self.dates)
        return QueryShape(
            tables=tuple(sorted({named_table(t) for s in scopes for t in _own_tables(s)})),
            main_table=_main_table(measures, selects),
            blocks=blocks,
            predicates=tuple(dict.fromkeys(predicates)),
            measures=measures,
            outputs=self._outputs(outer),
            windows=tuple(sorted({self._text(w) for w in self.root.find_all(exp.Window)})),
            set_operations=tuple(sorted(_set_operations(self.root))),
            orderings=self._orderings(),
            semi_tables=_semi_tables(selects),
        )

    def _text(self, node: exp.Expr) -> str:
        return node.sql(dialect=self.dialect, comments=False)

    def _is_outermost(self, select: exp.Expr) -> bool:
        node = select
        while isinstance(node.parent, exp.SetOperation | exp.Subquery) and node is not self.root:
            node = node.parent
        return node is self.root

    def _measures(self, select: exp.Select) -> Iterator[tuple[Measure, tuple[exp.Expr, ...]]]:
        for projection in select.selects:
            yield from read_measures(projection, self.dialect)

    def _orderings(self) -> tuple[Ordering, ...]:
        found = {o.text: o for q in self.root.find_all(exp.Query) if (o := self._ordering(q))}
        return tuple(found[text] for text in sorted(found))

    def _ordering(self, query: exp.Expr) -> Ordering | None:
        ends = [self._text(n) for key in ("limit", "fetch", "offset") if (n := query.args.get(key))]
        order = query.args.get("order")
        if (order is None and not ends) or not (ends or query is self.root):
            return None
        keys = [self._ordered(o) for o in order.expressions] if order is not None else []
        shown = [f"ORDER BY {', '.join(keys)}"] if keys else []
        return Ordering(text=" ".join(shown + [end.strip() for end in ends]), cuts=bool(ends))

    def _ordered(self, node: exp.Expr) -> str:
        direction = " DESC" if node.args.get("desc") else ""
        return self._text(node.this) + direction

    def _outputs(self, selects: list[exp.Select]) -> tuple[str, ...]:
        outputs = [p.unalias() for s in selects for p in s.selects if not has_aggregate(p)]
        return tuple(sorted({self._text(p) for p in outputs if p.find(exp.Column, exp.Star)}))

    def _predicates(self, select: exp.Select) -> Iterator[Predicate]:
        for key in ("where", "having", "qualify"):
            if (clause := select.args.get(key)) is not None:
                parts = list(conjuncts(clause.this, self.dialect))
                yield from read_predicates(parts, self.dialect, self.dates)
        for node, join in source_nodes(select):
            if join is not None and (on := join.args.get("on")) is not None:
                outer = node.alias_or_name if join.side else None
                if isinstance(node, exp.Table) and outer:
                    outer = node.name
                parts = list(conjuncts(on, self.dialect))
                yield from read_predicates(parts, self.dialect, self.dates, outer_join=outer)


def _own_tables(scope: Scope) -> list[exp.Table]:
    return [t for _, t in scope.selected_sources.values() if isinstance(t, exp.Table)]


def _semi_tables(selects: list[Scope]) -> tuple[str, ...]:
    tables = [named_table(t) for s in selects if is_semi(s.expression) for t in _own_tables(s)]
    return tuple(sorted(set(tables)))


def _set_operations(query: exp.Query) -> Iterator[str]:
    for operation in query.find_all(exp.SetOperation):
        name = type(operation).__name__.upper()
        yield name if operation.args.get("distinct") else f"{name} ALL"


def _main_table(measures: tuple[Measure, ...], selects: list[Scope]) -> str | None:
    for measure in measures:
        tables = [c.rpartition(".")[0] for c in measure.columns if "." in c]
        if tables:
            return tables[0]
    scope: Scope | exp.Table | None = selects[-1] if selects else None
    while isinstance(scope, Scope):
        sources = [source for _, source in scope.selected_sources.values()]
        scope = next(iter(sources), None)
    return scope.name if scope is not None else None
