"""A plan as one SQL statement in the warehouse's dialect."""

from dataclasses import replace

from sqlglot import exp

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.lookup import Lookup
from goldsuite.analysts.baseline.plan import Measure, Plan, Slice, UnresolvedError
from goldsuite.analysts.baseline.windows import Window


def compose(plan: Plan, lookup: Lookup) -> str:
    """The SQL of `plan`, on one line.

    Raises:
        UnresolvedError: tables that no join connects, or a shape that the baseline cannot write.
    """
    if plan.times.change is not None:
        query = _change(plan, lookup)
    elif plan.averaged_over is not None:
        query = _mean_over(plan, lookup)
    elif _median(plan) is not None and lookup.dialect in writing.NO_MEDIAN:
        query = _middle_rows(plan, lookup)
    else:
        query = _select(plan, lookup)
    return query.sql(dialect=lookup.dialect, comments=False)


def latest_day(column: exp.Column, lookup: Lookup) -> str:
    """The SQL for the last time in `column`, which stands for today where no date is given."""
    entity = lookup.schema.entity(column.table)
    if entity is None:
        raise UnresolvedError(f"no table {column.table!r} to take today's date from")
    query = exp.select(exp.Max(this=column.copy())).from_(writing.table(entity))
    return query.sql(dialect=lookup.dialect)


def _select(plan: Plan, lookup: Lookup, *, named: bool = False) -> exp.Select:
    """`named`: the measure's column is called `value`, for a query around this one."""
    groups = [_slice(one, plan, lookup) for one in plan.slices]
    value = plan.measure.value.copy() if plan.measure else None
    # Only one is asked for: the group is the answer, the measure just ranks it.
    hides_value = plan.ranking is not None and plan.ranking.limit == 1
    shown = [*groups] if value is None or hides_value else [*groups, value]
    if named and value is not None:
        shown[-1] = exp.alias_(value, "value")
    query = exp.select(*(one.copy() for one in shown))
    where = _conditions(plan, lookup)
    query = _from(query, plan, lookup, [*shown, *([value] if value else []), *where])
    query = query.where(*where) if where else query
    if value is None:
        return query.distinct().order_by(*(one.copy() for one in groups))
    if groups:
        query = query.group_by(*(one.copy() for one in groups))
        query = query.order_by(*_order(plan, groups, value))
    return query.limit(plan.ranking.limit) if plan.ranking else query


def _order(plan: Plan, groups: list[exp.Expr], value: exp.Expr) -> list[exp.Expr]:
    order: list[exp.Expr] = [one.copy() for one in groups]
    if plan.ranking is None:
        return order
    # Groups without a value come last in either direction, on every engine.
    ranked = exp.Ordered(this=value.copy(), desc=plan.ranking.descending, nulls_first=False)
    return [ranked, *order]


def _slice(one: Slice, plan: Plan, lookup: Lookup) -> exp.Expr:
    if one.value is not None:
        return one.value.copy()
    if plan.time is None or one.grain is None:
        raise UnresolvedError(f"no date or timestamp near {plan.source!r} to group by")
    return writing.floored(plan.time, one.grain, lookup.dialect)


def _conditions(plan: Plan, lookup: Lookup) -> list[exp.Expr]:
    own = plan.measure.filters if plan.measure else ()
    made = [exp.paren(one.copy()) if isinstance(one, exp.Or) else one.copy() for one in own]
    made += [one.copy() for one in plan.filters]
    if plan.times.windows and plan.time is not None:
        bounds = [_bounds(plan.time, window, lookup) for window in plan.times.windows]
        made += bounds if len(bounds) == 1 else [exp.paren(exp.or_(*bounds))]
    return made


def _bounds(column: exp.Column, window: Window, lookup: Lookup) -> exp.Expr:
    parts: list[exp.Expr] = []
    if window.start is not None:
        low = writing.day(window.start, lookup.dialect)
        parts.append(exp.GTE(this=column.copy(), expression=low))
    if window.end is not None:
        high = writing.day(window.end, lookup.dialect)
        parts.append(exp.LT(this=column.copy(), expression=high))
    return exp.and_(*parts)


