"""Whether a query gives one result on a database, or whichever of the tied rows comes first.

A LIMIT under an ORDER BY that does not tell two rows apart, a ROW_NUMBER over such an order, a list
made in the order of rows: there a difference between two queries tells nothing. It is found by
shuffling the rows and by settling ties both ways.
"""

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from goldsuite.diagnosis.coincidence.answers import plainly_same
from goldsuite.diagnosis.coincidence.databases import Row, TinyDatabase
from goldsuite.diagnosis.coincidence.laboratory import Laboratory
from goldsuite.diagnosis.coincidence.shape import Shape
from goldsuite.diagnosis.coincidence.subject import Subject
from goldsuite.model.result_set import ResultSet

__all__ = ["is_stable", "tie_settled"]

_FIRST_COMES = (
    exp.RowNumber, exp.Ntile, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue,
)  # fmt: skip
"""Window functions that tell apart rows which their order does not."""


def is_stable(
    laboratory: Laboratory,
    subject: Subject,
    database: TinyDatabase,
    shape: Shape,
    *,
    ordered: bool = False,
) -> bool:
    """Whether the query gives the same rows however rows are stored and ties are settled.

    Args:
        ordered: whether the rows must come in the same order too.
    """
    stored = [database, _turned(database), _rolled(database)]
    found, *others = laboratory.plain(subject, stored)
    for upwards in (True, False):
        settled = tie_settled(subject, shape, upwards=upwards, ordered=ordered)
        if settled is not None:
            run = laboratory.plain if ordered else laboratory.batch
            others.append(run(settled, stored)[0])
    return all(_is_same(found, other, ordered=ordered) for other in others)


def _is_same(one: ResultSet | None, other: ResultSet | None, *, ordered: bool) -> bool:
    if one is None or other is None:
        return False
    return one.rows == other.rows if ordered else plainly_same(one, other)


def _turned(database: TinyDatabase) -> TinyDatabase:
    return TinyDatabase({name: rows[::-1] for name, rows in database.rows.items()})


def _rolled(database: TinyDatabase) -> TinyDatabase:
    """Rows in the order of their cells, the second column first."""

    def key(row: Row) -> list[str]:
        return [repr(cell) for cell in (*row[1:], *row[:1])]

    return TinyDatabase({n: tuple(sorted(rows, key=key)) for n, rows in database.rows.items()})


def tie_settled(
    subject: Subject, shape: Shape, *, upwards: bool, ordered: bool = False
) -> Subject | None:
    """The query with every tie that may decide settled by all columns; None where there is none.

    Args:
        ordered: whether the order of its rows is part of the answer.
    """
    tree = subject.tree.copy()
    changed = False
    for query in list(tree.find_all(exp.Query)):
        if _cuts(query) or (ordered and query is tree and query.args.get("order")):
            order = query.args.get("order")
            if order is None:
                order = exp.Order(expressions=[])
                query.set("order", order)
            for position in range(1, _width(query, shape) + 1):
                order.append("expressions", _ordered(exp.Literal.number(position), upwards=upwards))
            changed = True
    for window in list(tree.find_all(exp.Window)):
        if _needs_place(window):
            changed |= _settle_window(window, shape, upwards=upwards)
    if not changed:
        return None
    return replace(subject, tree=tree, sql=str(tree.sql(dialect=subject.dialect)))


def _cuts(query: exp.Expr) -> bool:
    if not isinstance(query, (exp.Select, exp.SetOperation)):
        return False
    distinct = query.args.get("distinct")
    by_first = isinstance(distinct, exp.Distinct) and distinct.args.get("on") is not None
    return by_first or any(query.args.get(key) for key in ("limit", "offset", "fetch"))


def _width(query: exp.Query, shape: Shape) -> int:
    """How many columns the query gives."""
    selects = query.selects
    if not any(projection.is_star for projection in selects):
        return len(selects)
    tables = [table for node in query.find_all(exp.Table) if (table := shape.of(node.name))]
    return len(tables[0].columns) if len(tables) == 1 else 1


def _ordered(key: exp.Expr, *, upwards: bool) -> exp.Ordered:
    return exp.Ordered(this=key, desc=not upwards, nulls_first=upwards)


def _needs_place(window: exp.Window) -> bool:
    spec = window.args.get("spec")
    by_rows = isinstance(spec, exp.WindowSpec) and str(spec.args.get("kind")).upper() == "ROWS"
    return by_rows or isinstance(window.this.unnest(), _FIRST_COMES)


def _settle_window(window: exp.Window, shape: Shape, *, upwards: bool) -> bool:
    select = window.find_ancestor(exp.Select)
    if select is None:
        return False
    keys = list(_tellers(select, shape))
    if not keys:
        return False
    order = window.args.get("order")
    if order is None:
        order = exp.Order(expressions=[])
        window.set("order", order)
    for key in keys:
        order.append("expressions", _ordered(key, upwards=upwards))
    return True


def _tellers(select: exp.Select, shape: Shape) -> Iterator[exp.Expr]:
    """Expressions of a SELECT that tell its rows apart before its windows are computed."""
    for projection in select.selects:
        if projection.is_star:
            for node in select.find_all(exp.Table):
                table = shape.of(node.name)
                if table is not None and node.find_ancestor(exp.Select) is select:
                    for name in table.names:
                        yield exp.column(name, table=node.alias_or_name)
        elif projection.find(exp.Window, exp.Query) is None:
            inner = projection.unalias()
            if not isinstance(inner, exp.Literal):
                yield inner.copy()
