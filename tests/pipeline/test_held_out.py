"""The door to the held-out cases: one look for a release, each look counted, whatever is tried."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests.command_line import ROOT, Run, environment, goldsuite

SUITE = """\
name: shop
cases:
  - id: count-all
    question: "How many sales are there?"
    split: train
    gold_sql: select count(*) from sales
    unit: count
  - id: largest-sale
    question: "What is the largest sale?"
    split: test   # held out
    gold_sql: select max(amount) from sales
    gold_value: 31250.5
  - id: smallest-sale
    question: "What is the smallest sale?"
    split: test
    gold_sql: select min(amount) from sales
"""
AGENT = """\
import pathlib

HERE = pathlib.Path(__file__).parent


def answer(question):
    if (HERE / "stop").exists():
        raise RuntimeError("stopped")
    if (HERE / "key").exists():
        return {"analyst_value": "31250.5", "analyst_query": "select 31250.5"}
    return {"analyst_value": "31250.5" if "largest" in question else "2"}
"""
_NUMBERS = count()
"""Of modules: one that was imported is not read again in the same process."""


class Shop:
    """A suite with a context and an agent, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = folder / "gold-cases.ledger.jsonl"
        with sqlite3.connect(folder / "shop.db") as db:
            db.execute("create table sales (amount real)")
            db.executemany("insert into sales values (?)", [(31250.5,), (2.0,)])
        (folder / "gold-cases.yaml").write_text(SUITE)
        self.analyst = f"python:held_out_agent_{next(_NUMBERS)}:answer"
        (folder / f"{self.analyst.split(':')[1]}.py").write_text(AGENT)
        dataset = folder / "context/.knowledge/datasets/shop"
        dataset.mkdir(parents=True)
        (folder / "context/.knowledge/active.yaml").write_text("active_dataset: shop\n")
        self.notes = dataset / "quirks.md"
        self.notes.write_text("Amounts are in EUR.\n")
        (folder / "goldsuite.toml").write_text(
            'suite = "gold-cases.yaml"\nwarehouse = "sqlite:///shop.db"\ncontext = "context"\n'
            f'analyst = "{self.analyst}"\nruns_dir = "runs"\nluck_budget = 0\n'
        )

    def call(self, *arguments: str | Path) -> Run:
        return goldsuite(*arguments, cwd=self.folder)

    def test(self, *options: str | Path) -> Run:
        return self.call("eval", "test", "--format", "json", *options)

    def kinds(self) -> list[str]:
        lines = self.ledger.read_text().splitlines()
        return [json.loads(line)["kind"] for line in lines]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_the_first_look_goes_through_and_the_second_is_refused(shop: Shop) -> None:
    first = shop.test()
    assert first.code == 0, first.err
    told = first.record["held_out"]
    assert (told["look"], told["looks"], told["length"]) == (1, 1, 2)
    assert told["basis"] == "fingerprint"
    second = shop.test()
    assert second.code == 5
    assert f"by run {first.record['run_id']}" in second.err
    assert "--peek" in second.err
    assert shop.kinds() == ["reserved", "used"]
    # A refused run leaves nothing behind.
    assert len(list((shop.folder / "runs").glob("*-test-*.json"))) == 1
    assert len([p for p in (shop.folder / "runs").glob("*-test-*") if p.is_dir()]) == 1


def test_there_is_no_other_way_in(shop: Shop) -> None:
    assert shop.test().code == 0
    for again in (
        ("eval", "all"),
        ("eval", "test", "--case", "largest-sale"),
        ("eval", "test", "--slice", "1"),
    ):
        run = shop.call(*again)
        assert run.code == 5, run.out
        assert "has had its one look" in run.err


def test_train_is_never_in_the_way(shop: Shop) -> None:
    assert shop.call("eval", "train").code == 0
    assert not shop.ledger.exists()
    assert shop.test().code == 0
    run = shop.call("eval", "train")
    assert run.code == 0
    assert "were looked at 1 time so far" in run.out


def test_another_context_is_another_release(shop: Shop) -> None:
    assert shop.test().record["held_out"]["look"] == 1
    shop.notes.write_text("Amounts are in USD.\n")
    assert shop.test().record["held_out"]["look"] == 2


def test_a_peek_goes_on_and_is_counted_with_its_reason(shop: Shop) -> None:
    shop.test()
    run = shop.call("eval", "test", "--peek", "the service was down")
    assert run.code == 0, run.err
    assert "look 2 at this held-out set" in run.out
    assert "peeked: the service was down" in run.out.replace("\n", " ")
    assert shop.kinds()[-1] == "peeked"


def test_graded_answers_go_through_the_same_door(shop: Shop) -> None:
    (shop.folder / "a.jsonl").write_text('{"id": "largest-sale", "analyst_value": "1"}\n')
    assert shop.call("grade", "a.jsonl", "--release", "v1").code == 0
    assert shop.call("grade", "a.jsonl", "--release", "v1").code == 5
    assert shop.test("--release", "v1").code == 5
    assert shop.test("--release", "v2").record["held_out"]["look"] == 2


