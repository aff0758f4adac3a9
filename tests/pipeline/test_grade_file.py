"""`goldsuite grade`: answers from a file, by the same path as a run."""

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest

from tests.command_line import Run, goldsuite

SUITE = """\
name: shop
cases:
  - id: count
    question: "How many sales are there?"
    split: train
    gold_sql: select count(*) from sales
    unit: count
  - id: total
    question: "What is the total of sales?"
    split: train
    gold_sql: select sum(amount) from sales
    must_pass: true
  - id: shops
    question: "Which shops are there?"
    split: train
    gold_sql: select shop from sales
  - id: largest
    question: "What is the largest sale?"
    split: test
    gold_sql: select max(amount) from sales
"""
SQL = (
    "select count(*) from sales",
    "select sum(amount) from sales",
    "select shop from sales",
    "select max(amount) from sales",
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "shop.db") as db:
        db.execute("create table sales (shop text, amount real)")
        db.executemany(
            "insert into sales values (?, ?)", [("North", 31.25), ("South", 10.0), ("West", 18.75)]
        )
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    return tmp_path


def grade(shop: Path, text: str, *options: str, name: str = "answers.jsonl") -> Run:
    (shop / name).write_bytes(text.encode())
    return goldsuite(
        "grade", name, "--suite", "gold-cases.yaml", "--warehouse", "sqlite:///shop.db",
        "--format", "json", *options, cwd=shop,
    )  # fmt: skip


def rows(**answers: object) -> str:
    return "".join(json.dumps({"id": i, "analyst_value": v}) + "\n" for i, v in answers.items())


def test_a_value_or_a_query_is_enough(shop: Path) -> None:
    text = rows(count=3, total="61") + json.dumps({"id": "shops", "analyst_query": SQL[2]})
    run = grade(shop, text)
    assert run.code == 0, run.err
    assert run.verdicts() == {"count": "correct", "total": "wrong", "shops": "correct"}


def test_the_record_says_that_the_answers_were_replayed(shop: Path) -> None:
    run = grade(shop, rows(count=3))
    record = run.record
    assert (record["replayed"], record["analyst"]) == (True, "replay:answers.jsonl")
    assert (record["model"], record["isolation"]) == (None, "replayed")
    assert (record["split"], record["selection"]) == ("train", {"answers": "1 of 3 cases"})
    sha256 = hashlib.sha256((shop / "answers.jsonl").read_bytes()).hexdigest()
    assert record["analyst_notes"] == {
        "answers_file": "answers.jsonl",
        "answers_format": "jsonl",
        "answers_file_sha256": sha256,
    }


def test_the_answers_are_copied_locked_and_hashed_before_the_key_is_opened(shop: Path) -> None:
    record = grade(shop, rows(count=3)).record
    answers = shop / "runs" / record["run_id"] / "answers.jsonl"
    assert hashlib.sha256(answers.read_bytes()).hexdigest() == record["answers_sha256"]
    assert answers.stat().st_mode & 0o222 == 0
    times = [record[k] for k in ("started_at", "answers_locked_at", "key_opened_at", "finished_at")]
    assert times == sorted(times)
    assert goldsuite("report", cwd=shop).code == 0


def test_a_graded_run_can_be_graded_again_from_its_own_answers(shop: Path) -> None:
    first = grade(shop, rows(count=3, total=60, shops="North, South, West")).record
    again = grade(shop, (shop / "runs" / first["run_id"] / "answers.jsonl").read_text()).record
    assert again["cases"] == first["cases"]


def test_a_split_asked_for_counts_its_cases_without_an_answer(shop: Path) -> None:
    run = grade(shop, rows(count=3, largest=31.25), "--split", "train")
    assert run.verdicts() == {"count": "correct", "total": "no_answer", "shops": "no_answer"}
    assert run.record["aggregate"]["accuracy"] == pytest.approx(1 / 3)
    assert run.record["analyst_notes"]["unanswered"] == "total, shops"
    assert run.record["analyst_notes"]["left_out"] == "1 answer outside of split train"
    assert "1 answer outside of split train left out" in run.err


def test_held_out_cases_show_no_gold_unless_it_is_asked_for(shop: Path) -> None:
    run = grade(shop, rows(largest=1))
    assert run.record["split"] == "test"
    assert "31.25" not in run.out
    assert "max(amount)" not in run.out
    assert "31.25" in grade(shop, rows(largest=1), "--reveal").out


