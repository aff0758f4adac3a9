"""Pairs of queries with a known verdict, each tried on small databases."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from goldsuite.diagnosis.coincidence.examine import Bounds, Examiner
from goldsuite.model.coincidence import Coincidence, CoincidenceVerdict
from goldsuite.warehouse.engines import open_warehouse
from tests.diagnosis.coincidence.cinema import PAIRS, Pair, build

SHARED = Path(__file__).parents[4] / "shared" / "diagnosis"
PATIENT = Bounds(deadline_s=120)
"""So that no verdict depends on how busy the machine is."""
SAME = {CoincidenceVerdict.PROVEN, CoincidenceVerdict.NOT_REFUTED}
EXPECTED = {
    "equivalent": SAME,
    "coincidental": {CoincidenceVerdict.REFUTED},
    "conditional": {CoincidenceVerdict.REFUTED_ONLY_IF_FK_BREAKS},
}


@pytest.fixture(scope="module")
def examiner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examiner]:
    folder = tmp_path_factory.mktemp("cinema")
    with duckdb.connect(str(folder / "cinema.duckdb")) as connection:
        build(connection.execute)
    with open_warehouse("duckdb:///cinema.duckdb", base_dir=folder) as warehouse:
        found = Examiner(
            warehouse.catalog(),
            dialect="duckdb",
            execute=warehouse.analyst.execute,
            bounds=PATIENT,
        )
        with closing(found):
            yield found


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_pair_has_its_verdict(pair: Pair, examiner: Examiner) -> None:
    found = examiner.examine(pair.gold, pair.analyst)
    expected = SAME if pair.verdict == "same" else {CoincidenceVerdict(pair.verdict)}
    assert found.verdict in expected, found
    assert pair.says in (found.reason or "")
    assert (found.counterexample is not None) == found.verdict.value.startswith("refuted")


def test_the_same_pair_gives_the_same_to_the_byte_but_for_the_time(examiner: Examiner) -> None:
    gold = "select sum(price) from tickets where sold_at < '2026-01-01'"
    once, twice = (examiner.examine(gold, "select sum(price) from tickets") for _ in range(2))
    assert _timeless(once) == _timeless(twice)


def _timeless(found: Coincidence) -> tuple[Any, ...]:
    return found.verdict, found.databases, found.counterexample, found.executions, found.reason


def test_the_smallest_counterexample_is_one_row_at_the_boundary(examiner: Examiner) -> None:
    found = examiner.examine(
        "select count(*) from tickets where price > 12.5",
        "select count(*) from tickets where price >= 12.5",
    )
    assert found.counterexample is not None
    (tickets,) = found.counterexample.tables
    assert (tickets.name, tickets.columns, tickets.rows) == ("tickets", ("price",), ((12.5,),))
    assert found.counterexample.gold.rows == ((0,),)
    assert found.counterexample.analyst.rows == ((1,),)


def test_a_broken_key_is_shown_by_a_child_without_its_parent(examiner: Examiner) -> None:
    found = examiner.examine(
        "select count(*) from tickets",
        "select count(*) from tickets t join films f on f.film_id = t.film_id",
    )
    assert found.counterexample is not None
    rows = {table.name: len(table.rows) for table in found.counterexample.tables}
    assert rows == {"films": 0, "tickets": 1}
    assert found.counterexample.gold.rows == ((1,),)
    assert found.counterexample.analyst.rows == ((0,),)


def test_executions_are_bounded_and_counted(examiner: Examiner) -> None:
    found = examiner.examine("select count(*) from films", "select count(*) from members")
    assert 0 < found.executions <= PATIENT.executions


def test_no_execution_is_left_for_an_examiner_without_any(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "cinema.duckdb")) as connection:
        build(connection.execute)
    with open_warehouse("duckdb:///cinema.duckdb", base_dir=tmp_path) as warehouse:
        catalog = warehouse.catalog()
    with closing(Examiner(catalog, dialect="duckdb", bounds=Bounds(executions=0))) as examiner:
        found = examiner.examine("select count(*) from films", "select count(*) from members")
    assert found.verdict is CoincidenceVerdict.NOT_APPLICABLE
    assert "used up" in (found.reason or "")


@pytest.mark.parametrize(
    "hostile",
    [
        "select count(*) from read_text('/etc/passwd'), films",
        "select count(*) from films, duckdb_secrets()",
        "select count(*) from films; drop table films",
        "copy films to '/tmp/films.csv'",
    ],
)
def test_nothing_outside_is_read_or_written(hostile: str, examiner: Examiner) -> None:
    found = examiner.examine("select count(*) from films", hostile)
    assert found.verdict is CoincidenceVerdict.NOT_APPLICABLE


@pytest.fixture(scope="module")
def labelled(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Examiner, list[dict[str, str]]]]:
    if not (SHARED / "equivalence.jsonl").exists():
        pytest.skip(reason=f"the labelled pairs are not here: {SHARED}")
    namespace: dict[str, Any] = {"__name__": "build_db"}
    exec(compile((SHARED / "build_db.py").read_text(), "build_db.py", "exec"), namespace)  # noqa: S102
    folder = tmp_path_factory.mktemp("labelled")
    with duckdb.connect(str(folder / "empty.duckdb")) as connection:
        # Its tables are enough: what is tried is made up.
        for statement in filter(str.strip, namespace["DDL"].split(";")):
            connection.execute(statement)
    rows = [json.loads(line) for line in (SHARED / "equivalence.jsonl").read_text().splitlines()]
    with open_warehouse("duckdb:///empty.duckdb", base_dir=folder) as warehouse:
        found = Examiner(warehouse.catalog(), dialect="duckdb", bounds=PATIENT)
        with closing(found):
            yield found, rows


def test_labelled_pairs_have_the_verdict_of_their_label(
    labelled: tuple[Examiner, list[dict[str, str]]],
) -> None:
    examiner, rows = labelled
    wrong = [
        (row["id"], found.verdict.value)
        for row in rows
        if (found := examiner.examine(row["gold_sql"], row["analyst_sql"])).verdict
        not in EXPECTED[row["label"]]
    ]
    assert wrong == []