def test_several_analysts_of_one_command_are_one_look(shop: Shop) -> None:
    both = ("--analyst", shop.analyst, "--analyst", "baseline")
    run = shop.test("--release", "v1", *both)
    assert run.code == 0, run.err
    told = [record["held_out"] for record in json.loads(run.out)]
    assert [each["look"] for each in told] == [1, 1]
    assert [each["configurations"] for each in told] == [2, 2]
    assert shop.test("--release", "v1").code == 5
    report = shop.call("report").out.replace("\n", " ")
    assert "shared by the 2 analysts of one command" in report


def test_what_fails_before_the_key_is_opened_costs_nothing(shop: Shop) -> None:
    stop = shop.folder / "stop"
    stop.touch()
    stopped = shop.test()
    assert stopped.code == 4, stopped.err
    assert shop.kinds() == ["reserved"]
    stop.unlink()
    assert shop.test().record["held_out"]["look"] == 1
    (run,) = {p.name for p in (shop.folder / "runs").glob("*-test-*") if p.is_dir()} - {
        p.stem for p in (shop.folder / "runs").glob("*-test-*.json")
    }
    # The release has had its look by another run meanwhile.
    assert shop.call("eval", "--resume", run).code == 5


def test_a_resumed_run_has_the_look_that_it_reserved(shop: Shop) -> None:
    stop = shop.folder / "stop"
    stop.touch()
    assert shop.test("--release", "v1").code == 4
    stop.unlink()
    (folder,) = (p for p in (shop.folder / "runs").iterdir() if p.is_dir())
    done = shop.call("eval", "--resume", folder.name, "--format", "json")
    assert done.code == 0, done.err
    assert done.record["held_out"]["release"] == "v1"
    assert shop.kinds() == ["reserved", "used"]
    again = shop.call("eval", "--resume", folder.name, "--format", "json")
    assert again.code == 0, again.err
    assert shop.kinds() == ["reserved", "used"]


def _cut(ledger: Path) -> None:
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:1]))


def _edit(ledger: Path) -> None:
    ledger.write_bytes(ledger.read_bytes().replace(b'"used"', b'"reserved"'))


@pytest.mark.parametrize("harm", [_edit, Path.unlink])
def test_tampering_between_runs_is_noticed(shop: Shop, harm: Callable[[Path], None]) -> None:
    assert shop.test().code == 0
    harm(shop.ledger)
    refused = shop.test("--release", "v2")
    assert refused.code == 5
    assert "tampered with" in refused.err
    peeked = shop.test("--release", "v2", "--peek", "lost in a merge")
    assert peeked.code == 0, peeked.err
    # The look that was wiped out still counts.
    assert peeked.record["held_out"]["look"] == 2
    assert peeked.record["held_out"]["problems"]
    assert "noticed" in shop.kinds()
    later = shop.call("eval", "test", "--release", "v3")
    assert later.code == 0, later.err
    assert "LEDGER TAMPERED WITH" in later.out


def test_a_report_holds_its_ledger_to_what_it_was(shop: Shop) -> None:
    assert shop.test().code == 0
    assert shop.call("report").code == 0
    shop.test("--peek", "again")
    first = min((shop.folder / "runs").glob("*-test-*.json"))
    assert "looked at 1 time since this run, 2 in all" in " ".join(
        shop.call("report", first).out.split()
    )
    _cut(shop.ledger)
    report = shop.call("report", first)
    assert report.code == 5
    assert "BROKEN ledger" in report.err


REVEALING = (
    ("report",),
    ("report", "--format", "markdown"),
    ("report", "--format", "json"),
    ("failures",),
    ("show", "latest", "largest-sale"),
    ("check",),
)


def test_revealing_takes_a_reason_and_is_a_look(shop: Shop) -> None:
    assert shop.test().code == 0
    for looks, command in enumerate(REVEALING, 2):
        refused = shop.call(*command, "--reveal")
        assert (refused.code, refused.out) == (5, ""), command
        assert "--peek" in refused.err
        shown = shop.call(*command, "--reveal", "--peek", "to mend the suite")
        assert shown.code == 0, shown.err
        last = json.loads(shop.ledger.read_text().splitlines()[-1])
        assert (last["kind"], last["reason"]) == ("revealed", "to mend the suite")
        assert last["looks"] == looks


def test_a_run_that_reveals_at_its_end_says_so_first(shop: Shop) -> None:
    refused = shop.test("--reveal")
    assert refused.code == 5
    assert not shop.ledger.exists()
    shown = shop.test("--reveal", "--peek", "a last look")
    assert shown.code == 0, shown.err
    assert "31250.5" in shown.out
    assert shop.kinds() == ["reserved", "used", "revealed"]
    last = json.loads(shop.ledger.read_text().splitlines()[-1])
    assert last["looks"] == 1


