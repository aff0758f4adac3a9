"""`goldsuite runs list` and `goldsuite trend`, as users call them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import goldsuite as package
from goldsuite.errors import RecordError
from goldsuite.model.run import RunRecord
from goldsuite.records.file import write_record
from tests.command_line import goldsuite
from tests.comparison.made_runs import run_of, trial


def _write(folder: Path, *records: RunRecord) -> None:
    for record in records:
        write_record(record, folder / f"{record.run_id}.json")


def _climb() -> list[RunRecord]:
    """Three whole runs, 1, 2 and 3 of 4 right, the suite edited before the third, and a part."""
    signs = ("+---", "++--", "+++-")
    runs = [
        run_of(
            [trial(f"c{at}", sign, tags=("odd",) * (at % 2)) for at, sign in enumerate(row)],
            number=number,
        )
        for number, row in enumerate(signs, start=1)
    ]
    runs = [replace(run, changelog=f"step {at}") for at, run in enumerate(runs, start=1)]
    edited = replace(runs[2].suite, sha256_at_grading="d" * 64, cases=4)
    part = replace(run_of({"c0": "+"}, number=4), selection={"case": "c0"})
    return [*runs[:2], replace(runs[2], suite=edited), part]


def test_runs_are_listed_newest_first(tmp_path: Path) -> None:
    _write(tmp_path / "runs", *_climb())
    shown = goldsuite("runs", "list", cwd=tmp_path)
    lines = shown.out.splitlines()
    assert lines[0].split()[:3] == ["run", "split", "accuracy"]
    assert [line.split()[0][9:15] for line in lines[1:5]] == [
        "030404",
        "030403",
        "030402",
        "030401",
    ]
    assert lines[1].split()[1] == "~"
    assert "75.0 %" in lines[2]
    assert lines[-2:] == ["4 runs", "~ asked only a part of its split"]
    assert max(map(len, lines)) <= 120


def test_a_listing_as_json_has_numbers(tmp_path: Path) -> None:
    _write(tmp_path / "elsewhere", *_climb())
    options = ("--runs-dir", "elsewhere", "--tag", "odd", "--format", "json", "--last", "1")
    (row,) = json.loads(goldsuite("runs", "list", *options, cwd=tmp_path).out)
    assert (row["passed"], row["gradable"], row["accuracy"]) == (3, 4, 0.75)
    assert row["suite"] == {"name": "shop", "sha256": "d" * 64, "cases": 4}
    # Of c1 and c3 one is right.
    assert (row["tag"]["passed"], row["tag"]["accuracy"]) == (1, 0.5)


def test_a_broken_file_is_told_beside_the_listing(tmp_path: Path) -> None:
    _write(tmp_path / "runs", *_climb())
    (tmp_path / "runs" / "broken.json").write_text("{")
    shown = goldsuite("runs", "list", cwd=tmp_path)
    assert shown.code == 0
    assert "left out" in shown.err
    assert "broken.json" in shown.err


def test_a_folder_without_runs_says_what_to_do(tmp_path: Path) -> None:
    for command in (("runs", "list"), ("trend",)):
        shown = goldsuite(*command, cwd=tmp_path)
        assert (shown.code, shown.out) == (2, "")
        assert "Run `goldsuite eval train` first" in shown.err


def test_a_trend_is_drawn_within_80_columns_and_plain(tmp_path: Path) -> None:
    _write(tmp_path / "runs", *_climb())
    shown = goldsuite("trend", cwd=tmp_path)
    lines = shown.out.splitlines()
    assert lines[:2] == [
        "shop: train, accuracy over 3 runs",
        "25.0 % → 75.0 %; metrics defined 1 → 1",
    ]
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in shown.out
    assert shown.out.count("●") == 3
    assert "┊" in shown.out  # the suite was edited
    assert "    suite edited (aaaaaaaa → dddddddd, 3 → 4 cases)" in lines
    assert "    “step 2”" in lines
    assert "note: 1 run of a part of the split left out" in lines


def test_a_changed_record_is_left_out_of_the_trend(tmp_path: Path) -> None:
    _write(tmp_path / "runs", *_climb())
    path = sorted((tmp_path / "runs").glob("2*.json"))[1]
    path.write_text(path.read_text().replace('"accuracy": 0.5', '"accuracy": 0.99', 1))
    shown = goldsuite("trend", cwd=tmp_path)
    assert f"left out, changed after they were written: {path.stem}" in " ".join(shown.out.split())
    assert "99.0 %" not in shown.out
    listed = goldsuite("runs", "list", cwd=tmp_path).out
    assert f"{path.stem} !" in listed


def test_a_trend_as_json_and_markdown(tmp_path: Path) -> None:
    _write(tmp_path / "runs", *_climb())
    found = json.loads(goldsuite("trend", "--format", "json", cwd=tmp_path).out)
    assert [run["value"] for run in found["runs"]] == [0.25, 0.5, 0.75]
    assert found["left_out"] == {"partial": 1, "altered": []}
    text = goldsuite("trend", "--format", "markdown", "--last", "1", cwd=tmp_path).out
    assert "| 20260102-030403-train-abcd | 2026-01-02 06:04 | 75.0 % | 30–95 % | 3/4 | 1 |" in text
    assert "2 earlier runs are left out" in text


def test_a_trend_of_held_out_runs_shows_no_case(tmp_path: Path) -> None:
    records = [
        run_of(
            [trial("hidden-case", sign, split="test", gold_value=777, gold_sql="select 777")],
            number=number,
            split="test",
        )
        for number, sign in ((1, "-"), (2, "+"))
    ]
    _write(tmp_path / "runs", *records)
    for form in ("text", "json", "markdown"):
        shown = goldsuite("trend", "--split", "test", "--format", form, cwd=tmp_path)
        assert shown.code == 0
        assert "hidden-case" not in shown.out
        assert "777" not in shown.out


def test_latency_has_an_axis_of_its_own(tmp_path: Path) -> None:
    cases = [[trial("a", "+", latency_ms=ms)] for ms in (1500.0, 3000.0)]
    _write(tmp_path / "runs", *(run_of(each, number=at) for at, each in enumerate(cases, 1)))
    shown = goldsuite("trend", "--metric", "avg_latency_ms", cwd=tmp_path)
    assert "1.5 s → 3.0 s" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80


def test_runs_are_loaded_as_a_frame(tmp_path: Path) -> None:
    _write(tmp_path / "runs", *_climb())
    frame = package.load_runs(tmp_path / "runs")
    assert list(frame["accuracy"]) == [0.25, 0.5, 0.75, 1.0]
    assert list(frame["partial"]) == [False, False, False, True]
    assert frame["total_cost"].isna().all()
    (tmp_path / "runs" / "broken.json").write_text("{")
    with pytest.warns(UserWarning, match=r"broken\.json"):
        assert len(package.load_runs(tmp_path / "runs")) == 4
    with pytest.raises(RecordError, match="no such folder"):
        package.load_runs(tmp_path / "absent")
