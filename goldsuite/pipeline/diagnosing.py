"""Why the failures of a run failed: each is handed to the diagnosis with what was graded."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import date
from threading import Lock

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.bench import Bench
from goldsuite.diagnosis.diagnose import diagnose_all
from goldsuite.diagnosis.failure import Failure
from goldsuite.grading.verdicts import grade_answer
from goldsuite.model.answer import Reply
from goldsuite.model.grade import FAILED
from goldsuite.model.key import GoldCase, GoldScalar
from goldsuite.model.result_set import Execution, ResultSet
from goldsuite.pipeline.case_record import GradedTrial, query_of
from goldsuite.sqltext.clock import set_clock
from goldsuite.sqltext.shape import orders_at_top_level
from goldsuite.warehouse.base import Door, Warehouse

__all__ = ["Executions", "diagnose_trials"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Executions:
    """What was executed at grading, by the statement's text as given."""

    golds: Mapping[str, Execution]
    predictions: Mapping[str, Execution]


def diagnose_trials(
    trials: Sequence[GradedTrial],
    *,
    executed: Executions,
    warehouse: Warehouse,
    dictionary: MetricDictionary,
    as_of: date | None,
    budget: int,
) -> tuple[GradedTrial, ...]:
    """The same trials, those that failed with their diagnosis; nothing runs where none failed.

    Repairs hold parts of the analyst's SQL, so they pass the analyst's door.
    """
    failed = [n for n, trial in enumerate(trials) if _is_failure(trial)]
    if not failed:
        return tuple(trials)
    bench = Bench(
        execute=_CachedDoor(warehouse.analyst, as_of).execute,
        dictionary=dictionary,
        catalog=warehouse.catalog(),
        budget=budget,
    )
    failures = [_failure(trials[n], executed, warehouse.dialect) for n in failed]
    found = dict(
        zip(failed, diagnose_all(failures, bench, workers=_workers(warehouse)), strict=True)
    )
    return tuple(
        replace(trial, diagnosis=found[n]) if n in found else trial
        for n, trial in enumerate(trials)
    )


def _workers(warehouse: Warehouse) -> int:
    """Taking queries apart keeps a core busy, so more workers than cores only wait."""
    return max(1, min(warehouse.concurrency, os.cpu_count() or 1))


def _is_failure(trial: GradedTrial) -> bool:
    return not trial.grade.passed and trial.grade.verdict in FAILED


def _failure(trial: GradedTrial, executed: Executions, dialect: str) -> Failure:
    case, reply, grade = trial.case, trial.answer.reply, trial.grade
    nearest = trial.similarity.gold_index if trial.similarity else 0
    gold_sql = case.gold_sql[nearest] if case.gold_sql else None
    query = query_of(reply)
    return Failure(
        question=case.question,
        gold_sql=gold_sql,
        predicted_sql=query,
        definition_source=reply.definition_source,
        reason=grade.reason,
        metric=case.metric,
        dialect=dialect,
        said=reply.value if reply.value and reply.value.strip() else None,
        verdict=grade.verdict,
        faithfulness=grade.faithfulness,
        predicted=executed.predictions.get(query) if query else None,
        gold=executed.golds.get(gold_sql) if gold_sql else None,
        gold_stored=_stored(case),
        matches=_Comparison(case, gold_sql, executed, dialect).matches if gold_sql else None,
    )


def _stored(case: GoldCase) -> GoldScalar:
    return case.gold_value if not isinstance(case.gold_value, tuple) else None


class _Comparison:
    """The case's own comparison, of a result with one gold."""

    def __init__(self, case: GoldCase, gold_sql: str, executed: Executions, dialect: str) -> None:
        self._case = replace(case, gold_sql=(gold_sql,))
        self._gold = executed.golds[gold_sql]
        self._ordered = bool(orders_at_top_level(gold_sql, dialect))
        self._dialect = dialect

    def matches(self, result: ResultSet) -> bool:
        grade = grade_answer(
            reply=Reply(query=self._gold.sql),
            key=self._case,
            golds=[self._gold],
            predicted=Execution(sql=self._gold.sql, result=result),
            gold_orders=[self._ordered],
            dialect=self._dialect,
        )
        return grade.passed


class _CachedDoor:
    """A door that runs each statement once, for all failures together."""

    def __init__(self, door: Door, as_of: date | None) -> None:
        self._door = door
        self._as_of = as_of
        self._known: dict[str, Future[Execution]] = {}
        self._lock = Lock()

    def execute(self, sql: str) -> Execution:
        with self._lock:
            known = self._known.get(sql)
            if known is None:
                mine: Future[Execution] = Future()
                self._known[sql] = mine
        if known is not None:
            return known.result()
        try:
            dated = set_clock(sql, self._door.dialect, self._as_of).sql
            mine.set_result(self._door.execute(dated))
        except BaseException as error:
            mine.set_exception(error)
            raise
        return mine.result()