def _from(query: exp.Select, plan: Plan, lookup: Lookup, used: list[exp.Expr]) -> exp.Select:
    source = next(e for e in lookup.schema.entities if e.alias == plan.source)
    query = query.from_(writing.table(source))
    joined = {plan.source}
    for join in plan.measure.joins if plan.measure else ():
        query = query.join(join.copy())
        joined.add(join.alias_or_name)
    needed = dict.fromkeys(
        column.table
        for expression in used
        for column in expression.find_all(exp.Column)
        if column.find_ancestor(exp.Subquery) is None
    )
    for alias in needed:
        query = _reach(query, plan.source, alias, joined, lookup)
    return query


def _reach(
    query: exp.Select, source: str, target: str, joined: set[str], lookup: Lookup
) -> exp.Select:
    """Join what leads from `source` to `target`, unless it is there already."""
    if not target or target in joined:
        return query
    steps = lookup.graph.path(source, target)
    if steps is None:
        raise UnresolvedError(f"no join leads from {source!r} to {target!r}")
    for step in steps:
        if step.right in joined:
            continue
        entity = next(e for e in lookup.schema.entities if e.alias == step.right)
        on = [
            exp.EQ(
                this=writing.column_of(step.left, left),
                expression=writing.column_of(step.right, right),
            )
            for left, right in step.pairs
        ]
        query = query.join(writing.table(entity), on=exp.and_(*on))
        joined.add(step.right)
    return query


def _change(plan: Plan, lookup: Lookup) -> exp.Select:
    """One window's value against an earlier one's: `(b - a) / a`, or `b - a`."""
    if plan.slices or plan.measure is None or plan.time is None:
        raise UnresolvedError("a change can be computed for one value over time only")
    earlier, later = (
        _select(replace(plan, times=replace(plan.times, windows=(w,))), lookup, named=True)
        for w in plan.times.windows
    )
    before, after = writing.column_of("earlier", "value"), writing.column_of("later", "value")
    difference = exp.Sub(this=after, expression=before)
    value: exp.Expr = difference
    if plan.times.change == "relative":
        value = writing.ratio(difference, before.copy())
    return (
        exp.select(value)
        .from_(later.subquery("later"))
        .join(earlier.subquery("earlier"), join_type="cross")
    )


def _mean_over(plan: Plan, lookup: Lookup) -> exp.Select:
    """The mean of the measure's values per day, week, month, ..."""
    if plan.slices or plan.measure is None or plan.averaged_over is None:
        raise UnresolvedError("a mean over periods cannot be grouped further")
    grouped = replace(plan, slices=(Slice(value=None, grain=plan.averaged_over),))
    inner = _select(grouped, lookup, named=True)
    inner.set("order", None)
    return exp.select(exp.Avg(this=writing.column_of("periods", "value"))).from_(
        inner.subquery("periods")
    )


def _median(plan: Plan) -> exp.Median | None:
    value = plan.measure.value if plan.measure else None
    return value if isinstance(value, exp.Median) else None


def _middle_rows(plan: Plan, lookup: Lookup) -> exp.Select:
    """The median as the mean of the one or two middle rows, for engines that have no aggregate."""
    median = _median(plan)
    if plan.slices or median is None or plan.measure is None:
        raise UnresolvedError(f"{lookup.dialect} has no median that can be grouped")
    value = median.this
    rows: Measure = replace(plan.measure, value=value.copy())
    inner = _select(replace(plan, measure=rows), lookup, named=True)
    number = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=[value.copy()]))
    total = exp.Window(this=exp.Count(this=exp.Star()))
    inner = inner.select(exp.alias_(number, "position"), exp.alias_(total, "total"))
    inner = inner.where(exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null())))
    middle = "2 * position BETWEEN total AND total + 2"
    return (
        exp.select(exp.Avg(this=exp.column("value")))
        .from_(inner.subquery("ranked"))
        .where(exp.condition(middle))
    )
