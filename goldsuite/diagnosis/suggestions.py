"""What to write down against a root, so that analysts get it right next time.

For a metric without a definition it is an entry of the metric dictionary, made from the golds; for
any other root a line of notes. Golds of held-out cases are read only where a root has no other
case, and such a cluster is shown on demand alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import yaml

from goldsuite.context.definition_sql import is_aggregate, is_condition
from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.definition import Asked, Definition, definition_of
from goldsuite.diagnosis.wording import defines, fragment
from goldsuite.model.diagnosis import Cause, Diagnosis, Suggestion
from goldsuite.model.question import Split

__all__ = ["CaseFacts", "Suggester"]

METRICS_FILE = "metrics/index.yaml"
NOTES_FILE = "quirks.md"

_PLAIN = {
    Cause.NO_ANSWER: "Read why the analyst gave no answer; what it lacks is told there.",
    Cause.EXECUTION_ERROR: "Describe the tables and the SQL dialect in the schema notes.",
    Cause.FORMAT_ERROR: "Say in the analyst's instructions what form an answer has.",
    Cause.SUSPECT_GOLD: "Check the gold query: it, and not the analyst's, may be wrong.",
    Cause.UNSUPPORTED_ANSWER: "Have the analyst give the number that its own SQL returns.",
    Cause.SIGN: "Say which sign this figure has.",
    Cause.UNIT_SCALE: "Say in which unit and scale answers are given.",
    Cause.ROUNDING: "Have the analyst give the number unrounded, or accept roundings in the suite.",
    Cause.UNCLASSIFIED: "Read these one by one.",
}
"""Sentences for causes whose root is the cause itself."""

_FILTERS = (Cause.WRONG_FILTER, Cause.NULL_HANDLING, Cause.UNDEFINED_METRIC_DRIFT)
_JOINS = {
    "extra-join": "Leave {} out of figures of this kind, unless the question needs it.",
    "missing-join": "Join {} for figures of this kind: it decides which rows count.",
    "join": "Say how {} is joined: on which columns, and whether rows without a partner stay.",
}
"""Sentences for the words that a root says of a join with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseFacts:
    """What is known of a failed case."""

    question: str
    split: Split
    gold_sql: str | None
    metric: str | None
    unit: str | None


class Suggester:
    """Advises on the failures of one run."""

    def __init__(
        self, facts: Mapping[str, CaseFacts], *, dictionary: MetricDictionary, dialect: str
    ) -> None:
        self._facts = facts
        self._dictionary = dictionary
        self._dialect = dialect

    def root(self, case: str, diagnosis: Diagnosis) -> str | None:
        """An analyst that gave no answer may have lacked the metric."""
        facts = self._facts.get(case)
        if diagnosis.cause is not Cause.NO_ANSWER or facts is None or facts.metric is None:
            return None
        if defines(self._dictionary, facts.metric):
            return None
        return f"{Cause.NO_ANSWER.value}: {facts.metric}"

    def suggest(self, cause: Cause, root: str, cases: Sequence[str]) -> Suggestion | None:
        """One sentence, and what to paste where the golds give it."""
        what = root.partition(": ")[2]
        if cause in (Cause.UNDEFINED_METRIC_DRIFT, Cause.NO_ANSWER) and what.isidentifier():
            return self._metric(what, self._readable(cases))
        if not what or cause in _PLAIN:
            return Suggestion(text=_PLAIN.get(cause, f"Read the evidence for {cause.value}."))
        text = _sentence(cause, what)
        return Suggestion(text=text, file=NOTES_FILE, entry=f"- {text}\n")

    def _readable(self, cases: Sequence[str]) -> list[CaseFacts]:
        found = [self._facts[case] for case in cases if case in self._facts]
        return [facts for facts in found if facts.split == "train"] or found

    def _metric(self, name: str, facts: Sequence[CaseFacts]) -> Suggestion:
        asked = [
            Asked(question=each.question, gold_sql=each.gold_sql) for each in facts if each.gold_sql
        ]
        definition = definition_of(asked, self._dialect, metric=name)
        if definition is None:
            return Suggestion(
                text=f"Define `{name}` in the metric dictionary; its trusted queries are of a shape"
                " that no entry can be made from, so it has to be written by hand.",
                metric=name,
            )
        units = {each.unit for each in facts}
        unit = units.pop() if len(units) == 1 else None
        return Suggestion(
            text=f"Define `{name}` in the metric dictionary: {_in_short(definition)}.",
            file=METRICS_FILE,
            entry=_entry(name, definition, unit),
            metric=name,
        )


def _sentence(cause: Cause, what: str) -> str:
    """The note against a root that is no named metric; `what` is the root's own words."""
    head, _, rest = what.partition(" ")
    if " repeated by " in what:
        table, _, others = what.partition(" repeated by ")
        return (
            f"Joining {others} repeats the rows of {table}: aggregate first, to one row for each"
            f" row of {table}, or filter by IN, before anything is summed or counted."
        )
    if cause in _FILTERS and head in ("needs", "without"):
        if head == "needs":
            return f"Keep to rows with {fragment(rest)}, unless the question asks for others."
        return f"Filter by {fragment(rest)} only where the question asks for it."
    if head in _JOINS:
        return _JOINS[head].format(rest)
    if head == "needs":
        return f"Figures of this kind are computed with {fragment(rest)}."
    ours, _, theirs = what.partition(" instead of ")
    if cause is Cause.WRONG_TIME_WINDOW:
        return f"A time in a question of this kind is a {ours.replace('window on', 'time of')}."
    if theirs:
        return f"Read {theirs}, not {ours}, for figures of this kind."
    return f"Document the convention that is missed here ({cause.value}: {fragment(what)})."


def _in_short(definition: Definition) -> str:
    return f"{fragment(definition.measure)} of {definition.source}"


def _entry(name: str, definition: Definition, unit: str | None) -> str:
    """One item of the list under `metrics:`, indented as that list mostly is."""
    entry: dict[str, object] = {"name": name, "label": name.replace("_", " ").capitalize()}
    entry |= _sql_keys(definition) if _fits_keys(definition) else _prose_keys(definition)
    entry |= {"time_column": definition.time_column, "unit": unit}
    given = {key: value for key, value in entry.items() if value}
    text = yaml.safe_dump(
        [given], sort_keys=False, allow_unicode=True, width=88, default_flow_style=False
    )
    return "".join(f"  {line}\n" for line in text.splitlines())


def _fits_keys(definition: Definition) -> bool:
    """Whether readers of the dictionary take the parts in as SQL; an outer join has no key."""
    return (
        all(join.inner for join in definition.joins)
        and is_aggregate(definition.measure)
        and all(map(is_condition, definition.filters))
    )


def _sql_keys(definition: Definition) -> dict[str, object]:
    return {
        "sql": definition.measure,
        "source": definition.source,
        "joins": [f"{join.table} on {join.condition}" for join in definition.joins],
        "filters": list(definition.filters),
    }


def _prose_keys(definition: Definition) -> dict[str, object]:
    parts = [f"{definition.measure}, from {definition.source}"]
    for join in definition.joins:
        how = "joined with" if join.inner else "left joined with"
        parts.append(f"{how} {join.table} on {join.condition}")
    if definition.filters:
        parts.append(f"where {' and '.join(definition.filters)}")
    return {"description": ", ".join(parts)}
