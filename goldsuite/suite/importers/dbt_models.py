"""The semantic models of a dbt file, and its metrics as SQL expressions over one of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from goldsuite.suite.importers.entry import Entry, NotTakenError
from goldsuite.suite.importers.yaml_text import Document

__all__ = ["Measured", "Models", "SemanticModel", "read_models", "resolve_names"]

# dbt's own small language around the SQL, not SQL: calls such as Dimension('order__state').
_REF = re.compile(r"(?:\{\{\s*)?ref\(\s*['\"](\w+)['\"]\s*\)(?:\s*\}\})?")
_CALL = re.compile(
    r"\{\{\s*(Dimension|TimeDimension|Entity|Metric)\(\s*['\"](\w+)['\"]\s*\)\s*\}\}"
)
_BARE_CALL = re.compile(r"(?:(Dimension|Entity)\(\s*['\"](\w+)['\"]\s*\)|(\w+))")

_AGGREGATES = {
    "sum": "sum({})",
    "min": "min({})",
    "max": "max({})",
    "count": "count({})",
    "count_distinct": "count(distinct {})",
    "average": "avg({})",
    "avg": "avg({})",
    "median": "median({})",
    "sum_boolean": "sum(case when {} then 1 else 0 end)",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class SemanticModel:
    """One table with names for its columns."""

    table: str
    columns: Mapping[str, exp.Expr]
    """Dimension or entity to its expression."""
    measures: Mapping[str, Entry]
    """Of older files."""

    def column(self, name: str) -> exp.Expr:
        """The expression of a dimension, with or without its entity before two underscores.

        Raises:
            NotTakenError: the model has none of that name.
        """
        found = self.columns.get(name) or self.columns.get(name.rpartition("__")[2])
        if found is None:
            raise NotTakenError(f"{name!r} is no dimension of the model of {self.table!r}")
        return found.copy()

    def dimension(self, text: str) -> exp.Expr:
        """What `Dimension('order__state')` in a `group_by` selects, under the dimension's name."""
        call = _BARE_CALL.fullmatch(text.strip())
        if call is None:
            raise NotTakenError(f"grouping by {text!r} needs dbt's compiler")
        name = call.group(2) or call.group(3)
        return exp.alias_(self.column(name), name.rpartition("__")[2])


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """One metric as SQL."""

    name: str
    model: SemanticModel
    value: exp.Expr
    filters: tuple[exp.Expr, ...] = ()

    def with_filters(self, further: Sequence[exp.Expr]) -> "Measured":
        return replace(self, filters=(*self.filters, *further))


@dataclass(frozen=True, kw_only=True, slots=True)
class Models:
    """All models and metrics of a file."""

    models: tuple[SemanticModel, ...]
    metrics: Mapping[str, tuple[Entry, SemanticModel | None]]
    """By name; with the model that a newer file defines the metric in."""
    metric_entries: tuple[Entry, ...]

    def measured(self, name: str) -> Measured:
        """The metric of that name.

        Raises:
            NotTakenError: there is none, or it takes more than one aggregate of one model.
        """
        if name not in self.metrics:
            raise NotTakenError(f"there is no metric {name!r} in this file")
        entry, model = self.metrics[name]
        kind = entry.optional("type") or "simple"
        if kind == "simple":
            return self._simple(name, entry, model)
        if kind == "ratio":
            return self._ratio(name, entry)
        raise NotTakenError(f"a {kind} metric needs dbt's compiler")

    def _simple(self, name: str, entry: Entry, model: SemanticModel | None) -> Measured:
        params = _mapping(entry.data.get("type_params"))
        measure = params.get("measure")
        source, filters = entry, [entry.data.get("filter")]
        if measure is not None:
            named = measure if isinstance(measure, str) else _mapping(measure).get("name")
            filters.append(_mapping(measure).get("filter"))
            model = next((each for each in self.models if named in each.measures), None)
            if model is None:
                raise NotTakenError(f"its measure {named!r} is of no semantic model in this file")
            source = model.measures[str(named)]
        if model is None or source.optional("agg") is None:
            raise NotTakenError("has no measure, and no 'agg' within a semantic model")
        if source.data.get("non_additive_dimension"):
            raise NotTakenError("a measure with a non-additive dimension needs dbt's compiler")
        conditions = [resolve_names(text, model) for each in filters for text in _listed(each)]
        return Measured(name=name, model=model, value=_aggregate(source), filters=tuple(conditions))

    def _ratio(self, name: str, entry: Entry) -> Measured:
        params = _mapping(entry.data.get("type_params")) or entry.data
        parts = [params.get("numerator"), params.get("denominator")]
        if not all(isinstance(part, str) and part != name for part in parts):
            raise NotTakenError("a ratio whose parts are filtered needs dbt's compiler")
        top, bottom = (self.measured(str(part)) for part in parts)
        if top.model is not bottom.model or top.filters != bottom.filters:
            raise NotTakenError("the parts of the ratio are of different models or filters")
        share = exp.Div(
            # Not a cast: engines name the type differently, and all of them multiply.
            this=exp.Mul(this=top.value, expression=exp.Literal.number("1.0")),
            expression=exp.func("nullif", bottom.value, exp.Literal.number(0)),
        )
        own = [resolve_names(text, top.model) for text in _listed(entry.data.get("filter"))]
        return replace(top, name=name, value=share).with_filters(own)


