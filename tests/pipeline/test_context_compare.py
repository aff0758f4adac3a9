"""Two configurations in one command: asked in turns, locked, graded, compared."""

import json
import shlex
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import goldsuite

SUITE = """\
name: shop
cases:
  - {id: one, question: "First?", split: train, gold_sql: select 1}
  - {id: two, question: "Second?", split: train, gold_sql: select 2, paraphrases: ["The 2nd?"]}
  - {id: three, question: "Third?", split: train, gold_sql: select 3}
  - {id: held-out, question: "Fourth?", split: test, gold_sql: select 4}
"""

AGENT = """\
import json, pathlib, sys
name, log = sys.argv[1], pathlib.Path(sys.argv[2])
question = sys.stdin.read().rsplit("Question: ", 1)[1].strip()
with log.open("a") as file:
    file.write(f"{name} {question}\\n")
if name == "broken":
    sys.exit("broken on purpose")
answers = {"First?": "1", "Second?": "2", "The 2nd?": "2", "Third?": "3" if name == "b" else "9"}
print(json.dumps({"analyst_value": answers[question]}))
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    sqlite3.connect(tmp_path / "shop.db").close()
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "goldsuite.toml").write_text('warehouse = "sqlite:///shop.db"\nconcurrency = 1\n')
    for name in ("a", "b", "broken"):
        agent = shlex.join([sys.executable, "agent.py", name, str(tmp_path / "asked.log")])
        (tmp_path / f"{name}.toml").write_text(f"analyst = {json.dumps(f'command:{agent}')}\n")
    return tmp_path


def _asked(shop: Path) -> list[str]:
    return (shop / "asked.log").read_text().splitlines()


def _records(shop: Path) -> list[dict[str, Any]]:
    found = [json.loads(p.read_text()) for p in sorted((shop / "runs").glob("2*.json"))]
    return sorted(found, key=lambda record: str(record["changelog"]))


def test_both_are_asked_the_same_questions_side_by_side(shop: Path) -> None:
    done = goldsuite("compare", "--run", "a.toml", "b.toml", "--format", "json", cwd=shop)
    assert done.code == 0, done.err
    asked = _asked(shop)
    rounds = [set(asked[at : at + 2]) for at in range(0, len(asked), 2)]
    assert rounds == [{f"a {q}", f"b {q}"} for q in ("First?", "Second?", "Third?")]
    found = json.loads(done.out)
    assert (found["counts"]["fixed"], found["counts"]["kept"]) == (1, 2)
    assert (found["verdict"], found["p_value"]) == ("inconclusive", 0.5)


def test_no_key_is_opened_before_the_answers_of_both_are_locked(shop: Path) -> None:
    assert goldsuite("compare", "--run", "a.toml", "b.toml", cwd=shop).code == 0
    first, second = _records(shop)
    assert [record["changelog"] for record in (first, second)] == [
        "compare --run a.toml",
        "compare --run b.toml",
    ]
    opened = min(record["key_opened_at"] for record in (first, second))
    assert max(record["answers_locked_at"] for record in (first, second)) <= opened
    assert {record["split"] for record in (first, second)} == {"train"}


def test_repeated_answers_that_are_stable_and_differ_are_told(shop: Path) -> None:
    done = goldsuite("compare", "--run", "a.toml", "b.toml", "--repeat", "2", cwd=shop)
    assert "Stable in both runs, and not the same\n  three: 9 → 3\n" in done.out


def test_one_that_breaks_stops_both_and_leaves_no_record(shop: Path) -> None:
    stopped = goldsuite("compare", "--run", "broken.toml", "b.toml", cwd=shop)
    assert (stopped.code, stopped.out) == (4, "")
    assert "broken on purpose" in stopped.err
    assert "eval --resume RUN" in stopped.err
    assert _records(shop) == []


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        ("b = 1", "", "unknown setting 'b'"),
        ('analyst = "baseline"', 'analyst = "baseline"', "say the same"),
        ('warehouse = "sqlite:///x.db"', "", "differ in 'warehouse'"),
        ('suite = "x.yaml"', "", "differ in 'suite'"),
        ('analyst = "replay:x.jsonl"', 'analyst = "baseline"', "a replay asks nobody"),
    ],
)
def test_configurations_that_cannot_be_compared_are_refused_before_anything_is_asked(
    one: str, two: str, message: str, shop: Path
) -> None:
    (shop / "one.toml").write_text(one)
    (shop / "two.toml").write_text(two)
    run = goldsuite("compare", "--run", "one.toml", "two.toml", cwd=shop)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert not (shop / "asked.log").exists()


def test_a_file_that_is_not_there_is_named(shop: Path) -> None:
    run = goldsuite("compare", "--run", "none.toml", "b.toml", cwd=shop)
    assert run.code == 2
    assert "none.toml" in run.err


def test_reliability_asks_every_wording_so_often(shop: Path) -> None:
    (shop / "goldsuite.toml").write_text(
        f'warehouse = "sqlite:///shop.db"\n{(shop / "b.toml").read_text()}'
    )
    done = goldsuite(
        "reliability", "--ask", "--trials", "2", "--case", "one", "--case", "two",
        "--format", "json", cwd=shop,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert [(case["id"], case["trials"]) for case in json.loads(done.out)["cases"]] == [
        ("one", 2),
        ("two", 4),
    ]
