"""From a question's words to a plan: dictionary first, else the naive choice."""

import re
from dataclasses import replace
from datetime import date

from sqlglot import exp

from goldsuite.analysts.baseline.comparisons import bound_words, read_comparisons
from goldsuite.analysts.baseline.counts import bare_table
from goldsuite.analysts.baseline.filters import find_terms, predicates
from goldsuite.analysts.baseline.grouping import (
    Ranked,
    read_groups,
    read_mean_period,
    read_ranking,
)
from goldsuite.analysts.baseline.keys import read_keys
from goldsuite.analysts.baseline.lookup import Lookup, named_table
from goldsuite.analysts.baseline.measures import average_per_entity, lexical, naive_measure
from goldsuite.analysts.baseline.metrics import define, find_metric
from goldsuite.analysts.baseline.phrases import count_rows
from goldsuite.analysts.baseline.plan import Measure, Plan, Slice, Times, UnresolvedError
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.slices import Sliced, longest_slice
from goldsuite.analysts.baseline.timecolumns import time_column
from goldsuite.analysts.baseline.times import read_times
from goldsuite.analysts.baseline.windows import unit_of
from goldsuite.analysts.baseline.words import word_set
from goldsuite.analysts.baseline.writing import aggregate

_LIST = re.compile(
    r"^(?:please )?(?:list|show|give me|name|which|what are|what were|what) (?:me )?"
    r"(?:(?:all|the|our|distinct|unique|different|of) )*"
)
_AGGREGATES = word_set("average mean avg median total sum combined overall")
_UNREAD = word_set("never without not excluding except neither")


def resolve(question: str, lookup: Lookup, today: date) -> Plan:
    """What to compute for `question`.

    Raises:
        UnresolvedError: nothing can be made of it; the message says of which words.
    """
    reading = Reading.of(question)
    measure: Measure | None = None
    metric = find_metric(reading, lookup)
    if metric is not None and (measure := define(metric[0], lookup)) is not None:
        reading = reading.take_subject(metric[1])
    reading, times = read_times(reading, today, lookup.dictionary.fiscal_year_start_month)
    reading, mean_over = read_mean_period(reading, lookup)
    reading, ranked = read_ranking(reading, lookup)
    if measure is None and ranked is None:
        reading, measure = _per_entity(reading, lookup)
    reading, groups = read_groups(reading, lookup)
    listed: Slice | None = None
    if measure is None:
        bounds = bound_words(reading)
        asking, measure, listed = _naive(reading.take(bounds), lookup, ranked, groups)
        reading = reading.take_subject(asking.subject).take(asking.used - bounds)
    if measure is not None:
        source = measure.source
        asked = (*((ranked.sliced,) if ranked else ()), *groups)
        slices = tuple(one.choose(lookup, source) for one in asked)
    else:
        slices = (listed,) if listed else ()
        source = (listed and listed.table) or ""
    plan = Plan(
        source=source,
        measure=_extreme(measure, ranked, slices, reading),
        slices=_without_the_only_period(slices, times),
        times=times,
        ranking=ranked.ranking if ranked else None,
        averaged_over=mean_over,
    )
    return _timed(_filtered(plan, reading, lookup), reading, lookup)


def _per_entity(reading: Reading, lookup: Lookup) -> tuple[Reading, Measure | None]:
    return average_per_entity(reading, lookup) or (reading, None)


def _naive(
    reading: Reading, lookup: Lookup, ranked: Ranked | None, groups: tuple[Sliced, ...]
) -> tuple[Reading, Measure | None, Slice | None]:
    """An uninformed measure, else a list of what is named, else the column most alike."""
    if ranked is not None:
        reading, measure = _ranked_measure(reading, lookup, ranked)
        return reading, measure, None
    found = naive_measure(reading, lookup)
    if found is not None:
        return *found, None
    if not groups and (listed := _listed(reading, lookup)) is not None:
        return listed[0], None, listed[1]
    found = bare_table(reading, lookup) or lexical(reading, lookup)
    if found is None:
        words = " ".join(reading.lower[i] for i in reading.content())
        raise UnresolvedError(f"no metric, table or column reads as {words!r}")
    return *found, None


