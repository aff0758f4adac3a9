"""Whether an analyst's SQL bears out its claim to have used the metric dictionary.

Only what is surely missing is told: a table, a measured column or a column of a filter that the
definition has and the SQL reads nowhere. A definition in prose is not checked.
"""

from collections.abc import Iterator, Mapping, Sequence

import sqlglot
from sqlglot import exp

from goldsuite.context.dictionary import Metric, MetricDictionary
from goldsuite.diagnosis.lineage import ALL, Finding, Read, read_lineage
from goldsuite.diagnosis.wording import fragment, mentions
from goldsuite.sqltext.parsing import UNREADABLE

__all__ = ["check_claim"]

CLAIM = "metric dictionary"
FLAG = "claim_unsupported"


def check_claim(
    *,
    question: str,
    definition_source: str | None,
    sql: str,
    dictionary: MetricDictionary,
    dialect: str,
    columns: Mapping[str, Sequence[str]],
) -> Finding | None:
    """What the SQL lacks of the definition that was claimed; None where nothing surely is missing.

    `columns` is as in `lineage.check_reads`; it may be empty.
    """
    if (definition_source or "").strip().strip('"').lower() != CLAIM:
        return None
    if not dictionary.metrics:
        return Finding(
            flag=FLAG, evidence="The analyst claims the metric dictionary, which has no metric."
        )
    reads = read_lineage(sql, dialect, columns)
    if reads is None:
        return None
    named = _named(question, dictionary)
    metrics = named or dictionary.metrics
    if any(metric.sql is None or metric.source is None for metric in metrics):
        return None  # in prose: it may be any of these
    lacking = {metric.name: list(_lacking(metric, reads)) for metric in metrics}
    if not all(lacking.values()):
        return None
    if not named:
        return Finding(
            flag=FLAG,
            evidence="The analyst claims the metric dictionary, and the SQL has no definition of"
            " it.",
        )
    name, missing = min(lacking.items(), key=lambda item: len(item[1]))
    return Finding(
        flag=FLAG,
        evidence=f"The analyst claims the metric dictionary, and the SQL lacks of `{name}`:"
        f" {', '.join(missing)}.",
    )


def _named(question: str, dictionary: MetricDictionary) -> tuple[Metric, ...]:
    """The metrics that the question names, but for those whose name is a part of another's."""
    said = {
        metric.name: [term for term in metric.terms if mentions(question, term)]
        for metric in dictionary.metrics
    }
    terms = [term for found in said.values() for term in found]

    def is_inner(term: str) -> bool:
        return any(term != other and mentions(other, term) for other in terms)

    return tuple(
        metric
        for metric in dictionary.metrics
        if any(not is_inner(term) for term in said[metric.name])
    )


def _lacking(metric: Metric, reads: Sequence[Read]) -> Iterator[str]:
    tables = {read.table for read in reads}
    columns = {read.column for read in reads}
    if metric.source is not None and _last(metric.source) not in tables:
        yield f"the table {fragment(metric.source)}"
    if ALL in columns:
        return
    for column in _columns(metric.sql or ""):
        if column.rpartition(".")[2].lower() not in columns:
            yield f"the column {fragment(column)}"
    for condition in metric.filters:
        names = [name.rpartition(".")[2].lower() for name in _columns(condition)]
        if names and not any(name in columns for name in names):
            yield f"the filter {fragment(condition)}"


def _last(name: str) -> str:
    return name.rpartition(".")[2].strip('"`[]').lower()


def _columns(text: str) -> list[str]:
    """The columns of an expression, sorted; none where it is no SQL."""
    try:
        tree = sqlglot.parse_one(text)
    except UNREADABLE:
        return []
    return sorted({column.sql() for column in tree.find_all(exp.Column)})
