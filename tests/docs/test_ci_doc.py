"""docs/ci.md: its workflow is one, and the commands in it do what the page says."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.cli.options import ReportFormat
from tests.command_line import ROOT, goldsuite

DOC = (ROOT / "docs/ci.md").read_text(encoding="utf-8")


def _workflow() -> dict[Any, Any]:
    (text,) = re.findall(r"```yaml\n(.*?)```", DOC, re.DOTALL)
    workflow = yaml.safe_load(text)
    assert isinstance(workflow, dict)
    return workflow


def _steps() -> list[dict[str, Any]]:
    (job,) = _workflow()["jobs"].values()
    assert isinstance(job["steps"], list)
    return job["steps"]


def _commands() -> list[list[str]]:
    lines = [line for step in _steps() for line in step.get("run", "").splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("goldsuite ")]


def test_the_workflow_is_one() -> None:
    workflow = _workflow()
    # `on` is a boolean in YAML 1.1, and GitHub knows.
    assert set(workflow) == {"name", True, "permissions", "jobs"}
    assert all(("uses" in step) != ("run" in step) for step in _steps())


def test_no_text_of_a_pull_request_is_put_into_a_command() -> None:
    assert not any("${{" in step.get("run", "") for step in _steps())


def test_reports_are_written_also_where_the_run_fell_short() -> None:
    writing = [step for step in _steps() if "goldsuite report" in step.get("run", "")]
    assert [step["if"] for step in writing] == ["${{ !cancelled() }}"]


def test_the_commands_of_the_workflow_run_on_the_demo(tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    reports = tmp_path / "reports"
    env = {"GOLDSUITE_RUNS_DIR": str(tmp_path / "runs"), "GITHUB_STEP_SUMMARY": str(summary)}
    assert [command[0] for command in _commands()] == ["check", "eval", *["report"] * 3]
    for command in _commands():
        words = [word.replace("reports/", f"{reports}/") for word in command]
        if command[0] == "eval":
            # Three cases tell as much of the command as all of them do.
            words += ["--slice", "3", "--luck-budget", "0"]
        done = goldsuite(*words, cwd=ROOT, env=env)
        assert done.code == 0, done.err
    names = sorted(path.name for path in reports.iterdir())
    assert names == ["cases.parquet", "comment.md", "junit.xml"]
    assert summary.read_text(encoding="utf-8").count("# kettlewick: train") == 1


def test_a_run_below_the_threshold_says_so_in_the_summary(tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    env = {"GOLDSUITE_RUNS_DIR": str(tmp_path / "runs"), "GITHUB_STEP_SUMMARY": str(summary)}
    command = ("eval", "train", "--case", "revenue-q4", "--fail-under", "0.8")
    done = goldsuite(*command, "--diagnose-budget", "0", "--luck-budget", "0", cwd=ROOT, env=env)
    assert done.code == 1
    first = summary.read_text(encoding="utf-8").splitlines()[0]
    assert first == "> **accuracy 0.0000 is below --fail-under 0.8**"


@pytest.mark.parametrize("form", ReportFormat)
def test_every_format_is_told_of(form: ReportFormat) -> None:
    assert f"`{form.value}`" in DOC
