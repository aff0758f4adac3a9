"""From a query's tree to its plan."""

from collections.abc import Iterator

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.normal import NotApplicableError
from goldsuite.diagnosis.counterfactual.plan import (
    Condition,
    CondKind,
    Part,
    Plan,
    Projection,
    SelectPlan,
    SetPlan,
    Source,
    Tail,
)
from goldsuite.sqltext.conditions import plain
from goldsuite.sqltext.windows import is_temporal

__all__ = ["Times", "condition_kind", "read_plan"]

Times = frozenset[str]
"""Columns of the warehouse that hold days or moments, by their bare lower-case name, where every
table that has such a column agrees."""

_KNOWN = frozenset(
    {
        "from_", "joins", "where", "group", "having", "qualify", "expressions", "distinct", "order",
        "limit", "offset", "kind", "hint", "with_",
    }
)  # fmt: skip
_CALENDAR_WORDS = frozenset({"year", "quarter", "month", "week", "day", "date", "dow", "hour"})


def read_plan(tree: exp.Expr, times: Times) -> Plan:
    """Take a query apart; its columns are qualified, and its aliases are unique.

    Raises:
        NotApplicableError: it has a clause that is not taken apart.
    """
    while isinstance(tree, exp.Subquery) and not _has_tail(tree):
        tree = tree.this
    if isinstance(tree, exp.SetOperation):
        return SetPlan(
            operator=type(tree),
            distinct=bool(tree.args.get("distinct")),
            left=read_plan(tree.left, times),
            right=read_plan(tree.right, times),
            tail=_tail(tree, times),
        )
    if not isinstance(tree, exp.Select):
        raise NotApplicableError(f"a part of the SQL is a {tree.key.upper()}, no SELECT")
    unknown = sorted(k for k, v in tree.args.items() if v and k not in _KNOWN)
    if unknown:
        raise NotApplicableError(f"the SQL has a clause that is not taken apart: {unknown[0]}")
    return _Reader(select=tree, times=times).read()


def _has_tail(tree: exp.Expr) -> bool:
    return any(tree.args.get(key) for key in ("order", "limit", "offset"))


def _tail(tree: exp.Expr, times: Times) -> Tail:
    order, limit = tree.args.get("order"), tree.args.get("limit")
    return Tail(
        order=[_part(o, times) for o in order.expressions] if order is not None else [],
        limit=limit.copy() if limit is not None else None,
        offset=o.copy() if (o := tree.args.get("offset")) is not None else None,
    )


def _part(node: exp.Expr, times: Times) -> Part:
    """A copy of `node` with each outermost subquery taken out."""
    root = exp.Paren(this=node.copy())
    holes: list[Plan] = []
    for query in list(_outermost_queries(root.this)):
        gap = exp.Placeholder(this=f"gap{len(holes)}")
        holes.append(read_plan(query, times))
        query.replace(gap)
    inner = root.this
    inner.pop()
    return Part(node=inner, holes=tuple(holes))


def _outermost_queries(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node, exp.Query):
        yield node
        return
    for child in node.iter_expressions():
        yield from _outermost_queries(child)


def condition_kind(node: exp.Expr, times: Times) -> CondKind:
    """What kind of condition a conjunct is."""
    if _ties(node):
        return "tie"
    columns = {(c.table, c.name.lower()) for c in node.find_all(exp.Column)}
    if node.find(exp.AggFunc, exp.Placeholder) is not None or len(columns) != 1:
        return "filter"
    name = next(iter(columns))[1]
    tests_null = isinstance(plain(node), exp.Is | exp.Not) and node.find(exp.Null) is not None
    if tests_null:
        return "filter"
    literal = node.find(exp.Literal) is not None
    calendar = literal and not _CALENDAR_WORDS.isdisjoint(name.split("_"))
    return "time" if name in times or is_temporal(node) or calendar else "filter"


def _ties(node: exp.Expr) -> bool:
    if not isinstance(node, exp.EQ):
        return False
    sides = [{c.table for c in side.find_all(exp.Column)} for side in (node.this, node.expression)]
    return all(len(side) == 1 for side in sides) and sides[0] != sides[1]


class _Reader:
    def __init__(self, *, select: exp.Select, times: Times) -> None:
        self._select = select
        self._times = times

    def read(self) -> SelectPlan:
        select = self._select
        sources, conditions = self._read_from()
        conditions += self._conditions(select.args.get("where"))
        group = select.args.get("group")
        return SelectPlan(
            sources=sources,
            conditions=conditions,
            group=[_part(key, self._times) for key in group.expressions] if group else [],
            group_node=group.copy() if group is not None else None,
            having=self._conditions(select.args.get("having")),
            qualify=self._conditions(select.args.get("qualify")),
            projections=[self._projection(p, n) for n, p in enumerate(select.selects)],
            distinct=d.copy() if (d := select.args.get("distinct")) is not None else None,
            tail=_tail(select, self._times),
        )

    def _projection(self, node: exp.Expr, number: int) -> Projection:
        name = node.alias_or_name or f"_col_{number}"
        return Projection(name=name, part=_part(node.unalias(), self._times))

    def _read_from(self) -> tuple[list[Source], list[Condition]]:
        start, joins = self._select.args.get("from_"), self._select.args.get("joins") or []
        sources: list[Source] = []
        conditions: list[Condition] = []
        if start is not None:
            sources.append(self._source(start.this))
        # With RIGHT or FULL joins an inner join's condition may not leave its place.
        stays = any(join.side in ("RIGHT", "FULL") for join in joins)
        for join in joins:
            if join.args.get("using") or join.method or join.kind in ("SEMI", "ANTI"):
                raise NotApplicableError(f"a join is not taken apart: {join.sql()[:60]!r}")
            source = self._source(join.this)
            source.side = (join.side or "").lower()
            found = self._conjuncts(join.args.get("on"))
            if source.side or stays:
                source.on = found
                source.side = source.side or "inner"
            else:
                conditions += found
            sources.append(source)
        return sources, conditions

    def _source(self, node: exp.Expr) -> Source:
        alias = node.alias_or_name
        if node.args.get("joins") or node.args.get("pivots") or node.args.get("sample"):
            raise NotApplicableError(f"a source is not taken apart: {node.sql()[:60]!r}")
        simple = isinstance(node, exp.Subquery) and not node.args.get("laterals")
        if simple and not node.args["alias"].columns:
            return Source(alias=alias, plan=read_plan(node.this, self._times))
        bare = node.copy()
        return Source(alias=alias, node=bare)

    def _conditions(self, clause: exp.Expr | None) -> list[Condition]:
        return self._conjuncts(clause.this if clause is not None else None)

    def _conjuncts(self, condition: exp.Expr | None) -> list[Condition]:
        if condition is None:
            return []
        return [
            Condition(part=_part(node, self._times), kind=condition_kind(node, self._times))
            for node in _split(condition)
        ]


def _split(condition: exp.Expr) -> Iterator[exp.Expr]:
    condition = plain(condition)
    if isinstance(condition, exp.And):
        for side in condition.flatten():
            yield from _split(side)
    elif not (isinstance(condition, exp.Boolean) and condition.this):
        yield condition
