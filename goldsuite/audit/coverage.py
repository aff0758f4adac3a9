"""What the suite asks nothing about: tables, metrics, ways to slice, and kinds of question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

from sqlglot import exp

from goldsuite.audit.tables import Tables
from goldsuite.context.dictionary import MetricDictionary
from goldsuite.model.key import AnswerKind, GoldCase
from goldsuite.sqltext.parsing import parse_query

__all__ = ["Coverage", "find_gaps"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Coverage:
    """Names without a case, sorted."""

    tables: tuple[str, ...]
    """That no gold reads."""
    metrics: tuple[str, ...]
    """Of the dictionary, that no case names as its `metric` or asks for in words."""
    dimensions: tuple[str, ...]
    """Entries of the dictionary whose column no gold reads."""
    undefined_metrics: tuple[str, ...]
    """That cases name, and the dictionary does not define."""
    kinds: tuple[AnswerKind, ...]
    """Kinds of answer that no case asks for."""


def find_gaps(
    cases: Sequence[GoldCase],
    kinds: Iterable[str],
    *,
    tables: Tables,
    dictionary: MetricDictionary,
) -> Coverage:
    """Compare the golds with the catalog and the dictionary.

    Args:
        kinds: the kinds of answer that the cases turned out to ask for.
    """
    trees = [
        t for case in cases for sql in case.gold_sql if (t := parse_query(sql, tables.dialect))
    ]
    read = {
        found.name
        for tree in trees
        for node in tree.find_all(exp.Table)
        if (found := tables.find(node)) is not None
    }
    columns = {node.name.lower() for tree in trees for node in tree.find_all(exp.Column)}
    named = {case.metric.lower() for case in cases if case.metric}
    asked = [f" {case.question.lower()} " for case in cases]
    defined = {metric.name.lower() for metric in dictionary.metrics}
    return Coverage(
        tables=tuple(sorted(t.name for t in tables.catalog.tables if t.name not in read)),
        metrics=tuple(
            sorted(
                metric.name
                for metric in dictionary.metrics
                if metric.name.lower() not in named
                and not any(term in text for term in metric.terms for text in asked)
            )
        ),
        dimensions=tuple(
            sorted(d.name for d in dictionary.dimensions if not _columns(d.sql, tables) & columns)
        ),
        undefined_metrics=tuple(sorted(named - defined)) if dictionary.metrics else (),
        kinds=tuple(kind for kind in get_args(AnswerKind) if kind not in set(kinds)),
    )


def _columns(sql: str, tables: Tables) -> set[str]:
    tree = parse_query(f"SELECT {sql}", tables.dialect)
    return {node.name.lower() for node in tree.find_all(exp.Column)} if tree else set()
