"""The same verdicts in every engine, on tables that are written into the statement."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from goldsuite.diagnosis.coincidence.examine import Bounds, Examiner
from goldsuite.model.coincidence import CoincidenceVerdict
from goldsuite.model.result_set import Execution, Problem
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.diagnosis.coincidence.cinema import PAIRS, Pair, build
from tests.servers import (
    connect_mariadb,
    connect_postgresql,
    mariadb_accounts,
    postgresql_accounts,
)

BOUNDS = Bounds(warehouse_databases=56, deadline_s=120)
SAME = {CoincidenceVerdict.PROVEN, CoincidenceVerdict.NOT_REFUTED}
EVERYWHERE = tuple(pair for pair in PAIRS if pair.everywhere)


@contextmanager
def _sqlite(folder: Path) -> Iterator[str]:
    with closing(sqlite3.connect(folder / "cinema.sqlite")) as connection, connection:
        build(connection.execute)
    yield "sqlite:///cinema.sqlite"


@contextmanager
def _postgresql(_: Path) -> Iterator[str]:
    with postgresql_accounts() as accounts:
        with closing(connect_postgresql(accounts.owner)) as connection:
            build(lambda sql: connection.execute(sql.encode()))
        yield accounts.owner


@contextmanager
def _mariadb(_: Path) -> Iterator[str]:
    with mariadb_accounts() as accounts:
        with closing(connect_mariadb(accounts.owner)) as connection, connection.cursor() as cursor:
            build(cursor.execute, moment="datetime")
        yield accounts.owner


@pytest.fixture(scope="module", params=[_sqlite, _postgresql, _mariadb], ids=lambda f: f.__name__)
def warehouse(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OpenWarehouse]:
    folder = tmp_path_factory.mktemp("cinema")
    with request.param(folder) as url, open_warehouse(url, base_dir=folder) as found:
        yield found


def _examiner(
    warehouse: OpenWarehouse, execute: Callable[[str], Execution] | None = None
) -> Examiner:
    return Examiner(
        warehouse.catalog(),
        dialect=warehouse.dialect,
        execute=execute or warehouse.analyst.execute,
        bounds=BOUNDS,
    )


@pytest.fixture(scope="module")
def examiner(warehouse: OpenWarehouse) -> Iterator[Examiner]:
    with closing(_examiner(warehouse)) as found:
        yield found


@pytest.mark.parametrize("pair", EVERYWHERE, ids=lambda pair: pair.name)
def test_a_pair_has_the_same_verdict_in_the_warehouse(pair: Pair, examiner: Examiner) -> None:
    found = examiner.examine(pair.gold, pair.analyst)
    expected = SAME if pair.verdict == "same" else {CoincidenceVerdict(pair.verdict)}
    assert found.verdict in expected, found
    assert found.method in {"warehouse", "canonical_form"}
    assert found.executions <= BOUNDS.warehouse_executions


def test_a_division_by_zero_ends_no_statement(examiner: Examiner) -> None:
    found = examiner.examine(
        "select sum(price) / sum(minutes) from tickets t join films f on f.film_id = t.film_id",
        "select sum(minutes) / sum(price) from tickets t join films f on f.film_id = t.film_id",
    )
    assert found.verdict is CoincidenceVerdict.REFUTED
    assert found.databases >= 40


@pytest.mark.parametrize("threshold", [3, 4])
def test_an_offset_that_is_counted_is_asked_in_another_way(
    examiner: Examiner, threshold: int
) -> None:
    where = "(select count(*) from films where minutes > {})"
    query = "select minutes from films order by minutes, film_id limit 1 offset " + where
    found = examiner.examine(
        query.format(3), query.format(threshold).replace("film_id", "2 * film_id")
    )
    same = threshold == 3
    assert found.verdict in (SAME if same else {CoincidenceVerdict.REFUTED}), found


def test_the_warehouse_is_not_changed(warehouse: OpenWarehouse, examiner: Examiner) -> None:
    before = warehouse.analyst.execute("select count(*) from tickets")
    examiner.examine("select count(*) from tickets", "select sum(1) from tickets where price > 0")
    after = warehouse.analyst.execute("select count(*) from tickets")
    assert before.result is not None
    assert after.result is not None
    assert before.result.rows == after.result.rows == ((2,),)


def test_where_the_warehouse_refuses_the_queries_are_transpiled(warehouse: OpenWarehouse) -> None:
    def refuse(sql: str) -> Execution:
        return Execution(sql=sql, problem=Problem(kind="refused", message="no"))

    with closing(_examiner(warehouse, refuse)) as examiner:
        found = examiner.examine(
            "select count(*) from tickets where price > 12.5",
            "select count(*) from tickets where price >= 12.5",
        )
    assert (found.verdict, found.method) == (CoincidenceVerdict.REFUTED, "transpiled")
