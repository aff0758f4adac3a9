"""The index of a runs directory: never believed where a file has changed, never needed."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from goldsuite.errors import UsageError
from goldsuite.model.run import RunRecord
from goldsuite.records.file import read_record, record_json, write_record
from goldsuite.records.filter import RunFilter, filter_runs
from goldsuite.records.header import FIGURES, header_from_row, header_of, header_row
from goldsuite.records.index import INDEX, list_runs
from goldsuite.records.since import read_since
from tests.comparison.made_runs import run_of, trial

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def _write(folder: Path, *records: RunRecord) -> None:
    for record in records:
        write_record(record, folder / f"{record.run_id}.json")


def test_runs_are_listed_oldest_first_with_their_figures(tmp_path: Path) -> None:
    _write(tmp_path, run_of({"a": "+", "b": "-"}, number=2), run_of({"a": "+", "b": "+"}, number=1))
    first, second = list_runs(tmp_path).runs
    assert (first.figures["accuracy"], second.figures["accuracy"]) == (1.0, 0.5)
    # Wilson's interval of 1 in 2: 0.0945 to 0.9055.
    assert second.accuracy_interval == pytest.approx((0.0945, 0.9055), abs=1e-4)
    assert (second.counts["passed"], second.counts["gradable"]) == (1, 2)
    assert second.metrics == ("orders",)
    assert set(second.figures) == set(FIGURES)


def test_a_second_look_reads_the_index_and_finds_the_same(tmp_path: Path) -> None:
    _write(tmp_path, run_of({"a": "+"}, number=1))
    first = list_runs(tmp_path)
    path = tmp_path / first.runs[0].file
    times = path.stat()
    # The same size and times of modification: only the time of change tells.
    path.chmod(0o000)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    path.chmod(0o644)
    assert list_runs(tmp_path) == first
    index = (tmp_path / INDEX).read_text()
    assert list_runs(tmp_path) == first
    assert (tmp_path / INDEX).read_text() == index


def test_what_changed_in_the_folder_is_seen(tmp_path: Path) -> None:
    one, two = run_of({"a": "+"}, number=1), run_of({"a": "-"}, number=2)
    _write(tmp_path, one, two)
    assert [run.run_id for run in list_runs(tmp_path).runs] == [one.run_id, two.run_id]
    (tmp_path / f"{one.run_id}.json").unlink()
    assert [run.run_id for run in list_runs(tmp_path).runs] == [two.run_id]
    path = tmp_path / f"{two.run_id}.json"
    path.write_text(path.read_text().replace('"accuracy": 0.0', '"accuracy": 1.0', 1))
    (changed,) = list_runs(tmp_path).runs
    assert (changed.altered, changed.figures["accuracy"]) == (True, 1.0)


@pytest.mark.parametrize("edit", ["cut", "edited", "other format", "nonsense"])
def test_an_index_that_cannot_be_believed_is_made_anew(edit: str, tmp_path: Path) -> None:
    _write(tmp_path, run_of({"a": "+", "b": "-"}, number=1))
    expected = list_runs(tmp_path)
    index = tmp_path / INDEX
    text = index.read_text()
    index.write_text(
        {
            "cut": text[:-40],
            "edited": text.replace('"accuracy":0.5', '"accuracy":0.9'),
            "other format": text.replace("[1,", "[0,", 1),
            "nonsense": "{}\n\n[]",
        }[edit]
    )
    assert list_runs(tmp_path) == expected
    assert index.read_text() == text


def test_what_is_no_record_is_told_and_keeps_nothing_from_being_listed(tmp_path: Path) -> None:
    _write(tmp_path, run_of({"a": "+"}, number=1))
    (tmp_path / "cut.json").write_text(record_json(run_of({"a": "+"}))[:-200])
    (tmp_path / "notes.json").write_text("[1]")
    (tmp_path / "newer.json").write_text('{"schema_version": 99}')
    (tmp_path / ".hidden.json").write_text("{}")
    for _ in range(2):
        listing = list_runs(tmp_path)
        assert len(listing.runs) == 1
        cut, newer, notes = listing.faults
        assert "not valid JSON" in cut
        assert "reads up to" in newer
        assert "the top level is no object" in notes
        assert cut.startswith(str(tmp_path / "cut.json"))


def test_a_record_without_a_hash_is_read_wholly(tmp_path: Path) -> None:
    old = Path(__file__).parents[2] / "fixtures" / "records" / "version-1.json"
    (tmp_path / "old.json").write_bytes(old.read_bytes())
    (run,) = list_runs(tmp_path).runs
    tags = read_record(old).aggregate.tags
    assert tags
    assert {tag: run.tag_figures(tag) for tag in run.tags} == tags


def test_a_folder_that_is_not_there_holds_no_run(tmp_path: Path) -> None:
    assert list_runs(tmp_path / "absent").runs == ()
    assert not (tmp_path / "absent").exists()


def test_a_header_is_read_back_as_it_was_written() -> None:
    plain = json.loads(record_json(run_of({"a": "+-", "b": "--"})))
    header = header_of(plain, file="r.json")
    assert header_from_row(json.loads(json.dumps(header_row(header)))) == header


def test_figures_of_a_tag_are_those_of_its_cases_alone() -> None:
    cases = [
        trial("a", "+", number=1, tags=("money",)),
        trial("a", "-", number=2, tags=("money",)),
        trial("b", "+", number=1, tags=("money", "time")),
        trial("b", "+", number=2, tags=("money", "time")),
        trial("c", "#", number=1, tags=("time",)),
        trial("c", "#", number=2, tags=("time",)),
        trial("d", "-", number=1),
        trial("d", "-", number=2),
    ]
    record = run_of(cases)
    header = header_of(json.loads(record_json(record)), file="r.json")
    money, time = header.tag_figures("money"), header.tag_figures("time")
    assert money is not None
    assert time is not None
    # One of two trials and two of two: the mean of a half and one.
    assert (money.cases, money.passed, money.gradable, money.accuracy) == (2, 3, 4, 0.75)
    assert (time.cases, time.passed, time.gradable, time.accuracy) == (2, 2, 2, 1.0)
    assert record.aggregate.tags == {"money": money, "time": time}
    assert header.tag_figures("none") is None


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (RunFilter(), [1, 2, 3]),
        (RunFilter(split="test"), [2]),
        (RunFilter(analyst="base*"), [1, 2]),
        (RunFilter(analyst="m-1"), [3]),
        (RunFilter(tag="money"), [1]),
        (RunFilter(suite="shop"), [1, 2, 3]),
        # Runs began at 4:04:05, 5:04:05 and 6:04:05.
        (RunFilter(since=datetime(2026, 1, 2, 5, 4, 5, tzinfo=UTC)), [2, 3]),
        (RunFilter(split="test", analyst="command:x"), []),
    ],
)
def test_runs_are_filtered(wanted: RunFilter, numbers: list[int]) -> None:
    records = [
        run_of([trial("a", "+", tags=("money",))], number=1),
        run_of({"a": "+"}, number=2, split="test"),
        replace(run_of({"a": "+"}, number=3), analyst="command:x", model="m-1"),
    ]
    runs = [header_of(json.loads(record_json(r)), file=f"{r.run_id}.json") for r in records]
    found = filter_runs(runs, wanted)
    assert [records[number - 1].run_id for number in numbers] == [run.run_id for run in found]


def test_a_misspelt_filter_is_answered_with_the_nearest() -> None:
    run = header_of(json.loads(record_json(run_of([trial("a", "+", tags=("money",))]))), file="r")
    for wanted, words in (
        (RunFilter(tag="mony"), "Did you mean 'money'"),
        (RunFilter(analyst="baselin"), "Did you mean 'baseline'"),
        (RunFilter(suite="zzz"), "Known: shop"),
    ):
        with pytest.raises(UsageError, match=words):
            filter_runs([run], wanted)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7d", datetime(2026, 3, 3, 12, tzinfo=UTC)),
        ("36h", datetime(2026, 3, 9, 0, tzinfo=UTC)),
        ("30m", datetime(2026, 3, 10, 11, 30, tzinfo=UTC)),
        ("2w", datetime(2026, 2, 24, 12, tzinfo=UTC)),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T08:30", datetime(2026, 3, 1, 8, 30, tzinfo=UTC)),
        ("2026-03-01T08:30+02:00", datetime(2026, 3, 1, 6, 30, tzinfo=UTC)),
    ],
)
def test_since_is_a_span_or_a_date(text: str, expected: datetime) -> None:
    assert read_since(text, NOW) == expected


@pytest.mark.parametrize("text", ["", "7", "7 days", "-7d", "d", "2026-03-11", "999999w", "½d"])
def test_since_is_nothing_else(text: str) -> None:
    with pytest.raises(UsageError, match="--since"):
        read_since(text, NOW)
