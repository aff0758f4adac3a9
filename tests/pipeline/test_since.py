"""`goldsuite eval --since`: only what is not as it was then is asked again."""

import json
import shlex
import shutil
import sqlite3
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from goldsuite.model.grade import Verdict
from goldsuite.pipeline.changed_process import Request, changed
from goldsuite.records.file import read_record, write_record
from goldsuite.records.latest import record_paths
from goldsuite.suite.case_hash import case_sha256
from goldsuite.suite.key import load_key
from tests.command_line import Run, goldsuite
from tests.comparison.made_runs import run_of, trial

SUITE = """\
name: shop
cases:
  - {id: count, split: train, question: "How many sales?", gold_sql: select count(*) from sales}
  - {id: total, split: train, question: "What is the total?", gold_sql: select sum(x) from sales}
  - {id: least, split: test, question: "What is the least?", gold_sql: select min(x) from sales}
"""
AGENT = """\
import json
print(json.dumps({"analyst_value": "3"}))
"""
# Begun at this moment or before: every run that the test has made.
SINCE = ("--since", "0m")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    (tmp_path / "agent.py").write_text(AGENT)
    knowledge = tmp_path / "context" / ".knowledge"
    (knowledge / "datasets" / "shop").mkdir(parents=True)
    (knowledge / "active.yaml").write_text("dataset: shop\n")
    (knowledge / "datasets" / "shop" / "notes.md").write_text("Sales are in `sales`.\n")
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.execute("create table sales (x integer)")
        connection.executemany("insert into sales values (?)", [(1,), (2,), (3,)])
    connection.close()
    agent = shlex.join([sys.executable, str(tmp_path / "agent.py")])
    (tmp_path / "goldsuite.toml").write_text(
        f'suite = "gold-cases.yaml"\nwarehouse = "sqlite:///shop.db"\ncontext = "context"\n'
        f"analyst = {json.dumps(f'command:{agent}')}\n"
    )
    return tmp_path


def _eval(shop: Path, *options: str) -> Run:
    return goldsuite("eval", *options, "--max-errors", "100%", "--format", "json", cwd=shop)


def _asked(run: Run) -> list[str]:
    return [case["id"] for case in run.record["cases"]]


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_where_nothing_changed_nothing_is_asked_and_all_is_well(shop: Path) -> None:
    assert _eval(shop).code == 0
    again = _eval(shop, *SINCE)
    assert (again.code, again.out) == (0, "")
    assert "none of 2 selected cases changed since" in again.err
    assert len(record_paths(shop / "runs")) == 1


def test_only_the_case_that_was_edited_is_asked_and_the_record_is_partial(shop: Path) -> None:
    whole = _eval(shop)
    assert len({case["case_sha256"] for case in whole.record["cases"]}) == 2
    _edit(shop / "gold-cases.yaml", "sum(x)", "sum(x) + 0")
    again = _eval(shop, *SINCE)
    assert _asked(again) == ["total"]
    assert list(again.record["selection"]) == ["since"]
    # A remark is no change, and what was asked since is as it was.
    _edit(shop / "gold-cases.yaml", "split: train, question", "split: train, note: ok, question")
    assert _eval(shop, *SINCE).out == ""


@pytest.fixture
def made(shop: Path) -> Request:
    """A record of both train cases as they are, and a request by the same analyst."""
    key = load_key(shop / "gold-cases.yaml")
    cases = [
        trial(case.id, "+", case_sha256=case_sha256(case))
        for case in key.cases
        if case.id != "least"
    ]
    record = run_of(cases)
    write_record(record, shop / "runs" / f"{record.run_id}.json")
    (shop / "runs" / record.run_id).mkdir()
    plan = {"options": {"fixed": {"analyst": "me"}}}
    (shop / "runs" / record.run_id / "plan.json").write_text(json.dumps(plan))
    return Request(
        path=str(shop / "gold-cases.yaml"),
        runs_dir=str(shop / "runs"),
        since="2026-02-01T00:00:00+00:00",
        analyst="me",
        context="c" * 64,
        as_of="2025-12-31",
    )


def test_what_a_run_had_asked_is_as_it_was(made: Request) -> None:
    assert changed(made) == ["least"]


@pytest.mark.parametrize(
    "other",
    [
        {"context": "d" * 64},
        {"context": None},
        {"as_of": "2026-12-31"},
        {"analyst": "another"},
        # The run began at 04:04:05 on that day.
        {"since": "2026-01-02T04:04:04+00:00"},
        {"runs_dir": "absent"},
    ],
)
def test_another_context_analyst_or_today_changes_every_case(
    other: dict[str, Any], made: Request
) -> None:
    assert changed(made | other) == ["count", "total", "least"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"verdict": Verdict.ANALYST_ERROR}, ["count", "least"]),
        ({"case_sha256": None}, ["count", "least"]),
        ({"case_sha256": "0" * 64}, ["count", "least"]),
        ({"verdict": Verdict.WRONG}, ["least"]),
    ],
)
def test_only_a_graded_case_tells_what_it_was(
    change: dict[str, Any], expected: list[str], shop: Path, made: Request
) -> None:
    (path,) = record_paths(shop / "runs")
    record = read_record(path)
    first = replace(record.cases[0], **change)
    write_record(replace(record, cases=(first, *record.cases[1:])), path)
    assert changed(made) == expected


def test_the_newest_run_before_then_decides(shop: Path, made: Request) -> None:
    (path,) = record_paths(shop / "runs")
    record = read_record(path)
    later = replace(
        record,
        run_id="20260103-000000-train-abcd",
        started_at=record.started_at + timedelta(days=1),
        selection={"case": "count"},
        cases=(replace(record.cases[0], case_sha256="0" * 64),),
    )
    target = shop / "runs" / f"{later.run_id}.json"
    write_record(later, target)
    shutil.copytree(path.with_suffix(""), target.with_suffix(""))
    assert changed(made) == ["count", "least"]
    # A run with something laid over its context tells nothing.
    write_record(replace(later, selection={"trying": "c1"}), target)
    assert changed(made) == ["least"]


def test_a_changed_record_tells_nothing(shop: Path, made: Request) -> None:
    (path,) = record_paths(shop / "runs")
    _edit(path, '"passed": 2,', '"passed": 1,')
    assert changed(made) == ["count", "total", "least"]


def test_it_narrows_what_other_options_select(shop: Path) -> None:
    _eval(shop)
    _edit(shop / "context" / ".knowledge" / "datasets" / "shop" / "notes.md", "Sales", "All")
    assert _asked(_eval(shop, *SINCE, "--slice", "1")) == ["count"]
    shown = goldsuite("eval", *SINCE, "--slice", "1", "--dry-run", "--format", "json", cwd=shop)
    # What is now the newest run had asked `count` in the new context.
    assert json.loads(shown.out)["cases"] == ["total"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--since", "last week"), "a span such as 7d"),
        (("--since", "2999-01-01"), "lies in the future"),
        (("--since", "7d", "--resume", "x"), "--since does not go with --resume"),
    ],
)
def test_what_cannot_be_meant_is_said(options: tuple[str, ...], words: str, shop: Path) -> None:
    run = _eval(shop, *options)
    assert (run.code, run.out) == (2, "")
    assert words in run.err