def test_a_faulty_file_is_refused_with_every_line_and_leaves_no_run(shop: Path) -> None:
    run = grade(shop, rows(count=3, totl=2) + "x\n")
    assert run.code == 2, run.err
    assert "answers.jsonl:2: the suite has no case 'totl'. Did you mean 'total'?" in run.err
    assert "answers.jsonl:3: no JSON" in run.err
    assert "Traceback" not in run.err
    assert not (shop / "runs").exists()


def test_a_file_that_is_not_there_is_wrong_usage(shop: Path) -> None:
    run = goldsuite("grade", "none.jsonl", "--warehouse", "sqlite:///shop.db", cwd=shop)
    assert run.code == 2
    assert "none.jsonl: there is no such file of answers" in run.err


def test_what_had_broken_and_was_answered_on_resuming_counts_once(shop: Path) -> None:
    broken = json.dumps({"id": "count", "analyst_value": None, "error": "timed out"}) + "\n"
    assert grade(shop, broken + rows(count=3)).verdicts() == {"count": "correct"}


def test_thresholds_end_with_the_codes_of_eval(shop: Path) -> None:
    assert grade(shop, rows(count=4), "--fail-under", "0.5").code == 1
    broken = json.dumps({"id": "count", "error": "timed out"})
    run = grade(shop, broken)
    assert run.code == 4
    assert "--resume" not in run.err


BIRD = json.dumps({str(i): f"{sql}\t----- bird -----\tshop" for i, sql in enumerate(SQL)})
DEFOG = (
    "db_name,question,query,generated_query,latency_seconds,error_msg\n"
    'shop,What is the largest sale?,select 1,"select max(amount)\nfrom sales",0.25,\n'
    "shop,How many sales are there?,select 1,select count(*) from sales,1,\n"
    "shop,What is the total of sales?,select 1,,1,GENERATION ERROR: timeout\n"
    "shop,Which shops are there?,select 1,,,\n"
)
FORMATS = (
    ("p.json", BIRD, "bird", "correct correct correct correct"),
    ("p.json", json.dumps(json.loads(BIRD), indent=1), "bird", "correct correct correct correct"),
    ("p.json", json.dumps({**json.loads(BIRD), "1": 0}), "bird",
     "correct no_answer correct correct"),
    ("p.sql", "\n".join(SQL) + "\n", "spider", "correct correct correct correct"),
    ("p.txt", "\tshop\r\n".join(SQL) + "\tshop\r\n", "spider", "correct correct correct correct"),
    ("p.txt", f"{SQL[0]}\n\n{SQL[2]}\n{SQL[0]}\n", "spider", "correct no_answer correct wrong"),
    ("p.txt", f"{SQL[0]}\n{SQL[1]}\nselect\tshop\tfrom\tsales\n{SQL[3]}", "spider",
     "correct correct correct correct"),
    ("p.csv", DEFOG, "defog", "correct analyst_error no_answer correct"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "text", "found", "verdicts"), FORMATS)
def test_benchmark_formats_are_seen_and_mapped_to_their_cases(
    shop: Path, name: str, text: str, found: str, verdicts: str
) -> None:
    run = grade(shop, text, "--max-errors", "1", name=name)
    assert run.code == 0, run.err
    assert " ".join(run.verdicts().values()) == verdicts
    assert list(run.verdicts()) == ["count", "total", "shops", "largest"]
    assert run.record["analyst_notes"]["answers_format"] == found
    assert f"read as {found}" in run.err
    assert ("by place, in the suite's order" in run.err) == (found in {"bird", "spider"})


def test_the_latency_of_defog_is_kept_in_milliseconds(shop: Path) -> None:
    run = grade(shop, DEFOG, "--max-errors", "1", "--reveal", name="p.csv")
    latency = {case["id"]: case["latency_ms"] for case in run.record["cases"]}
    assert latency == {"count": 1000.0, "total": 1000.0, "shops": None, "largest": 250.0}


def test_places_count_within_the_split_that_is_asked(shop: Path) -> None:
    assert grade(shop, SQL[3], "--split", "test", name="p.sql").verdicts() == {"largest": "correct"}


def test_several_databases_are_warned_of(shop: Path) -> None:
    text = "".join(f"{sql}\tdb{i}\n" for i, sql in enumerate(SQL))
    assert "the answers name 4 databases (db0, db1, db2, db3)" in grade(shop, text, name="p").err
