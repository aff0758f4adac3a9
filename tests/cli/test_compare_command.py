"""`goldsuite compare` and `goldsuite reliability` over records on the disk."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from goldsuite.model.run import RunRecord
from goldsuite.records.file import write_record
from tests.command_line import Run, goldsuite
from tests.comparison.made_runs import run_of, trial


def _write(folder: Path, *records: RunRecord) -> None:
    (folder / "runs").mkdir(exist_ok=True)
    for record in records:
        write_record(record, folder / "runs" / f"{record.run_id}.json")


def _signs(signs: str, number: int) -> RunRecord:
    return run_of({f"c{at}": sign for at, sign in enumerate(signs)}, number=number)


def _json(run: Run) -> dict[str, object]:
    found = json.loads(run.out)
    assert isinstance(found, dict)
    return found


def test_the_last_two_whole_runs_of_one_split_are_compared(tmp_path: Path) -> None:
    partial = replace(_signs("+" * 14, 4), selection={"case": "c1"})
    held_out = run_of({"t": "+"}, number=3, split="test")
    _write(tmp_path, _signs("+" * 12 + "--", 1), _signs("+" * 14, 2), held_out, partial)
    # The newest whole run is the held-out one, and it is alone.
    alone = goldsuite("compare", cwd=tmp_path)
    assert (alone.code, alone.out) == (2, "")
    assert "no whole run of suite 'shop', split test, before" in alone.err
    named = goldsuite("compare", "20260102-030402-train-abcd", "--format", "json", cwd=tmp_path)
    found = _json(named)
    assert (found["verdict"], found["p_value"]) == ("inconclusive", 0.25)
    assert named.code == 0


def test_a_regression_ends_with_1_where_that_was_asked_for(tmp_path: Path) -> None:
    _write(tmp_path, _signs("+++++", 1), _signs("-----", 2))
    assert goldsuite("compare", cwd=tmp_path).code == 0
    failed = goldsuite("compare", "--fail-on-regression", cwd=tmp_path)
    assert failed.code == 1
    assert "REGRESSED" in failed.out
    assert "regressed (p < 0.05)" in failed.err


def test_too_few_cases_are_no_regression(tmp_path: Path) -> None:
    _write(tmp_path, _signs("++++", 1), _signs("----", 2))
    assert goldsuite("compare", "--fail-on-regression", cwd=tmp_path).code == 0


def test_what_is_not_comparable_is_refused_or_marked(tmp_path: Path) -> None:
    first, second = _signs("++", 1), _signs("+-", 2)
    edited = replace(second.suite, sha256_at_grading="f" * 64)
    _write(tmp_path, first, replace(second, suite=edited))
    refused = goldsuite("compare", cwd=tmp_path)
    assert (refused.code, refused.out) == (5, "")
    assert "the suite 'shop' was edited between the runs" in refused.err
    forced = goldsuite("compare", "--force", cwd=tmp_path)
    assert forced.code == 0
    assert "NOT COMPARABLE: the suite 'shop' was edited between the runs" in forced.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare"], "holds no record of a whole split yet"),
        (["compare", "a", "b", "c"], "two runs, not 3"),
        (["compare", "--repeat", "3"], "give --run too"),
        (["compare", "--run", "A.toml"], "two configuration files"),
        (["reliability"], "no run asked its questions several times"),
        (["reliability", "--trials", "3"], "give --ask too"),
        (["reliability", "run", "--ask"], "makes a run of its own"),
        (["reliability", "none.jsonl"], "no such answers file"),
    ],
)
def test_what_cannot_be_meant_is_said(arguments: list[str], message: str, tmp_path: Path) -> None:
    run = goldsuite(*arguments, cwd=tmp_path)
    assert (run.code, run.out) == (2, "")
    assert message in run.err


def _repeated(number: int = 1) -> RunRecord:
    said = {"rate": ["25%", "0.25", "0.25"], "sum": ["100", "101", "150"], "near": ["99", "100"]}
    cases = [
        trial(case, "+" if at < 3 else "-", number=at, analyst_value=value)
        for case, values in said.items()
        for at, value in enumerate(values, 1)
    ]
    return run_of(cases, number=number)


def test_reliability_tells_stable_from_drift(tmp_path: Path) -> None:
    _write(tmp_path, _repeated(), _signs("+-", 2))
    shown = goldsuite("reliability", cwd=tmp_path)
    assert shown.code == 0
    assert "2 STABLE (1 exact, 1 within 2 %), 1 DRIFT, 0 definitions differ, 0 UNKNOWN" in shown.out
    assert "flaky, right in some trials and not in others: rate (2/3), sum (2/3)" in shown.out
    found = _json(goldsuite("reliability", "--format", "json", cwd=tmp_path))
    assert found["flaky"] == ["rate", "sum"]
    assert (
        "| rate | STABLE (exact) | 100.0 % | 2/3 |"
        in goldsuite("reliability", "--format", "markdown", cwd=tmp_path).out
    )


def test_several_runs_are_put_together_where_they_fit(tmp_path: Path) -> None:
    first, second = _signs("++", 1), replace(_signs("+-", 2), model="m-2")
    _write(tmp_path, first, second)
    found = goldsuite("reliability", first.run_id, second.run_id, "--format", "json", cwd=tmp_path)
    cases = _json(found)["cases"]
    assert isinstance(cases, list)
    assert [(case["id"], case["passed"], case["graded"]) for case in cases] == [
        ("c0", 2, 2),
        ("c1", 1, 2),
    ]
    assert "and so may their answers: model: not told → m-2" in found.err
    _write(tmp_path, replace(second, split="all"))
    assert goldsuite("reliability", first.run_id, second.run_id, cwd=tmp_path).code == 5


def test_answers_without_any_key_are_enough(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "trial": at, "analyst_value": value, "definition_source": source}
        for at, (value, source) in enumerate(
            [("10", "metric dictionary"), ("20", "my own choice"), ("20", "my own choice")], 1
        )
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = _json(goldsuite("reliability", "answers.jsonl", "--format", "json", cwd=tmp_path))
    cases = found["cases"]
    assert isinstance(cases, list)
    (case,) = cases
    assert case["stability"] == "DEFINITIONS_DIFFER"
    assert (case["used_dictionary"], case["told_definition"]) == (1, 3)
    assert found["pass_rates"] == []


def test_held_out_answers_are_not_shown(tmp_path: Path) -> None:
    cases = [trial("hidden", "+", number=at, split="test", analyst_value="777") for at in (1, 2)]
    _write(tmp_path, run_of(cases, split="test"))
    for form in ("text", "json", "markdown"):
        shown = goldsuite("reliability", "--format", form, cwd=tmp_path)
        assert "hidden" in shown.out
        assert "777" not in shown.out
