"""dbt: saved queries and simple metrics of one semantic model, written out as SQL.

dbt's own compiler is not asked, so only what needs no join and no time spine is taken: simple
metrics (a measure of the older files, or `agg` and `expr` of the newer ones), ratios of two of
them over the same model, and saved queries that group them by dimensions of that model. Entries
of `saved_queries` that hold `sql` themselves are taken as they are.
Sources: https://docs.getdbt.com/docs/build/metrics-overview and .../build/saved-queries.
"""

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from goldsuite.suite.importers.base import Candidate, Reading, Source, Untaken
from goldsuite.suite.importers.dbt_models import Measured, Models, read_models, resolve_names
from goldsuite.suite.importers.entry import Entry, NotTakenError, collect
from goldsuite.suite.importers.yaml_text import read_document

__all__ = ["read_dbt"]


def read_dbt(source: Source) -> Reading:
    """Implements `goldsuite.suite.importers.base.Importer`."""
    document = read_document(source, what="a dbt file")
    models = read_models(document)
    saved = list(document.entries("saved_queries"))
    metrics = [*models.metric_entries, *saved]
    if not metrics:
        near = ", ".join(list(document.data)[:8])
        raise source.error(1, f"neither `metrics` nor `saved_queries` are here, but {near}.")
    return collect(_candidates(models, saved))


def _candidates(models: Models, saved: list[Entry]) -> Iterator[Candidate | Untaken]:
    for entry in models.metric_entries:
        try:
            name = entry.text("name")
            measured = models.measured(name)
            yield _case(entry, name, f"What is {_label(entry, name)}?", [measured], [])
        except NotTakenError as reason:
            yield entry.untaken(str(reason))
    for entry in saved:
        try:
            yield _saved_query(entry, models)
        except NotTakenError as reason:
            yield entry.untaken(str(reason))


def _label(entry: Entry, name: str) -> str:
    return entry.optional("label") or name.replace("_", " ")


def _case(
    entry: Entry, name: str, question: str, measured: list[Measured], dimensions: list[exp.Expr]
) -> Candidate:
    return entry.candidate(
        id=name,
        question=_own_question(entry) or question,
        gold_sql=[_query(measured, dimensions)],
        fields={"metric": measured[0].name if len(measured) == 1 else None,
                "note": entry.optional("description")},
    )  # fmt: skip


def _own_question(entry: Entry) -> str | None:
    """`question` under `meta`, where a team keeps what dbt has no place for."""
    config = entry.data.get("config")
    for holder in (entry.data, config if isinstance(config, dict) else {}):
        meta: Any = holder.get("meta")
        if isinstance(meta, dict) and isinstance(meta.get("question"), str):
            return str(meta["question"])
    return None


def _saved_query(entry: Entry, models: Models) -> Candidate:
    name = entry.text("name")
    own = entry.optional("sql", "query")
    question = _own_question(entry) or entry.optional("question", "label", "description")
    if own is not None:
        return entry.candidate(id=name, question=question or name.replace("_", " "), gold_sql=[own])
    params = entry.data.get("query_params")
    if not isinstance(params, dict):
        raise NotTakenError("has neither 'sql' nor 'query_params'")
    spare = sorted(set(params) & {"order_by", "limit"})
    if spare:
        raise NotTakenError(f"'query_params.{spare[0]}' is not read: give the query as 'sql'")
    measured = [models.measured(metric) for metric in _texts(params, "metrics")]
    if not measured:
        raise NotTakenError("'query_params.metrics' is empty")
    model = measured[0].model
    if any(each.model is not model or each.filters != measured[0].filters for each in measured):
        raise NotTakenError("its metrics are not of one semantic model with the same filters")
    where = [resolve_names(text, model) for text in _texts(params, "where")]
    dimensions = [model.dimension(text) for text in _texts(params, "group_by")]
    asked = [each.with_filters(where) for each in measured]
    words = " and ".join(each.name.replace("_", " ") for each in measured)
    by = " and ".join(each.alias.replace("_", " ") for each in dimensions)
    return _case(
        entry, name, question or f"What is {words}{' by ' if by else ''}{by}?", asked, dimensions
    )


def _texts(params: dict[str, Any], key: str) -> list[str]:
    given = params.get(key) or []
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        raise NotTakenError(f"'query_params.{key}' is no list of texts")
    return listed


def _query(measured: list[Measured], dimensions: list[exp.Expr]) -> str:
    values = [exp.alias_(each.value.copy(), each.name) for each in measured]
    query = exp.select(*dimensions, *values).from_(measured[0].model.table)
    for condition in measured[0].filters:
        query = query.where(condition)
    if dimensions:
        query = query.group_by(*(each.unalias().copy() for each in dimensions))
    return query.sql()
