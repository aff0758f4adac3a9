"""The catalog as the baseline looks at it: tables and columns by their words and kinds."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp
from sqlglot.errors import SqlglotError

from goldsuite.analysts.baseline.words import folded, name_words
from goldsuite.warehouse.base import Catalog, CatalogColumn, CatalogTable, ForeignKey

_PREFIXES = frozenset({"dim", "fact", "fct", "stg", "tbl", "vw", "mart", "raw"})
_FLAG_PREFIXES = frozenset({"is", "has", "was"})
_IDENTIFYING = frozenset(
    {"id", "key", "code", "zip", "uuid", "number", "no", "year", "month", "day", "phone"}
)
_TIME_ENDINGS = frozenset({"at", "on", "date", "time", "timestamp", "datetime"})


class Kind(StrEnum):
    NUMBER = "number"
    TEXT = "text"
    FLAG = "flag"
    TIME = "time"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """One column."""

    table: str
    """The alias of its table in composed SQL."""
    name: str
    words: tuple[str, ...]
    """Of the name, folded."""
    comment: frozenset[str]
    """Folded words of the comment."""
    kind: Kind
    values: tuple[str, ...]
    is_key: bool
    """Identifies something: summing it means nothing."""
    place: tuple[bool, str, int]
    """Breaks ties: tables of the default schema first, then by table and position."""
    boolean: bool
    """Stored as a boolean; a flag that is not is stored as 0 and 1."""

    @property
    def measurable(self) -> bool:
        return self.kind is Kind.NUMBER and not self.is_key

    @property
    def condition_words(self) -> tuple[str, ...]:
        """The words of a flag without its `is`, `has` or `was`."""
        bare = self.words[1:] if self.words and self.words[0] in _FLAG_PREFIXES else self.words
        return bare or self.words


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """One table or view."""

    alias: str
    """How composed SQL names it; unique in the schema."""
    name: str
    schema: str | None
    words: tuple[str, ...]
    comment: frozenset[str]
    fields: tuple[Field, ...]
    primary_key: tuple[str, ...]
    foreign_keys: tuple[ForeignKey, ...]

    def field(self, name: str) -> Field | None:
        """The column of that name, letter case aside."""
        return next((f for f in self.fields if f.name.lower() == name.lower()), None)

    @property
    def label(self) -> Field:
        """The column that a person would call a row by: its name or title, else its key."""
        wanted = (("name",), (*self.words, "name"), ("title",), (*self.words, "title"))
        for words in wanted:
            for candidate in self.fields:
                if candidate.words == words:
                    return candidate
        named = [f for f in self.fields if f.kind is Kind.TEXT and f.words[-1:] == ("name",)]
        return (named or [self.key])[0]

    @property
    def key(self) -> Field:
        """The primary key's column, else the one that reads like it, else the first."""
        declared = self.field(self.primary_key[0]) if len(self.primary_key) == 1 else None
        likely = [f for f in self.fields if f.words in (("id",), (*self.words, "id"))]
        return declared or (likely or list(self.fields))[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class Schema:
    """Every table with at least one column, in the catalog's order."""

    dialect: str
    entities: tuple[Entity, ...]

    def entity(self, name: str) -> Entity | None:
        """The table of that name, letter case and an optional schema aside."""
        *schemas, table = name.lower().replace('"', "").split(".")
        named = [e for e in self.entities if e.alias.lower() == name.lower()] or [
            e
            for e in self.entities
            if e.name.lower() == table and (not schemas or (e.schema or "").lower() == schemas[-1])
        ]
        return named[0] if named else None

    def fields(self) -> Iterable[Field]:
        for entity in self.entities:
            yield from entity.fields

    def owner(self, field: Field) -> Entity:
        return next(e for e in self.entities if e.alias == field.table)


def read_schema(catalog: Catalog, dialect: str) -> Schema:
    """Index `catalog`; `dialect` is sqlglot's name."""
    names = [table.name.lower() for table in catalog.tables]
    entities = tuple(
        _entity(table, unique=names.count(table.name.lower()) == 1, dialect=dialect)
        for table in catalog.tables
        if table.columns
    )
    return Schema(dialect=dialect, entities=entities)


def _entity(table: CatalogTable, *, unique: bool, dialect: str) -> Entity:
    alias = table.name if unique or table.schema is None else f"{table.schema}_{table.name}"
    words = name_words(table.name)
    if not unique and table.schema is not None:
        words = (*name_words(table.schema), *words)
    elif len(words) > 1 and words[0] in _PREFIXES:
        words = words[1:]
    return Entity(
        alias=alias,
        name=table.name,
        schema=table.schema,
        words=words,
        comment=frozenset(folded(table.comment or "")),
        fields=tuple(
            _field(column, index, table, alias, dialect)
            for index, column in enumerate(table.columns)
        ),
        primary_key=table.primary_key,
        foreign_keys=table.foreign_keys,
    )


def _field(
    column: CatalogColumn, index: int, table: CatalogTable, alias: str, dialect: str
) -> Field:
    words = name_words(column.name)
    declared = _data_type(column.type, dialect)
    # SQLite has no type for times: they are ISO text, and only the name tells.
    if dialect == "sqlite" and declared is Kind.TEXT and _ends_in(words, _TIME_ENDINGS):
        declared = Kind.TIME
    boolean = declared is Kind.FLAG
    if declared is Kind.NUMBER and words and words[0] in _FLAG_PREFIXES:
        declared = Kind.FLAG
    keys = {*table.primary_key, *(c for key in table.foreign_keys for c in key.columns)}
    return Field(
        table=alias,
        name=column.name,
        words=words,
        comment=frozenset(folded(column.comment or "")),
        kind=declared,
        values=column.values,
        is_key=column.name in keys or _ends_in(words, _IDENTIFYING),
        place=(table.schema is not None, alias, index),
        boolean=boolean,
    )


def _ends_in(words: tuple[str, ...], endings: frozenset[str]) -> bool:
    return bool(words) and words[-1] in endings


def _data_type(name: str, dialect: str) -> Kind:
    try:
        data_type = exp.DataType.build(name, dialect=dialect)
    except (SqlglotError, ValueError):
        return Kind.OTHER
    if data_type.is_type(exp.DataType.Type.BOOLEAN):
        return Kind.FLAG
    if data_type.is_type(*exp.DataType.NUMERIC_TYPES):
        return Kind.NUMBER
    if data_type.is_type(*(exp.DataType.TEMPORAL_TYPES - {exp.DataType.Type.TIME})):
        return Kind.TIME
    if data_type.is_type(*exp.DataType.TEXT_TYPES, exp.DataType.Type.ENUM):
        return Kind.TEXT
    return Kind.OTHER
