"""Golds that tie at their limit or change from run to run, in `check` and at grading."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import goldsuite

SUITE = """\
name: players
cases:
  - id: tied
    question: "Who is second?"
    split: train
    gold_sql: select name from players where points < 30 order by points desc limit 1
  - id: top
    question: "Who are the two best?"
    split: train
    gold_sql: select name, points from players order by points desc limit 2
  - id: first
    question: "Who is best?"
    split: train
    gold_sql: select name from players order by points desc limit 1
  - id: chance
    question: "Which number?"
    split: train
    gold_sql: select abs(random())
    answer: number
  - id: inside
    question: "Who comes last by name of the two best?"
    split: train
    gold_sql: select max(name) from (select name from players order by points desc limit 2)
  - id: held
    question: "Who has twenty points?"
    split: test
    gold_sql: select name from players where points = 20 order by points limit 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "players.db") as db:
        db.execute("create table players (name text, points integer)")
        db.executemany(
            "insert into players values (?, ?)", [("Ann", 30), ("Bob", 20), ("Cy", 20), ("Ed", 10)]
        )
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    (tmp_path / "goldsuite.toml").write_text('warehouse = "sqlite:///players.db"\n')
    return tmp_path


def by_id(cases: list[dict[str, Any]], key: str) -> dict[str, Any]:
    return {case["id"]: case[key] for case in cases}


def test_check_names_what_is_weak_in_a_gold_and_tells_nothing_of_held_out_ones(
    folder: Path,
) -> None:
    run = goldsuite("check", "--format", "json", cwd=folder)
    cases = json.loads(run.out)["cases"]
    assert by_id(cases, "flags") == {
        "tied": ["gold_tie_at_limit"],
        "top": ["gold_tie_at_limit"],
        "first": [],
        "chance": ["gold_unstable"],
        "inside": ["gold_tie_inside"],
        "held": [],
    }
    assert by_id(cases, "message")["held"] == "held out: see it with --reveal"
    assert "any of them is right" in goldsuite("check", cwd=folder).out
    shown = goldsuite("check", "--format", "json", "--reveal", "--peek", "a test", cwd=folder)
    revealed = json.loads(shown.out)
    assert by_id(revealed["cases"], "flags")["held"] == ["gold_tie_at_limit"]


def test_a_graded_case_carries_the_flags_and_accepts_what_ties(folder: Path) -> None:
    top = "select name, points from players where name in ('Ann', 'Cy') order by points desc"
    answers = [
        {"id": "tied", "analyst_value": "Cy"},
        {"id": "top", "analyst_query": top},
        {"id": "first", "analyst_value": "Cy"},
        {"id": "chance", "analyst_value": "1"},
        {"id": "inside", "analyst_value": "Bob"},
    ]
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    run = goldsuite("grade", "a.jsonl", "--format", "json", cwd=folder)
    assert run.code == 0, run.err
    assert run.verdicts() == {
        "tied": "correct", "top": "correct", "first": "wrong", "chance": "wrong",
        "inside": "correct",
    }  # fmt: skip
    flags = by_id(run.record["cases"], "flags")
    assert flags["tied"] == flags["top"] == ["gold_tie_at_limit"]
    assert flags["first"] == []
    assert "gold_tie_inside" in flags["inside"]
    assert "gold_unstable" in flags["chance"]
    assert by_id(run.record["cases"], "gold_value")["tied"] == "Bob"
