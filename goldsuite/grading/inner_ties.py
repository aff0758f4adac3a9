"""Ties that a gold cuts through inside of itself: by a LIMIT in a subquery, or by a row number.

Which of the tied rows go on is up to chance, and no rows of the gold's result show it, so that all
that can be done is to say so. The text of the gold gives probes; whoever runs SQL hands their
results back to `cuts_inner_tie`. A subquery that reads columns of the query around it cannot be run
on its own: its probe fails, and nothing is claimed.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from sqlglot import exp

from goldsuite.grading.cells import Form, to_form
from goldsuite.grading.limit_ties import TieProbe, read_tie, tie_probe
from goldsuite.model.result_set import Execution, ResultSet
from goldsuite.sqltext.parsing import parse_statements

__all__ = ["InnerTieProbe", "RankTieProbe", "cuts_inner_tie", "inner_tie_probes"]

MAX_ROWS = 1_000
"""Tied rows that a probe asks for."""

_PREFIX = "goldsuite_tie_"


@dataclass(frozen=True, kw_only=True, slots=True)
class RankTieProbe:
    """Asks for the rows of all ties that row_number() up to k cuts."""

    sql: str
    partitions: int
    """Columns behind those of the query that say which partition a row is of; its rank and the size
    of its tie are the last two."""


InnerTieProbe: TypeAlias = TieProbe | RankTieProbe


@lru_cache(maxsize=4096)
def inner_tie_probes(sql: str, dialect: str) -> tuple[InnerTieProbe, ...]:
    """The probes of a gold, in the order of its text; empty where it has none, or is no query."""
    statements = parse_statements(sql, dialect)
    if statements is None or len(statements) != 1:
        return ()
    tree = statements[0]
    if not isinstance(tree, exp.Query):
        return ()
    probes: list[InnerTieProbe] = []
    for query in tree.find_all(exp.Select, exp.SetOperation, bfs=False):
        if query is not tree and query.args.get("limit") is not None:
            probe = tie_probe(_alone(query).sql(dialect=dialect), dialect)
            probes += [probe] if probe is not None else []
        if isinstance(query, exp.Select):
            probes += _rank_probes(query, dialect)
    return tuple(dict.fromkeys(probes))


def _alone(query: exp.Query) -> exp.Query:
    """`query` with the CTEs that it can see where it stands."""
    seen: list[exp.Expr] = []
    inside: exp.Expr = query
    around = query.parent
    while around is not None:
        named = around.args.get("with_") if isinstance(around, exp.Query) else None
        if named is not None and named is not inside:
            seen = [*named.expressions, *seen]
        elif isinstance(around, exp.With):
            before = around.expressions[: inside.index or 0]
            seen = [*(around.expressions if around.recursive else before), *seen]
        inside, around = around, around.parent
    alone = query.copy()
    if seen:
        own = alone.args.get("with_")
        recursive = any(cte.parent.recursive for cte in seen if isinstance(cte.parent, exp.With))
        ctes = [cte.copy() for cte in seen] + (own.expressions if own is not None else [])
        alone.set("with_", exp.With(expressions=ctes, recursive=recursive))
    return alone


def _rank_probes(query: exp.Select, dialect: str) -> Iterator[RankTieProbe]:
    if query.args.get("distinct") is not None:
        return
    for place, column in enumerate(query.selects):
        window = column.unalias()
        if not _is_ranking(window):
            continue
        for last in dict.fromkeys(_kept_up_to(query, column.alias_or_name)):
            yield _rank_probe(query, place, window, last, dialect)


def _is_ranking(node: exp.Expr) -> bool:
    return (
        isinstance(node, exp.Window)
        and isinstance(node.this, exp.RowNumber)
        and node.args.get("order") is not None
    )


def _kept_up_to(query: exp.Select, name: str) -> Iterator[int]:
    """The k of each `name <= k` in the query's QUALIFY, or where it is read from."""
    conditions = [query.args.get("qualify")]
    reader = _reader(query)
    if reader is not None:
        conditions += [reader.args.get("where"), reader.args.get("qualify")]
    for condition in conditions:
        for node in condition.find_all(exp.LTE, exp.LT, exp.EQ) if condition is not None else ():
            column, bound = node.this, node.expression
            if (
                isinstance(column, exp.Column)
                and column.name.lower() == name.lower()
                and isinstance(bound, exp.Literal)
                and bound.is_int
            ):
                last = int(bound.name) - isinstance(node, exp.LT)
                yield from (last - 1, last) if isinstance(node, exp.EQ) and last > 1 else (last,)


