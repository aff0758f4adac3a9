"""`goldsuite report`: its formats, where it writes them, and the summary in GitHub Actions."""

import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from goldsuite.model.question import Split
from goldsuite.records.file import write_record
from tests.command_line import ROOT, goldsuite
from tests.report.tagged_run import tagged_record

HEAVY = {"sqlalchemy", "duckdb", "sqlglot", "pandas", "numpy", "pyarrow", "anthropic", "yaml"}


def _write(folder: Path, split: Split = "train") -> Path:
    record = tagged_record(split)
    path = folder / "runs" / f"{record.run_id}.json"
    path.parent.mkdir(exist_ok=True)
    write_record(record, path)
    return path


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("text", "shop: train\n"),
        ("json", '{\n  "schema_version": '),
        ("markdown", "# shop: train\n"),
        ("junit", '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="shop: train" '),
        ("csv", "run_id,id,trial,split,question,"),
    ],
)
def test_a_file_holds_what_stdout_would(form: str, begins: str, tmp_path: Path) -> None:
    _write(tmp_path)
    printed = goldsuite("report", "--format", form, cwd=tmp_path)
    out = tmp_path / "new folder" / "report"
    written = goldsuite("report", "--format", form, "--out", out, cwd=tmp_path)
    assert (printed.code, printed.err, written.code, written.out) == (0, "", 0, "")
    assert printed.out.startswith(begins)
    assert out.read_bytes().decode() == printed.out


def test_parquet_goes_into_a_file_and_never_to_a_terminal(tmp_path: Path) -> None:
    _write(tmp_path)
    refused = goldsuite("report", "--format", "parquet", cwd=tmp_path)
    assert (refused.code, refused.out) == (2, "")
    assert "say where to with --out FILE" in refused.err
    out = tmp_path / "cases.parquet"
    assert goldsuite("report", "--format", "parquet", "--out", out, cwd=tmp_path).code == 0
    frame = pd.read_parquet(io.BytesIO(out.read_bytes()))
    assert frame["verdict"].tolist() == ["correct", "wrong", "analyst_error"]


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    _write(tmp_path)
    refused = goldsuite("report", "--format", "csv", "--out", tmp_path, cwd=tmp_path)
    assert (refused.code, refused.out) == (2, "")
    assert f"--out {str(tmp_path)!r}: cannot be written: Is a directory" in refused.err


@pytest.mark.parametrize("form", ["text", "json", "markdown", "junit", "csv"])
def test_held_out_cases_stay_hidden_in_every_format(form: str, tmp_path: Path) -> None:
    _write(tmp_path, "test")
    text = goldsuite("report", "--format", form, cwd=tmp_path).out
    assert "net-revenue" in text
    for secret in ("secret", "1000.5", "1,000.5", "31200", "gross", "North"):
        assert secret not in text


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_summary_of_a_step_is_appended_as_markdown(form: str, tmp_path: Path) -> None:
    _write(tmp_path)
    summary = tmp_path / "summary.md"
    summary.write_text("# before\n", encoding="utf-8")
    env = {"GITHUB_STEP_SUMMARY": str(summary)}
    assert goldsuite("report", "--format", form, cwd=tmp_path, env=env).code == 0
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("# before\n# shop: train\n")
    assert "**accuracy 33.3 %**" in text


@pytest.mark.parametrize(
    "options", [("--format", "junit"), ("--format", "json"), ("--format", "text", "--out", "x.txt")]
)
def test_what_is_written_for_programs_leaves_no_summary(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    _write(tmp_path)
    env = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    assert goldsuite("report", *options, cwd=tmp_path, env=env).code == 0
    assert not (tmp_path / "summary.md").exists()


def test_a_summary_never_grows_beyond_what_github_takes(tmp_path: Path) -> None:
    record = tagged_record()
    failed = replace(record.cases[1], analyst_query="select 1 -- " + "x" * 2000)
    cases = tuple(replace(failed, id=f"case-{at:05}") for at in range(400))
    path = tmp_path / "runs" / "many.json"
    path.parent.mkdir()
    write_record(replace(record, cases=cases), path)
    summary = tmp_path / "summary.md"
    summary.write_text("x" * 500_000, encoding="utf-8")
    env = {"GITHUB_STEP_SUMMARY": str(summary)}
    command = ("report", "runs/many.json", "--format", "markdown")
    assert goldsuite(*command, cwd=tmp_path, env=env).code == 0
    assert 1_000_000 < summary.stat().st_size <= 1024 * 1024


def test_a_summary_that_cannot_be_written_changes_nothing_else(tmp_path: Path) -> None:
    _write(tmp_path)
    plain = goldsuite("report", cwd=tmp_path)
    told = goldsuite("report", cwd=tmp_path, env={"GITHUB_STEP_SUMMARY": str(tmp_path)})
    assert (told.code, told.out) == (0, plain.out)
    assert "GITHUB_STEP_SUMMARY: no summary was written: Is a directory" in told.err


def test_reporting_loads_nothing_heavy(tmp_path: Path) -> None:
    path = str(_write(tmp_path))
    # One process for all: what one of them loads is told after the last.
    script = (
        "import json, sys\nfrom goldsuite.cli.app import run\n"
        "for form in ('json', 'markdown', 'junit', 'text'):\n"
        "    drawn = form != 'text' or 'rich.console' not in sys.modules\n"
        f"    code = run(['report', {path!r}, '--format', form])\n"
        "    assert drawn and code == 0, form\n"
        "print('\\n@@' + json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert HEAVY.isdisjoint(json.loads(done.stdout.rsplit("\n@@", 1)[1]))


def test_no_colour_and_no_padding_reach_a_file_even_where_colour_is_forced(tmp_path: Path) -> None:
    _write(tmp_path)
    out = tmp_path / "report.txt"
    env = {"FORCE_COLOR": "1", "COLUMNS": "200"}
    assert goldsuite("report", "--out", out, cwd=tmp_path, env=env).code == 0
    lines = out.read_text(encoding="utf-8").splitlines()
    assert not any("\x1b" in line or line.endswith(" ") for line in lines)
    assert max(map(len, lines)) <= 100
