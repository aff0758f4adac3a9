"""Asking the warehouse at grading: each distinct statement once, each case in one go.

What looks into the golds follows while the data still stands: a gold that is run again must not
differ because somebody loaded data in between.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date

from goldsuite.model.result_set import Execution
from goldsuite.model.run import DoorExecutions, Executions
from goldsuite.pipeline.gold_health import GoldHealth, examine_golds
from goldsuite.sqltext.clock import set_clock
from goldsuite.warehouse.base import Answers, Moment, Snapshot, Warehouse

__all__ = ["CaseStatements", "Executed", "execute_cases"]


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseStatements:
    """What one case, or one trial of it, asks of each door."""

    gold: tuple[str, ...] = ()
    analyst: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Executed:
    """What became of all statements."""

    gold: Mapping[str, Execution]
    """By the statement's text as given."""
    analyst: Mapping[str, Execution]
    """By the statement's text as given."""
    health: GoldHealth
    """What a second look at the golds found."""
    counts: Executions
    snapshot: Snapshot


def execute_cases(
    warehouse: Warehouse,
    cases: Sequence[CaseStatements],
    *,
    as_of: date | None,
    all_twice: bool = False,
) -> Executed:
    """Run the statements of each case back to back, several cases at once.

    A statement that several cases ask of one door runs once, with the first of them; its error is
    kept too. With `as_of` the clock functions are answered with that date. Then the golds are
    looked into (`examine_golds`), with `all_twice` each of them, all on one state of the data.
    """
    dated = [_dated(case, warehouse.dialect, as_of) for case in cases]
    todo = _first_askings(dated)
    with warehouse.moment() as moment:
        gold, analyst = _run(moment, todo, workers=warehouse.concurrency)
        by_text = _by_text((c.gold for c in cases), (c.gold for c in dated), gold)
        reruns = _Reruns(moment, warehouse, as_of)
        health = examine_golds(
            by_text, dialect=warehouse.dialect, rerun=reruns.run, all_twice=all_twice
        )
        snapshot = moment.snapshot
    asked = sum(len(case.gold) for case in cases)
    return Executed(
        gold=by_text,
        analyst=_by_text((c.analyst for c in cases), (c.analyst for c in dated), analyst),
        health=health,
        counts=Executions(
            gold=_counts(asked + reruns.count, len(gold) + reruns.count),
            analyst=_counts(sum(len(case.analyst) for case in cases), len(analyst)),
        ),
        snapshot=snapshot,
    )


class _Reruns:
    """Statements that are run for what they show of a gold, and counted."""

    def __init__(self, moment: Moment, warehouse: Warehouse, as_of: date | None) -> None:
        self.count = 0
        self._moment = moment
        self._warehouse = warehouse
        self._as_of = as_of

    def run(self, statements: Sequence[str]) -> list[Execution]:
        """Implements `goldsuite.pipeline.gold_health.Rerun`."""
        self.count += len(statements)
        dialect = self._warehouse.dialect
        cases = [
            CaseStatements(gold=(set_clock(sql, dialect, self._as_of).sql,)) for sql in statements
        ]
        done = _each(self._moment, cases, workers=self._warehouse.concurrency)
        return [answers.gold[0] for answers in done]


def _dated(case: CaseStatements, dialect: str, as_of: date | None) -> CaseStatements:
    return CaseStatements(
        gold=tuple(set_clock(sql, dialect, as_of).sql for sql in case.gold),
        analyst=tuple(set_clock(sql, dialect, as_of).sql for sql in case.analyst),
    )


def _first_askings(cases: Iterable[CaseStatements]) -> list[CaseStatements]:
    """The cases without the statements that stand in an earlier one."""
    gold: set[str] = set()
    analyst: set[str] = set()
    return [
        CaseStatements(gold=_new(case.gold, gold), analyst=_new(case.analyst, analyst))
        for case in cases
    ]


def _new(statements: Iterable[str], known: set[str]) -> tuple[str, ...]:
    fresh = tuple(sql for sql in dict.fromkeys(statements) if sql not in known)
    known.update(fresh)
    return fresh


def _run(
    moment: Moment, cases: Sequence[CaseStatements], *, workers: int
) -> tuple[dict[str, Execution], dict[str, Execution]]:
    gold: dict[str, Execution] = {}
    analyst: dict[str, Execution] = {}
    for case, answers in zip(cases, _each(moment, cases, workers=workers), strict=True):
        gold.update(zip(case.gold, answers.gold, strict=True))
        analyst.update(zip(case.analyst, answers.analyst, strict=True))
    return gold, analyst


def _each(moment: Moment, cases: Sequence[CaseStatements], *, workers: int) -> list[Answers]:
    """The answers to each case, several of which are asked at once."""
    pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="goldsuite-sql")
    try:
        return list(pool.map(lambda case: moment.execute(case.gold, case.analyst), cases))
    finally:
        # After Ctrl-C only what runs already is waited for.
        pool.shutdown(cancel_futures=True)


def _by_text(
    given: Iterable[Sequence[str]], dated: Iterable[Sequence[str]], done: Mapping[str, Execution]
) -> Mapping[str, Execution]:
    return {
        text: done[sql]
        for texts, statements in zip(given, dated, strict=True)
        for text, sql in zip(texts, statements, strict=True)
    }


def _counts(asked: int, executed: int) -> DoorExecutions:
    return DoorExecutions(asked=asked, executed=executed, cache_hits=asked - executed)
