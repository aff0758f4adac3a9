"""Counting: rows of a table, distinct things, rows that hold a value."""

import re

from goldsuite.analysts.baseline.filters import find_terms
from goldsuite.analysts.baseline.lookup import (
    Lookup,
    best_field,
    likely_table,
    mentioned_tables,
    named_table,
)
from goldsuite.analysts.baseline.phrases import (
    Found,
    count_rows,
    measurable,
    named_field,
    of_field,
    phrase_after,
)
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.schema import Entity, Field, Kind

_DISTINCT = re.compile(
    r"\b(?:how many|(?:total )?number of|count of) (?:distinct|unique|different) "
    r"|\b(?:distinct|unique) (?:count|number) of "
)
_COUNT = re.compile(r"\b(?:how many|(?:total )?(?:number|count) of|count) (?:the |all |of |our )*")


def distinct_count(reading: Reading, lookup: Lookup) -> Found | None:
    """`how many different X`: the distinct X ids, else the distinct values of a column X."""
    found = phrase_after(reading, _DISTINCT)
    if found is None:
        return None
    cue, phrase = found
    words = reading.words(phrase)
    named = named_table(lookup.schema, words)
    mentioned = mentioned_tables(lookup.schema, reading.folded[phrase.stop :])
    reference = named and reference_to(lookup, named[0], mentioned)
    if named is not None and named[1].start == 0:
        field = reference or named[0].key
    else:
        accept = _text_or_reference
        chosen = named_field(reading, phrase, lookup, accept) or reference
        if chosen is None:
            return None
        field = chosen
    return reading.take(cue).take_subject(phrase), of_field("count distinct", field)


def reference_to(lookup: Lookup, entity: Entity, mentioned: frozenset[str]) -> Field | None:
    """The column by which a mentioned table refers to `entity`."""
    for edge in lookup.graph.edges:
        if edge.to_one and edge.right == entity.alias and edge.left in mentioned:
            many = lookup.schema.entity(edge.left)
            return many.field(edge.pairs[0][0]) if many else None
    return None


def _text_or_reference(field: Field) -> bool:
    return field.kind is Kind.TEXT or field.words[-1:] == ("id",)


def count(reading: Reading, lookup: Lookup) -> Found | None:
    """`how many X`: the rows of the table X, else what a column X tells, else rows with value X."""
    found = phrase_after(reading, _COUNT)
    if found is None:
        return None
    cue, phrase = found
    rest = reading.take(cue)
    words = reading.words(phrase)
    named = named_table(lookup.schema, words)
    if named is not None:
        where = (phrase.start + i for i in named[1])
        return rest.take_subject(where), count_rows(named[0])
    field = _counted_field(reading, phrase, lookup)
    if field is not None:
        name = "sum" if field.measurable else "count distinct"
        return rest.take_subject(phrase), of_field(name, field)
    entity = _owner_of_value(reading, phrase, lookup) or likely_table(lookup.schema, words)
    return (rest, count_rows(entity)) if entity is not None else None


def _counted_field(reading: Reading, phrase: range, lookup: Lookup) -> Field | None:
    """A column that carries the phrase's own name: `units`, `borrower_id`, `country`."""
    words = reading.words(phrase)
    for suffix in ((), ("id",), ("count",), ("name",)):
        for length in range(len(words), 0, -1):
            for start in range(len(words) - length + 1):
                run = (*words[start : start + length], *suffix)
                found = [f for f in lookup.schema.fields() if f.words == run]
                if found and found[0].kind is not Kind.TIME:
                    return min(found, key=lambda f: (not f.measurable, f.place))
    return None


def _owner_of_value(reading: Reading, phrase: range, lookup: Lookup) -> Entity | None:
    """The table whose column holds a value that the phrase names: `cardiologists`."""
    for entity in lookup.schema.entities:
        _, terms = find_terms(reading, lookup, entity.alias, phrase)
        if any(one.term.table == entity.alias for one in terms):
            return entity
    return None


def bare_table(reading: Reading, lookup: Lookup) -> Found | None:
    """`loans in March`: the rows of a table, where no other word names one of its columns."""
    words = reading.words(reading.content())
    named = named_table(lookup.schema, words)
    if named is None:
        return None
    entity = named[0]
    others = set(words) - set(entity.words)
    if best_field(lookup.schema, others, measurable) is not None:
        return None
    used = [i for i in reading.content() if reading.folded[i] in entity.words]
    return reading.take_subject(used), count_rows(entity)
