"""The naive measure: what an uninformed analyst would compute where no definition is found.
from goldsuite.analysts.baseline.words import STOPWORDS, related, word_set

One small rule per way of asking, tried in the order of `RULES`; the first that fits wins.
"""

import re
from collections.abc import Callable
from typing import TypeAlias

from sqlglot import exp

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.filters import find_terms, predicates
from goldsuite.analysts.baseline.lookup import (
    Lookup,
    best_field,
    likely_table,
    mentioned_tables,
    named_table,
)
from goldsuite.analysts.baseline.money import MONEY_WORDS, money_field
from goldsuite.analysts.baseline.plan import Measure, UnresolvedError
from goldsuite.analysts.baseline.rates import rate_measure
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.schema import Entity, Field, Kind
from goldsuite.analysts.baseline.words import STOPWORDS, related, word_set

Found: TypeAlias = tuple[Reading, Measure]
Rule: TypeAlias = Callable[[Reading, Lookup], Found | None]

_DISTINCT = re.compile(
    r"\b(?:how many|(?:total )?number of|count of) (?:distinct|unique|different) "
    r"|\b(?:distinct|unique) (?:count|number) of "
)
_COUNT = re.compile(r"\b(?:how many|(?:total )?(?:number|count) of|count) (?:the |all |of |our )*")
_AVERAGED = re.compile(r"\b(?P<mean>average|mean|avg|typical)\b|\b(?P<median>median)\b")
_PER = re.compile(
    r"\b(?:average|mean|avg) (?P<what>(?:number of |total )?[^|]+?) (?:per|for each)"
    r" (?P<each>[^|]+)"
)
_SHARE = re.compile(
    r"\b(?:what )?(?:share|percentage|percent|proportion|fraction) of (?:the |all |our )*"
)
_HIGH = re.compile(r"\b(?:highest|maximum|max|largest|biggest|greatest|longest|oldest)\b")
_LOW = re.compile(r"\b(?:lowest|minimum|min|smallest|shortest|youngest|cheapest)\b")
_LATEST = re.compile(r"\b(?:last|latest|most recent|newest)\b")
_EARLIEST = re.compile(r"\b(?:first|earliest)\b")
_TOTAL = re.compile(r"\b(?:total|sum of|sum|overall|combined|how much|how long)\b(?: of)?(?: the)?")
_RATE_LIKE = word_set("rate ratio pct percent score rating age price temperature share")
_OF = frozenset({"of"})


def naive_measure(reading: Reading, lookup: Lookup) -> Found | None:
    """The measure that the free words ask for, and the reading with its words used.

    None where no way of asking is recognised.

    Raises:
        UnresolvedError: one is, but names nothing that the catalog has.
    """
    for rule in RULES:
        found = rule(reading, lookup)
        if found is not None:
            return found
    return None


def count_rows(entity: Entity) -> Measure:
    """`count(*)` of a table."""
    return Measure(value=exp.Count(this=exp.Star()), source=entity.alias)


def _of_field(name: str, field: Field) -> Measure:
    return Measure(value=writing.aggregate(name, writing.column(field)), source=field.table)


def _phrase(reading: Reading, pattern: re.Pattern[str]) -> tuple[range, range] | None:
    """Where a cue stands, and the noun phrase after it."""
    for match, where in reading.places(pattern):
        start = reading.span(match).stop
        return where, reading.phrase_from(start, connectors=_OF)
    return None


def _named_field(
    reading: Reading, phrase: range, lookup: Lookup, accept: Callable[[Field], bool]
) -> Field | None:
    words = reading.words(reading.content(phrase)) or reading.words(phrase)
    mentioned = mentioned_tables(lookup.schema, reading.folded)
    return best_field(lookup.schema, words, accept, mentioned=mentioned)


def _claimed(reading: Reading, phrase: range, field: Field, lookup: Lookup) -> list[int]:
    """The words of `phrase` that the column stands for; the others may still name a filter."""
    own = {*field.words, *lookup.schema.owner(field).words}
    if not set(field.words).intersection(reading.words(phrase)):
        own |= MONEY_WORDS.keys()
    return [
        i
        for i in phrase
        if reading.lower[i] in STOPWORDS
        or reading.folded[i] in own
        or any(related(reading.folded[i], word) for word in field.words)
    ]


def _measurable(field: Field) -> bool:
    return field.measurable


