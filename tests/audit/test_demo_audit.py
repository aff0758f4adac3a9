"""The audit on the demo: cases that say little about a query are found, strong ones are not."""

import json
from pathlib import Path

import yaml

from tests.command_line import ROOT, goldsuite
from warehouse.build import DEFAULT_TARGET, build

WEAK = {
    "best-seller",  # one name: nearly every slip leaves the same product on top
    "best-month",
    "phone-after-close",  # a true zero, whatever else is asked of the closed desk
    "wholesale-before-start",
    "app-ahead-of-web",  # true or false
    "top-cities",
}
STRONG = {"refunded-twice", "september-delivered", "never-ordered"}
"""Counts, of which each condition takes rows away."""


def test_the_weak_cases_of_the_demo_are_found_and_the_strong_ones_are_not(tmp_path: Path) -> None:
    build(DEFAULT_TARGET)
    whole = yaml.safe_load((ROOT / "fixtures" / "gold-cases.yaml").read_text())
    whole["cases"] = [case for case in whole["cases"] if case["id"] in WEAK | STRONG]
    (tmp_path / "gold-cases.yaml").write_text(yaml.safe_dump(whole, sort_keys=False))
    run = goldsuite(
        "audit", "--warehouse", f"duckdb:///{DEFAULT_TARGET}", "--format", "json", cwd=tmp_path
    )
    assert run.code == 0, run.err
    cases = {case["id"]: case for case in json.loads(run.out)["cases"]}
    assert {i for i, case in cases.items() if case["weak"]} == WEAK
    assert {i for i in WEAK if cases[i]["strength"]["score"] < 0.25} == WEAK
    assert {cases[i]["strength"]["score"] for i in STRONG} == {1.0}
