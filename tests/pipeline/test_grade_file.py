"""`goldsuite grade`: answers from a file, by the same path as a run."""

import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

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

REVEAL = ("--reveal", "--peek", "a test")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return open_shop(tmp_path)


def open_shop(folder: Path) -> Path:
    with sqlite3.connect(folder / "shop.db") as db:
        db.execute("create table sales (shop text, amount real)")
        db.executemany(
            "insert into sales values (?, ?)", [("North", 31.25), ("South", 10.0), ("West", 18.75)]
        )
    (folder / "gold-cases.yaml").write_text(SUITE)
    return folder


def grade(shop: Path, text: str, *options: str, name: str = "answers.jsonl") -> Run:
    (shop / name).write_bytes(text.encode())
    return goldsuite(
        "grade", name, "--suite", "gold-cases.yaml", "--warehouse", "sqlite:///shop.db",
        "--format", "json", *options, cwd=shop,
    )  # fmt: skip


def rows(**answers: object) -> str:
    return "".join(json.dumps({"id": i, "analyst_value": v}) + "\n" for i, v in answers.items())


def row(case: str, **fields: object) -> str:
    return json.dumps({"id": case, **fields}) + "\n"


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


def times_aside(value: object) -> object:
    """A part of a record without what a clock measured."""
    if isinstance(value, dict):
        return {k: times_aside(v) for k, v in value.items() if not k.endswith(("_ms", "_at"))}
    return [times_aside(item) for item in value] if isinstance(value, list) else value


def test_two_runs_over_the_same_answers_give_the_same_bytes(shop: Path) -> None:
    text = rows(count=4, total="60 or 61", shops="North, West") + row(
        "largest", analyst_value=30, analyst_query="select max(amount) from sales where amount < 30"
    )
    first, second = (grade(shop, text, *REVEAL).record for _ in range(2))
    for part in ("cases", "aggregate", "failure_modes", "executions", "answers_sha256"):
        one, two = (json.dumps(times_aside(record[part])) for record in (first, second))
        assert one == two, part


AGENT = {
    "analyst_query": SQL[0],
    "latency_ms": 1500,
    "waited_ms": 200,
    "retries": 2,
    "turns": 3,
    "usage": {"input_tokens": 90, "output_tokens": 12, "cache_read_tokens": 40,
              "cache_write_1h_tokens": 5, "thinking_tokens": 4},
    "tools": ["run_query", "run_query"],
    "calls": [{"name": "run_query", "accepted": False}, {"name": "run_query"}],
    "skills": ["sales"],
    "queries": [{"sql": "select x", "error": "no x"}, {"sql": SQL[0], "rows": 1, "value": "3"}],
    "trace": [{"kind": "text", "text": "let me see"}],
}  # fmt: skip
MOVED = [{"sql": "SELECT sum(amount) FROM sales", "rows": 1, "value": "48.5"}]
TOLD = (
    row("count", analyst_value=3, **AGENT)
    + row("total", analyst_value="48.50", analyst_query=SQL[1], queries=MOVED)
    + row("shops", analyst_query="select shop as name from sales where shop = 'North'")
    + row("largest", analyst_value=31.25, analyst_query="select max(amount from sales")
)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, str]:
    """A graded file of all that an agent may tell, and its full report."""
    shop = open_shop(tmp_path_factory.mktemp("told"))
    run = grade(shop, TOLD, *REVEAL)
    return run, goldsuite("report", "--full", *REVEAL, cwd=shop).out


def case_of(run: Run, name: str) -> dict[str, Any]:
    (case,) = (case for case in run.record["cases"] if case["id"] == name)
    return dict(case)


def test_what_an_agent_tells_stands_in_the_record_and_its_trace_does_not(
    told: tuple[Run, str],
) -> None:
    run, report = told
    count = case_of(run, "count")
    assert count["verdict"] == "correct"
    figures = ("waited_ms", "retries", "turns", "queries_run", "skills")
    assert [count[name] for name in figures] == [200, 2, 3, 2, ["sales"]]
    assert count["calls"] == [
        {"name": "run_query", "accepted": False},
        {"name": "run_query", "accepted": None},
    ]
    tokens = {"input": 90, "cache_write_1h": 5, "cache_read": 40, "output": 12, "thinking": 4}
    assert count["tokens"] == run.record["aggregate"]["total_tokens"] == tokens
    assert "let me see" not in run.out
    assert "tokens  input 90, cache write 1h 5, cache read 40, output 12, thinking 4" in report


def test_the_log_of_a_run_proves_that_the_data_moved(told: tuple[Run, str]) -> None:
    case = case_of(told[0], "total")
    assert (case["verdict"], case["matched"], case["flags"]) == ("correct", "exact", ["data_moved"])
    assert case["reason"].startswith("The data moved: the answer's SQL gave '48.5' during the run")
    assert case["gold_value"] == 60


def test_clauses_are_compared_with_the_nearest_gold(told: tuple[Run, str]) -> None:
    run, report = told
    case = case_of(run, "shops")
    assert case["component_match"] == {"select": True, "from": True, "where": False}
    assert case["exact_match"] is False
    # Of the three that can be read two match wholly; one of them has a WHERE.
    assert run.record["aggregate"]["exact_match"] == pytest.approx(2 / 3)
    shares = {"select": 1.0, "from": 1.0, "where": 0.0}
    assert run.record["aggregate"]["component_match"] == shares
    assert "exact match 66.7 %; same clauses: select 100.0 %, from 100.0 %, where 0.0 %" in report
    assert "clauses that differ: where" in report


def test_sql_that_cannot_be_parsed_is_said_to_be(told: tuple[Run, str]) -> None:
    case = case_of(told[0], "largest")
    assert case["flags"] == ["query_unparsed", "right_value_wrong_sql"]
    assert (case["exact_match"], case["component_match"]) == (None, None)
    # Tokens: SELECT MAX ( AMOUNT ) FROM SALES; all but the closing one are shared.
    assert case["query_similarity"] == round(6 / 7, 4)
    assert "right value, wrong SQL: 1 answer (largest)" in told[1]


def test_a_suite_settles_which_mark_is_decimal(shop: Path) -> None:
    (shop / "gold-cases.yaml").write_text("defaults: {decimal_mark: ','}\n" + SUITE)
    (case,) = grade(shop, rows(total="60,000")).record["cases"]
    assert (case["verdict"], case["decimal_mark"]) == ("correct", ",")


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
    assert "31.25" in grade(shop, rows(largest=1), *REVEAL).out


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
    broken = json.dumps({"id": "count", "error": "timed out", "error_source": "timeout"})
    run = grade(shop, broken)
    assert run.code == 4
    assert case_of(run, "count")["error_source"] == "timeout"
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
    run = grade(shop, DEFOG, "--max-errors", "1", *REVEAL, name="p.csv")
    latency = {case["id"]: case["latency_ms"] for case in run.record["cases"]}
    assert latency == {"count": 1000.0, "total": 1000.0, "shops": None, "largest": 250.0}


def test_places_count_within_the_split_that_is_asked(shop: Path) -> None:
    assert grade(shop, SQL[3], "--split", "test", name="p.sql").verdicts() == {"largest": "correct"}


def test_several_databases_are_warned_of(shop: Path) -> None:
    text = "".join(f"{sql}\tdb{i}\n" for i, sql in enumerate(SQL))
    assert "the answers name 4 databases (db0, db1, db2, db3)" in grade(shop, text, name="p").err
