"""The metric dictionary and the semantic notes that the analyst may read."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """One metric that the dictionary defines."""

    name: str
    """Identifier, such as `net_revenue`."""
    label: str | None = None
    synonyms: tuple[str, ...] = ()
    description: str | None = None
    sql: str | None = None
    """The aggregate, such as `sum(orders.subtotal)`; None where only prose defines it."""
    source: str | None = None
    """The main table; None where only prose defines it."""
    joins: tuple[str, ...] = ()
    """Further tables the definition needs, each `TABLE on CONDITION`."""
    filters: tuple[str, ...] = ()
    """Predicates that belong to the definition, to be combined with AND."""
    time_column: str | None = None
    """The column that a time window applies to, as `table.column`."""
    unit: str | None = None

    @property
    def terms(self) -> tuple[str, ...]:
        """Every wording of the metric, lower case, without repeats, in a fixed order."""
        wordings = (self.name.replace("_", " "), self.label or "", *self.synonyms)
        return tuple(dict.fromkeys(w.strip().lower() for w in wordings if w.strip()))


@dataclass(frozen=True, kw_only=True, slots=True)
class Dimension:
    """A way to slice, described under `semantic/`."""

    name: str
    synonyms: tuple[str, ...] = ()
    table: str
    sql: str
    """Column or expression over `table`."""
    values: dict[str, tuple[str, ...]]
    """Stored value to the wordings that mean it; empty where the notes do not say."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Relationship:
    """How two tables join."""

    left: str
    """`table.column` on the many side."""
    right: str
    """`table.column` on the one side."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MetricDictionary:
    """All that the resolved context defines, in the order of its files."""

    metrics: tuple[Metric, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    fiscal_year_start_month: int = 1
    """1 to 12; 1 means that the fiscal year is the calendar year."""
