"""The JSON Schema that ships: current, complete, and of the same mind as the checks."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from goldsuite.suite.schema import generated_schema_text, schema_text

CASE: dict[str, Any] = {"id": "a", "question": "q", "split": "train", "gold_sql": "select 1"}


def test_the_schema_that_ships_is_that_of_the_model() -> None:
    assert schema_text() == generated_schema_text(), "run python -m goldsuite.suite.schema"


def keys(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for part in (schema, *schema["$defs"].values()):
        yield from part["properties"].items()


def test_every_key_is_described() -> None:
    assert [
        key for key, value in keys(json.loads(schema_text())) if "description" not in value
    ] == []


@pytest.mark.parametrize(
    ("document", "is_valid"),
    [
        ({"cases": [CASE]}, True),
        (
            {"cases": [CASE | {"gold_sql": ["select 1", "select 2"], "gold_value": [[1, "a"]]}]},
            True,
        ),
        ({"name": "s", "as_of": "2026-01-01", "defaults": {"tolerance": 0}, "cases": [CASE]}, True),
        ({"cases": [CASE | {"unit": None, "tags": ["x"]}]}, True),
        ({"cases": [CASE | {"rubric": [{"criterion": "x", "weight": 2}]}]}, True),
        ({"cases": []}, False),
        ({}, False),
        ({"cases": [CASE], "tolerance": 0}, False),
        ({"cases": [CASE | {"tolerence": 0}]}, False),
        ({"cases": [CASE | {"split": "dev"}]}, False),
        ({"cases": [CASE | {"split": None}]}, False),
        ({"cases": [CASE | {"tolerance": "0.5%"}]}, False),
        ({"cases": [CASE | {"tolerance": 1}]}, False),
        ({"cases": [CASE | {"gold_value": {"a": 1}}]}, False),
        ({"cases": [CASE | {"tags": "x"}]}, False),
        ({"cases": [CASE | {"currency": "Euro"}]}, False),
        ({"cases": [{k: v for k, v in CASE.items() if k != "split"}]}, False),
        ({"defaults": {"split": "train"}, "cases": [CASE]}, False),
    ],
)
def test_the_schema_agrees_with_the_checks(document: dict[str, Any], *, is_valid: bool) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    assert validator.is_valid(document) is is_valid