def test_train_cases_are_shown_without_a_word(shop: Shop) -> None:
    assert shop.call("eval", "train", "--reveal").code == 0
    assert shop.call("report", "--reveal").code == 0
    assert not shop.ledger.exists()


def test_the_ledger_may_stand_elsewhere(shop: Shop) -> None:
    elsewhere = shop.folder / "ci" / "looks.jsonl"
    elsewhere.parent.mkdir()
    assert shop.test("--ledger", elsewhere).code == 0
    assert not shop.ledger.exists()
    assert shop.test("--ledger", elsewhere).code == 5
    assert shop.call("report", "--reveal", "--peek", "a test").code == 0
    assert len(elsewhere.read_text().splitlines()) == 3


def test_a_leak_into_a_held_out_case_stops_the_run(shop: Shop) -> None:
    shop.notes.write_text("Amounts are in EUR.\nThe highest ever was 31,250.50.\n")
    warned = shop.call("eval", "train")
    assert warned.code == 0
    assert "warning: the context holds parts of 1 held-out case: largest-sale" in warned.err
    refused = shop.test()
    assert refused.code == 5
    assert "largest-sale (gold value, .knowledge/datasets/shop/quirks.md:2)" in refused.err
    assert "31,250" not in refused.err
    assert not shop.ledger.exists()
    allowed = shop.call("eval", "test", "--allow-leaks")
    assert allowed.code == 0, allowed.err
    text = " ".join(allowed.out.split())
    assert "accuracy 100.0 %, and 100.0 % without" in text
    assert shop.call("eval", "test", "--case", "smallest-sale", "--release", "v2").code == 0


def test_a_leak_into_a_train_case_is_a_warning(shop: Shop) -> None:
    shop.notes.write_text("How many sales are there? Ask us.\n")
    run = shop.test()
    assert run.code == 0, run.err
    assert "warning: the context holds parts of 1 train case: count-all (question" in run.err
    assert [leak["case"] for leak in run.record["leaks"]] == ["count-all"]
    checked = json.loads(shop.call("check", "--format", "json").out)
    assert [leak["kind"] for leak in checked["leaks"]] == ["question"]


def test_a_constant_of_the_key_in_the_sql_is_suspicious(shop: Shop) -> None:
    (shop.folder / "key").touch()
    run = shop.test("--case", "largest-sale")
    (case,) = run.record["cases"]
    assert case["flags"] == ["suspicious_trace"]
    assert case["suspicions"] == ["The SQL holds the gold value to full precision as a constant."]
    assert "31250.5" not in run.out


def test_retiring_moves_one_word_and_is_written_down(shop: Shop) -> None:
    shop.test()
    run = shop.call("suite", "retire", "largest-sale", "--reason", "seen in the review")
    assert run.code == 0, run.err
    assert (shop.folder / "gold-cases.yaml").read_text() == SUITE.replace(
        "split: test   # held out", "split: train   # held out"
    )
    last = json.loads(shop.ledger.read_text().splitlines()[-1])
    assert (last["kind"], last["case"], last["looks"]) == ("retired", "largest-sale", 1)
    again = shop.call("suite", "retire", "largest-sale")
    assert again.code == 2
    assert "is of the train split" in again.err


_TWO = """\
import sys, time
from pathlib import Path
from goldsuite.errors import RefusedError
from goldsuite.pipeline.held_out import HeldOutDoor, HeldOutRequest
from goldsuite.records.ledger_entry import Release

folder, name = Path(sys.argv[1]), sys.argv[2]
door = HeldOutDoor(
    ledger=folder / "ledger.jsonl", runs_dir=folder / "runs", suite="shop", cases=1,
    release=Release(name="v1", basis="option"), request=HeldOutRequest(),
)
door.reserve(name)
(folder / name).touch()
while not (folder / "go").exists():
    time.sleep(0.001)
try:
    door.use(name)
    print("used")
except RefusedError:
    print("refused")
"""


def test_of_two_processes_at_once_one_gets_the_look(tmp_path: Path) -> None:
    names = ("one", "two")
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", _TWO, tmp_path, name], cwd=ROOT, env=environment(),
            stdout=subprocess.PIPE, text=True,
        )
        for name in names
    ]  # fmt: skip
    while not all((tmp_path / name).exists() for name in names):
        assert all(run.poll() is None for run in runs)
        time.sleep(0.01)
    (tmp_path / "go").touch()
    said = sorted(run.communicate()[0].strip() for run in runs)
    assert said == ["refused", "used"]
    kinds = [
        json.loads(line)["kind"] for line in (tmp_path / "ledger.jsonl").read_text().splitlines()
    ]
    assert kinds == ["reserved", "reserved", "used"]
