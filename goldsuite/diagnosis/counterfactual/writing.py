"""From a plan back to a tree that runs."""

from collections.abc import Iterable, Sequence

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.plan import (
    Condition,
    Part,
    Plan,
    SelectPlan,
    SetPlan,
    Source,
    Tail,
    refers_to,
)

__all__ = ["write_part", "write_plan"]


def write_plan(plan: Plan) -> exp.Query:
    """The query that `plan` stands for."""
    if isinstance(plan, SetPlan):
        operation = plan.operator(
            this=_operand(plan.left), expression=_operand(plan.right), distinct=plan.distinct
        )
        return _with_tail(operation, plan.tail)
    select = exp.Select()
    for projection in plan.projections:
        written = exp.alias_(write_part(projection.part), projection.name, copy=False)
        select.append("expressions", written)
    left = _write_sources(select, plan)
    select.set("where", _clause(exp.Where, left))
    if plan.group_node is not None:
        select.set("group", _group(plan))
    select.set("having", _clause(exp.Having, plan.having))
    select.set("qualify", _clause(exp.Qualify, plan.qualify))
    select.set("distinct", plan.distinct.copy() if plan.distinct is not None else None)
    return _with_tail(select, plan.tail)


def write_part(part: Part) -> exp.Expr:
    """An expression with its subqueries in their places."""
    root = exp.Paren(this=part.node.copy())
    for gap in list(root.find_all(exp.Placeholder)):
        name = gap.name
        if name.startswith("gap") and name[3:].isdigit() and int(name[3:]) < len(part.holes):
            query: exp.Expr = write_plan(part.holes[int(name[3:])])
            bare = isinstance(gap.parent, exp.Exists)
            gap.replace(query if bare else exp.Subquery(this=query))
    inner: exp.Expr = root.this
    inner.pop()
    return inner


def _operand(plan: Plan) -> exp.Expr:
    query = write_plan(plan)
    tail = plan.tail
    return exp.Subquery(this=query) if tail.order or tail.cuts else query


def _with_tail(query: exp.Query, tail: Tail) -> exp.Query:
    if tail.order:
        query.set("order", exp.Order(expressions=[write_part(part) for part in tail.order]))
    if tail.limit is not None:
        query.set("limit", tail.limit.copy())
    if tail.offset is not None:
        query.set("offset", tail.offset.copy())
    return query


def _group(plan: SelectPlan) -> exp.Group:
    group: exp.Group = plan.group_node.copy() if plan.group_node is not None else exp.Group()
    group.set("expressions", [write_part(part) for part in plan.group])
    return group


def _clause(kind: type[exp.Expr], conditions: Sequence[Condition]) -> exp.Expr | None:
    if not conditions:
        return None
    return kind(this=_conjunction(conditions))


def _conjunction(conditions: Iterable[Condition]) -> exp.Expr:
    return exp.and_(*(write_part(c.part) for c in conditions), copy=False)


def _write_sources(select: exp.Select, plan: SelectPlan) -> list[Condition]:
    """FROM and JOIN; gives the conditions that are left for WHERE."""
    left = list(plan.conditions)
    aliases = {source.alias for source in plan.sources}
    seen: set[str] = set()
    for source in _ordered(plan.sources, left):
        seen.add(source.alias)
        node = _source_node(source)
        if len(seen) == 1:
            select.set("from_", exp.From(this=node))
            continue
        if source.side:
            side = "" if source.side == "inner" else source.side.upper()
            on = _conjunction(source.on) if source.on else exp.true()
            select.append("joins", exp.Join(this=node, side=side or None, on=on))
            continue
        ties = [c for c in left if c.kind == "tie" and _fits(c, source.alias, seen, aliases)]
        left = [c for c in left if c not in ties]
        tied = _conjunction(ties) if ties else None
        select.append("joins", exp.Join(this=node, kind=None if ties else "CROSS", on=tied))
    return left


def _fits(condition: Condition, alias: str, seen: set[str], aliases: set[str]) -> bool:
    used = {table for table, _ in refers_to(condition.part)} & aliases
    return alias in used and used <= seen


def _ordered(sources: Sequence[Source], conditions: Sequence[Condition]) -> list[Source]:
    """Inner joins so that each has a tie to what stands before it, where that can be."""
    if any(source.side for source in sources[1:]) or len(sources) < 3:
        return list(sources)
    ties = [{t for t, _ in refers_to(c.part)} for c in conditions if c.kind == "tie"]
    done, left = [sources[0]], list(sources[1:])
    while left:
        seen = {source.alias for source in done}
        tied = (s for s in left if any(s.alias in t and t & seen for t in ties))
        following = next(tied, left[0])
        left.remove(following)
        done.append(following)
    return done


def _source_node(source: Source) -> exp.Expr:
    alias = exp.TableAlias(this=exp.to_identifier(source.alias))
    if source.plan is not None:
        return exp.Subquery(this=write_plan(source.plan), alias=alias)
    node: exp.Expr = source.node.copy() if source.node is not None else exp.Table()
    old = node.args.get("alias")
    if isinstance(old, exp.TableAlias) and old.columns:
        alias.set("columns", [column.copy() for column in old.columns])
    if isinstance(node, exp.Table) and node.name == source.alias and not alias.columns:
        node.set("alias", None)
    else:
        node.set("alias", alias)
    return node
