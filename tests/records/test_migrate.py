"""Older records stay readable: each step is tried on a record that its version wrote."""

import json
import shutil
from pathlib import Path

from goldsuite.model.run import SCHEMA_VERSION
from goldsuite.records.file import read_record, write_record
from goldsuite.records.migrate import STEPS
from tests.command_line import goldsuite

FIXTURES = Path(__file__).parents[2] / "fixtures" / "records"


def test_every_format_but_this_one_has_a_step_and_a_record_that_was_written_in_it() -> None:
    older = list(range(1, SCHEMA_VERSION))
    assert sorted(STEPS) == older
    for version in older:
        record = json.loads((FIXTURES / f"version-{version}.json").read_text())
        assert record["schema_version"] == version


def test_a_record_of_the_first_format_is_read_as_one_of_this() -> None:
    plain = json.loads((FIXTURES / "version-1.json").read_text())
    record = read_record(FIXTURES / "version-1.json")
    assert record.schema_version == SCHEMA_VERSION
    # 35 train cases, asked once each; nothing tells whether the file was changed.
    assert (record.aggregate.cases, record.aggregate.selected) == (35, 35)
    assert (record.record_sha256, record.altered) == (None, False)
    assert [case.id for case in record.cases] == [case["id"] for case in plain["cases"]]
    assert record.aggregate.accuracy == plain["aggregate"]["accuracy"]
    assert record.aggregate.tags is not None
    tag, figures = next(iter(record.aggregate.tags.items()))
    tagged = [case for case in plain["cases"] if tag in case["tags"]]
    assert figures.cases == len(tagged)
    assert figures.passed == sum(case["passed"] for case in tagged)


def test_a_migrated_record_is_written_with_a_hash(tmp_path: Path) -> None:
    write_record(read_record(FIXTURES / "version-1.json"), tmp_path / "r.json")
    again = read_record(tmp_path / "r.json")
    assert again.record_sha256 is not None
    assert not again.altered


def test_a_record_of_the_first_format_is_reported(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "version-1.json", tmp_path / "old.json")
    shown = goldsuite("report", "old.json", cwd=tmp_path)
    assert (shown.code, "kettlewick: train" in shown.out) == (0, True)
