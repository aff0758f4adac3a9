"""The JSON Schema of the record that ships: current, and kept by what is written."""

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from goldsuite.records.file import record_json, write_record
from goldsuite.records.schema import generated_schema_text, schema_text
from tests.sample_run import sample_record

OLD = Path(__file__).parents[2] / "fixtures" / "records" / "version-1.json"


def _faults(record: Any) -> list[str]:
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    return [error.json_path for error in validator.iter_errors(record)]


def test_the_schema_that_ships_is_that_of_the_model() -> None:
    assert schema_text() == generated_schema_text(), "run python -m goldsuite.records.schema"


def test_a_written_record_keeps_the_schema_and_says_nothing_besides(tmp_path: Path) -> None:
    write_record(sample_record(), tmp_path / "r.json")
    record = json.loads((tmp_path / "r.json").read_text())
    schema = json.loads(schema_text())
    assert _faults(record) == []
    assert list(record) == list(schema["properties"])
    assert list(record["cases"][0]) == list(schema["$defs"]["CaseRecord"]["properties"])
    assert list(record["aggregate"]) == list(schema["$defs"]["Aggregate"]["properties"])


@pytest.mark.parametrize(
    ("change", "places"),
    [
        ({"schema_version": 1}, ["$.schema_version"]),
        ({"split": "dev"}, ["$.split"]),
        ({"record_sha256": 5}, ["$.record_sha256"]),
        ({"cases": [{}]}, ["$.cases[0]"] * 6),
        ({"run_id": None}, ["$.run_id"]),
    ],
)
def test_what_is_no_record_does_not_keep_it(change: dict[str, Any], places: list[str]) -> None:
    assert _faults(json.loads(record_json(sample_record())) | change) == places


def test_fields_say_what_they_mean() -> None:
    fields = json.loads(schema_text())["$defs"]["Aggregate"]["properties"]
    assert fields["accuracy"]["description"] == "passed / gradable."
