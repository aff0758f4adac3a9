"""Names in a query, taken back to the tables they come from.

After `resolve_names` a column reads `table.column` whatever alias, common table expression or
derived table it went through, and what such a query computes stands where it is used. Nothing is
looked up in a warehouse: a bare column among several tables keeps its bare name, unless the
`Owner` given knows better.
"""

from collections.abc import Iterator
from typing import Protocol

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

__all__ = ["Owner", "instance_of", "named_table", "resolve_names", "select_of", "source_nodes"]

INSTANCE = "instance"
"""Key in `Column.meta` and `Table.meta`: one reading of a table, so self-joins stay apart."""

DERIVED = "derived"
"""Key in the meta of an expression that was put in place of a derived column."""

_MAX_NODES = 250
"""What a derived column may grow to where it is used; beyond, it keeps the derived name."""
_ALIAS_CLAUSES = ("group", "order", "having", "qualify")


class Owner(Protocol):
    """Knows which tables have a column."""

    def has_column(self, table: str, column: str) -> bool | None:
        """Whether `table` has `column`; None where the table is not known."""
        ...


def resolve_names(query: exp.Query, owner: Owner | None = None) -> list[Scope]:
    """Resolve every column of `query` in place; gives its scopes, inner ones first.

    Raises:
        sqlglot.errors.SqlglotError: names that contradict each other, such as one alias twice.
    """
    scopes = traverse_scope(query)
    for number, table in enumerate(query.find_all(exp.Table)):
        table.meta[INSTANCE] = number
    for scope in scopes:
        scope.clear_cache()
        if isinstance(scope.expression, exp.Select):
            # Output columns first: what refers to them by alias then copies them resolved.
            columns = [n for n in scope.walk() if isinstance(n, exp.Column)]
            aliased = _possible_aliases(scope.expression)
            for column in sorted(columns, key=lambda c: id(c) in aliased):
                _resolve_column(column, scope, owner, may_be_alias=id(column) in aliased)
            _resolve_positions(scope.expression)
        elif isinstance(scope.expression, exp.SetOperation):
            _resolve_set_order(scope.expression)
    return scopes


def instance_of(node: exp.Expr) -> int | None:
    """Which reading of a table this column or table belongs to; None where it is not known."""
    found = node.meta.get(INSTANCE)
    return found if isinstance(found, int) else None


def named_table(table: exp.Table) -> str:
    """The table's name with its schema, where one is written."""
    return ".".join(part.name for part in table.parts[-2:] if part.name)


def select_of(scope: Scope) -> exp.Select:
    """The SELECT that a scope stands for."""
    if not isinstance(scope.expression, exp.Select):
        raise TypeError(f"not the scope of a SELECT: {scope!r}")
    return scope.expression


def source_nodes(select: exp.Select) -> Iterator[tuple[exp.Expr, exp.Join | None]]:
    """What a SELECT reads, in the order written, each with the join that brings it in."""
    if (start := select.args.get("from_")) is not None:
        yield start.this, None
    for join in select.args.get("joins") or ():
        yield join.this, join


def _resolve_column(
    column: exp.Column, scope: Scope, owner: Owner | None, *, may_be_alias: bool
) -> None:
    if instance_of(column) is not None or isinstance(column.this, exp.Star):
        return
    name = column.name
    if column.table:
        found = _from_source(_lookup(scope, column.table), name)
    else:
        alias = _from_alias(column, scope) if may_be_alias else None
        found = alias or _from_any_source(name, scope, owner)
    if found is not None and found is not column:
        column.replace(found)


def _lookup(scope: Scope | None, alias: str) -> exp.Table | Scope | None:
    while scope is not None:
        if alias in scope.selected_sources:
            return scope.selected_sources[alias][1]
        scope = scope.parent
    return None


def _from_source(source: exp.Table | Scope | None, name: str, depth: int = 0) -> exp.Expr | None:
    """What the column `name` of `source` stands for; a new node."""
    if isinstance(source, exp.Table):
        column = exp.column(name, table=source.name)
        column.meta[INSTANCE] = instance_of(source)
        return column
    if source is None or depth > 50:  # a recursive query refers to itself
        return None
    return _from_projection(source, name, depth + 1)


