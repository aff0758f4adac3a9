"""Gold queries with one fault each: what a good case must tell from its gold.

A mutant is a query that an analyst could write by mistake. Those that mean the same as the gold
whatever the data are not made, as far as that can be seen: a wrong alarm costs more than a miss.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import zip_longest
from typing import TypeAlias

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from goldsuite.audit.edits import conjuncts, copy_with, dropped
from goldsuite.audit.mutant_columns import other_columns, other_sources, other_times
from goldsuite.audit.mutant_joins import fanned_out, other_joins
from goldsuite.audit.tables import Tables
from goldsuite.sqltext.canonical import normal_form
from goldsuite.sqltext.parsing import UNREADABLE, parse_query, read_dialect

__all__ = ["Mutant", "MutantKind", "mutants_of"]


class MutantKind(StrEnum):
    """What was done to the gold."""

    DROPPED_CONDITION = "dropped condition"
    MOVED_BOUNDARY = "moved boundary"
    JOIN_KIND = "join kind"
    FAN_OUT = "fan-out"
    NO_DISTINCT = "dropped distinct"
    AGGREGATE = "other aggregate"
    COLUMN = "other column"
    TIME_COLUMN = "other time column"
    SOURCE = "other source"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """A gold with one fault."""

    kind: MutantKind
    what: str
    """What was done, in words, with the part of the query."""
    sql: str
    needs: str | None = None
    """A query that must return a row: else no data of this warehouse could show the fault, so that
    the mutant says nothing of the case."""


Edit: TypeAlias = tuple[str, exp.Expr, exp.Expr | None]
"""What was done, the edited query, and what it needs."""
Mutator: TypeAlias = Callable[[exp.Expr, Tables], Iterator[Edit]]


def mutants_of(
    sql: str, tables: Tables, *, others: Iterable[str] = (), most: int | None = None
) -> tuple[Mutant, ...]:
    """The mutants of a gold; none where sqlglot cannot read it.

    Args:
        others: texts that are right too, the further golds of a case.
        most: so many at most, taken from every kind in turn.
    """
    tree = parse_query(sql, tables.dialect)
    if tree is None:
        return ()
    known = {normal_form(text, tables.dialect).text for text in (sql, *others)}
    by_kind: list[list[Mutant]] = []
    for kind, mutator in _MUTATORS.items():
        made: list[Mutant] = []
        for what, edited, needs in mutator(tree, tables):
            text = _written(edited, tables.dialect)
            form = text and normal_form(text, tables.dialect).text
            if text is None or form is None or form in known:
                continue
            known.add(form)
            probe = None if needs is None else _written(needs, tables.dialect)
            made.append(Mutant(kind=kind, what=what, sql=text, needs=probe))
        by_kind.append(made)
    turns = (mutant for turn in zip_longest(*by_kind) for mutant in turn if mutant is not None)
    kept = list(turns)[:most]
    order = list(MutantKind)
    return tuple(sorted(kept, key=lambda mutant: order.index(mutant.kind)))


def _written(tree: exp.Expr, dialect: str) -> str | None:
    try:
        return read_dialect(dialect).generate(
            tree, comments=False, unsupported_level=ErrorLevel.IGNORE
        )
    except UNREADABLE:
        return None


def _show(node: exp.Expr, tables: Tables) -> str:
    return _written(node, tables.dialect) or type(node).__name__


def _without_conditions(tree: exp.Expr, tables: Tables) -> Iterator[Edit]:
    for clause in tree.find_all(exp.Where, exp.Having):
        parts = conjuncts(clause.this)
        for part in parts:
            if _ties_tables(part) or _is_implied(part, parts):
                continue
            copy, (place,) = copy_with(tree, part)
            dropped(place)
            yield f"without `{_show(part, tables)}`", copy, None


def _ties_tables(part: exp.Expr) -> bool:
    """Whether it joins: without it every row meets every other, a fault that nobody overlooks."""
    sides = (part.args.get("this"), part.args.get("expression"))
    return isinstance(part, exp.EQ) and all(isinstance(side, exp.Column) for side in sides)


def _is_implied(part: exp.Expr, parts: list[exp.Expr]) -> bool:
    """`x is not null` beside a comparison of x, which NULL does not pass either."""
    if not (isinstance(part, exp.Not) and isinstance(part.this.unnest(), exp.Is)):
        return False
    tested = part.this.unnest()
    if not isinstance(tested.expression, exp.Null):
        return False
    compared = (exp.Predicate, exp.Between, exp.In)
    return any(
        isinstance(other, compared)
        and not isinstance(other, exp.Is | exp.NullSafeEQ | exp.NullSafeNEQ)
        and other.args.get("this") == tested.this
        for other in parts
        if other is not part
    )


def _moved_boundaries(tree: exp.Expr, tables: Tables) -> Iterator[Edit]:
    bounds = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)
    for bound in tree.find_all(*bounds):
        for literal in _literals(bound):
            for days, word in ((1, "later"), (-1, "earlier")):
                moved = _moved(literal.name, days) if literal.is_string else None
                if moved is not None:
                    copy, (place,) = copy_with(tree, literal)
                    place.set("this", moved)
                    yield f"`{_show(bound, tables)}` with a bound a day {word}", copy, None
        other = _STRICTNESS.get(type(bound))
        if other is not None and any(not each.is_string for each in _literals(bound)):
            copy, (place,) = copy_with(tree, bound)
            edited = other(this=place.this, expression=place.expression)
            shown = _show(other(this=bound.this, expression=bound.expression), tables)
            place.replace(edited)
            yield f"`{shown}` in place of `{_show(bound, tables)}`", copy, None


_STRICTNESS: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.GT: exp.GTE, exp.GTE: exp.GT, exp.LT: exp.LTE, exp.LTE: exp.LT,
}  # fmt: skip


def _literals(bound: exp.Expr) -> list[exp.Literal]:
    """Those that stand there as they are, or are cast."""
    sides = [bound.args.get(name) for name in ("this", "expression", "low", "high")]
    bare = [side.this if isinstance(side, exp.Cast) else side for side in sides]
    return [side for side in bare if isinstance(side, exp.Literal)]


def _moved(text: str, days: int) -> str | None:
    """A day, or the day of a moment, moved; None where the text is neither."""
    try:
        day = date.fromisoformat(text[:10]) + timedelta(days=days)
    except (ValueError, OverflowError):
        return None
    return f"{day.isoformat()}{text[10:]}" if len(text[:10]) == 10 else None


def _without_distinct(tree: exp.Expr, tables: Tables) -> Iterator[Edit]:
    for found in tree.find_all(exp.Distinct):
        copy, (place,) = copy_with(tree, found)
        if isinstance(found.parent, exp.Select):
            place.pop()
            yield "SELECT without DISTINCT", copy, None
        elif isinstance(found.parent, exp.Count) and len(found.expressions) == 1:
            if _is_key(found.expressions[0], found, tables):
                continue
            place.replace(place.expressions[0])
            yield f"`{_show(found.parent, tables)}` without DISTINCT", copy, None


def _is_key(node: exp.Expr, place: exp.Expr, tables: Tables) -> bool:
    """Whether it is the key of the only table that is read, so that it is distinct anyway."""
    select = place.find_ancestor(exp.Select)
    if select is None or not isinstance(node, exp.Column) or select.args.get("joins"):
        return False
    return any(
        tuple(map(str.lower, source.table.primary_key)) == (node.name.lower(),)
        for source in tables.sources(select)
    )


_OTHER_AGGREGATE: dict[type[exp.Expr], type[exp.AggFunc]] = {
    exp.Sum: exp.Avg, exp.Avg: exp.Sum, exp.Min: exp.Max, exp.Max: exp.Min, exp.Median: exp.Avg,
}  # fmt: skip


def _other_aggregates(tree: exp.Expr, tables: Tables) -> Iterator[Edit]:
    for found in tree.find_all(exp.AggFunc):
        other, argument = _OTHER_AGGREGATE.get(type(found)), found.args.get("this")
        if other is not None and isinstance(argument, exp.Expr):
            copy, (place,) = copy_with(tree, found)
            place.replace(other(this=place.this.copy()))
            shown = _show(other(this=argument.copy()), tables)
        elif isinstance(found, exp.Count) and isinstance(argument, exp.Column):
            if _is_key(argument, found, tables):
                continue
            copy, (place,) = copy_with(tree, found)
            place.set("this", exp.Distinct(expressions=[place.this.copy()]))
            shown = _show(place, tables)
        else:
            continue
        yield f"`{shown}` in place of `{_show(found, tables)}`", copy, None


_MUTATORS: dict[MutantKind, Mutator] = {
    MutantKind.DROPPED_CONDITION: _without_conditions,
    MutantKind.MOVED_BOUNDARY: _moved_boundaries,
    MutantKind.JOIN_KIND: other_joins,
    MutantKind.FAN_OUT: fanned_out,
    MutantKind.NO_DISTINCT: _without_distinct,
    MutantKind.AGGREGATE: _other_aggregates,
    MutantKind.COLUMN: other_columns,
    MutantKind.TIME_COLUMN: other_times,
    MutantKind.SOURCE: other_sources,
}
