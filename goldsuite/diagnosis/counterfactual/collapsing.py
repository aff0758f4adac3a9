"""A query that only passes on what the one below it computes, put together with it.

`WITH answer AS (SELECT SUM(x) AS t ...) SELECT t / 1000 FROM answer` computes in one level, though
it is written in two.
"""

from collections.abc import Mapping

from sqlglot import exp

__all__ = ["collapse", "values_in_place"]

_OUTER_MAY_NOT = (
    "joins", "where", "group", "having", "qualify", "distinct", "windows", "laterals",
)  # fmt: skip


def collapse(tree: exp.Query) -> exp.Query:
    """`tree` without levels that neither filter nor aggregate; changes it."""
    root = exp.Paren(this=tree)
    for select in reversed(list(root.find_all(exp.Select))):
        joined = _joined(select)
        if joined is not None:
            select.replace(joined)
    found = root.this
    found.pop()
    return found if isinstance(found, exp.Query) else tree


def _joined(outer: exp.Select) -> exp.Select | None:
    start = outer.args.get("from_")
    source = start.this if start is not None else None
    if not isinstance(source, exp.Subquery) or any(outer.args.get(k) for k in _OUTER_MAY_NOT):
        return None
    inner = source.this
    if not isinstance(inner, exp.Select) or inner.args.get("distinct") is not None:
        return None
    if any(p.find(exp.AggFunc, exp.Window, exp.Query, exp.Star) for p in outer.selects):
        return None
    ends = [bool(q.args.get(k)) for q in (outer, inner) for k in ("order", "limit", "offset")]
    if any(ends[:3]) and any(ends[3:]):
        return None
    known = {p.alias_or_name: p.unalias() for p in inner.selects}
    if len(known) != len(inner.selects) or not _reads_only(outer, source.alias, known):
        return None
    return _put_together(outer, inner, known, source.alias)


def _reads_only(outer: exp.Select, alias: str, known: Mapping[str, exp.Expr]) -> bool:
    """Whether every column of the outer query is one that the inner one computes."""
    columns = [c for p in outer.selects for c in p.find_all(exp.Column)]
    order = outer.args.get("order")
    columns += [c for c in order.find_all(exp.Column) if c.table] if order is not None else []
    return bool(columns) and all(c.table == alias and c.name in known for c in columns)


def _put_together(
    outer: exp.Select, inner: exp.Select, known: Mapping[str, exp.Expr], alias: str
) -> exp.Select:
    new = inner.copy()
    if (order := new.args.get("order")) is not None:
        _replace(order, known, "")  # by an alias that may be gone
    outputs = []
    for projection in outer.selects:
        holder = exp.Paren(this=projection.unalias().copy())
        _replace(holder, known, alias)
        outputs.append(exp.alias_(holder.this, projection.alias_or_name))
    new.set("expressions", outputs)
    for key in ("order", "limit", "offset"):
        if (end := outer.args.get(key)) is not None:
            moved = end.copy()
            _replace(moved, known, alias)
            new.set(key, moved)
    return new


def _replace(node: exp.Expr, known: Mapping[str, exp.Expr], alias: str) -> None:
    for column in list(node.find_all(exp.Column)):
        if column.table == alias and column.name in known:
            computed = known[column.name].copy()
            simple = isinstance(computed, exp.Column | exp.Func | exp.Literal | exp.Filter)
            column.replace(computed if simple else exp.Paren(this=computed))


def values_in_place(tree: exp.Query) -> exp.Query:
    """`SELECT a.n / b.n FROM (...) a, (...) b` over single values as the values themselves.

    Changes `tree`.
    """
    for select in list(tree.find_all(exp.Select)):
        sources = _single_values(select)
        if not sources:
            continue
        for column in [c for p in select.selects for c in p.find_all(exp.Column)]:
            column.replace(exp.Subquery(this=_only(sources[column.table], column.name)))
        select.set("from_", None)
        select.set("joins", None)
    return tree


def _single_values(select: exp.Select) -> dict[str, exp.Select]:
    """The sources by their aliases, where each is one row of aggregates and only that is read."""
    start = select.args.get("from_")
    if start is None or any(select.args.get(k) for k in _OUTER_MAY_NOT if k != "joins"):
        return {}
    joins = select.args.get("joins") or []
    if any(join.args.get("on") or join.args.get("using") or join.side for join in joins):
        return {}
    if any(p.find(exp.AggFunc, exp.Window, exp.Star) for p in select.selects):
        return {}
    if any(select.args.get(key) for key in ("order", "limit", "offset")):
        return {}
    found: dict[str, exp.Select] = {}
    for node in (start.this, *(join.this for join in joins)):
        inner = node.this if isinstance(node, exp.Subquery) else None
        if not isinstance(inner, exp.Select) or not _is_single(inner):
            return {}
        found[node.alias] = inner
    columns = [c for p in select.selects for c in p.find_all(exp.Column)]
    used = {(c.table, c.name) for c in columns}
    known = {(a, p.alias_or_name) for a, s in found.items() for p in s.selects}
    return found if used <= known and len(found) == len(joins) + 1 else {}


def _is_single(select: exp.Select) -> bool:
    bare = not any(select.args.get(k) for k in ("group", "having", "limit", "offset", "qualify"))
    aggregates = all(_aggregated(p.unalias()) for p in select.selects)
    return bare and aggregates


def _aggregated(node: exp.Expr) -> bool:
    found = node.find(exp.AggFunc)
    return found is not None and node.find(exp.Window) is None


def _only(select: exp.Select, name: str) -> exp.Select:
    copy = select.copy()
    copy.set("expressions", [p for p in copy.selects if p.alias_or_name == name])
    return copy
