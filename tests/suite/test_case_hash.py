"""The hash of a case: another where question, gold or grading changed, the same for remarks."""

from dataclasses import fields, replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from goldsuite.model.key import Criterion, GoldCase
from goldsuite.suite.case_hash import case_sha256

CASE = GoldCase(id="a", question="How many?", line=3, gold_sql=("select 1",))


@pytest.mark.parametrize(
    "change",
    [
        {"question": "How much?"},
        {"gold_sql": ("select 2",)},
        {"gold_sql": ("select 1", "select 2")},
        {"gold_value": 5},
        {"has_gold_value": True},
        {"tolerance": Decimal("0.01")},
        {"unit": "count"},
        {"answer": "table"},
        {"allow_null": True},
        {"must_pass": True},
        {"paraphrases": ("What number?",)},
        {"rubric": (Criterion(criterion="polite", weight=Decimal(1)),)},
        {"expected_skills": ("sql",)},
        {"target": "sql"},
    ],
)
def test_what_answers_or_grades_depend_on_changes_the_hash(change: dict[str, Any]) -> None:
    assert case_sha256(replace(CASE, **change)) != case_sha256(CASE)


@pytest.mark.parametrize(
    "change",
    [
        {"line": 30},
        {"tags": ("x",)},
        {"difficulty": "hard"},
        {"note": "checked"},
        {"verified_by": "Ada"},
        {"verified_at": date(2026, 1, 2)},
    ],
)
def test_a_remark_does_not(change: dict[str, Any]) -> None:
    assert case_sha256(replace(CASE, **change)) == case_sha256(CASE)


def test_values_that_are_written_alike_are_told_apart() -> None:
    values = (1, "1", Decimal(1), True, "True", None, "None")
    hashes = {case_sha256(replace(CASE, gold_value=v, has_gold_value=True)) for v in values}
    assert len(hashes) == len(values)


def test_fields_that_have_their_default_are_left_out() -> None:
    # As they would be in a case of an earlier version, which did not know them.
    given = {each.name: getattr(CASE, each.name) for each in fields(CASE)}
    assert case_sha256(GoldCase(**given)) == case_sha256(CASE)
    assert case_sha256(replace(CASE, unit=None, tags=())) == case_sha256(CASE)
