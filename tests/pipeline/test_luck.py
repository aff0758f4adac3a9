"""Lucky passes from the answers file to the record and its reports."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.command_line import Run, goldsuite

SUITE = """\
name: cinema
cases:
  - id: dear
    question: "How many tickets cost more than 10?"
    split: train
    gold_sql: select count(*) from tickets where price > 10
  - id: noir
    question: "How many minutes do noir films have?"
    split: train
    gold_sql:
      - select sum(minutes) from films where genre = 'western'
      - select sum(minutes) from films where genre = 'noir'
  - id: share
    question: "What share of films is noir?"
    split: train
    unit: percent
    gold_sql: select 100.0 * avg(case when genre = 'noir' then 1.0 else 0.0 end) from films
  - id: genres
    question: "How many films has each genre, the largest first?"
    split: train
    gold_sql: select genre, count(*) as n from films group by genre order by n desc
  - id: held
    question: "How many tickets are there?"
    split: test
    gold_sql: select count(*) from tickets
"""
LUCKY = {
    "dear": "select count(*) from tickets where price >= 10",
    "noir": "select sum(minutes) from films where genre in ('noir', 'film noir')",
    "genres": "select genre, count(*) as n from films group by genre order by genre desc",
    "held": "select count(*) from tickets where price > 0",
}
SOUND = {
    "dear": "select count(*) from tickets t where t.price > 10.0",
    "noir": "select sum(minutes) from films where 'noir' = genre",
    "share": "select avg(case when genre = 'noir' then 1 else 0 end) from films",
    "genres": "select genre, count(film_id) from films group by 1 order by 2 desc, 1",
}


@pytest.fixture
def cinema(tmp_path: Path) -> Path:
    folder = tmp_path
    with duckdb.connect(str(folder / "cinema.duckdb")) as connection:
        connection.execute(
            "create table films (film_id integer primary key, genre varchar not null, "
            "minutes integer not null)"
        )
        connection.execute("insert into films values (1, 'noir', 90), (2, 'noir', 80), (3, 'b', 9)")
        connection.execute("create table tickets (ticket_id integer primary key, price integer)")
        connection.execute("insert into tickets values (1, 12), (2, 8)")
    (folder / "gold-cases.yaml").write_text(SUITE)
    return folder


def grade(cinema: Path, queries: dict[str, str], *options: str) -> Run:
    rows = [json.dumps({"id": case, "analyst_query": sql}) for case, sql in queries.items()]
    (cinema / "answers.jsonl").write_text("\n".join(rows))
    return goldsuite(
        "grade", "answers.jsonl", "--suite", "gold-cases.yaml",
        "--warehouse", "duckdb:///cinema.duckdb", *options, cwd=cinema,
    )  # fmt: skip


def record(run: Run) -> tuple[dict[str, Any], dict[str, Any]]:
    assert run.code == 0, run.err
    return run.record["aggregate"], {case["id"]: case for case in run.record["cases"]}


def test_lucky_passes_stay_passes_and_are_counted(cinema: Path) -> None:
    train = {case: sql for case, sql in LUCKY.items() if case != "held"}
    aggregate, cases = record(grade(cinema, train, "--format", "json"))
    assert aggregate["passed"] == 3
    assert aggregate["lucky_passes"] == 3
    assert {case["coincidence"]["verdict"] for case in cases.values()} == {"refuted"}
    dear = cases["dear"]["coincidence"]
    assert dear["counterexample"]["tables"] == [
        {"name": "tickets", "columns": ["price"], "rows": [[10]]}
    ]
    assert dear["counterexample"]["gold"]["rows"] == [[0]]
    assert dear["counterexample"]["analyst"]["rows"] == [[1]]
    assert dear["method"] == "local"
    assert cases["genres"]["coincidence"]["reason"] == "They differ only in the order of the rows."


def test_sound_passes_are_not_refuted_under_the_cases_own_comparison(cinema: Path) -> None:
    aggregate, cases = record(grade(cinema, SOUND, "--format", "json"))
    verdicts = {case: found["coincidence"]["verdict"] for case, found in cases.items()}
    assert aggregate["lucky_passes"] == 0
    assert verdicts["dear"] in {"proven", "not_refuted"}
    # The gold that it does not match is no reason.
    assert verdicts["noir"] in {"proven", "not_refuted"}
    # A share for a percentage, as the unit allows.
    assert verdicts["share"] == "not_refuted"
    # Rows that tie may stand in any order.
    assert verdicts["genres"] == "not_refuted"


def test_a_strict_run_counts_luck_as_failure_and_says_so(cinema: Path) -> None:
    queries = {"dear": LUCKY["dear"], "noir": SOUND["noir"]}
    run = grade(cinema, queries, "--strict", "--format", "json")
    aggregate, cases = record(run)
    assert run.record["strict"] is True
    assert (aggregate["passed"], aggregate["failed"], aggregate["accuracy"]) == (1, 1, 0.5)
    assert aggregate["accuracy_graded"] == 0.5
    assert (cases["dear"]["verdict"], cases["dear"]["passed"]) == ("correct", False)
    assert "strict" in cases["dear"]["reason"]
    assert cases["noir"]["passed"] is True


def test_nothing_is_examined_with_a_budget_of_zero(cinema: Path) -> None:
    aggregate, cases = record(grade(cinema, LUCKY, "--luck-budget", "0", "--format", "json"))
    assert aggregate["lucky_passes"] is None
    assert all(case["coincidence"] is None for case in cases.values())


def test_the_budget_is_the_number_of_databases(cinema: Path) -> None:
    queries = {"genres": "select genre, count(film_id) from films group by 1 order by 2 desc"}
    _, cases = record(grade(cinema, queries, "--luck-budget", "7", "--format", "json"))
    assert cases["genres"]["coincidence"]["databases"] <= 7


def test_a_wrong_answer_is_not_examined(cinema: Path) -> None:
    _, cases = record(grade(cinema, {"dear": "select 99"}, "--format", "json"))
    assert cases["dear"]["coincidence"] is None


def test_a_held_out_case_shows_no_counterexample(cinema: Path) -> None:
    run = grade(cinema, LUCKY, "--format", "json")
    aggregate, cases = record(run)
    assert aggregate["lucky_passes"] == 4
    assert cases["held"]["coincidence"] is None


def test_a_report_counts_held_out_lucky_passes_and_names_none(cinema: Path) -> None:
    report = grade(cinema, {"held": LUCKY["held"]})
    assert "held:" not in report.out
    assert "lucky passes  1 pass" in report.out


@pytest.mark.parametrize("output", ["text", "markdown"])
def test_every_report_names_lucky_passes_and_what_they_return(cinema: Path, output: str) -> None:
    run = grade(cinema, {"dear": LUCKY["dear"]}, "--format", output)
    assert run.code == 0, run.err
    assert "Lucky passes" in run.out
    assert "the gold returns 0, the analyst's SQL 1." in " ".join(run.out.split())


def test_show_draws_the_small_database(cinema: Path) -> None:
    grade(cinema, {"dear": LUCKY["dear"]})
    run = goldsuite("show", "latest", "dear", cwd=cinema)
    assert run.code == 0, run.err
    lines = [line.strip() for line in run.out.splitlines()]
    start = lines.index("tickets:")
    assert lines[start : start + 3] == ["tickets:", "price", "10"]


def test_a_budget_that_is_no_number_is_told(cinema: Path) -> None:
    run = grade(cinema, LUCKY, "--luck-budget", "-1")
    assert run.code == 2
    assert "luck_budget" in run.err
