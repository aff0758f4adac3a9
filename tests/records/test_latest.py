"""`latest.json` points to the newest record, wherever the folder stands."""

from pathlib import Path

from goldsuite.records.file import read_record, write_record
from goldsuite.records.latest import LATEST, point_latest, record_paths
from goldsuite.records.runs_dir import answers_path, find_record
from tests.command_line import goldsuite
from tests.comparison.made_runs import run_of


def _write(folder: Path, *numbers: int) -> list[str]:
    records = [run_of({"a": "+"}, number=number) for number in numbers]
    for record in records:
        write_record(record, folder / f"{record.run_id}.json")
    return [record.run_id for record in records]


def test_the_newest_is_pointed_to_even_where_an_older_one_is_written_last(tmp_path: Path) -> None:
    newest, _ = _write(tmp_path, 2, 1)
    assert read_record(tmp_path / LATEST).run_id == newest


def test_it_is_no_record_of_its_own(tmp_path: Path) -> None:
    first, second = _write(tmp_path, 1, 2)
    assert [path.stem for path in record_paths(tmp_path)] == [first, second]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{first}.json",
        f"{second}.json",
        LATEST,
    ]


def test_it_still_points_there_when_the_folder_was_moved(tmp_path: Path) -> None:
    (run,) = _write(tmp_path / "here", 1)
    (tmp_path / "here").rename(tmp_path / "there")
    assert (tmp_path / "there" / LATEST).readlink() == Path(f"{run}.json")
    assert read_record(tmp_path / "there" / LATEST).run_id == run


def test_the_answers_of_the_run_are_found_through_it(tmp_path: Path) -> None:
    (run,) = _write(tmp_path, 1)
    for name in (str(tmp_path / LATEST), "latest", None):
        found = find_record(name, tmp_path)
        assert answers_path(found) == tmp_path / run / "answers.jsonl"


def test_a_record_is_written_even_where_nothing_can_point_to_it(tmp_path: Path) -> None:
    # A folder of that name can be replaced neither by a link nor by a copy.
    (tmp_path / LATEST).mkdir()
    (run,) = _write(tmp_path, 1)
    point_latest(tmp_path)
    assert [path.stem for path in record_paths(tmp_path)] == [run]


def test_reports_take_it_by_its_path(tmp_path: Path) -> None:
    _write(tmp_path / "runs", 1)
    assert goldsuite("report", "runs/latest.json", cwd=tmp_path).code == 0