def _from_projection(scope: Scope, name: str, depth: int) -> exp.Expr | None:
    query = scope.expression
    if isinstance(query, exp.SetOperation):
        branches = scope.set_operation_scopes
        return _from_projection(branches[0], name, depth + 1) if branches and depth < 50 else None
    if not isinstance(query, exp.Select):
        return None
    if name in scope.outer_columns:
        index = scope.outer_columns.index(name)
        return _copied(query.selects[index]) if index < len(query.selects) else None
    for projection in query.selects:
        if projection.alias_or_name == name and not projection.is_star:
            return _copied(projection)
    if any(projection.is_star for projection in query.selects):
        return _from_only_source(scope, name, depth)
    return None


def _from_only_source(scope: Scope, name: str, depth: int) -> exp.Expr | None:
    sources = [source for _, source in scope.selected_sources.values()]
    if len(sources) == 1:
        return _from_source(sources[0], name, depth)
    return None


def _copied(projection: exp.Expr) -> exp.Expr | None:
    inner = projection.unalias()
    # A counter, not len(list()): a runaway expression is left after the first nodes too many.
    for count, _ in enumerate(inner.walk()):
        if count > _MAX_NODES:
            return None
    copy = inner.copy()
    copy.meta[DERIVED] = True
    if isinstance(copy, exp.Column | exp.Func | exp.Literal | exp.Paren | exp.Filter):
        return copy
    return exp.Paren(this=copy)


def _possible_aliases(select: exp.Select) -> set[int]:
    """In ORDER BY and the like a bare name may be an output column of the same SELECT.

    Gives the identities of such columns.
    """
    clauses = [c for key in _ALIAS_CLAUSES if (c := select.args.get(key)) is not None]
    found: set[int] = set()
    for clause in clauses:
        for node in clause.walk(
            prune=lambda n: isinstance(n, exp.AggFunc | exp.Window | exp.Query)
        ):
            if isinstance(node, exp.Column) and not node.table:
                found.add(id(node))
    return found


def _from_alias(column: exp.Column, scope: Scope) -> exp.Expr | None:
    for projection in select_of(scope).selects:
        if isinstance(projection, exp.Alias) and projection.alias == column.name:
            return _copied(projection)
    return None


def _from_any_source(name: str, scope: Scope, owner: Owner | None) -> exp.Expr | None:
    sources = [source for _, source in scope.selected_sources.values()]
    for source in sources:
        if isinstance(source, Scope) and (found := _from_source(source, name)) is not None:
            return found
    tables = [source for source in sources if isinstance(source, exp.Table)]
    if owner is not None:
        known = [t for t in tables if owner.has_column(t.name, name)]
        if known:
            return _from_source(known[0], name)
        if tables and all(owner.has_column(t.name, name) is False for t in tables):
            return _from_any_source(name, scope.parent, owner) if scope.parent else None
    if len(tables) == 1 or (tables and name in _shared_names(scope)):
        return _from_source(tables[0], name)
    return None


def _shared_names(scope: Scope) -> set[str]:
    if not isinstance(scope.expression, exp.Select):
        return set()
    joins = scope.expression.args.get("joins") or ()
    return {identifier.name for join in joins for identifier in join.args.get("using") or ()}


def _resolve_positions(select: exp.Select) -> None:
    """`GROUP BY 1` and `ORDER BY 1` mean the first output column."""
    group, order = select.args.get("group"), select.args.get("order")
    keys = list(group.expressions) if group is not None else []
    keys += [ordered.this for ordered in order.expressions] if order is not None else []
    for key in keys:
        if isinstance(key, exp.Literal) and key.is_int:
            position = int(key.name) - 1
            if 0 <= position < len(select.selects) and not select.selects[position].is_star:
                replacement = _copied(select.selects[position])
                if replacement is not None:
                    key.replace(replacement)


def _resolve_set_order(operation: exp.SetOperation) -> None:
    """ORDER BY after UNION and the like names an output column, by position or by name."""
    order = operation.args.get("order")
    for ordered in order.expressions if order else ():
        key = ordered.this
        if isinstance(key, exp.Literal) and key.is_int:
            position = int(key.name) - 1
            if 0 <= position < len(operation.named_selects):
                key.replace(exp.column(operation.named_selects[position]))
