"""From two SQL texts to the aligned pair that differs least."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.atoms import Atom, AtomKind, find_atoms
from goldsuite.diagnosis.counterfactual.merged import Merged
from goldsuite.diagnosis.counterfactual.merging import merge_plans
from goldsuite.diagnosis.counterfactual.normal import (
    NotApplicableError,
    columns_by_table,
    normal_tree,
    qualified_tree,
)
from goldsuite.diagnosis.counterfactual.reading import Times, read_plan
from goldsuite.sqltext.chance import depends_on_chance
from goldsuite.warehouse.base import Catalog

__all__ = ["Prepared", "Schema", "prepare"]

_RANKING = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile, exp.PercentRank)
_TIME_WORDS = ("DATE", "TIME")


@dataclass(frozen=True, kw_only=True, slots=True)
class Schema:
    """What the catalog tells, in the form that is needed here."""

    columns: Mapping[str, Mapping[str, str]]
    """Types by column by table."""
    times: Times
    dates: Mapping[str, frozenset[str]]
    """Columns of a table that hold days without a time of day."""

    @classmethod
    def of(cls, catalog: Catalog | None) -> "Schema":
        """Read once for all failures."""
        columns = columns_by_table(catalog)
        kinds: dict[str, set[bool]] = {}
        dates: dict[str, frozenset[str]] = {}
        for table, types in columns.items():
            dates[table] = frozenset(c for c, kind in types.items() if kind.upper() == "DATE")
            for column, kind in types.items():
                is_time = any(word in kind.upper() for word in _TIME_WORDS)
                kinds.setdefault(column.lower(), set()).add(is_time)
        times = frozenset(column for column, found in kinds.items() if found == {True})
        return cls(columns=columns, times=times, dates=dates)

    def columns_of(self, table: str) -> tuple[str, ...] | None:
        """None where the table is not known."""
        found = self.columns.get(table)
        if found is None:
            found = next((c for t, c in self.columns.items() if t.lower() == table.lower()), None)
        return tuple(found) if found is not None else None

    def dates_of(self, table: str) -> frozenset[str]:
        """Columns that hold days; none where the table is not known."""
        return self.dates.get(table, frozenset())


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """One way of aligning the two queries."""

    merged: Merged
    atoms: tuple[Atom, ...]
    ranked: tuple[bool, bool] = (False, False)
    """Whether the analyst's and the gold's number their rows by a window."""

    def check_named(self, atoms: Iterable[Atom]) -> None:
        """Refuse to name a difference of levels where one query picks rows by their number.

        `WHERE rn = 2` over a window and `LIMIT 1 OFFSET 1` say the same in other levels.

        Raises:
            NotApplicableError: the atoms are of that kind.
        """
        levels = any(atom.kind in (AtomKind.LEVELS, AtomKind.WHOLE) for atom in atoms)
        if levels and self.ranked[0] is not self.ranked[1]:
            raise NotApplicableError(
                "one of the queries picks rows by numbering them in a window, the other does not"
            )

    @property
    def weight(self) -> tuple[int, int]:
        """How much differs: less is a better alignment."""
        wholes = sum(atom.kind is AtomKind.WHOLE for atom in self.atoms)
        return 5 * wholes + len(self.atoms), sum(len(atom.slots) for atom in self.atoms)


def prepare(analyst_sql: str, gold_sql: str, dialect: str, schema: Schema) -> list[Prepared]:
    """Every way of aligning the two, the one that differs least first.

    Raises:
        NotApplicableError: one of them is of a kind that is not taken apart.
    """
    trees = [qualified_tree(sql, dialect, schema.columns) for sql in (analyst_sql, gold_sql)]
    for whose, tree in zip(("analyst's", "gold's"), trees, strict=True):
        if _draws(tree, dialect):
            raise NotApplicableError(f"the {whose} SQL gives another result each time")
    found: list[Prepared] = []
    reasons: list[NotApplicableError] = []
    # Where no query reads a derived table there is nothing to merge, and one form is enough.
    derived = any(isinstance(s.parent, exp.From | exp.Join) for t in trees for s in _nested(t))
    for form in (normal_tree, _as_it_is) if derived else (normal_tree,):
        try:
            found.append(_aligned(trees, form, dialect, schema))
        except NotApplicableError as reason:
            reasons.append(reason)
    if not found:
        raise reasons[0]
    return sorted(found, key=lambda prepared: prepared.weight)


def _nested(tree: exp.Query) -> Iterator[exp.Subquery]:
    return tree.find_all(exp.Subquery)


def _draws(tree: exp.Query, dialect: str) -> bool:
    """Whether a query draws at random; a cut without an order may still be the same each time."""
    whole = tree.copy()
    for query in whole.find_all(exp.Query):
        query.set("limit", None)
    return depends_on_chance(str(whole.sql(dialect=dialect)), dialect)


def _as_it_is(tree: exp.Query) -> exp.Query:
    return tree.copy()


def _aligned(
    trees: list[exp.Query], form: Callable[[exp.Query], exp.Query], dialect: str, schema: Schema
) -> Prepared:
    analyst, gold = (read_plan(form(tree), schema.times) for tree in trees)
    merged = merge_plans(analyst, gold, dialect=dialect, dates=schema.dates_of)
    ranked = tuple(tree.find(*_RANKING) is not None for tree in trees)
    return Prepared(merged=merged, atoms=find_atoms(merged), ranked=(ranked[0], ranked[1]))
