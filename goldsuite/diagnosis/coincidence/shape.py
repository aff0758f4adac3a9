"""What the small databases look like: the tables and columns that two queries read, and their keys.

Keys are those of the catalog. Where it declares none, a column named like a key is taken for one if
the data bears that out; a join on another table's key is taken for a reference to it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

from sqlglot import exp

from goldsuite.diagnosis.coincidence.kinds import Kind, kind_of
from goldsuite.diagnosis.coincidence.subject import NotApplicableError, Subject
from goldsuite.diagnosis.keys import Keys
from goldsuite.model.result_set import Execution
from goldsuite.warehouse.base import Catalog, CatalogTable

__all__ = ["Place", "Reference", "Shape", "TableKeys", "TinyColumn", "TinyTable", "shape_of"]

Place = tuple[str, str]
"""Table and column, both in lower case."""

_CANDIDATES = 3
"""Columns of one table that are looked at."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TinyColumn:
    name: str
    type: str
    """As the catalog writes it."""
    kind: Kind
    nullable: bool
    values: tuple[str, ...]
    """Some that occur; of text only."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TinyTable:
    """One table, with the columns that any of the queries may read."""

    name: str
    schema: str | None
    columns: tuple[TinyColumn, ...]
    key: tuple[str, ...]
    """No two rows agree in all of these; empty where no key is known, or is not read."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of its columns."""
        return tuple(column.name for column in self.columns)

    def place(self, name: str) -> int | None:
        """Where the column stands; None where the table has none of that name."""
        lowered = [column.name.lower() for column in self.columns]
        return lowered.index(name.lower()) if name.lower() in lowered else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """A foreign key: each value of `columns` that is not NULL stands in `referred` of a row."""

    table: str
    columns: tuple[str, ...]
    parent: str
    referred: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """Of every database of one pair of queries."""

    tables: tuple[TinyTable, ...]
    """A table stands behind those that it refers to, as far as that can be."""
    references: tuple[Reference, ...]

    def of(self, name: str) -> TinyTable | None:
        """The table of that name."""
        return next((t for t in self.tables if t.name.lower() == name.lower()), None)


