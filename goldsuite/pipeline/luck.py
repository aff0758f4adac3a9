"""Which passes were luck: each is examined on small databases under the case's own comparison."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import date

from goldsuite.diagnosis.coincidence.answers import Answers
from goldsuite.diagnosis.coincidence.examine import Bounds, Examiner
from goldsuite.grading.verdicts import grade_answer
from goldsuite.model.answer import Reply
from goldsuite.model.coincidence import Coincidence
from goldsuite.model.grade import Verdict
from goldsuite.model.key import GoldCase
from goldsuite.model.result_set import Execution, ResultSet
from goldsuite.pipeline.case_record import GradedTrial, query_of
from goldsuite.sqltext.shape import orders_at_top_level
from goldsuite.warehouse.base import Warehouse

__all__ = ["examine_passes"]

_COUNTED = (
    "Right by luck, and counted as failed since the run was strict: on other data the two queries "
    "differ."
)


def examine_passes(
    trials: Sequence[GradedTrial],
    *,
    warehouse: Warehouse,
    as_of: date | None,
    budget: int,
    strict: bool,
) -> tuple[GradedTrial, ...]:
    """The same trials, those that passed by SQL with what small databases say of them.

    Args:
        budget: databases for each pass; 0: nothing is examined.
        strict: whether a pass that is refuted counts as failed; its verdict stays.
    """
    passed = [n for n, trial in enumerate(trials) if _is_pass(trial)] if budget else []
    if not passed:
        return tuple(trials)
    examiner = Examiner(
        warehouse.catalog(),
        dialect=warehouse.dialect,
        execute=warehouse.analyst.execute,
        as_of=as_of,
        bounds=Bounds(databases=budget),
    )
    with closing(examiner):
        found = _examined([trials[n] for n in passed], examiner, warehouse)
    by_place = dict(zip(passed, found, strict=True))
    return tuple(
        _with(trial, by_place[n], strict=strict) if n in by_place else trial
        for n, trial in enumerate(trials)
    )


def _is_pass(trial: GradedTrial) -> bool:
    grade = trial.grade
    has_both = query_of(trial.answer.reply) is not None and bool(trial.case.gold_sql)
    return grade.passed and grade.verdict is Verdict.CORRECT and has_both


def _with(trial: GradedTrial, found: Coincidence, *, strict: bool) -> GradedTrial:
    if not (strict and found.is_lucky):
        return replace(trial, coincidence=found)
    grade = replace(trial.grade, passed=False, reason=_COUNTED)
    return replace(trial, coincidence=found, grade=grade)


def _examined(
    trials: Sequence[GradedTrial], examiner: Examiner, warehouse: Warehouse
) -> list[Coincidence]:
    """Each distinct query of a case once."""
    queries = [(trial.case.id, query_of(trial.answer.reply) or "") for trial in trials]
    todo = dict(zip(reversed(queries), reversed(trials), strict=True))

    def examine(key: tuple[str, str]) -> Coincidence:
        return _examine(todo[key], key[1], examiner, warehouse.dialect)

    # More workers than cores only wait for each other.
    workers = max(1, min(warehouse.concurrency, os.cpu_count() or 1))
    pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="goldsuite-luck")
    try:
        done = dict(zip(todo, pool.map(examine, todo), strict=True))
    finally:
        pool.shutdown(cancel_futures=True)
    return [done[key] for key in queries]


def _examine(trial: GradedTrial, query: str, examiner: Examiner, dialect: str) -> Coincidence:
    """Against the gold that it matched; where that is refuted, against the others too."""
    case, first = trial.case, trial.grade.gold_sql_index
    golds = [case.gold_sql[first], *(g for n, g in enumerate(case.gold_sql) if n != first)]
    found: list[Coincidence] = []
    for gold in golds:
        found.append(examiner.examine(gold, query, _answers(trial, gold, query, dialect)))
        if not found[-1].is_lucky:
            return found[-1]
    return found[0]


def _answers(trial: GradedTrial, gold_sql: str, query: str, dialect: str) -> Answers:
    """The case's own comparison; what was asked for stays what it was on the real data."""
    case = replace(trial.case, gold_sql=(gold_sql,), answer=trial.grade.kind)
    ordered = bool(orders_at_top_level(gold_sql, dialect))
    demanded = case.row_order == "required" or (case.row_order is None and ordered)
    loose = replace(case, row_order="ignored")
    is_table = trial.grade.kind == "table"
    return Answers(
        same=_comparison(loose, query, dialect, ordered=ordered),
        same_in_order=(
            _comparison(case, query, dialect, ordered=ordered) if demanded and is_table else None
        ),
        null_is_zero=case.null_is_zero,
    )


def _comparison(
    case: GoldCase, query: str, dialect: str, *, ordered: bool
) -> Callable[[ResultSet, ResultSet], bool]:
    def same(gold: ResultSet, analyst: ResultSet) -> bool:
        grade = grade_answer(
            reply=Reply(query=query),
            key=case,
            golds=[Execution(sql=case.gold_sql[0], result=gold)],
            predicted=Execution(sql=query, result=analyst),
            gold_orders=[ordered],
            dialect=dialect,
        )
        # Where the gold itself would be no answer, the data is not such as the case is about.
        return grade.verdict is Verdict.GOLD_ERROR or grade.execution_match is True

    return same
