"""Which table or column the words of a phrase mean: overlap of words, nothing cleverer."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from goldsuite.analysts.baseline.joins import JoinGraph, join_graph
from goldsuite.analysts.baseline.schema import Entity, Field, Schema, read_schema
from goldsuite.analysts.baseline.words import position, related
from goldsuite.context.dictionary import MetricDictionary
from goldsuite.warehouse.base import Catalog

MAX_JOINS = 3
"""How far from the source a filter or a slice is looked for."""

_EXACT, _RELATED, _FULL_NAME, _TABLE_WORD, _MENTIONED = 6, 4, 3, 2, 1


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Lookup:
    """All that the baseline knows: dictionary, catalog, and how the tables join."""

    dictionary: MetricDictionary
    schema: Schema
    graph: JoinGraph

    @property
    def dialect(self) -> str:
        return self.schema.dialect

    def near(self, source: str, table: str) -> int | None:
        """How many joins away `table` is; None where it is too far or cannot be reached."""
        distance = self.graph.distance(source, table)
        return distance if distance is not None and distance <= MAX_JOINS else None


def make_lookup(dictionary: MetricDictionary, catalog: Catalog, dialect: str) -> Lookup:
    """Index a dictionary and a catalog for one warehouse."""
    schema = read_schema(catalog, dialect)
    return Lookup(
        dictionary=dictionary,
        schema=schema,
        graph=join_graph(schema, dictionary.relationships),
    )


def named_table(schema: Schema, words: tuple[str, ...]) -> tuple[Entity, range] | None:
    """The table whose whole name stands in `words`, and where: the longest, then the first."""
    found = [
        (-len(entity.words), at, entity.fields[0].place, entity)
        for entity in schema.entities
        if (at := position(words, entity.words)) is not None
    ]
    if not found:
        return None
    length, at, _, entity = min(found, key=lambda one: one[:3])
    return entity, range(at, at - length)


def likely_table(schema: Schema, words: tuple[str, ...]) -> Entity | None:
    """The table that shares a word with `words` and has the fewest others."""
    found = [
        (len(set(entity.words) - set(words)), entity.fields[0].place, entity)
        for entity in schema.entities
        if set(entity.words) & set(words)
    ]
    return min(found, key=lambda one: one[:2])[2] if found else None


def mentioned_tables(schema: Schema, words: tuple[str, ...]) -> frozenset[str]:
    """Every table whose whole name stands in the question."""
    return frozenset(e.alias for e in schema.entities if position(words, e.words) is not None)


def best_field(
    schema: Schema,
    words: Iterable[str],
    accept: Callable[[Field], bool],
    *,
    mentioned: frozenset[str] = frozenset(),
) -> Field | None:
    """The accepted column that shares most with `words`; ties go to the first by name.

    A hit in the column's name weighs most, then its table's name, then its comment.
    """
    wanted = frozenset(words)
    scored = [
        (-score - (_MENTIONED if entity.alias in mentioned else 0), field.place, field)
        for entity in schema.entities
        for field in entity.fields
        if accept(field) and (score := overlap(field, entity, wanted))
    ]
    return min(scored, key=lambda one: one[:2])[2] if scored else None


def overlap(field: Field, entity: Entity, words: frozenset[str]) -> int:
    """How well `words` name the column; 0 where neither name nor comment is hit."""
    exact = {word for word in field.words if word in words}
    alike = {w for w in field.words if w not in exact and any(related(w, x) for x in words - exact)}
    commented = len(words & field.comment)
    named = _EXACT * len(exact) + _RELATED * len(alike)
    if not named and not commented:
        return 0
    missed = len(set(field.words)) - len(exact) - len(alike)
    in_table = len(set(entity.words) & (words - exact))
    score = named - missed + (_FULL_NAME if named and not missed else 0) + min(commented, 2)
    if in_table:
        score += _TABLE_WORD * in_table - len(set(entity.words) - words)
    return max(score, 1)
