"""A record that was changed after it was written is noticed, and one that was not is not."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from goldsuite.records.file import read_record, record_json, write_record
from tests.command_line import goldsuite
from tests.comparison.made_runs import run_of
from tests.sample_run import sample_record


def _written(folder: Path) -> Path:
    path = folder / "r.json"
    write_record(sample_record(), path)
    return path


def test_the_hash_is_that_of_all_but_its_own_line(tmp_path: Path) -> None:
    path = _written(tmp_path)
    lines = path.read_text().splitlines(keepends=True)
    (own,) = [line for line in lines if line.startswith('  "record_sha256": ')]
    rest = "".join(line for line in lines if line != own)
    told = read_record(path).record_sha256
    assert told == hashlib.sha256(rest.encode()).hexdigest()
    assert own == f'  "record_sha256": "{told}",\n'


def _edit(old: str, new: str) -> Callable[[str], str]:
    def edited(text: str) -> str:
        assert text.count(old) >= 1
        return text.replace(old, new, 1)

    return edited


def _without_hash(text: str) -> str:
    plain = json.loads(text)
    del plain["record_sha256"]
    return json.dumps(plain, indent=2)


@pytest.mark.parametrize(
    ("edit", "altered"),
    [
        (_edit('"passed": 1,', '"passed": 3,'), True),
        (_edit('"verdict": "wrong"', '"verdict": "correct"'), True),
        (_edit('"changelog": "first run"', '"changelog": "other"'), True),
        (_edit('"record_sha256": "', '"record_sha256": "0'), True),
        (_without_hash, True),
        (lambda text: json.dumps(json.loads(text) | {"record_sha256": None}), True),
        (lambda text: json.dumps(json.loads(text) | {"remark": 1}, indent=2), True),
        (lambda text: text, False),
        (lambda text: json.dumps(json.loads(text)), False),
        (lambda text: json.dumps(json.loads(text), indent=4, ensure_ascii=False), False),
        (lambda text: text.replace("\n", "\r\n"), False),
    ],
)
def test_a_change_of_content_is_noticed_and_one_of_layout_is_none(
    edit: Callable[[str], str], *, altered: bool, tmp_path: Path
) -> None:
    path = _written(tmp_path)
    path.write_bytes(edit(path.read_text()).encode())
    assert read_record(path).altered is altered


def test_what_is_made_of_a_changed_record_says_so_too(tmp_path: Path) -> None:
    path = _written(tmp_path)
    path.write_text(path.read_text().replace('"passed": 1,', '"passed": 3,', 1))
    write_record(replace(read_record(path), changelog="judged"), tmp_path / "again.json")
    assert read_record(tmp_path / "again.json").altered


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_report_says_that_the_record_was_changed_and_ends_with_5(
    form: str, tmp_path: Path
) -> None:
    path = _written(tmp_path)
    assert goldsuite("report", path, "--format", form, cwd=tmp_path).code == 0
    path.write_text(path.read_text().replace('"passed": 1,', '"passed": 3,', 1))
    shown = goldsuite("report", path, "--format", form, cwd=tmp_path)
    assert shown.code == 5
    assert "changed after it was written" in shown.err
    if form == "json":
        assert json.loads(shown.out)["altered"] is True
    else:
        assert "This record was changed after it was written" in " ".join(shown.out.split())


def test_a_changed_record_is_not_compared(tmp_path: Path) -> None:
    for number in (1, 2):
        write_record(run_of({"a": "+", "b": "-"}, number=number), tmp_path / f"{number}.json")
    second = tmp_path / "2.json"
    second.write_text(second.read_text().replace('"passed": 1,', '"passed": 2,', 1))
    refused = goldsuite("compare", "1.json", "2.json", cwd=tmp_path)
    assert refused.code == 5
    assert "was changed after it was written" in refused.err


def test_the_json_of_a_report_is_the_record_as_it_was_written(tmp_path: Path) -> None:
    path = _written(tmp_path)
    shown = goldsuite("report", path, "--format", "json", cwd=tmp_path)
    assert shown.out == path.read_text()
    assert record_json(read_record(path)) == path.read_text()