def read_models(document: Document) -> Models:
    """The semantic models and metrics of older files, and those within `models` of newer ones."""
    models = [_older(entry) for entry in document.entries("semantic_models")]
    metrics: dict[str, tuple[Entry, SemanticModel | None]] = {}
    entries: list[Entry] = []

    def add(found: Iterator[Entry], model: SemanticModel | None) -> None:
        for entry in found:
            entries.append(entry)
            metrics.setdefault(str(entry.data.get("name")), (entry, model))

    for index, entry in enumerate(document.entries("models")):
        newer = _newer(entry)
        models.append(newer)
        add(document.entries("models", index, "metrics"), newer)
    add(document.entries("metrics"), None)
    return Models(models=tuple(models), metrics=metrics, metric_entries=tuple(entries))


def _older(entry: Entry) -> SemanticModel:
    named = [_named(entry, key) for key in ("entities", "dimensions")]
    return SemanticModel(
        table=_table(str(entry.data.get("model") or entry.data.get("name"))),
        columns={
            name: found
            for part in named
            for name, each in part.items()
            if (found := _expression(str(each.data.get("expr") or name))) is not None
        },
        measures=_named(entry, "measures"),
    )


def _newer(entry: Entry) -> SemanticModel:
    columns = {}
    for name, each in _named(entry, "columns").items():
        for key in ("dimension", "entity"):
            own = _mapping(each.data.get(key)).get("name")
            columns[str(own or name)] = exp.column(name)
    return SemanticModel(table=str(entry.data.get("name")), columns=columns, measures={})


def _named(entry: Entry, key: str) -> dict[str, Entry]:
    listed = entry.data.get(key)
    return {
        str(item["name"]): Entry(place=entry.place, data=item)
        for item in (listed if isinstance(listed, list) else [])
        if isinstance(item, dict) and item.get("name")
    }


def _table(text: str) -> str:
    found = _REF.fullmatch(text.strip())
    return found.group(1) if found else text


def _aggregate(entry: Entry) -> exp.Expr:
    agg = entry.text("agg").lower()
    if agg not in _AGGREGATES:
        raise NotTakenError(f"the aggregation {agg!r} needs dbt's compiler")
    text = entry.optional("expr") or entry.text("name")
    if "{{" in text:
        raise NotTakenError("its expression holds a template, which needs dbt's compiler")
    value = _expression(_AGGREGATES[agg].format(text))
    if value is None:
        raise NotTakenError("its expression cannot be read as SQL")
    return value


def resolve_names(text: str, model: SemanticModel) -> exp.Expr:
    """The condition `text` with `{{ Dimension('a__b') }}` replaced by the model's expression.

    Raises:
        NotTakenError: a name is unknown, or the text is no condition.
    """

    def column(call: re.Match[str]) -> str:
        if call.group(1) not in ("Dimension", "Entity", "TimeDimension"):
            raise NotTakenError(f"a filter by {call.group(1)} needs dbt's compiler")
        return f"({model.column(call.group(2)).sql()})"

    plain = _CALL.sub(column, text)
    found = None if "{{" in plain else _expression(plain)
    if found is None:
        raise NotTakenError("its filter holds what needs dbt's compiler")
    return found


def _expression(text: str) -> exp.Expr | None:
    try:
        return sqlglot.parse_one(text, into=exp.Condition)
    except (SqlglotError, RecursionError):
        return None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> list[str]:
    """A filter is a text or a list of them."""
    listed = value if isinstance(value, list) else [value]
    return [text for text in listed if isinstance(text, str) and text.strip()]
