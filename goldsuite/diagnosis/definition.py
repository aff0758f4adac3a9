"""The definition of a metric, taken from the queries that the team trusts.

A gold query is the definition plus what its question asks for: a window of time, a slice, an order.
What the question names is left out, unless it is the metric's name that names it, and of several
golds only what most of them have is kept. A query that is no plain aggregate over joined tables
gives no definition.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from goldsuite.diagnosis.wording import names_predicate
from goldsuite.sqltext.canonical import fold_identifiers
from goldsuite.sqltext.conditions import conjuncts, equality, read_predicates
from goldsuite.sqltext.measures import has_aggregate
from goldsuite.sqltext.parsing import UNREADABLE, parse_query
from goldsuite.sqltext.resolve import named_table, resolve_names, source_nodes
from goldsuite.sqltext.windows import is_temporal, read_bounds

__all__ = ["Asked", "Definition", "Join", "definition_of"]

_PLAIN_PARTS = frozenset(
    {"expressions", "from_", "joins", "where", "group", "order", "limit", "kind"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question with its trusted query."""

    question: str
    gold_sql: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Join:
    table: str
    condition: str
    """With tables in place of aliases."""
    inner: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Definition:
    """What a metric is, in the warehouse's SQL, with tables in place of aliases."""

    measure: str
    source: str
    joins: tuple[Join, ...]
    filters: tuple[str, ...]
    time_column: str | None
    """What the questions' windows apply to; None where none has one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Condition:
    text: str
    tables: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    """One gold query, taken apart."""

    measure: str
    measured: frozenset[str]
    """Tables that the measure reads."""
    source: str
    joins: tuple[tuple[Join, frozenset[str]], ...]
    """With the tables that the condition names."""
    filters: tuple[_Condition, ...]
    named: frozenset[str]
    """Tables that any condition of the query or an output refers to, left out or not."""
    times: tuple[str, ...]


def definition_of(asked: Sequence[Asked], dialect: str, *, metric: str) -> Definition | None:
    """The definition that most of the queries share; None where none of them gives one.

    `metric` is the metric's name, its words parted by underscores.
    """
    name = metric.replace("_", " ")
    read = [found for each in asked if (found := _read(each, dialect, name)) is not None]
    if not read:
        return None
    # A Counter keeps the order of first sight among equals.
    (measure, source), _ = Counter((r.measure, r.source) for r in read).most_common(1)[0]
    alike = [r for r in read if (r.measure, r.source) == (measure, source)]
    counts = Counter(text for r in alike for text in {f.text for f in r.filters})
    usual = {text for text, count in counts.items() if 2 * count > len(alike)}
    # The plainest query that has all of it, so that no join is lost; else the plainest.
    first = min(alike, key=lambda r: (not usual <= {f.text for f in r.filters}, len(r.joins)))
    filters = [f for f in first.filters if f.text in usual]
    needed = first.measured.union(*(f.tables for f in filters))
    times = Counter(time for r in alike for time in r.times).most_common(1)
    return Definition(
        measure=measure,
        source=source,
        joins=tuple(_needed_joins(first, needed)),
        filters=tuple(f.text for f in filters),
        time_column=times[0][0] if times else None,
    )


def _needed_joins(read: _Read, needed: frozenset[str]) -> Iterator[Join]:
    """Joins that the definition reads, those that lead to them, and those that only keep rows."""
    wanted = set(needed)
    for join, named in reversed(read.joins):
        if join.table in wanted or (join.table not in read.named and join.inner):
            wanted |= named
    return (join for join, _ in read.joins if join.table in wanted)


def _read(asked: Asked, dialect: str, name: str) -> _Read | None:
    query = parse_query(asked.gold_sql, dialect)
    if not isinstance(query, exp.Select) or not _is_plain(query):
        return None
    try:
        resolve_names(fold_identifiers(query, dialect))  # type: ignore[arg-type]
        return _parts(query, asked.question, name, dialect)
    except UNREADABLE:
        return None


def _is_plain(query: exp.Select) -> bool:
    used = {name for name, value in query.args.items() if value}
    sources = list(source_nodes(query))
    tables = [named_table(node) for node, _ in sources if isinstance(node, exp.Table)]
    joins = [join for _, join in sources if join is not None]
    return (
        used <= _PLAIN_PARTS
        and query.find(exp.Window) is None
        and 0 < len(tables) == len(sources) == len(set(tables))
        and all(join.args.get("on") is not None and not join.args.get("using") for join in joins)
        and all(join.kind in ("", "INNER", "OUTER") for join in joins)
        and all(join.side in ("", "LEFT") for join in joins)
    )


def _parts(query: exp.Select, question: str, name: str, dialect: str) -> _Read | None:
    outputs = [output.unalias() for output in query.selects]
    measures = [output for output in outputs if has_aggregate(output)]
    if len(measures) != 1 or _is_temporal_choice(measures[0]):
        return None
    nodes = list(source_nodes(query))
    full = {node.name: named_table(node) for node, _ in nodes if isinstance(node, exp.Table)}
    where = query.args.get("where")
    kept: list[_Condition] = []
    times: list[str] = []
    for node in conjuncts(where.this, dialect) if where is not None else ():
        bounds = read_bounds(node, frozenset())
        if bounds:
            times.append(bounds[0].column.sql(dialect=dialect))
        elif equality(node) is not None:
            return None  # a join that is written among the filters
        elif not _is_asked_for(node, question, name, dialect):
            kept.append(_Condition(text=_text(node, dialect), tables=_tables(node)))
    joins = [(join, node) for node, join in nodes if join is not None]
    return _Read(
        measure=measures[0].sql(dialect=dialect, comments=False),
        measured=_tables(measures[0]),
        source=full[nodes[0][0].name],
        joins=tuple(
            (
                Join(
                    table=full[node.name],
                    condition=join.args["on"].sql(dialect=dialect, comments=False),
                    inner=not join.side,
                ),
                _tables(join.args["on"]),
            )
            for join, node in joins
        ),
        filters=tuple(kept),
        named=frozenset().union(*map(_tables, [*outputs, *([where.this] if where else [])])),
        times=tuple(dict.fromkeys(times)),
    )


def _is_temporal_choice(measure: exp.Expr) -> bool:
    """Whether a measure picks times by constants of its own, as growth does: no metric's part."""
    return any(read_bounds(node, frozenset()) for node in measure.find_all(exp.Predicate))


def _is_asked_for(node: exp.Expr, question: str, name: str, dialect: str) -> bool:
    """Whether a condition belongs to the question, not to the definition."""
    found = read_predicates([node], dialect, frozenset())
    if any(predicate.temporal for predicate in found):
        return True
    if not found and is_temporal(node):
        return True
    return any(names_predicate(question, p) and not names_predicate(name, p) for p in found)


def _text(node: exp.Expr, dialect: str) -> str:
    found = read_predicates([node], dialect, frozenset())
    return found[0].text if len(found) == 1 else node.sql(dialect=dialect, comments=False)


def _tables(node: exp.Expr) -> frozenset[str]:
    """The tables that the columns of an expression are qualified with."""
    return frozenset(column.table for column in node.find_all(exp.Column) if column.table)
