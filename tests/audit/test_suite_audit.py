"""`goldsuite audit`: it finds the cases that were made weak, and none that was made strong."""

import json
from pathlib import Path
from typing import Any

import pytest

from goldsuite.pipeline.audit import audit_suite
from goldsuite.pipeline.settings import read_settings
from goldsuite.report.audit_text import audit_markdown, audit_text
from tests.audit.weak_shop import STRONG, SUITE, WEAK, build
from tests.command_line import goldsuite


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("weak shop"))


@pytest.fixture(scope="module")
def audit(shop: Path) -> dict[str, Any]:
    run = goldsuite(
        "audit", "--format", "json", "--reveal", "--peek", "the suite is ours", cwd=shop
    )
    assert run.code == 0, run.err
    found: dict[str, Any] = json.loads(run.out)
    return found


def cases(audit: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in audit["cases"]}


def test_the_planted_weak_cases_are_found_and_no_strong_one(audit: dict[str, Any]) -> None:
    assert {i for i, case in cases(audit).items() if case["weak"]} == set(WEAK)
    assert {i for i, case in cases(audit).items() if not case["weak"]} == set(STRONG)


@pytest.mark.parametrize(("case", "kind"), WEAK.items())
def test_each_weak_case_names_the_mistake_that_it_lets_pass(
    audit: dict[str, Any], case: str, kind: str
) -> None:
    strength = cases(audit)[case]["strength"]
    assert kind in {each["kind"] for each in strength["survivors"]}
    assert strength["suggestions"]
    assert strength["told_apart"] + len(strength["survivors"]) == strength["tried"]


def test_a_strong_case_tells_every_mutant_apart(audit: dict[str, Any]) -> None:
    for case in STRONG:
        strength = cases(audit)[case]["strength"]
        assert (strength["score"], strength["not_run"]) == (1.0, 0)
        assert strength["tried"] >= 9


def test_near_misses_within_the_tolerance_ask_for_a_tighter_one(audit: dict[str, Any]) -> None:
    # 1,071 of 2,381,086.47 is 0.045 %: within the case's 1 %.
    strength = cases(audit)["loose-march"]["strength"]
    assert strength["suggestions"][0].startswith("Tighter tolerance")
    assert not all(each["is_same"] for each in strength["survivors"])


def test_nothing_of_a_held_out_gold_is_told_without_reveal(shop: Path) -> None:
    found = audit_suite(read_settings({}, folder=shop))
    held_out = next(case for case in found.cases if case.id == "copied-march")
    assert held_out.is_weak
    assert held_out.strength is not None
    assert held_out.strength.suggestions == ()
    assert {(each.kind, each.what, each.sql) for each in held_out.strength.survivors} == {
        (None, None, None)
    }
    assert "copied-march: 6 of 9 told apart\n    passes: held out: see it" in audit_text(found)
    assert "| copied-march | 6 of 9 told apart | held out: see it" in audit_markdown(found)


def test_revealing_held_out_cases_needs_a_reason(shop: Path) -> None:
    run = goldsuite("audit", "--reveal", cwd=shop)
    assert run.code == 5
    assert "--peek" in run.err


def test_what_no_case_covers_is_listed(audit: dict[str, Any]) -> None:
    assert audit["coverage"]["tables"] == ["order_lines", "orders_copy"]
    assert audit["coverage"]["kinds"] == ["text", "date", "boolean", "refusal", "clarify"]
    train, test = audit["power"]
    assert (train["cases"], test["cases"], test["detectable_gain"]) == (8, 1, None)


def test_a_broken_and_a_drifted_gold_are_faults_and_exit_3(tmp_path: Path) -> None:
    build(tmp_path)
    more = """\
  - id: drifted
    question: "How many customers are there?"
    split: train
    gold_value: 5
    gold_sql: select count(*) from customers
  - id: gone
    question: "How many suppliers are there?"
    split: train
    gold_sql: select count(*) from suppliers
  - id: today
    question: "Which day is it?"
    split: train
    gold_sql: select current_date
  - id: empty
    question: "Which states are there, with none?"
    split: train
    answer: table
    gold_sql: select distinct state from orders union all select null
"""
    (tmp_path / "gold-cases.yaml").write_text(SUITE.replace("&january ", "") + more)
    run = goldsuite("audit", "--format", "json", "--budget", "0", cwd=tmp_path)
    assert run.code == 3
    codes = {
        i: [f["code"] for f in case["faults"]] for i, case in cases(json.loads(run.out)).items()
    }
    assert codes["drifted"] == ["drifted"]
    assert codes["gone"] == ["broken", "gold_failed"]
    assert codes["today"] == ["clock_dependent"]
    assert codes["empty"] == ["null_cells"]
    # Without a budget no mutant is run, and nothing is scored as 0.
    assert json.loads(run.out)["score"] is None
