"""Breaks a right query in one known way: what a diagnosis has to find again.

A mutation works on the query's tree and knows the schema, never the code under test.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from sqlglot import exp, parse_one

from goldsuite.model.diagnosis import Cause
from tests.diagnosis.schemas import Schema

__all__ = ["MUTATORS", "Mutation", "mutations"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutation:
    """One broken query."""

    name: str
    cause: Cause
    sql: str


Mutator = Callable[[exp.Expr, Schema], Iterator[tuple[Cause, exp.Expr]]]


def mutations(sql: str, schema: Schema) -> Iterator[Mutation]:
    """Every way of breaking `sql` that is known."""
    for mutator in MUTATORS:
        tree = parse_one(sql, dialect="duckdb")
        for number, (cause, broken) in enumerate(mutator(tree, schema)):
            name = f"{mutator.__name__}{number}"
            yield Mutation(name=name, cause=cause, sql=broken.sql(dialect="duckdb"))


def _copies(tree: exp.Expr, *kinds: type[exp.Expr]) -> Iterator[tuple[exp.Expr, exp.Expr]]:
    """A fresh copy of the tree for each node of these kinds, with that node in it."""
    for number, _ in enumerate(tree.find_all(*kinds)):
        copy = tree.copy()
        yield copy, list(copy.find_all(*kinds))[number]


def _conjuncts(where: exp.Expr) -> list[exp.Expr]:
    return list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]


def _is_time(node: exp.Expr) -> bool:
    return any(n.name[:2] == "20" and "-" in n.name for n in node.find_all(exp.Literal))


def drop_filter(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """One condition is forgotten."""
    for copy, where in _copies(tree, exp.Where):
        if isinstance(where.parent, exp.Filter):
            continue
        parts = _conjuncts(where)
        for number, part in enumerate(parts):
            null_test = part.find(exp.Is) is not None
            if _is_time(part) or null_test or part.find(exp.Query) or part.find(exp.Exists):
                continue
            if _ties(part):
                continue
            broken = copy.copy()
            same = next(w for w in broken.find_all(exp.Where) if w.sql() == where.sql())
            rest = [p.copy() for n, p in enumerate(parts) if n != number]
            if rest:
                same.set("this", exp.and_(*rest))
            else:
                same.pop()
            yield Cause.WRONG_FILTER, broken


def _ties(node: exp.Expr) -> bool:
    return isinstance(node, exp.EQ) and isinstance(node.expression, exp.Column)


def other_value(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """One condition asks for another value."""
    for copy, node in _copies(tree, exp.EQ):
        if isinstance(node.expression, exp.Literal) and isinstance(node.this, exp.Column):
            values = schema.values.get(node.this.name, ())
            others = [v for v in values if v != node.expression.name]
            if others:
                node.expression.replace(exp.Literal.string(others[0]))
                yield Cause.WRONG_FILTER, copy


def negated(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """One condition is the other way round."""
    for copy, node in _copies(tree, exp.EQ):
        if isinstance(node.expression, exp.Literal):
            node.replace(exp.NEQ(this=node.this, expression=node.expression))
            yield Cause.WRONG_FILTER, copy


def shifted_window(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """Every bound of the time window is a month off."""
    for days in (31, -365):
        copy = tree.copy()
        for literal in list(copy.find_all(exp.Literal)):
            if _is_time(literal):
                moved = date.fromisoformat(literal.name) + timedelta(days=days)
                literal.replace(exp.Literal.string(moved.replace(day=1).isoformat()))
        if copy != tree:
            yield Cause.WRONG_TIME_WINDOW, copy


def last_day_lost(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """BETWEEN two days, of moments: the last day is lost."""
    for copy, node in _copies(tree, exp.LT):
        if _is_time(node):
            end = date.fromisoformat(node.expression.name) - timedelta(days=1)
            until = exp.Literal.string(end.isoformat())
            node.replace(exp.LTE(this=node.this, expression=until))
            yield Cause.WRONG_TIME_WINDOW, copy


def window_dropped(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """The window is forgotten."""
    copy = tree.copy()
    for where in list(copy.find_all(exp.Where)):
        rest = [part.copy() for part in _conjuncts(where) if not _is_time(part)]
        if rest:
            where.set("this", exp.and_(*rest))
        else:
            where.pop()
    if copy != tree:
        yield Cause.WRONG_TIME_WINDOW, copy


def _block_of(tree: exp.Expr, table: str) -> exp.Select | None:
    """The SELECT that reads `table` in FROM and aggregates."""
    for select in tree.find_all(exp.Select):
        start = select.args.get("from_")
        aggregates = any(p.find(exp.AggFunc) for p in select.selects)
        if start is not None and aggregates and start.this.name == table:
            return select
    return None


def _repeated(select: exp.Select, alias: str) -> bool:
    """Whether a repeated row of the table changes an aggregate of this SELECT."""
    for found in (a for p in select.selects for a in p.find_all(exp.AggFunc)):
        distinct = found.find(exp.Distinct) is not None
        columns = list(found.find_all(exp.Column))
        own = all(c.table in ("", alias) for c in columns)
        if not distinct and own and not isinstance(found, exp.Max | exp.Min):
            return True
    return False


def joined_child(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """A table with several rows for each is joined."""
    for child, column, parent in schema.children:
        for how in ("left", "inner"):
            copy = tree.copy()
            select = _block_of(copy, parent)
            if select is None or child in {t.name for t in copy.find_all(exp.Table)}:
                continue
            node = select.args["from_"].this
            alias = node.alias_or_name
            if not _repeated(select, alias):
                continue
            for found in select.find_all(exp.Column):
                if not found.table and found.find_ancestor(exp.Select) is select:
                    found.set("table", exp.to_identifier(alias))
            tie = f"extra.{column} = {alias}.{column}"
            select.join(f"{child} as extra", on=tie, join_type=how, copy=False)
            yield Cause.FAN_OUT, copy


def opened_subquery(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """IN (SELECT ...) is written as a join."""
    for copy, node in _copies(tree, exp.In):
        query = node.args.get("query")
        select = node.find_ancestor(exp.Select)
        if query is None or select is None:
            continue
        inner = query.unnest()
        column = inner.selects[0].unalias()
        where = select.args["where"]
        rest = [p.copy() for p in _conjuncts(where) if p is not node]
        own = inner.args.get("where")
        rest += [p.copy() for p in _conjuncts(own)] if own is not None else []
        source = inner.args["from_"].this.copy()
        tie = exp.EQ(this=column.copy(), expression=node.this.copy())
        select.set("where", exp.Where(this=exp.and_(*rest)) if rest else None)
        select.append("joins", exp.Join(this=source, on=tie))
        for join in inner.args.get("joins") or ():
            select.append("joins", join.copy())
        yield Cause.FAN_OUT, copy


def other_join(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """An outer join becomes an inner one."""
    for copy, node in _copies(tree, exp.Join):
        if node.text("side") == "LEFT":
            node.set("side", None)
            yield Cause.WRONG_JOIN, copy


def other_key(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """Two tables are joined by the wrong column of one of them."""
    for copy, node in _copies(tree, exp.Join):
        on = node.args.get("on")
        start = node.find_ancestor(exp.Select)
        if not isinstance(on, exp.EQ) or start is None or node.text("side"):
            continue
        table = start.args["from_"].this
        keys = {"sales": "sale_id", "visits": "visit_id", "plans": "plan_id", "lines": "line_id",
                "bills": "bill_id"}  # fmt: skip
        for side in (on.this, on.expression):
            if isinstance(side, exp.Column) and side.table == table.alias_or_name:
                key = keys.get(table.name)
                if key and key != side.name:
                    side.set("this", exp.to_identifier(key))
                    yield Cause.WRONG_JOIN, copy


def stale_table(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """An outdated copy is read."""
    for copy, node in _copies(tree, exp.Table):
        if node.name in schema.stale:
            alias = node.alias_or_name
            node.set("this", exp.to_identifier(schema.stale[node.name]))
            node.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
            yield Cause.WRONG_SOURCE, copy


def other_aggregate(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """SUM for AVG and the like."""
    swaps: dict[type[exp.Expr], type[exp.Expr]] = {
        exp.Sum: exp.Avg, exp.Avg: exp.Sum, exp.Max: exp.Avg,
    }  # fmt: skip
    for copy, node in _copies(tree, *swaps):
        node.replace(swaps[type(node)](this=node.this))
        yield Cause.WRONG_AGGREGATION, copy


def other_column(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """Another column is measured."""
    for copy, node in _copies(tree, exp.Sum, exp.Avg):
        columns = [c for c in node.find_all(exp.Column) if c.name in schema.other_columns]
        if columns:
            columns[0].set("this", exp.to_identifier(schema.other_columns[columns[0].name]))
            yield Cause.WRONG_COLUMN, copy


def lost_distinct(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """DISTINCT is forgotten, in COUNT or in UNION."""
    for copy, node in _copies(tree, exp.Count):
        if isinstance(node.this, exp.Distinct):
            node.set("this", node.this.expressions[0])
            yield Cause.MISSING_DISTINCT, copy
    for copy, node in _copies(tree, exp.Union):
        node.set("distinct", False)
        yield Cause.MISSING_DISTINCT, copy


def other_grain(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """Groups of another size."""
    units = {"MONTH": "QUARTER", "WEEK": "MONTH", "month": "quarter", "week": "month"}
    for copy, node in _copies(tree, exp.TimestampTrunc, exp.DateTrunc):
        unit = units.get(node.text("unit"))
        if unit:
            node.set("unit", exp.Var(this=unit))
            yield Cause.WRONG_GRAIN, copy
    keys = {"account_id": "plan_id", "visit_id": "script_id"}
    for copy, node in _copies(tree, exp.Group):
        column = node.expressions[0]
        if isinstance(column, exp.Column) and column.name in keys and not column.table:
            select = node.find_ancestor(exp.Select)
            if select is None or select.find(exp.Table).name == "events":  # type: ignore[union-attr]
                continue
            finer = exp.column(keys[column.name])
            node.append("expressions", finer)
            yield Cause.WRONG_GRAIN, copy


def flat_average(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """An average over rows where the gold's is over groups."""
    for inner in tree.find_all(exp.Select):
        outer = inner.parent.find_ancestor(exp.Select) if inner.parent else None
        sums = [p.unalias() for p in inner.selects if isinstance(p.unalias(), exp.Sum)]
        if inner.args.get("group") is None or inner.args.get("limit") or len(sums) != 1:
            continue
        if isinstance(inner.parent, exp.Subquery) and outer is tree:
            kind = type(outer.selects[0].unalias())
            if not issubclass(kind, exp.AggFunc):
                continue
            flat = inner.copy()
            flat.set("group", None)
            flat.set("expressions", [kind(this=sums[0].this.copy())])
            yield Cause.WRONG_GRAIN, flat