def distinct_count(reading: Reading, lookup: Lookup) -> Found | None:
    """`how many different X`: the distinct X ids, else the distinct values of a column X."""
    found = _phrase(reading, _DISTINCT)
    if found is None:
        return None
    cue, phrase = found
    words = reading.words(phrase)
    named = named_table(lookup.schema, words)
    mentioned = mentioned_tables(lookup.schema, reading.folded[phrase.stop :])
    reference = named and _reference(lookup, named[0], mentioned)
    if named is not None and named[1].start == 0:
        field = reference or named[0].key
    else:
        accept = _text_or_reference
        chosen = _named_field(reading, phrase, lookup, accept) or reference
        if chosen is None:
            return None
        field = chosen
    return reading.take(cue).take_subject(phrase), _of_field("count distinct", field)


def _reference(lookup: Lookup, entity: Entity, mentioned: frozenset[str]) -> Field | None:
    """The column by which a mentioned table refers to `entity`."""
    for edge in lookup.graph.edges:
        if edge.to_one and edge.right == entity.alias and edge.left in mentioned:
            many = lookup.schema.entity(edge.left)
            return many.field(edge.pairs[0][0]) if many else None
    return None


def _text_or_reference(field: Field) -> bool:
    return field.kind is Kind.TEXT or field.words[-1:] == ("id",)


def average_per_entity(reading: Reading, lookup: Lookup) -> Found | None:
    """`average number of X per Y`, `average spend per Y`: the total over the distinct Y."""
    for match, where in reading.places(_PER):
        named = named_table(lookup.schema, reading.words(reading.span(match, "each")))
        what = reading.span(match, "what")
        counts = match["what"].startswith(("number of", "total "))
        if named is None or named[1].start != 0:
            continue
        if not counts and not MONEY_WORDS.keys() & set(reading.words(what)):
            continue
        asked = naive_measure(reading.only(what), lookup)
        if asked is None:
            continue
        inner = asked[1]
        reference = _reference(lookup, named[0], frozenset({inner.source})) or named[0].key
        each = exp.Count(this=exp.Distinct(expressions=[writing.column(reference)]))
        value = writing.ratio(inner.value, each)
        start = reading.span(match, "each").start
        used = [*range(where.start, start), *(i + start for i in named[1])]
        return reading.take_subject(used), Measure(value=value, source=inner.source)
    return None


def share_of_rows(reading: Reading, lookup: Lookup) -> Found | None:
    """`what percentage of X were Y`: the share of X's rows for which Y holds."""
    found = _phrase(reading, _SHARE)
    if found is None:
        return None
    cue, phrase = found
    named = named_table(lookup.schema, reading.words(phrase))
    if named is None:
        return None
    entity, inside = named
    end = phrase.start + inside.stop
    held = range(end, len(reading.lower))
    rest = reading.take(cue).take_subject(range(phrase.start + inside.start, end))
    rest, terms = find_terms(rest, lookup, entity.alias, held)
    if not terms:
        said = " ".join(reading.lower[i] for i in reading.content(held))
        raise UnresolvedError(f"no value or flag of {entity.name!r} reads as {said!r}")
    condition = exp.and_(*predicates(terms))
    return rest, Measure(value=writing.share(condition), source=entity.alias)


def named_rate(reading: Reading, lookup: Lookup) -> Found | None:
    """`X rate`."""
    found = rate_measure(reading, lookup)
    return found and (found[0], found[1])


def average(reading: Reading, lookup: Lookup) -> Found | None:
    """`average X`, `median X` over the best matching numeric column."""
    match = next(reading.find(_AVERAGED), None)
    found = _phrase(reading, _AVERAGED)
    if match is None or found is None:
        return None
    cue, phrase = found
    phrase = phrase or range(cue.stop, len(reading.lower))
    field = _named_field(reading, phrase, lookup, _measurable) or _money(reading, phrase, lookup)
    if field is None:
        return None
    name = "median" if match["median"] else "avg"
    claimed = _claimed(reading, phrase, field, lookup)
    return reading.take(cue).take_subject(claimed), _of_field(name, field)


def count(reading: Reading, lookup: Lookup) -> Found | None:
    """`how many X`: the rows of the table X, else what a column X tells, else rows with value X."""
    found = _phrase(reading, _COUNT)
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
        return rest.take_subject(phrase), _of_field(name, field)
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