def _reader(query: exp.Select) -> exp.Select | None:
    """The query whose FROM holds this one, as a subquery or by the name of its CTE."""
    parent = query.parent
    if isinstance(parent, exp.Subquery):
        return parent.find_ancestor(exp.Select)
    if not isinstance(parent, exp.CTE):
        return None
    around = parent.find_ancestor(exp.Query)
    for select in around.find_all(exp.Select) if around is not None else ():
        source = select.args.get("from_")
        table = source.this if source is not None else None
        if isinstance(table, exp.Table) and table.name.lower() == parent.alias.lower():
            return select
    return None


def _rank_probe(
    query: exp.Select, place: int, window: exp.Expr, last: int, dialect: str
) -> RankTieProbe:
    alone = _alone(query)
    assert isinstance(alone, exp.Select)  # noqa: S101 - a copy of one
    parts = [part.copy() for part in window.args.get("partition_by") or ()]
    keys = [key.this.copy() for key in window.args["order"].expressions]
    rank = window.copy()
    rank.set("this", exp.Rank())
    tied = exp.Window(this=exp.Count(this=exp.Star()), partition_by=[*parts, *keys])
    named = [exp.alias_(p.copy(), f"{_PREFIX}{n}") for n, p in enumerate(parts, start=1)]
    named += [exp.alias_(rank, f"{_PREFIX}rank"), exp.alias_(tied, f"{_PREFIX}rows")]
    alone.set("expressions", [c for at, c in enumerate(alone.selects) if at != place] + named)
    for clause in ("qualify", "order", "limit"):
        alone.set(clause, None)
    ctes = alone.args.get("with_")
    alone.set("with_", None)
    first, size = exp.column(f"{_PREFIX}rank"), exp.column(f"{_PREFIX}rows")
    probe = (
        exp.select("*")
        .from_(alone.subquery(f"{_PREFIX}all"))
        .where(first <= last, first + size > last + 1)
        .limit(MAX_ROWS)
    )
    probe.set("with_", ctes)
    return RankTieProbe(sql=probe.sql(dialect=dialect), partitions=len(parts))


def cuts_inner_tie(probed: Execution, probe: InnerTieProbe) -> bool:
    """Whether a tie of rows that differ is cut; False where the probe tells nothing."""
    found = probed.result
    if found is None or found.truncated:
        return False
    if isinstance(probe, TieProbe):
        own = _first_rows(found, probe)
        return own is not None and read_tie(own, probed, probe) is not None
    width = len(found.columns) - probe.partitions - 2
    ties: defaultdict[tuple[Form, ...], set[tuple[Form, ...]]] = defaultdict(set)
    for row in found.rows:
        forms = tuple(map(to_form, row))
        ties[forms[width:-1]].add(forms[:width])
    return any(len(rows) > 1 for rows in ties.values())


def _first_rows(found: ResultSet, probe: TieProbe) -> ResultSet | None:
    """What the subquery itself returns, by its probe."""
    width = len(found.columns) - sum(key < 0 for key in probe.keys)
    if len(found.rows) < probe.limit:
        return None
    rows = tuple(row[:width] for row in found.rows[: probe.limit])
    return replace(found, columns=found.columns[:width], rows=rows)
