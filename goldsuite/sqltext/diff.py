"""Two queries side by side, part by part: what both have, and what only one of them has.

The parts are those that a person thinks in: an output column, a table, a join, one condition of an
AND. Tables stand in place of their aliases, the order of equal-ranking parts does not count, and
common table expressions and derived tables are blocks of their own. As in `components`, queries
that mean the same may still differ here.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from goldsuite.sqltext.canonical import fold_identifiers
from goldsuite.sqltext.components import bare_days
from goldsuite.sqltext.conditions import as_read, conjuncts
from goldsuite.sqltext.parsing import UNREADABLE, parse_query
from goldsuite.sqltext.resolve import source_nodes

__all__ = ["BlockDiff", "DiffLine", "Side", "diff_queries"]


class Side(StrEnum):
    """Which of the queries has a part."""

    BOTH = "both"
    ANALYST = "analyst"
    GOLD = "gold"


@dataclass(frozen=True, kw_only=True, slots=True)
class DiffLine:
    """One part of a clause."""

    clause: str
    """As SQL calls it; `FROM` has every table, and `ON` what ties those of inner joins."""
    side: Side
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BlockDiff:
    """One SELECT of either query, or what combines several."""

    name: str
    """Of the common table expression or derived table; empty for the query itself."""
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Part:
    clause: str
    text: str
    key: str
    """The same for parts that are only written differently."""
    bare: bool = False
    """Whether a column in it lacks its table."""
    columns: str = ""
    """The key without the tables of its columns."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Block:
    name: str
    parts: tuple[_Part, ...]


_CLAUSES = (
    "SELECT", "FROM", "ON", "WHERE", "GROUP BY", "HAVING", "QUALIFY", "SET", "ORDER BY", "LIMIT",
)  # fmt: skip


def diff_queries(analyst: str, gold: str, dialect: str) -> tuple[BlockDiff, ...] | None:
    """The difference, the outermost block first; None where a text is no query that can be read."""
    ours, theirs = _blocks(analyst, dialect), _blocks(gold, dialect)
    if ours is None or theirs is None:
        return None
    return tuple(_diff(one, other) for one, other in _paired(ours, theirs))


def _paired(
    ours: Sequence[_Block], theirs: Sequence[_Block]
) -> Iterator[tuple[_Block | None, _Block | None]]:
    """Each of the gold's blocks with the one that has most in common with it, then the rest."""
    left = list(ours)
    for place, gold in enumerate(theirs):
        rest = theirs[place + 1 :]
        mine = max(left, key=lambda block: _likeness(block, gold), default=None)
        # One that is more like another of the gold's blocks is kept for it.
        wanted = mine is not None and any(_likeness(mine, o) > _likeness(mine, gold) for o in rest)
        if mine is None or (wanted and len(left) <= len(rest)):
            yield None, gold
        else:
            left.remove(mine)
            yield mine, gold
    for mine in left:
        yield mine, None


def _likeness(one: _Block, other: _Block) -> tuple[int, bool]:
    keys = Counter(f"{part.clause} {part.key}" for part in one.parts)
    shared = keys & Counter(f"{part.clause} {part.key}" for part in other.parts)
    return shared.total(), one.name == other.name


def _diff(ours: _Block | None, theirs: _Block | None) -> BlockDiff:
    mine = ours.parts if ours is not None else ()
    gold = theirs.parts if theirs is not None else ()
    lines = [line for clause in _CLAUSES for line in _diff_clause(clause, mine, gold)]
    names = dict.fromkeys(block.name for block in (ours, theirs) if block is not None)
    return BlockDiff(name=" / ".join(filter(None, names)), lines=tuple(lines))


def _diff_clause(clause: str, ours: Sequence[_Part], theirs: Sequence[_Part]) -> Iterator[DiffLine]:
    mine = [part for part in ours if part.clause == clause]
    gold = [part for part in theirs if part.clause == clause]
    partners = _partners(mine, gold)
    for place, part in enumerate(mine):
        side = Side.BOTH if place in partners else Side.ANALYST
        yield DiffLine(clause=clause, side=side, text=part.text)
    taken = set(partners.values())
    for place, part in enumerate(gold):
        if place not in taken:
            yield DiffLine(clause=clause, side=Side.GOLD, text=part.text)


def _partners(mine: Sequence[_Part], gold: Sequence[_Part]) -> dict[int, int]:
    """Places of parts that say the same, each taken once; surely the same ones first."""
    found: dict[int, int] = {}
    for same in (_is_same, _may_be_same):
        for place, part in enumerate(mine):
            free = (n for n in range(len(gold)) if n not in found.values())
            partner = next((n for n in free if same(part, gold[n])), None)
            if place not in found and partner is not None:
                found[place] = partner
    return found


def _is_same(one: _Part, other: _Part) -> bool:
    return one.key == other.key


def _may_be_same(one: _Part, other: _Part) -> bool:
    """Whether they differ only in that one leaves out of which table a column is."""
    return (one.bare or other.bare) and one.columns == other.columns


def _blocks(sql: str, dialect: str) -> tuple[_Block, ...] | None:
    query = parse_query(sql, dialect)
    if query is None:
        return None
    try:
        fold_identifiers(query, dialect)
        scopes = traverse_scope(query)
        for scope in scopes:
            _name_tables(scope)
        # Scopes come inner ones first; a subquery of a condition is a part of that condition.
        shown = [scope for scope in reversed(scopes) if not scope.is_subquery]
        return tuple(
            _Block(name=_name(scope, query), parts=tuple(_parts(scope.expression, dialect)))
            for scope in shown
        )
    except UNREADABLE:
        return None