def _ranked_measure(reading: Reading, lookup: Lookup, ranked: Ranked) -> tuple[Reading, Measure]:
    everything = range(len(reading.lower))
    if ranked.counts:
        rest = tuple(reading.folded[i] for i in everything if i not in reading.used)
        named = named_table(lookup.schema, rest)
        table = ranked.sliced.first().table
        entity = named[0] if named else lookup.schema.entity(table or "")
        if entity is None:
            raise UnresolvedError("cannot tell rows of which table to count")
        return reading, count_rows(entity)
    phrase = reading.phrase_from(ranked.focus, connectors=frozenset({"of"}))
    named = named_table(lookup.schema, reading.words(phrase))
    if named is not None and phrase.start + named[1].stop == phrase.stop:
        used = (phrase.start + i for i in named[1])
        return reading.take_subject(used), count_rows(named[0])
    focus = reading.only(range(ranked.focus, len(reading.lower))) if phrase else reading
    found = naive_measure(focus, lookup) or lexical(focus, lookup)
    if found is None:
        words = " ".join(reading.lower[i] for i in phrase)
        raise UnresolvedError(f"no metric, table or column reads as {words!r} to rank by")
    return reading.take_subject(found[0].subject - reading.used), found[1]


def _listed(reading: Reading, lookup: Lookup) -> tuple[Reading, Slice] | None:
    """`list X`, `which X ...`: the distinct values of X."""
    for _, where in reading.places(_LIST):
        sliced = longest_slice(lookup, reading.words(reading.phrase_from(where.stop)))
        if sliced is not None and sliced.first().table is not None:
            stop = where.stop + len(sliced.words)
            return reading.take(where).take_subject(range(where.stop, stop)), sliced.first()
    return None


def _extreme(
    measure: Measure | None, ranked: Ranked | None, slices: tuple[Slice, ...], reading: Reading
) -> Measure | None:
    """`the book with the highest price` asks for a row's own value, not for a sum."""
    if measure is None or ranked is None or not ranked.extreme or measure.defined:
        return measure
    column = measure.value.this if isinstance(measure.value, exp.Sum | exp.Avg) else None
    said = _AGGREGATES.intersection(reading.lower)
    if isinstance(column, exp.Column) and column.table == slices[0].table and not said:
        name = "max" if ranked.ranking.descending else "min"
        return replace(measure, value=aggregate(name, column.copy()))
    return measure


def _without_the_only_period(slices: tuple[Slice, ...], times: Times) -> tuple[Slice, ...]:
    """`monthly sales in March 2025` is one number."""
    if len(times.windows) != 1 or times.windows[0].start is None:
        return slices
    window, start = times.windows[0], times.windows[0].start
    return tuple(one for one in slices if one.grain is None or unit_of(start, one.grain) != window)


def _filtered(plan: Plan, reading: Reading, lookup: Lookup) -> Plan:
    reading, compared = read_comparisons(reading, lookup, plan.source)
    reading, keys = read_keys(reading, lookup, plan.source)
    reading, terms = find_terms(reading, lookup, plan.source)
    unread = next((i for i in range(len(reading.lower)) if _is_unread(reading, i)), None)
    if unread is not None:
        raise UnresolvedError(f"cannot tell what {reading.lower[unread]!r} leaves out")
    return replace(plan, filters=(*predicates(terms), *compared, *keys))


def _is_unread(reading: Reading, index: int) -> bool:
    return index not in reading.used and reading.lower[index] in _UNREAD


def _timed(plan: Plan, reading: Reading, lookup: Lookup) -> Plan:
    needed = plan.times.windows or plan.averaged_over or any(s.grain for s in plan.slices)
    if not needed:
        return plan
    own = plan.measure.time if plan.measure else None
    column = own or time_column(reading, lookup, plan.source)
    if column is None:
        raise UnresolvedError(f"no date or timestamp near {plan.source!r} for the time asked")
    return replace(plan, time=column)
