"""The two queries as they are tried: read, answered what day it is, and found fit for trying."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from sqlglot import exp

from goldsuite.sqltext.canonical import fold_identifiers
from goldsuite.sqltext.chance import depends_on_chance
from goldsuite.sqltext.clock import set_clock
from goldsuite.sqltext.parsing import parse_query
from goldsuite.warehouse.base import Catalog, CatalogTable

__all__ = [
    "NotApplicableError",
    "Subject",
    "TableFinder",
    "is_single_row",
    "read_subject",
    "real_tables",
]

SOME_DAY = date(2025, 7, 16)
"""What day it is for queries that ask, where the suite does not say: any day is as good."""

_OPAQUE = (exp.Pivot, exp.MatchRecognize)


class NotApplicableError(Exception):
    """The method has nothing to say of such queries; the message is the reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """One query."""

    sql: str
    """As given, clock functions answered."""
    tree: exp.Query
    """Identifiers folded as the dialect resolves them; never changed."""
    dialect: str
    tables: tuple[CatalogTable, ...]
    """Those that are read, each once."""


def read_subject(
    sql: str, dialect: str, *, whose: str, find: Callable[[exp.Table], CatalogTable | None],
    as_of: date | None,
) -> Subject:  # fmt: skip
    """Read one query.

    Args:
        whose: for messages: `gold` or `analyst's`.
        find: a table of the catalog.

    Raises:
        NotApplicableError: it is of a kind that small databases cannot judge.
    """
    dated = set_clock(sql, dialect, as_of or SOME_DAY).sql
    tree = parse_query(dated, dialect)
    if tree is None:
        raise NotApplicableError(f"the {whose} SQL cannot be read as one query in {dialect}")
    tree = tree.copy()
    fold_identifiers(tree, dialect)
    _check(tree, dialect, whose)
    tables: dict[str, CatalogTable] = {}
    for node in real_tables(tree):
        known = find(node)
        if known is None or not known.columns:
            raise NotApplicableError(
                f"the {whose} SQL reads {node.name!r}, whose columns the catalog does not tell"
            )
        tables.setdefault(f"{known.schema or ''}.{known.name}", known)
    if not tables:
        raise NotApplicableError(f"the {whose} SQL reads no table")
    return Subject(sql=dated, tree=tree, dialect=dialect, tables=tuple(tables.values()))


def _check(tree: exp.Query, dialect: str, whose: str) -> None:
    if any(map(_recurses, tree.find_all(exp.With))):
        raise NotApplicableError(f"the {whose} SQL has a recursive common table expression")
    if tree.find(*_OPAQUE) is not None:
        raise NotApplicableError(f"the {whose} SQL turns rows into columns")
    if depends_on_chance(_without_idle_limits(tree).sql(dialect=dialect), dialect):
        raise NotApplicableError(f"the {whose} SQL may give another result each time")


def _recurses(with_: exp.With) -> bool:
    """Whether an expression reads itself; RECURSIVE alone is only leave to."""
    if not with_.args.get("recursive"):
        return False
    return any(
        table.name == cte.alias and not table.db
        for cte in with_.expressions
        for table in cte.find_all(exp.Table)
    )


def _without_idle_limits(tree: exp.Query) -> exp.Query:
    """Without the limits that choose nothing: of one row, and of what only has to exist."""
    tree = tree.copy()
    for select in tree.find_all(exp.Select):
        exists = select.find_ancestor(exp.Exists)
        inside = exists is not None and exists.this in (select, select.parent)
        if inside or is_single_row(select):
            select.set("limit", None)
    return tree


def is_single_row(select: exp.Expr) -> bool:
    """Whether a SELECT gives one row whatever the data: aggregates and no grouping."""
    if not isinstance(select, exp.Select) or select.args.get("group") or not select.selects:
        return False
    return all(_is_aggregate(projection) for projection in select.selects)


def _is_aggregate(projection: exp.Expr) -> bool:
    found = projection.find(exp.AggFunc)
    return found is not None and projection.find(exp.Window) is None


def real_tables(tree: exp.Expr) -> list[exp.Table]:
    """The readings of tables of the warehouse: common table expressions are none."""
    return [
        table
        for table in tree.find_all(exp.Table)
        if isinstance(table.this, exp.Identifier) and not _is_cte(table)
    ]


def _is_cte(table: exp.Table) -> bool:
    return not table.db and table.name in set(_visible(table))


def _visible(node: exp.Expr) -> Iterator[str]:
    """Names of the common table expressions that `node` may read."""
    child, parent = node, node.parent
    inside: exp.Expr | None = None
    while parent is not None:
        if isinstance(child, exp.CTE):
            inside = child
        with_ = parent.args.get("with_")
        if isinstance(with_, exp.With):
            yield from _before(with_, inside if child is with_ else None)
        child, parent = parent, parent.parent


def _before(with_: exp.With, inside: exp.Expr | None) -> Iterator[str]:
    """The names that the expression `inside` sees; all where it is None."""
    for cte in with_.expressions:
        if inside is not None and cte is inside:
            # It sees itself only where it recurses.
            if with_.args.get("recursive"):
                yield cte.alias
            return
        yield cte.alias


class TableFinder:
    """Finds the catalog's table that a query names."""

    def __init__(self, catalog: Catalog) -> None:
        self._tables: dict[str, list[CatalogTable]] = {}
        for table in catalog.tables:
            self._tables.setdefault(table.name.lower(), []).append(table)

    def __call__(self, node: exp.Table) -> CatalogTable | None:
        """None where it is not known, or could be either of two."""
        found = self._tables.get(node.name.lower(), [])
        schema = node.db.lower()
        if schema:
            exact = [t for t in found if (t.schema or "").lower() == schema]
            # The default schema has no name in the catalog, but may be written.
            found = exact or [t for t in found if t.schema is None]
        elif len(found) > 1:
            found = [t for t in found if t.schema is None]
        return found[0] if len(found) == 1 else None