def _name(scope: Scope, query: exp.Query) -> str:
    if scope.expression is query:
        return ""
    node = scope.expression.parent
    while node is not None and not isinstance(node, exp.CTE | exp.Subquery | exp.SetOperation):
        node = node.parent
    if isinstance(node, exp.SetOperation):
        left = node.left.find(exp.Select)
        return "left" if scope.expression is left else "right"
    return (node.alias if node is not None else "") or "derived table"


def _name_tables(scope: Scope) -> None:
    """Put tables in place of their aliases, where a table is read once."""
    tables = {
        alias: node
        for alias, (node, source) in scope.selected_sources.items()
        if isinstance(node, exp.Table) and isinstance(source, exp.Table)
    }
    counts = Counter(node.name for node in tables.values())
    single = {alias: node for alias, node in tables.items() if counts[node.name] == 1}
    taken = scope.selected_sources.keys() - single.keys()
    single = {alias: node for alias, node in single.items() if node.name not in taken}
    only = next(iter(single.values())) if len(scope.selected_sources) == len(single) == 1 else None
    outputs = set(_outputs(scope.expression))
    for column in scope.columns:
        if column.table in single:
            column.set("table", exp.to_identifier(single[column.table].name))
        elif not column.table and only is not None and column.name not in outputs:
            column.set("table", exp.to_identifier(only.name))
    for node in single.values():
        node.set("alias", None)


def _parts(query: exp.Expr, dialect: str) -> Iterator[_Part]:
    if isinstance(query, exp.SetOperation):
        word = type(query).__name__.upper() + ("" if query.args.get("distinct") else " ALL")
        yield _Part(clause="SET", text=word, key=word)
    if isinstance(query, exp.Select):
        yield from _select_parts(query, dialect)
    if (order := query.args.get("order")) is not None:
        keys = [_text(key, dialect).removesuffix(" NULLS LAST") for key in order.expressions]
        yield _Part(clause="ORDER BY", text=", ".join(keys), key=", ".join(keys))
    for name in ("limit", "fetch", "offset"):
        if (node := query.args.get(name)) is not None:
            text = _text(node, dialect).strip().removeprefix("LIMIT ")
            yield _Part(clause="LIMIT", text=text, key=text)


def _select_parts(select: exp.Select, dialect: str) -> Iterator[_Part]:
    if select.args.get("distinct") is not None:
        yield _Part(clause="SELECT", text="DISTINCT", key="DISTINCT")
    for output in select.selects:
        yield _part("SELECT", output.unalias(), dialect)
    for node, join in source_nodes(select):
        yield from _source(node, join, dialect)
    for clause, name in (("WHERE", "where"), ("HAVING", "having"), ("QUALIFY", "qualify")):
        if (condition := select.args.get(name)) is not None:
            for part in conjuncts(condition.this, dialect):
                yield _part(clause, part, dialect)
    if (group := select.args.get("group")) is not None:
        for key in group.expressions:
            yield _part("GROUP BY", key, dialect)
        if not group.expressions:
            yield _Part(clause="GROUP BY", text="ALL", key="ALL")


def _part(clause: str, node: exp.Expr, dialect: str) -> _Part:
    return _Part(
        clause=clause,
        text=_text(node, dialect),
        key=_key(node, dialect),
        bare=any(not column.table for column in node.find_all(exp.Column)),
        columns=_key(_without_tables(node), dialect),
    )


def _without_tables(node: exp.Expr) -> exp.Expr:
    copy = node.copy()
    for column in copy.find_all(exp.Column):
        column.set("table", None)
    return copy


def _source(node: exp.Expr, join: exp.Join | None, dialect: str) -> Iterator[_Part]:
    """A table; what ties an outer join is a part of it, what ties an inner one is one by itself."""
    source = (
        _text(node, dialect)
        if isinstance(node, exp.Table)
        else f"({node.alias or 'derived table'})"
    )
    key = _key(node, dialect) if isinstance(node, exp.Table) else "(derived)"
    kind = _kind(join)
    on = join.args.get("on") if join is not None else None
    ties = [_part("ON", tie, dialect) for tie in conjuncts(on, dialect)] if on is not None else []
    names = [name.name for name in join.args.get("using") or ()] if join is not None else []
    ties += [_Part(clause="ON", text=f"USING ({name})", key=f"USING {name}") for name in names]
    if not kind:
        yield _Part(clause="FROM", text=source, key=key)
        yield from ties
        return
    told = " AND ".join(tie.text for tie in ties)
    text = f"{kind} JOIN {source}" + (f" ON {told}" if told else "")
    yield _Part(clause="FROM", text=text, key=f"{kind} {key} {sorted(tie.key for tie in ties)}")


def _kind(join: exp.Join | None) -> str:
    """`LEFT`, `FULL`, `SEMI`, ...; empty for the first table, and for inner and cross joins."""
    if join is None:
        return ""
    words = (join.method, join.side, "" if join.kind in ("INNER", "CROSS", "OUTER") else join.kind)
    return " ".join(word for word in words if word)


def _outputs(query: exp.Expr) -> list[str]:
    """Names that ORDER BY and the like may mean in place of a column."""
    selects = query.selects if isinstance(query, exp.Query) else []
    return [output.alias for output in selects if output.alias]


def _text(node: exp.Expr, dialect: str) -> str:
    return as_read(node, dialect)


def _key(node: exp.Expr, dialect: str) -> str:
    plain = bare_days(node.copy())
    if isinstance(plain, exp.EQ | exp.NEQ):
        sides = sorted(side.sql(dialect=dialect, identify=True) for side in plain.unnest_operands())
        return f"{type(plain).__name__} {sides}"
    return plain.sql(dialect=dialect, comments=False, identify=True)
