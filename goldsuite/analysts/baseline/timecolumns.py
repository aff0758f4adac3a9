"""Which date or timestamp column a window of time applies to, where no definition says."""

from sqlglot import exp

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.lookup import Lookup
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.schema import Entity, Field, Kind
from goldsuite.analysts.baseline.words import related, stem

_USUAL = frozenset(map(stem, ("created", "date", "started", "recorded", "event", "occurred")))


def time_column(reading: Reading, lookup: Lookup, source: str) -> exp.Column | None:
    """The source's time column that reads most like the question, else that of the nearest table.

    None where no table within reach keeps a time.
    """
    reachable = [
        (distance, not _leads_to_one(lookup, source, entity), entity.alias, entity)
        for entity in lookup.schema.entities
        if (distance := lookup.near(source, entity.alias)) is not None
    ]
    for *_, entity in sorted(reachable, key=lambda one: one[:3]):
        times = [field for field in entity.fields if field.kind is Kind.TIME]
        if times:
            words = tuple(word for word in reading.folded if len(word) > 2)
            best = min(times, key=lambda f: (-_fit(f, entity, words), f.place))
            return writing.column(best)
    return None


def _leads_to_one(lookup: Lookup, source: str, entity: Entity) -> bool:
    return all(step.to_one for step in lookup.graph.path(source, entity.alias) or ())


def _fit(field: Field, entity: Entity, words: tuple[str, ...]) -> int:
    """4 for a word of the question, 2 for the table's own name, 1 for `created` and the like."""
    event = [word for word in field.words if word not in {"at", "on", "date", "time"}]
    spoken = {w for w in words if w not in entity.words}
    if any(related(part, word) for part in event for word in spoken):
        return 4
    if any(related(part, word) for part in event for word in entity.words):
        return 2
    return int(any(stem(word) in _USUAL for word in field.words))
