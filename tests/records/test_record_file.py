"""The record file: what is written is what is read."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from goldsuite.errors import RecordError
from goldsuite.records.file import read_record, record_json, write_record
from goldsuite.records.runs_dir import find_record, record_path
from tests.sample_run import sample_record


def test_a_record_read_back_is_the_record_that_was_written(tmp_path: Path) -> None:
    record = sample_record()
    write_record(record, tmp_path / "r.json")
    assert read_record(tmp_path / "r.json") == record


def test_a_record_from_before_a_figure_was_measured_does_not_have_it(tmp_path: Path) -> None:
    plain = json.loads(record_json(sample_record()))
    for figure in ("exact_match", "component_match", "total_tokens", "vacuous"):
        del plain["aggregate"][figure]
    for case in plain["cases"]:
        for figure in ("component_match", "calls", "queries_run", "decimal_mark", "waited_ms"):
            del case[figure]
    path = tmp_path / "old.json"
    path.write_text(json.dumps(plain))
    old = read_record(path)
    assert (old.aggregate.exact_match, old.aggregate.vacuous) == (None, None)
    assert (old.cases[0].component_match, old.cases[0].calls) == (None, None)


@pytest.mark.parametrize("value", [0, -7, 10**15, 0.1, 2.5e-9, True, False, None, "0012", "1"])
def test_a_gold_value_keeps_its_type(tmp_path: Path, value: float | str | None) -> None:
    record = sample_record()
    cases = (replace(record.cases[0], gold_value=value), *record.cases[1:])
    write_record(replace(record, cases=cases), tmp_path / "r.json")
    back = read_record(tmp_path / "r.json").cases[0].gold_value
    assert back == value
    assert type(back) is type(value)


def test_gold_rows_keep_their_cells(tmp_path: Path) -> None:
    record = sample_record()
    rows: list[list[int | float | str | bool | None]] = [["a", 1], [None, 2.5], ["", True]]
    cases = (replace(record.cases[0], gold_value=rows), *record.cases[1:])
    write_record(replace(record, cases=cases), tmp_path / "r.json")
    assert read_record(tmp_path / "r.json").cases[0].gold_value == rows


def test_nothing_but_the_record_is_left_in_the_folder(tmp_path: Path) -> None:
    write_record(sample_record(), tmp_path / "r.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["latest.json", "r.json"]


def _changed(**changes: object) -> str:
    return json.dumps(json.loads(record_json(sample_record())) | changes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[]", "the top level is no object"),
        ("{}", "no 'schema_version'"),
        ("[" * 100_000, "no run record of goldsuite"),
        ('{"schema_version": ' + "9" * 5_000 + "}", "no run record of goldsuite"),
        (_changed(schema_version=3), "reads up to 2. Upgrade goldsuite"),
        (_changed(cases="none"), "not a whole run record: cases"),
        ('{"schema_version": 1}', "not a whole run record"),
    ],
)
def test_a_file_that_is_no_record_is_refused_clearly(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(text)
    with pytest.raises(RecordError) as caught:
        read_record(path)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def test_the_latest_record_is_the_one_that_started_last(tmp_path: Path) -> None:
    for run_id in ("20260102-000000-test-aaaa", "20260101-000000-train-ffff"):
        write_record(sample_record(), record_path(tmp_path, run_id))
    assert find_record(None, tmp_path).stem == "20260102-000000-test-aaaa"


def test_a_run_is_found_by_id_and_by_path(tmp_path: Path) -> None:
    path = record_path(tmp_path, "20260101-000000-train-ffff")
    write_record(sample_record(), path)
    assert find_record(path.stem, tmp_path) == path
    assert find_record(str(path), tmp_path / "elsewhere") == path


def test_a_misspelt_run_is_answered_with_the_nearest(tmp_path: Path) -> None:
    write_record(sample_record(), record_path(tmp_path, "20260101-000000-train-ffff"))
    with pytest.raises(RecordError, match="Did you mean '20260101-000000-train-ffff'"):
        find_record("20260101-000000-train-fffe", tmp_path)


def test_a_run_without_a_record_says_how_to_finish_it(tmp_path: Path) -> None:
    (tmp_path / "r1").mkdir()
    (tmp_path / "r1" / "answers.jsonl").write_text("")
    with pytest.raises(RecordError, match="goldsuite eval --resume r1"):
        find_record("r1", tmp_path)


def test_an_empty_runs_directory_says_what_to_run_first(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="goldsuite eval train"):
        find_record(None, tmp_path / "absent")
