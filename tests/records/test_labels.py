"""A label of a person's is kept beside the run, the last one holds, and none is ever lost."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from goldsuite.errors import RecordError
from goldsuite.model.diagnosis import CaseLabel, Cause, FailureMode
from goldsuite.records.labels import (
    copy_labels,
    label_case,
    labels_of,
    labels_path,
    unlabel_case,
)

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def _label(case: str, cause: Cause = Cause.FAN_OUT, note: str | None = None) -> CaseLabel:
    return CaseLabel(case=case, cause=cause, mode=FailureMode.FAN_OUT, note=note, labelled_at=AT)


def test_a_run_without_labels_has_none(tmp_path: Path) -> None:
    assert labels_of(tmp_path / "run.json") == {}


def test_a_label_is_read_back_as_it_was_given(tmp_path: Path) -> None:
    record = tmp_path / "run.json"
    label_case(record, _label("a", note="naïve “note”"))
    assert labels_of(record) == {"a": _label("a", note="naïve “note”")}
    assert labels_path(record) == tmp_path / "run" / "labels.jsonl"


def test_the_last_label_holds_and_the_earlier_one_stays_in_the_file(tmp_path: Path) -> None:
    record = tmp_path / "run.json"
    label_case(record, _label("a"))
    label_case(record, _label("a", Cause.SIGN))
    assert labels_of(record)["a"].cause is Cause.SIGN
    assert len(labels_path(record).read_text().splitlines()) == 2
    unlabel_case(record, "a", AT)
    assert labels_of(record) == {}


def test_labels_are_taken_over_and_what_is_there_already_stays(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    label_case(old, _label("a"))
    label_case(old, _label("b"))
    label_case(new, _label("b", Cause.SIGN))
    assert copy_labels(old, new) == 1
    assert {case: label.cause for case, label in labels_of(new).items()} == {
        "b": Cause.SIGN,
        "a": Cause.FAN_OUT,
    }
    assert copy_labels(old, new) == 0
    assert copy_labels(old, old) == 0


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"case": "a"}',
        '{"case": "a", "labelled_at": "x", "cause": null}',
        '{"case": "a", "labelled_at": "2026-01-02", "cause": "no-such", "mode": "fan-out"}',
    ],
)
def test_a_line_that_is_no_label_is_told_with_its_place(tmp_path: Path, line: str) -> None:
    record = tmp_path / "run.json"
    label_case(record, _label("a"))
    with labels_path(record).open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(RecordError, match=r"labels\.jsonl:2: no label"):
        labels_of(record)
