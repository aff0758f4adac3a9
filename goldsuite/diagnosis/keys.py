"""What is known of tables beside the two queries: their columns and what is unique in them.

A catalog tells; without one, or for a table it does not know, a column that is named after its
table (`id`, `invoice_id` in `invoices`) is taken for the table's key.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from goldsuite.warehouse.base import Catalog, CatalogTable

__all__ = ["Keys"]

_KEY_ENDINGS = ("id", "key")


@dataclass(frozen=True, kw_only=True, slots=True)
class Keys:
    """Tables by their lower-case name."""

    tables: Mapping[str, CatalogTable] = field(default_factory=dict)

    @classmethod
    def of(cls, catalog: Catalog | None) -> "Keys":
        """The keys that `catalog` declares; none without one."""
        found = catalog.tables if catalog is not None else ()
        return cls(tables={table.name.lower(): table for table in found})

    @property
    def dates(self) -> frozenset[str]:
        """Columns that hold days without a time of day, as `table.column`."""
        return frozenset(
            f"{name}.{column.name.lower()}"
            for name, table in self.tables.items()
            for column in table.columns
            if column.type.upper() == "DATE"
        )

    def has_column(self, table: str, column: str) -> bool | None:
        """Whether `table` has `column`; None where the table is not known."""
        known = self.tables.get(table.lower())
        if known is None:
            return None
        return any(column.lower() == c.name.lower() for c in known.columns)

    def never_null(self, column: str) -> bool:
        """Whether `table.column` is known, or named, to be never NULL."""
        table, _, name = column.rpartition(".")
        known = self.tables.get(table.lower())
        if known is not None:
            return any(c.name.lower() == name.lower() and not c.nullable for c in known.columns)
        return _named_after(table, name)

    def are_unique(self, table: str, columns: AbstractSet[str]) -> bool:
        """Whether no two rows of `table` can agree in all of `columns`."""
        lowered = {column.lower() for column in columns}
        known = self.tables.get(table.lower())
        if known is not None and known.primary_key:
            return any(set(key) <= lowered for key in self._unique_sets(known))
        return any(_named_after(table, column) for column in lowered)

    def declared(self, table: str) -> tuple[str, ...]:
        """The primary key's columns; empty where none is declared."""
        known = self.tables.get(table.lower())
        return known.primary_key if known is not None else ()

    def candidates(self, table: str) -> tuple[str, ...]:
        """Columns that may be a key though none is declared: the ones named so first."""
        known = self.tables.get(table.lower())
        names = [column.name for column in known.columns] if known is not None else []
        ends = [n for n in names if n.lower().endswith(_KEY_ENDINGS)]
        named = [n for n in ends if _named_after(table, n)]
        return tuple(dict.fromkeys((*named, *ends, *names[:1])))

    def _unique_sets(self, table: CatalogTable) -> list[list[str]]:
        """The primary key, and whatever a foreign key of another table refers to."""
        referred = [
            foreign.referred_columns
            for other in self.tables.values()
            for foreign in other.foreign_keys
            if foreign.table.lower() == table.name.lower() and foreign.referred_columns
        ]
        return [[column.lower() for column in key] for key in (table.primary_key, *referred)]


def _named_after(table: str, column: str) -> bool:
    """`id` of any table; `invoice_id` and `invoice_key` of `invoices`, also of `dim_invoices`."""
    name = column.lower()
    if name in _KEY_ENDINGS:
        return True
    words = table.lower().split("_")
    stems = {stem for tail in (words, words[-1:]) for stem in _singulars("_".join(tail))}
    return any(name in (f"{s}_{end}", f"{s}{end}") for s in stems for end in _KEY_ENDINGS)


def _singulars(word: str) -> set[str]:
    stems = {word}
    if word.endswith("ies"):
        stems.add(f"{word[:-3]}y")
    if word.endswith("es"):
        stems.add(word[:-2])
    if word.endswith("s"):
        stems.add(word[:-1])
    return stems
