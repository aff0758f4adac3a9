"""What words after `by` or `which` mean: a grain of time, a dimension, a column, a table's name."""

from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.lookup import Lookup
from goldsuite.analysts.baseline.plan import Slice, UnresolvedError
from goldsuite.analysts.baseline.schema import Entity, Field, Kind
from goldsuite.analysts.baseline.windows import Grain
from goldsuite.analysts.baseline.words import STOPWORDS, contains, folded
from goldsuite.context.dictionary import Dimension

GRAINS = {grain.value: grain for grain in Grain} | {
    "date": Grain.DAY,
    "daily": Grain.DAY,
    "weekly": Grain.WEEK,
    "monthly": Grain.MONTH,
    "quarterly": Grain.QUARTER,
    "yearly": Grain.YEAR,
    "annual": Grain.YEAR,
}
"""Words that mean a unit of the measure's own time."""

_MAX_WORDS = 4
_DIMENSION, _COLUMN, _ENTITY, _PART_OF_NAME, _REFERENCE = range(5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One meaning of a phrase."""

    rank: int
    """How directly the words name it; lower is better."""
    place: tuple[bool, str, int]
    """Breaks ties."""
    slice: Slice


@dataclass(frozen=True, kw_only=True, slots=True)
class Sliced:
    """A phrase that names something to group by, with all it may mean."""

    words: tuple[str, ...]
    candidates: tuple[Candidate, ...]

    def choose(self, lookup: Lookup, source: str) -> Slice:
        """The best meaning that can be joined to `source`: directness, then the shortest way.

        Raises:
            UnresolvedError: nothing of it can be reached.
        """
        reachable = [
            (one.rank, distance, one.place, one.slice)
            for one in self.candidates
            if (distance := 0 if one.slice.table is None else lookup.near(source, one.slice.table))
            is not None
        ]
        if not reachable:
            phrase = " ".join(self.words)
            raise UnresolvedError(f"no join leads from {source!r} to what {phrase!r} names")
        return min(reachable, key=lambda one: one[:3])[3]

    def first(self) -> Slice:
        """The best meaning where no source is given yet."""
        # A table's own rows come before the columns elsewhere that refer to it.
        ranked = [(one.rank != _ENTITY, one.rank, one.place, one.slice) for one in self.candidates]
        return min(ranked, key=lambda one: one[:3])[3]


def longest_slice(lookup: Lookup, words: tuple[str, ...]) -> Sliced | None:
    """What the longest beginning of `words` names; None where no beginning names anything."""
    if not words or words[0] in STOPWORDS:
        return None
    for length in range(min(len(words), _MAX_WORDS), 0, -1):
        found = meanings(lookup, words[:length])
        if found:
            return Sliced(words=words[:length], candidates=found)
    return None


def meanings(lookup: Lookup, words: tuple[str, ...]) -> tuple[Candidate, ...]:
    """Everything that exactly these folded words may name."""
    if len(words) == 1 and words[0] in GRAINS:
        grain = GRAINS[words[0]]
        return (
            Candidate(rank=_DIMENSION, place=(False, "", 0), slice=Slice(value=None, grain=grain)),
        )
    found = [
        Candidate(
            rank=_DIMENSION, place=(False, "", index), slice=dimension_slice(dimension, lookup)
        )
        for index, dimension in enumerate(lookup.dictionary.dimensions)
        if words in {folded(term) for term in (dimension.name, *dimension.synonyms)}
    ]
    for entity in lookup.schema.entities:
        if words == entity.words:
            found.append(_of_field(_ENTITY, entity.label))
        for field in entity.fields:
            rank = _rank(field, entity, words)
            if rank is not None:
                found.append(_of_field(rank, field))
    return tuple(found)


def _of_field(rank: int, field: Field) -> Candidate:
    value = writing.column(field)
    return Candidate(rank=rank, place=field.place, slice=Slice(value=value, table=field.table))


def _rank(field: Field, entity: Entity, words: tuple[str, ...]) -> int | None:
    if field.words == words or (*entity.words, *field.words) == words:
        return _COLUMN
    if field.words == (*words, "id"):
        return _REFERENCE
    if (
        field.kind in {Kind.TEXT, Kind.FLAG}
        and not field.is_key
        and contains(field.condition_words, words)
    ):
        return _PART_OF_NAME
    return None


def dimension_slice(dimension: Dimension, lookup: Lookup) -> Slice:
    """A dimension of the notes as an expression over its table.

    Raises:
        UnresolvedError: its SQL cannot be read, or its table is not there.
    """
    entity = lookup.schema.entity(dimension.table)
    if entity is None:
        raise UnresolvedError(
            f"dimension {dimension.name!r}: the warehouse has no table {dimension.table!r}"
        )
    try:
        parsed = parse_one(dimension.sql, dialect=lookup.dialect)
    except SqlglotError:
        raise UnresolvedError(
            f"dimension {dimension.name!r}: cannot read {dimension.sql!r} as an SQL expression"
        ) from None

    def bind(node: exp.Expr) -> exp.Expr:
        field = entity.field(node.name) if isinstance(node, exp.Column) else None
        return writing.column(field) if field else node

    return Slice(value=parsed.transform(bind), table=entity.alias)
