"""A query in one way of writing: names resolved, common table expressions and simple derived tables
put in place, EXISTS as IN.

What comes out need not mean the same in every corner of every dialect, so whoever uses it runs it
and compares.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope

from goldsuite.diagnosis.counterfactual.collapsing import collapse, values_in_place
from goldsuite.sqltext.canonical import fold_identifiers
from goldsuite.sqltext.parsing import UNREADABLE, parse_query
from goldsuite.warehouse.base import Catalog

__all__ = ["NotApplicableError", "columns_by_table", "normal_tree", "qualified_tree"]

_MAX_NODES = 20_000
"""Of a query whose common table expressions were put in place; each reading copies its text."""


class NotApplicableError(Exception):
    """The method has nothing to say of such a query; the message is the reason."""


def columns_by_table(catalog: Catalog | None) -> dict[str, dict[str, str]]:
    """Types by column by table, names as the catalog writes them."""
    tables = catalog.tables if catalog is not None else ()
    return {t.name: {c.name: c.type for c in t.columns} for t in tables if t.columns}


def qualified_tree(sql: str, dialect: str, columns: Mapping[str, Mapping[str, str]]) -> exp.Query:
    """`sql` with every column qualified, stars expanded, and common table expressions inlined.

    Raises:
        NotApplicableError: it cannot be read, or is of a kind that is not taken apart.
    """
    tree = parse_query(sql, dialect)
    if tree is None:
        raise NotApplicableError(f"the SQL cannot be read as one query in {dialect}")
    with_ = tree.args.get("with_")
    if with_ is not None and with_.args.get("recursive") and _recurses(with_):
        raise NotApplicableError("a recursive common table expression is not taken apart")
    try:
        folded = fold_identifiers(tree.copy(), dialect)
        found = _inlined(_qualified(folded, dialect, columns))
        _unique_aliases(found)
    except UNREADABLE as error:
        raise NotApplicableError("the names in the SQL cannot be resolved") from error
    return found


def normal_tree(tree: exp.Query) -> exp.Query:
    """Simple derived tables merged into what reads them, and EXISTS written as IN."""
    try:
        merged = merge_subqueries(tree.copy(), leave_tables_isolated=False)
        merged = values_in_place(collapse(merged))
        _unique_aliases(merged)
        for exists in list(merged.find_all(exp.Exists)):
            _exists_to_in(exists)
    except UNREADABLE as error:
        raise NotApplicableError("the derived tables in the SQL cannot be merged") from error
    return merged


def _recurses(with_: exp.With) -> bool:
    return any(
        table.name == cte.alias for cte in with_.expressions for table in cte.find_all(exp.Table)
    )


def _qualified(tree: exp.Expr, dialect: str, columns: Mapping[str, Mapping[str, str]]) -> exp.Query:
    named = {table.name.lower() for table in tree.find_all(exp.Table)}
    schema: dict[str, Any] = {t: dict(c) for t, c in columns.items() if t.lower() in named}
    qualified = qualify(
        tree,
        dialect=dialect,
        schema=schema or None,
        validate_qualify_columns=False,
        quote_identifiers=False,
        identify=False,
    )
    if not isinstance(qualified, exp.Query):
        raise NotApplicableError("the SQL is no query")
    return qualified


def _inlined(tree: exp.Query) -> exp.Query:
    """Common table expressions as derived tables where they are read."""
    while (with_ := tree.find(exp.With)) is not None:
        holder = with_.parent
        if not isinstance(holder, exp.Query):
            raise NotApplicableError("a common table expression stands where none is expected")
        _inline_with(holder, tree)
    return tree


def _inline_with(holder: exp.Query, root: exp.Query) -> None:
    with_ = holder.args["with_"]
    definitions: dict[str, exp.CTE] = {}
    for cte in with_.expressions:
        _put_in_place(cte.this, definitions)
        definitions[cte.alias] = cte
    holder.set("with_", None)
    _put_in_place(holder, definitions)
    if sum(1 for _ in root.walk()) > _MAX_NODES:
        raise NotApplicableError("with its common table expressions in place the SQL is too long")


def _put_in_place(query: exp.Expr, definitions: Mapping[str, exp.CTE]) -> None:
    for table in list(query.find_all(exp.Table)):
        cte = definitions.get(table.name)
        if cte is None or table.args.get("db") is not None:
            continue
        alias = table.args.get("alias")
        body = cte.this.copy()
        _name_columns(body, cte)
        derived = exp.Subquery(
            this=body, alias=alias.copy() if alias else exp.TableAlias(this=table.this.copy())
        )
        for join in table.args.get("joins") or ():
            derived.append("joins", join)
        table.replace(derived)


def _name_columns(body: exp.Expr, cte: exp.CTE) -> None:
    """`WITH t(a, b) AS ...` names the output columns."""
    names = cte.args["alias"].columns if cte.args.get("alias") else []
    selects = body.selects if isinstance(body, exp.Query) else []
    for name, projection in zip(names, selects, strict=False):
        projection.replace(exp.alias_(projection.unalias(), name.name))


def _unique_aliases(tree: exp.Query) -> None:
    """No two sources of the whole query share an alias."""
    taken: set[str] = set()
    for scope in reversed(traverse_scope(tree)):
        for alias, (node, _) in list(scope.selected_sources.items()):
            new = _free(alias, taken)
            taken.add(new)
            if new != alias:
                _rename_source(scope.expression, node, alias, new)


def _free(alias: str, taken: set[str]) -> str:
    new, number = alias, 2
    while new in taken:
        new, number = f"{alias}_{number}", number + 1
    return new


def _rename_source(select: exp.Expr, node: exp.Expr, old: str, new: str) -> None:
    for column in list(select.find_all(exp.Column)):
        if column.table == old and _scope_of(column, old) is select:
            column.set("table", exp.to_identifier(new))
    while not isinstance(node, exp.Table) and isinstance(node.parent, exp.Subquery):
        node = node.parent  # the scope tells the query, its alias stands on the brackets
    alias = node.args.get("alias")
    if isinstance(alias, exp.TableAlias):
        alias.set("this", exp.to_identifier(new))
    else:
        node.set("alias", exp.TableAlias(this=exp.to_identifier(new)))


def _scope_of(column: exp.Expr, alias: str) -> exp.Expr | None:
    """The nearest SELECT around a column that has a source of that alias."""
    node = column.parent
    while node is not None:
        if isinstance(node, exp.Select) and alias in _aliases(node):
            return node
        node = node.parent
    return None


def _aliases(select: exp.Select) -> Iterator[str]:
    if (start := select.args.get("from_")) is not None:
        yield start.this.alias_or_name
    for join in select.args.get("joins") or ():
        yield join.this.alias_or_name


def _exists_to_in(exists: exp.Exists) -> None:
    """`EXISTS (SELECT 1 FROM t WHERE t.x = o.y AND p)` as `o.y IN (SELECT t.x FROM t WHERE p)`."""
    query = exists.this.unnest() if isinstance(exists.this, exp.Expr) else None
    if not isinstance(query, exp.Select) or isinstance(exists.parent, exp.Not):
        return
    where, inside = query.args.get("where"), set(_aliases(query))
    if where is None or any(query.args.get(k) for k in ("group", "limit", "having")):
        return
    parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    found = [(part, pair) for part in parts if (pair := _correlation(part, inside)) is not None]
    loose = [p for p in parts if any(c.table not in inside for c in p.find_all(exp.Column))]
    if len(found) != 1 or len(loose) != 1 or found[0][0] is not loose[0]:
        return
    inner, outer = found[0][1]
    rest = [part.copy() for part in parts if part is not found[0][0]]
    new = query.copy()
    new.set("where", exp.Where(this=exp.and_(*rest)) if rest else None)
    new.set("expressions", [exp.alias_(inner.copy(), inner.name)])
    new.set("distinct", None)
    exists.replace(exp.In(this=outer.copy(), query=exp.Subquery(this=new)))


def _correlation(node: exp.Expr, inside: set[str]) -> tuple[exp.Column, exp.Column] | None:
    """The inner and the outer column of an equality between them."""
    if not isinstance(node, exp.EQ):
        return None
    left, right = node.this, node.expression
    if not (isinstance(left, exp.Column) and isinstance(right, exp.Column)):
        return None
    if left.table in inside and right.table not in inside:
        return left, right
    if right.table in inside and left.table not in inside:
        return right, left
    return None
