"""A record that may be shared with whoever may not see the data: without values and rows.

What was asked, what became of it and how the queries are built stay; what the warehouse holds does
not, and neither does free text that may tell of it: evidence, errors, what a judge or a person
wrote. In SQL every literal becomes `?`.
"""

from dataclasses import replace
from functools import lru_cache

from sqlglot import exp

from goldsuite.model.diagnosis import Diagnosis, FailureCluster, RootCluster
from goldsuite.model.judge import JudgeResult
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.sqltext.parsing import UNREADABLE, parse_query

__all__ = ["LEFT_OUT", "redacted"]

LEFT_OUT = "(left out)"
_DRIFTED = "the stored value is not the recomputed one"
_DEFINITIONS = ("metric dictionary", "my own choice")


def redacted(record: RunRecord) -> RunRecord:
    """`record` without anything that could hold a value of the warehouse."""
    dialect = record.warehouse.dialect
    return replace(
        record,
        cases=tuple(_case(case, dialect) for case in record.cases),
        failure_modes=tuple(map(_cluster, record.failure_modes)),
    )


def _case(case: CaseRecord, dialect: str) -> CaseRecord:
    return replace(
        case,
        reason=None,
        gold_value=None if case.gold_value is None else LEFT_OUT,
        gold_stored=None,
        gold_drift=case.gold_drift and _DRIFTED,
        analyst_value=case.analyst_value and LEFT_OUT,
        gold_sql=case.gold_sql and without_literals(case.gold_sql, dialect),
        analyst_query=case.analyst_query and without_literals(case.analyst_query, dialect),
        definition_source=(
            case.definition_source if case.definition_source in _DEFINITIONS else None
        ),
        error=case.error and LEFT_OUT,
        diagnosis=case.diagnosis and _diagnosis(case.diagnosis),
        coincidence=case.coincidence and replace(
            case.coincidence, counterexample=None, reason=None
        ),
        judge=case.judge and _judge(case.judge),
        suspicions=(),
        lineage=(),
        label=case.label and replace(case.label, note=None),
    )  # fmt: skip


def _diagnosis(found: Diagnosis) -> Diagnosis:
    return replace(
        found, evidence=(), repair=None, latent=(), alternatives=(), root=None, not_applicable=None
    )


def _judge(judge: JudgeResult) -> JudgeResult:
    return replace(
        judge,
        criteria=tuple(replace(each, criterion=None, reasoning=()) for each in judge.criteria),
        feedback=None,
        recommendations=(),
        error=judge.error and LEFT_OUT,
    )


def _cluster(cluster: FailureCluster) -> FailureCluster:
    return replace(cluster, clusters=tuple(map(_root, cluster.clusters)))


def _root(root: RootCluster) -> RootCluster:
    # A root names the condition, and what mends it is made of the gold's SQL.
    return replace(root, root=root.cause.value, suggestion=None)


@lru_cache(maxsize=20_000)
def without_literals(sql: str, dialect: str) -> str:
    """`sql` with `?` for each literal and no comment; `(left out)` where it cannot be read."""
    try:
        query = parse_query(sql, dialect)
        if query is None:
            return LEFT_OUT
        plain = query.transform(
            lambda node: exp.Placeholder() if isinstance(node, _VALUES) else node
        )
        return plain.sql(dialect=dialect, comments=False, pretty=True)
    except UNREADABLE:
        return LEFT_OUT


_VALUES = (exp.Literal, exp.National, exp.RawString, exp.HexString, exp.BitString, exp.ByteString,
           exp.UnicodeString)  # fmt: skip