def extreme_time(reading: Reading, lookup: Lookup) -> Found | None:
    """`when was the first X`, `date of the latest X`."""
    if not {"when", "date", "day"} & set(reading.lower):
        return None
    for pattern, name in ((_LATEST, "max"), (_EARLIEST, "min")):
        found = _phrase(reading, pattern)
        if found is None:
            continue
        cue, phrase = found
        named = named_table(lookup.schema, reading.words(phrase))

        def accept(field: Field, table: str | None = named[0].alias if named else None) -> bool:
            return field.kind is Kind.TIME and table in {None, field.table}

        field = _named_field(reading, range(len(reading.lower)), lookup, accept)
        if field is None and named is not None:
            field = next((f for f in named[0].fields if f.kind is Kind.TIME), None)
        if field is not None:
            return reading.take(cue).take_subject(phrase), _of_field(name, field)
    return None


def extreme(reading: Reading, lookup: Lookup) -> Found | None:
    """`highest X`, `minimum X` of a numeric column."""
    for pattern, name in ((_HIGH, "max"), (_LOW, "min")):
        found = _phrase(reading, pattern)
        field = found and _named_field(reading, found[1], lookup, _measurable)
        if found and field:
            claimed = _claimed(reading, found[1], field, lookup)
            return reading.take(found[0]).take_subject(claimed), _of_field(name, field)
    return None


def total(reading: Reading, lookup: Lookup) -> Found | None:
    """`total X`, `how much X`: the sum of the best matching numeric column."""
    found = _phrase(reading, _TOTAL)
    if found is None:
        return None
    cue, phrase = found
    phrase = phrase or range(cue.stop, len(reading.lower))
    field = _named_field(reading, phrase, lookup, _measurable) or _money(reading, phrase, lookup)
    if field is not None:
        claimed = _claimed(reading, phrase, field, lookup)
        return reading.take(cue).take_subject(claimed), _of_field("sum", field)
    named = named_table(lookup.schema, reading.words(phrase))
    return (reading.take(cue).take_subject(phrase), count_rows(named[0])) if named else None


def _money(reading: Reading, phrase: range, lookup: Lookup) -> Field | None:
    word = next((w for w in reading.words(phrase) if w in MONEY_WORDS), None)
    mentioned = mentioned_tables(lookup.schema, reading.folded)
    return word and money_field(  # type: ignore[return-value]
        lookup.schema, _measurable, word=word, mentioned=mentioned
    )


def money(reading: Reading, lookup: Lookup) -> Found | None:
    """A money word: the sum of a column of that name, else of the likeliest money column."""
    spoken = [i for i in reading.content() if reading.folded[i] in MONEY_WORDS]
    if not spoken:
        return None
    at = spoken[0]
    start = at
    while start > 0 and start - 1 in reading.content():
        start -= 1
    phrase = range(start, at + 1)
    field = _named_field(reading, phrase, lookup, _measurable) or _money(
        reading, range(at, at + 1), lookup
    )
    if field is None:
        return None
    return reading.take_subject(_claimed(reading, phrase, field, lookup)), _of_field("sum", field)


def bare_table(reading: Reading, lookup: Lookup) -> Found | None:
    """`loans in March`: the rows of a table, where no other word names one of its columns."""
    words = reading.words(reading.content())
    named = named_table(lookup.schema, words)
    if named is None:
        return None
    entity = named[0]
    others = set(words) - set(entity.words)
    if best_field(lookup.schema, others, _measurable) is not None:
        return None
    used = [i for i in reading.content() if reading.folded[i] in entity.words]
    return reading.take_subject(used), count_rows(entity)


def lexical(reading: Reading, lookup: Lookup) -> Found | None:
    """The numeric column that shares most with the question: summed, or averaged if a rate."""
    phrase = range(len(reading.lower))
    field = _named_field(reading, phrase, lookup, _measurable)
    if field is not None and reading.content():
        used = [i for i in reading.content() if reading.folded[i] in field.words]
        name = "avg" if set(field.words) & _RATE_LIKE else "sum"
        return reading.take_subject(used), _of_field(name, field)
    return None


RULES: tuple[Rule, ...] = (
    distinct_count,
    average_per_entity,
    share_of_rows,
    named_rate,
    average,
    extreme_time,
    extreme,
    count,
    total,
    money,
)
