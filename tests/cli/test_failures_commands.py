"""From a failed run to what to write down: failures, show, label and try, on the demo."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import ROOT, Run, goldsuite
from warehouse.build import DEFAULT_TARGET, build

CASES = ("sales-march", "revenue-q4", "revenue-wholesale", "refunded-twice", "never-ordered")
INDEX = ROOT / "fixtures/context/.knowledge/datasets/kettlewick/metrics/index.yaml"


class Finished:
    """One run of the baseline, and the commands on it."""

    def __init__(self, folder: Path, split: str, *cases: str) -> None:
        self.folder = folder
        chosen = [word for case in cases for word in ("--case", case)]
        self.ledger = folder / "ledger.jsonl"
        done = goldsuite(
            "eval", split, *chosen, "--runs-dir", folder, "--ledger", self.ledger,
            "--format", "json", "--reveal", "--peek", "a test", cwd=ROOT,
        )  # fmt: skip
        assert done.code == 0, done.err
        self.record = done.record
        self.id = str(self.record["run_id"])

    def call(self, *arguments: str) -> Run:
        return goldsuite(*arguments, "--runs-dir", self.folder, cwd=ROOT)


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    build(DEFAULT_TARGET)
    return Finished(tmp_path_factory.mktemp("train"), "train", *CASES)


@pytest.fixture(scope="module")
def held_out(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    build(DEFAULT_TARGET)
    return Finished(tmp_path_factory.mktemp("test"), "test", "revenue-march")


def _clusters(run: Run) -> dict[str, Any]:
    found = json.loads(run.out)
    return {cluster["id"]: cluster for cluster in found["clusters"]}


def test_failures_are_clusters_with_what_to_write_down(train: Finished) -> None:
    found = _clusters(train.call("failures", train.id, "--format", "json"))
    revenue = found["define-net-revenue"]
    assert revenue["cases"] == revenue["flips"] == ["revenue-q4", "revenue-wholesale"]
    assert revenue["suggestion"]["file"] == "metrics/index.yaml"
    assert "- name: net_revenue" in revenue["suggestion"]["entry"]
    assert found["no-answer"]["proven"] == []
    text = train.call("failures", train.id).out
    assert text.splitlines()[0] == f"run {train.id}: 4 failed cases in 3 clusters"
    assert "2 of 2 cases proven by a repair that ran; 2 flip if this is fixed" in text
    assert f"goldsuite try {train.id} define-net-revenue" in text
    assert "| define-net-revenue |" in train.call("failures", train.id, "--format", "markdown").out


def test_the_report_names_the_clusters(train: Finished) -> None:
    assert "define-net-revenue: 2 of 2 cases proven" in train.call("report", train.id).out
    assert "| define-net-revenue |" in train.call("report", train.id, "--format", "markdown").out


def test_show_has_both_queries_part_by_part_and_plain_in_a_pipe(train: Finished) -> None:
    done = train.call("show", "latest", "revenue-wholesale")
    lines = [line.strip() for line in done.out.splitlines()]
    assert lines[0] == f"✗ revenue-wholesale: wrong (run {train.id})"
    assert "- FROM     daily_sales" in lines
    assert "+ FROM     orders" in lines or "+          orders" in lines
    assert "* Read `orders` in place of `daily_sales`." in lines
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_show_speaks_json_and_markdown(train: Finished) -> None:
    plain = json.loads(train.call("show", train.id, "refunded-twice", "--format", "json").out)
    assert plain["case"]["id"] == "refunded-twice"
    sides = {line["side"] for block in plain["diff"] for line in block["lines"]}
    assert sides == {"both", "analyst", "gold"}
    text = train.call("show", train.id, "refunded-twice", "--format", "markdown").out
    assert "\n## SQL\n" in text
    assert "    + HAVING   COUNT(*) >= 2\n" in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("show", "latest", "revenue-q5"), "Did you mean 'revenue-q4'?"),
        (("show", "latest", "revenue-q4", "--trial", "2"), "was asked 1 times"),
        (("show", "no-such-run", "revenue-q4"), "no record of a run 'no-such-run'"),
        (("runs", "label", "latest", "sales-march", "fan-out"), "did not fail (correct)"),
        (("runs", "label", "latest", "revenue-q4", "fanout"), "Did you mean 'fan-out'?"),
        (("try", "latest", "define-net-revenu"), "Did you mean 'define-net-revenue'?"),
        (("try", "latest", "no-answer"), "no text that could be laid over the context"),
        (("try", "latest", "define-net-revenue", "--analyst", "replay:x"), "name an analyst"),
        (("try", "latest", "define-net-revenue", "--max-cost", "much"), "US dollars"),
    ],
)
def test_what_cannot_be_meant_is_said_clearly(
    train: Finished, arguments: tuple[str, ...], told: str
) -> None:
    # The try below adds a run, so `latest` is put by name.
    done = train.call(*(train.id if word == "latest" else word for word in arguments))
    assert done.code == 2
    assert told in done.err
    assert done.out == ""


def test_a_label_stands_beside_the_automatic_one_until_it_is_taken_back(train: Finished) -> None:
    words = ("runs", "label", train.id, "refunded-twice")
    assert train.call(*words, "wrong-grain", "--note", "counts orders").code == 0
    report = train.call("report", train.id, "--full").out
    assert "Labelled wrong-grain by hand (found: wrong-filter): counts orders." in report
    assert "wrong-grain (by hand)" in report
    found = _clusters(train.call("failures", train.id, "--format", "json"))
    assert found["labelled-wrong-grain"]["cases"] == ["refunded-twice"]
    shown = json.loads(train.call("report", train.id, "--format", "json").out)
    (case,) = [case for case in shown["cases"] if case["id"] == "refunded-twice"]
    assert (case["label"]["cause"], case["failure_mode"]) == ("wrong-grain", "wrong-filter")
    assert train.call(*words, "automatic").code == 0
    assert "by hand" not in train.call("report", train.id, "--full").out


def test_a_suggested_definition_is_tried_on_a_copy_and_mends_its_cases(train: Finished) -> None:
    before = INDEX.read_bytes()
    done = train.call("try", train.id, "define-net-revenue", "--format", "json")
    assert done.code == 0, done.err
    result = json.loads(done.out)
    assert result["fixed"] == ["revenue-q4", "revenue-wholesale"]
    assert result["kept"] == ["sales-march"]
    assert (result["still_failing"], result["broken"], result["errors"]) == ([], [], [])
    assert result["total_cost"] is None
    assert INDEX.read_bytes() == before
    record = json.loads((train.folder / f"{result['run_id']}.json").read_text())
    assert record["selection"]["trying"] == f"define-net-revenue of {train.id}"
    assert "net_revenue" in record["context_state"]["metrics"]
    assert "net_revenue" not in train.record["context_state"]["metrics"]


def test_nothing_of_a_held_out_failure_is_shown_or_tried(held_out: Finished) -> None:
    (mode,) = held_out.record["failure_modes"]
    (cluster,) = mode["clusters"]
    for command in (("failures",), ("show", "latest", mode["cases"][0])):
        for output in ("text", "markdown", "json"):
            shown = held_out.call(*command, "--format", output).out
            assert "dispatched_at" not in shown
            assert cluster["id"] not in shown
            assert "net_revenue" not in shown
    assert "1 held-out failure not shown" in held_out.call("failures").out
    assert cluster["id"] in held_out.call("failures", "--reveal", "--peek", "a test").out
    tried = held_out.call("try", "latest", cluster["id"])
    assert tried.code == 2
    assert "held-out cases alone" in tried.err


def test_what_may_not_be_read_is_flagged_with_the_evidence(tmp_path: Path) -> None:
    build(DEFAULT_TARGET)
    done = goldsuite(
        "eval", "train", "--case", "plus-signups", "--runs-dir", tmp_path, "--format", "json",
        cwd=ROOT, env={"GOLDSUITE_FORBID": "customers.tier"},
    )  # fmt: skip
    (case,) = done.record["cases"]
    assert "forbidden_read" in case["flags"]
    assert case["lineage"] == ["The SQL reads `customers.tier`; `customers.tier` is forbidden."]
    text = goldsuite("report", "--runs-dir", tmp_path, cwd=ROOT).out
    assert "plus-signups passed, and yet: The SQL reads `customers.tier`" in text


def test_a_rule_that_is_no_pattern_is_refused(tmp_path: Path) -> None:
    done = goldsuite(
        "eval", "train", "--runs-dir", tmp_path, cwd=ROOT, env={"GOLDSUITE_REQUIRE": "a..b"}
    )
    assert done.code == 2
    assert "'a..b' is no pattern" in done.err


def test_a_record_that_was_changed_is_shown_with_a_word(train: Finished, tmp_path: Path) -> None:
    changed = tmp_path / f"{train.id}.json"
    record = json.loads((train.folder / changed.name).read_text())
    record["cases"][0]["verdict"] = "wrong"
    changed.write_text(json.dumps(record, indent=2))
    for words in (("failures", changed), ("show", changed, "revenue-q4")):
        run = goldsuite(*words, cwd=ROOT)
        assert (run.code, "changed after it was written" in run.err) == (5, True), run.err
