"""A gold whose `ORDER BY ... LIMIT` cuts through rows that tie: which of them come is up to chance.

The text of the gold gives a second query, the probe: the same rows with their sort keys, and some
of those behind the limit. Whoever runs SQL hands its result back to `read_tie`. Rows before an
OFFSET are not looked at.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from goldsuite.grading.cells import Form, to_form
from goldsuite.grading.projection import position_of
from goldsuite.model.result_set import Cell, Execution, ResultSet
from goldsuite.sqltext.parsing import parse_statements

__all__ = ["TieAtLimit", "TieProbe", "read_tie", "tie_probe"]

MAX_LIMIT = 10_000
"""Of a gold that is probed: a longer list is no top of anything."""
MAX_BEHIND = 1_000
"""Rows behind the limit that the probe asks for; a longer tie is known in part."""

_KEY_NAME = "goldsuite_sort_"


@dataclass(frozen=True, kw_only=True, slots=True)
class TieProbe:
    """What to run beside a gold."""

    sql: str
    limit: int
    """Of the gold."""
    keys: tuple[int, ...]
    """Where its sort keys stand: a column of the gold, or one behind them for -1, -2, ..., which
    count from the last column of the probe."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TieAtLimit:
    """Rows that the gold's order does not tell apart, some of them cut off."""

    above: int
    """How many of the gold's rows come before the tie; these are fixed."""
    group: tuple[tuple[Cell, ...], ...]
    """All tied rows, those that the gold returned among them; the rest may be any of these."""


@lru_cache(maxsize=4096)
def tie_probe(sql: str, dialect: str) -> TieProbe | None:
    """The probe of a gold; None where it has no LIMIT under an ORDER BY, or cannot be read."""
    query = _top_query(sql, dialect)
    if query is None:
        return None
    limit, order = _limit(query), query.args.get("order")
    if limit is None or not 0 < limit <= MAX_LIMIT or not isinstance(order, exp.Order):
        return None
    wide = query.copy()
    behind: list[exp.Expr] = []
    keys = [_place(key, query, behind) for key in order.expressions]
    if any(key is None for key in keys):
        return None
    if behind:
        if not isinstance(wide, exp.Select) or wide.args.get("distinct") is not None:
            return None
        named = [exp.alias_(key.copy(), f"{_KEY_NAME}{n}") for n, key in enumerate(behind, start=1)]
        wide = wide.select(*named, copy=False)
    _set_limit(wide, limit + MAX_BEHIND)
    # Numbered from the end, since a star hides how many columns come before.
    places = tuple(key if key >= 0 else -key - 1 - len(behind) for key in keys if key is not None)
    return TieProbe(sql=wide.sql(dialect=dialect), limit=limit, keys=places)


def _top_query(sql: str, dialect: str) -> exp.Query | None:
    statements = parse_statements(sql, dialect)
    if statements is None or len(statements) != 1:
        return None
    query = statements[0]
    return query if isinstance(query, exp.Select | exp.SetOperation) else None


def _limit(query: exp.Query) -> int | None:
    node = query.args.get("limit")
    options = node.args.get("limit_options") if node is not None else None
    if options is not None and (options.args.get("with_ties") or options.args.get("percent")):
        return None
    literal = None
    if isinstance(node, exp.Limit | exp.Fetch):
        literal = node.args.get("count" if isinstance(node, exp.Fetch) else "expression")
    return int(literal.name) if isinstance(literal, exp.Literal) and literal.is_int else None


def _set_limit(query: exp.Query, count: int) -> None:
    node = query.args["limit"]
    name = "count" if isinstance(node, exp.Fetch) else "expression"
    node.set(name, exp.Literal.number(count))


def _place(key: exp.Expr, query: exp.Query, behind: list[exp.Expr]) -> int | None:
    """The gold's column that a sort key is, or -n for the n-th that is added behind them."""
    if not isinstance(key, exp.Ordered):
        return None
    found = position_of(key.this, query.selects)
    if found is not None:
        # Behind a star, nobody knows the place of a column without the catalog.
        return None if query.is_star else found
    if isinstance(key.this, exp.Literal | exp.Var | exp.Star):
        return None
    behind.append(key.this)
    return -len(behind)


def read_tie(gold: ResultSet, probed: Execution, probe: TieProbe) -> TieAtLimit | None:
    """The tie that the gold's limit cuts through; None where it cuts through none.

    None also where the probe did not run, or does not show the gold's own rows: then nothing is
    known. Rows that tie and are equal in every column of the gold make no difference.
    """
    found = probed.result
    if found is None or found.truncated or gold.truncated or len(gold.rows) != probe.limit:
        return None
    if len(found.rows) <= probe.limit:
        return None
    width = len(gold.columns)
    last_in = _keys(found.rows[probe.limit - 1], probe)
    tied = [_keys(row, probe) == last_in for row in found.rows]
    start = tied.index(True)
    stop = next((at for at in range(start, len(tied)) if not tied[at]), len(tied))
    group = tuple(row[:width] for row in found.rows[start:stop])
    if stop <= probe.limit or len(set(_forms(group))) == 1:
        return None
    above = Counter(_forms(row[:width] for row in found.rows[:start]))
    rest = Counter(_forms(gold.rows[start:]))
    if Counter(_forms(gold.rows[:start])) != above or rest - Counter(_forms(group)):
        return None
    return TieAtLimit(above=start, group=group)


def _keys(row: Sequence[Cell], probe: TieProbe) -> tuple[Form, ...]:
    return tuple(to_form(row[key]) for key in probe.keys)


def _forms(rows: Iterable[Sequence[Cell]]) -> list[tuple[Form, ...]]:
    return [tuple(map(to_form, row)) for row in rows]
