"""The naive measure: what an uninformed analyst would compute where no definition is found.
from goldsuite.analysts.baseline.words import STOPWORDS, related, word_set

One small rule per way of asking, tried in the order of `RULES`; the first that fits wins.
"""

import re

from sqlglot import exp

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.counts import count, distinct_count, reference_to
from goldsuite.analysts.baseline.filters import find_terms, predicates
from goldsuite.analysts.baseline.lookup import Lookup, named_table
from goldsuite.analysts.baseline.money import MONEY_WORDS
from goldsuite.analysts.baseline.phrases import (
    Found,
    Rule,
    amount_column,
    claimed_words,
    count_rows,
    measurable,
    money_column,
    named_field,
    of_field,
    phrase_after,
)
from goldsuite.analysts.baseline.plan import Measure, UnresolvedError
from goldsuite.analysts.baseline.rates import rate_measure
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.schema import Field, Kind
from goldsuite.analysts.baseline.words import word_set

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
        reference = reference_to(lookup, named[0], frozenset({inner.source})) or named[0].key
        each = exp.Count(this=exp.Distinct(expressions=[writing.column(reference)]))
        value = writing.ratio(inner.value, each)
        start = reading.span(match, "each").start
        used = [*range(where.start, start), *(i + start for i in named[1])]
        return reading.take_subject(used), Measure(value=value, source=inner.source)
    return None


def share_of_rows(reading: Reading, lookup: Lookup) -> Found | None:
    """`what percentage of X were Y`: the share of X's rows for which Y holds."""
    found = phrase_after(reading, _SHARE)
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
    found = phrase_after(reading, _AVERAGED)
    if match is None or found is None:
        return None
    cue, phrase = found
    phrase = phrase or range(cue.stop, len(reading.lower))
    field = amount_column(reading, phrase, lookup)
    if field is None:
        return None
    name = "median" if match["median"] else "avg"
    claimed = claimed_words(reading, phrase, field, lookup)
    return reading.take(cue).take_subject(claimed), of_field(name, field)


def extreme_time(reading: Reading, lookup: Lookup) -> Found | None:
    """`when was the first X`, `date of the latest X`."""
    if not {"when", "date", "day"} & set(reading.lower):
        return None
    for pattern, name in ((_LATEST, "max"), (_EARLIEST, "min")):
        found = phrase_after(reading, pattern)
        if found is None:
            continue
        cue, phrase = found
        named = named_table(lookup.schema, reading.words(phrase))

        def accept(field: Field, table: str | None = named[0].alias if named else None) -> bool:
            return field.kind is Kind.TIME and table in {None, field.table}

        field = named_field(reading, range(len(reading.lower)), lookup, accept)
        if field is None and named is not None:
            field = next((f for f in named[0].fields if f.kind is Kind.TIME), None)
        if field is not None:
            return reading.take(cue).take_subject(phrase), of_field(name, field)
    return None


def extreme(reading: Reading, lookup: Lookup) -> Found | None:
    """`highest X`, `minimum X` of a numeric column."""
    for pattern, name in ((_HIGH, "max"), (_LOW, "min")):
        found = phrase_after(reading, pattern)
        field = found and named_field(reading, found[1], lookup, measurable)
        if found and field:
            claimed = claimed_words(reading, found[1], field, lookup)
            return reading.take(found[0]).take_subject(claimed), of_field(name, field)
    return None


def total(reading: Reading, lookup: Lookup) -> Found | None:
    """`total X`, `how much X`: the sum of the best matching numeric column."""
    found = phrase_after(reading, _TOTAL)
    if found is None:
        return None
    cue, phrase = found
    phrase = phrase or range(cue.stop, len(reading.lower))
    field = amount_column(reading, phrase, lookup)
    if field is not None:
        claimed = claimed_words(reading, phrase, field, lookup)
        return reading.take(cue).take_subject(claimed), of_field("sum", field)
    named = named_table(lookup.schema, reading.words(phrase))
    return (reading.take(cue).take_subject(phrase), count_rows(named[0])) if named else None


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
    field = named_field(reading, phrase, lookup, measurable) or money_column(
        reading, range(at, at + 1), lookup
    )
    if field is None:
        return None
    return reading.take_subject(claimed_words(reading, phrase, field, lookup)), of_field(
        "sum", field
    )


def lexical(reading: Reading, lookup: Lookup) -> Found | None:
    """The numeric column that shares most with the question: summed, or averaged if a rate."""
    phrase = range(len(reading.lower))
    field = named_field(reading, phrase, lookup, measurable)
    if field is not None and reading.content():
        used = [i for i in reading.content() if reading.folded[i] in field.words]
        name = "avg" if set(field.words) & _RATE_LIKE else "sum"
        return reading.take_subject(used), of_field(name, field)
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
