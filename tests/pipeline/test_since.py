"""`goldsuite eval --since`: only what is not as it was then is asked again."""

import json
import shlex
import sqlite3
import sys
from pathlib import Path

import pytest

from goldsuite.records.file import read_record
from goldsuite.records.latest import record_paths
from tests.command_line import Run, goldsuite

SUITE = """\
name: shop
cases:
  - {id: count, split: train, question: "How many sales?", gold_sql: select count(*) from sales}
  - {id: total, split: train, question: "What is the total?", gold_sql: select sum(x) from sales}
  - {id: least, split: test, question: "What is the least?", gold_sql: select min(x) from sales}
"""
AGENT = """\
import json, os, sys
if "total" in sys.stdin.read() and os.path.exists(sys.argv[1]):
    sys.exit("broken on purpose")
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
    agent = shlex.join([sys.executable, str(tmp_path / "agent.py"), str(tmp_path / "broken")])
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
    _eval(shop)
    _edit(shop / "gold-cases.yaml", "sum(x)", "sum(x) + 0")
    again = _eval(shop, *SINCE)
    assert _asked(again) == ["total"]
    assert list(again.record["selection"]) == ["since"]
    # A remark is no change, and what was asked since is as it was.
    _edit(shop / "gold-cases.yaml", "split: train, question", "split: train, note: ok, question")
    assert _eval(shop, *SINCE).out == ""


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("gold-cases.yaml", "name: shop", "name: shop\nas_of: 2026-01-31"),
        ("context/.knowledge/datasets/shop/notes.md", "Sales", "All sales"),
        ("goldsuite.toml", "/broken", "/elsewhere"),
    ],
)
def test_another_context_analyst_or_today_changes_every_case(
    file: str, old: str, new: str, shop: Path
) -> None:
    _eval(shop)
    _edit(shop / file, old, new)
    assert _asked(_eval(shop, *SINCE)) == ["count", "total"]


def test_what_no_run_before_then_asked_is_asked(shop: Path) -> None:
    assert _asked(_eval(shop, *SINCE)) == ["count", "total"]
    # The run above began after that day.
    assert _asked(_eval(shop, "--since", "2026-01-01")) == ["count", "total"]
    _edit(shop / "gold-cases.yaml", "id: least, split: test", "id: least, split: train")
    assert _asked(_eval(shop, *SINCE)) == ["least"]


def test_an_error_tells_nothing_of_a_case(shop: Path) -> None:
    (shop / "broken").touch()
    _eval(shop)
    (shop / "broken").unlink()
    assert _asked(_eval(shop, *SINCE)) == ["total"]


def test_a_changed_record_tells_nothing(shop: Path) -> None:
    _eval(shop)
    (path,) = record_paths(shop / "runs")
    _edit(path, '"passed": 1,', '"passed": 2,')
    assert _asked(_eval(shop, *SINCE)) == ["count", "total"]


def test_it_narrows_what_other_options_select(shop: Path) -> None:
    _eval(shop)
    _edit(shop / "context" / ".knowledge" / "datasets" / "shop" / "notes.md", "Sales", "All")
    assert _asked(_eval(shop, *SINCE, "--slice", "1")) == ["count"]
    assert _asked(_eval(shop, *SINCE, "--case", "total")) == ["total"]
    shown = goldsuite("eval", *SINCE, "--dry-run", "--format", "json", cwd=shop)
    assert shown.out == ""
    assert "nothing is asked" in shown.err


def test_a_record_has_the_hash_of_each_case(shop: Path) -> None:
    _eval(shop)
    record = read_record(record_paths(shop / "runs")[0])
    hashes = {case.case_sha256 for case in record.cases}
    assert len(hashes) == 2
    assert None not in hashes


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