class TableKeys:
    """The keys of all tables; what the data must be asked for is asked once."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        dialect: str,
        execute: Callable[[str], Execution] | None = None,
    ) -> None:
        """`execute` counts the values of columns that may be keys; None: names decide alone."""
        self._keys = Keys.of(catalog)
        self._dialect = dialect
        self._execute = execute
        self._found: dict[str, tuple[str, ...]] = {}
        self._lock = Lock()
        self.keys = self._keys

    def of(self, table: CatalogTable) -> tuple[str, ...]:
        """The columns of its key; empty where none is known."""
        if table.primary_key:
            return table.primary_key
        name = f"{table.schema or ''}.{table.name}".lower()
        with self._lock:
            if name not in self._found:
                self._found[name] = self._infer(table)
            return self._found[name]

    def _infer(self, table: CatalogTable) -> tuple[str, ...]:
        names = self._keys.candidates(table.name)[:_CANDIDATES]
        named = [n for n in names if self._keys.are_unique(table.name, {n})]
        if self._execute is None:
            return tuple(named[:1])
        candidates = named or [n for n in names if n.lower().endswith(("id", "key", "code"))]
        return next(((name,) for name in candidates if self._is_unique(table, name)), ())

    def _is_unique(self, table: CatalogTable, column: str) -> bool:
        if self._execute is None:
            return False
        name = exp.column(column, quoted=True)
        source = exp.table_(table.name, db=table.schema, quoted=True)
        query = exp.select(
            exp.Count(this=exp.Star()), exp.Count(this=exp.Distinct(expressions=[name]))
        ).from_(source)
        result = self._execute(query.sql(dialect=self._dialect)).result
        return result is not None and bool(result.rows) and result.rows[0][0] == result.rows[0][1]


def shape_of(
    subjects: Sequence[Subject], keys: TableKeys, links: Iterable[frozenset[Place]]
) -> Shape:
    """The tables of the queries with what they read of them.

    Args:
        links: columns that the queries set equal.

    Raises:
        NotApplicableError: a column holds what no values are made up for.
    """
    used = {
        f"{table.schema or ''}.{table.name}".lower(): table for s in subjects for table in s.tables
    }
    names = [table.name.lower() for table in used.values()]
    if len(set(names)) < len(names):
        raise NotApplicableError("the queries read two tables of the same name")
    wanted = _named_columns(subjects)
    tables = [_tiny(table, wanted, keys, subjects[0].dialect) for table in used.values()]
    references = tuple(_references(tables, used.values(), links))
    return Shape(tables=tuple(_parents_first(tables, references)), references=references)


def _named_columns(subjects: Sequence[Subject]) -> set[str] | None:
    """Names of all columns that the queries write, in lower case; None for all there are."""
    found: set[str] = set()
    for subject in subjects:
        for node in subject.tree.walk():
            if isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
                return None
            if isinstance(node, exp.Join) and (node.args.get("method") or "").upper() == "NATURAL":
                return None
            if isinstance(node, exp.Identifier):
                found.add(node.name.lower())
    return found


def _tiny(table: CatalogTable, wanted: set[str] | None, keys: TableKeys, dialect: str) -> TinyTable:
    key = keys.of(table)
    columns = [c for c in table.columns if wanted is None or c.name.lower() in wanted]
    # A query that names no column of a table still counts its rows.
    columns = columns or [c for c in table.columns if c.name in key] or [table.columns[0]]
    tiny = tuple(
        TinyColumn(
            name=c.name,
            type=c.type,
            kind=kind_of(c.type, dialect),
            nullable=c.nullable and c.name not in key,
            values=c.values,
        )
        for c in columns
    )
    for column in tiny:
        if column.kind is Kind.OTHER:
            raise NotApplicableError(
                f"{table.name}.{column.name} is of type {column.type}, for which no values are "
                "made up"
            )
    names = {c.name for c in tiny}
    whole = key if set(key) <= names else ()
    return TinyTable(name=table.name, schema=table.schema, columns=tiny, key=whole)


def _references(
    tables: Sequence[TinyTable],
    catalog: Iterable[CatalogTable],
    links: Iterable[frozenset[Place]],
) -> Iterator[Reference]:
    by_name = {t.name.lower(): t for t in tables}
    taken: set[Place] = set()
    for table in catalog:
        for foreign in table.foreign_keys:
            child, parent = by_name[table.name.lower()], by_name.get(foreign.table.lower())
            referred = foreign.referred_columns or (parent.key if parent else ())
            if parent is None or any(child.place(c) is None for c in foreign.columns):
                continue
            if any(parent.place(c) is None for c in referred):
                continue
            taken |= {(child.name.lower(), c.lower()) for c in foreign.columns}
            yield Reference(
                table=child.name, columns=foreign.columns, parent=parent.name, referred=referred
            )
    for link in sorted(links, key=sorted):
        found = _by_join(sorted(link), by_name)
        if found is not None and (found.table.lower(), found.columns[0].lower()) not in taken:
            taken.add((found.table.lower(), found.columns[0].lower()))
            yield found


def _by_join(link: Sequence[Place], tables: dict[str, TinyTable]) -> Reference | None:
    """A join of a column with another table's whole key, where it is no key itself."""
    if len(link) != 2:
        return None
    for (child_name, child), (parent_name, parent) in (link, link[::-1]):
        ours, theirs = tables.get(child_name), tables.get(parent_name)
        if ours is None or theirs is None or [k.lower() for k in theirs.key] != [parent]:
            continue
        if [k.lower() for k in ours.key] == [child]:
            continue
        mine, place = ours.place(child), theirs.place(parent)
        if mine is None or place is None:
            continue
        kinds = ours.columns[mine].kind, theirs.columns[place].kind
        if kinds[0] is not kinds[1] and kinds != (Kind.TIMESTAMP, Kind.DATE):
            continue
        return Reference(
            table=ours.name,
            columns=(ours.columns[mine].name,),
            parent=theirs.name,
            referred=theirs.key,
        )
    return None


def _parents_first(
    tables: Sequence[TinyTable], references: Sequence[Reference]
) -> Iterator[TinyTable]:
    left = sorted(tables, key=lambda t: t.name)
    done: set[str] = set()
    while left:
        free = [t for t in left if _parents(t, references) <= done | {t.name}]
        # References that go round in a circle: one of them has to begin.
        table = (free or left)[0]
        left.remove(table)
        done.add(table.name)
        yield table


def _parents(table: TinyTable, references: Sequence[Reference]) -> set[str]:
    return {r.parent for r in references if r.table == table.name}
