"""Each distinct statement runs once per door, errors too, and what was saved is counted."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from goldsuite.model.run import DoorExecutions
from goldsuite.pipeline.executions import CaseStatements, execute_cases
from goldsuite.warehouse.base import Snapshot
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse

TOTAL = "select sum(amount) from sales"
COUNT = "select count(*) from sales"
WRONG = "select nope from sales"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[OpenWarehouse]:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("create table sales (amount integer)")
        db.executemany("insert into sales values (?)", [(1,), (2,), (4,)])
    with open_warehouse(f"sqlite:///{path}") as warehouse:
        yield warehouse


def _value(execution: object) -> object:
    return execution.result.rows[0][0]  # type: ignore[attr-defined]


def test_a_statement_runs_once_for_each_door_and_every_case_has_its_result(
    shop: OpenWarehouse,
) -> None:
    cases = [
        CaseStatements(gold=(TOTAL, COUNT), analyst=(TOTAL,)),
        CaseStatements(gold=(COUNT,), analyst=(TOTAL,)),
        CaseStatements(gold=(COUNT, COUNT), analyst=(WRONG,)),
        CaseStatements(gold=(TOTAL,), analyst=(WRONG,)),
        CaseStatements(),
    ]
    done = execute_cases(shop, cases, as_of=None)
    assert done.counts.gold == DoorExecutions(asked=6, executed=2, cache_hits=4)
    assert done.counts.analyst == DoorExecutions(asked=4, executed=2, cache_hits=2)
    assert {sql: _value(done.gold[sql]) for sql in done.gold} == {TOTAL: 7, COUNT: 3}
    assert _value(done.analyst[TOTAL]) == 7
    problem = done.analyst[WRONG].problem
    assert problem is not None
    assert problem.kind == "failed"
    assert done.snapshot is Snapshot.UNCHANGED_FILE


def test_two_texts_that_are_one_on_the_given_date_run_once(shop: OpenWarehouse) -> None:
    cases = [
        CaseStatements(gold=("select current_date",)),
        CaseStatements(gold=("select CURRENT_DATE",)),
    ]
    done = execute_cases(shop, cases, as_of=date(2025, 3, 31))
    assert done.counts.gold == DoorExecutions(asked=2, executed=1, cache_hits=1)
    assert [_value(done.gold[c.gold[0]]) for c in cases] == ["2025-03-31", "2025-03-31"]


def test_many_cases_run_at_once_and_each_gets_its_own(shop: OpenWarehouse) -> None:
    cases = [
        CaseStatements(gold=(f"select {n} + count(*) from sales",), analyst=(f"select {n}",))
        for n in range(40)
    ]
    done = execute_cases(shop, cases, as_of=None)
    for n, case in enumerate(cases):
        assert _value(done.gold[case.gold[0]]) == n + 3
        assert _value(done.analyst[case.analyst[0]]) == n


LOWEST = "select amount from sales order by amount limit 1"
CHANCE = "select abs(random())"


def test_second_looks_at_the_golds_are_counted_and_run_every_time(shop: OpenWarehouse) -> None:
    cases = [CaseStatements(gold=(LOWEST, CHANCE, COUNT)), CaseStatements(gold=(LOWEST,))]
    done = execute_cases(shop, cases, as_of=None)
    # Asked by the cases 4, of them 3 distinct; then what ties with the lowest, and chance again.
    assert done.counts.gold == DoorExecutions(asked=6, executed=5, cache_hits=1)
    assert done.health.unstable == {CHANCE}
    assert done.health.ties == {}
    twice = execute_cases(shop, cases, as_of=None, all_twice=True)
    # What ties, and each of the three again.
    assert twice.counts.gold == DoorExecutions(asked=8, executed=7, cache_hits=1)
    assert twice.health.unstable == {CHANCE}
