"""Mutants that join otherwise: another kind of join, or one table too many."""

from collections.abc import Iterator

from sqlglot import exp

from goldsuite.audit.edits import conjuncts, copy_with
from goldsuite.audit.tables import Source, Tables, own_columns
from goldsuite.warehouse.base import CatalogTable

__all__ = ["fanned_out", "other_joins"]

_MOST_FANS = 2
"""Tables that are joined too many to one SELECT, each in a mutant of its own."""
_ADDED = "goldsuite_fan"

Edit = tuple[str, exp.Expr, exp.Expr | None]


def other_joins(tree: exp.Expr, tables: Tables) -> Iterator[Edit]:
    """LEFT in place of INNER and the other way round, where an unmatched row could count."""
    for select in tree.find_all(exp.Select):
        sources = tables.sources(select)
        for join in select.args.get("joins") or ():
            side, kind = join.side.upper(), join.kind.upper()
            if side not in {"", "LEFT"} or kind not in {"", "INNER", "OUTER"}:
                continue
            joined = next((s for s in sources if s.node is join.this), None)
            on = join.args.get("on")
            if joined is None or on is None or _asks_for_match(select, joined, sources, tables):
                continue
            needs = _unmatched(on, joined, sources, tables)
            if needs is None:
                continue
            copy, (place,) = copy_with(tree, join)
            place.set("side", None if side else "LEFT")
            place.set("kind", None)
            word = "INNER" if side else "LEFT"
            yield f"{word} JOIN of `{joined.table.name}`", copy, needs


def _asks_for_match(
    select: exp.Select, joined: Source, sources: list[Source], tables: Tables
) -> bool:
    """Whether a row without a partner is thrown out anyway, by WHERE or by a later join."""
    where = select.args.get("where")
    parts = conjuncts(where.this) if where else []
    ons = [
        join.args["on"]
        for join in select.args.get("joins") or ()
        if join.this is not joined.node and not join.side and join.args.get("on") is not None
    ]
    return any(
        tables.owner(column, sources) is joined and not column.find_ancestor(exp.Coalesce)
        for part in [*(p for p in parts if not _tests_null(p)), *ons]
        for column in part.find_all(exp.Column)
    )


def _tests_null(part: exp.Expr) -> bool:
    return isinstance(part, exp.Is | exp.Or)


def _unmatched(
    on: exp.Expr, joined: Source, sources: list[Source], tables: Tables
) -> exp.Expr | None:
    """The query for a row of the other side that has no partner; None where that is not asked."""
    pairs = [part for part in conjuncts(on) if isinstance(part, exp.EQ)]
    for pair in pairs:
        owners = {
            id(owner): (owner, column)
            for column in pair.find_all(exp.Column)
            if (owner := tables.owner(column, sources)) is not None
        }
        other = next((o for o, _ in owners.values() if o is not joined), None)
        mine = next((column for o, column in owners.values() if o is joined), None)
        if len(owners) == 2 and other is not None and mine is not None:
            return (
                exp.select(exp.Literal.number(1))
                .from_(other.node.copy())
                .join(joined.node.copy(), on=pair.copy(), join_type="left")
                .where(exp.Is(this=mine.copy(), expression=exp.Null()))
                .limit(1)
            )
    return None


def fanned_out(tree: exp.Expr, tables: Tables) -> Iterator[Edit]:
    """One more table is joined, of which a row has several."""
    for select in tree.find_all(exp.Select):
        if not _counts_repeats(select):
            continue
        fans = _fans(select, tables)
        for source, key, child, column in fans[:_MOST_FANS]:
            copy, (place,) = copy_with(tree, select)
            if not isinstance(place, exp.Select):
                continue
            _qualify(place, tables)
            fan = exp.table_(child.name, db=child.schema, alias=_ADDED)
            on = exp.EQ(
                this=exp.column(column, table=_ADDED),
                expression=exp.column(key, table=source.node.alias_or_name),
            )
            place.join(fan, on=on, join_type="left", copy=False)
            yield f"one more join, to `{child.name}`", copy, _repeated(child, column)


def _counts_repeats(select: exp.Select) -> bool:
    """Whether a row that comes twice changes what `select` gives."""
    own = [a for a in select.find_all(exp.AggFunc) if a.find_ancestor(exp.Select) is select]
    if own:
        return any(
            not isinstance(a, exp.Max | exp.Min) and a.find(exp.Distinct) is None for a in own
        )
    inside = isinstance(select.parent, exp.Exists | exp.In)
    return not (select.args.get("distinct") or select.args.get("group") or inside)


def _fans(select: exp.Select, tables: Tables) -> list[tuple[Source, str, CatalogTable, str]]:
    """Tables that refer to one that is read, those that refer to the first one first: by declared
    keys, else by a key's name.
    """
    sources = tables.sources(select)
    # What the query reads elsewhere, or a copy of that, may be what it asks for the absence of.
    read = [t for node in select.root().find_all(exp.Table) if (t := tables.find(node))]
    found = []
    for source in sources:
        for child in tables.catalog.tables:
            is_read = any(_is_copy(child, table) for table in read)
            pair = None if is_read else _reference(child, source.table)
            if pair is not None and (pair[0],) != child.primary_key:
                found.append((source, pair[1], child, pair[0]))
    return found


def _is_copy(child: CatalogTable, table: CatalogTable) -> bool:
    return {c.name for c in table.columns} <= {c.name for c in child.columns}


def _reference(child: CatalogTable, parent: CatalogTable) -> tuple[str, str] | None:
    """Column of the child, and that of the parent which it refers to."""
    for key in child.foreign_keys:
        if key.table.lower() == parent.name.lower() and len(key.columns) == 1:
            return key.columns[0], key.referred_columns[0]
    if len(parent.primary_key) == 1 and not child.foreign_keys:
        name = parent.primary_key[0]
        same = (c.name for c in child.columns if c.name.lower() == name.lower())
        column = next(same, None)
        if column is not None and name.lower() != "id":
            return column, name
    return None


def _qualify(select: exp.Select, tables: Tables) -> None:
    """Name the table of each bare column: the one that is added may have such a column too."""
    sources = tables.sources(select)
    for column in own_columns(select):
        owner = None if column.table else tables.owner(column, sources)
        if owner is not None:
            column.set("table", exp.to_identifier(owner.node.alias_or_name))


def _repeated(child: CatalogTable, column: str) -> exp.Expr:
    return (
        exp.select(exp.column(column))
        .from_(exp.table_(child.name, db=child.schema))
        .where(exp.Not(this=exp.Is(this=exp.column(column), expression=exp.Null())))
        .group_by(exp.column(column))
        .having(exp.GT(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(1)))
        .limit(1)
    )