def null_as_zero(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """NULL counts as 0, or is lost with the others."""
    for copy, node in _copies(tree, exp.Avg):
        if isinstance(node.this, exp.Column) and node.this.name in ("wait_minutes", "notice_days"):
            zero = exp.Coalesce(this=node.this.copy(), expressions=[exp.Literal.number(0)])
            node.set("this", zero)
            yield Cause.NULL_HANDLING, copy
    for copy, node in _copies(tree, exp.Or):
        sides = [side for side in (node.this, node.expression) if not isinstance(side, exp.Is)]
        if len(sides) == 1:
            node.replace(sides[0])
            yield Cause.NULL_HANDLING, copy


def not_in(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """NOT IN where NOT EXISTS was right."""
    for copy, node in _copies(tree, exp.Exists):
        inner = node.this.unnest()
        tie = inner.args["where"].this
        bare = inner.copy()
        bare.set("where", None)
        bare.set("expressions", [tie.this.copy()])
        node.replace(exp.In(this=tie.expression.copy(), query=exp.Subquery(this=bare)))
        yield Cause.NULL_HANDLING, copy


def other_cut(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """Another LIMIT, or the other end of the list."""
    for copy, node in _copies(tree, exp.Limit):
        node.set("expression", exp.Literal.number(int(node.expression.name) * 2))
        select = node.parent
        if select is not None and select.args.get("offset") is None:
            yield Cause.WRONG_ORDER_LIMIT, copy
    for copy, node in _copies(tree, exp.Ordered):
        if node.find_ancestor(exp.Select).args.get("limit") is not None:  # type: ignore[union-attr]
            node.set("desc", not node.args.get("desc"))
            yield Cause.WRONG_ORDER_LIMIT, copy


def _answer(tree: exp.Expr) -> exp.Expr | None:
    """The one value that a query gives; None where it gives rows."""
    if isinstance(tree, exp.Select) and len(tree.selects) == 1 and not tree.args.get("limit"):
        return tree.selects[0]
    return None


def other_unit(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """Thousands, cents."""
    for factor, kind in ((1000, exp.Div), (100, exp.Mul)):
        copy = tree.copy()
        answer = _answer(copy)
        if answer is not None:
            number = exp.Literal.number(factor)
            answer.replace(kind(this=exp.paren(answer.copy()), expression=number))
            yield Cause.UNIT_SCALE, copy


def rounded(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """Rounded too far."""
    copy = tree.copy()
    answer = _answer(copy)
    if answer is not None:
        answer.replace(exp.Round(this=answer.copy(), decimals=exp.Literal.number(0)))
        yield Cause.ROUNDING, copy


def other_sign(tree: exp.Expr, schema: Schema) -> Iterator[tuple[Cause, exp.Expr]]:
    """The other sign."""
    copy = tree.copy()
    answer = _answer(copy)
    if answer is not None:
        answer.replace(exp.Neg(this=exp.paren(answer.copy())))
        yield Cause.SIGN, copy


MUTATORS: tuple[Mutator, ...] = (
    drop_filter, other_value, negated, shifted_window, last_day_lost, window_dropped, joined_child,
    opened_subquery, other_join, other_key, stale_table, other_aggregate, other_column,
    lost_distinct, other_grain, flat_average, null_as_zero, not_in, other_cut, other_unit, rounded,
    other_sign,
)  # fmt: skip
