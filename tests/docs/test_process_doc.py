"""docs/process-and-judge.md against the code: its suite, presets, scores, defaults and options."""

import re
from dataclasses import fields
from pathlib import Path

from goldsuite.cli.judge import PASS_PRESETS
from goldsuite.grading.process_presets import PRESETS
from goldsuite.model.judge import BEST, DEFAULT_PASS_AT, verdict_of
from goldsuite.model.process import ProcessFigures
from goldsuite.pipeline.judging import DEFAULT_LAST_MESSAGES
from goldsuite.records.fewest_calls import MOST_RECORDS
from goldsuite.suite.intake import take_in
from goldsuite.suite.key import load_key

DOC = (Path(__file__).parents[2] / "docs/process-and-judge.md").read_text(encoding="utf-8")


def _first_column(head: str) -> list[str]:
    table = DOC.split(head)[1].split("\n\n")[0]
    return re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)


def test_the_suite_of_the_page_is_taken(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", DOC, re.DOTALL)
    path = tmp_path / "gold-cases.yaml"
    path.write_text(example)
    assert take_in(path, dialect="duckdb").expects_skills
    assert [case.target for case in load_key(path).cases] == ["revenue", None, "reporting agent"]


def test_scores_and_presets_are_those_of_the_code() -> None:
    measured = {field.name for field in fields(ProcessFigures)}
    scores = _first_column("| score | is |")
    assert len(scores) == 5
    assert set(scores) <= measured
    assert _first_column("| preset | score | passes |") == list(PRESETS)
    assert f"from {PRESETS['sum-capped'].pass_at}" in DOC


def test_verdicts_and_defaults_are_those_of_the_code() -> None:
    assert all(f"{n} `{verdict_of(n).value}`" in " ".join(DOC.split()) for n in range(BEST + 1))
    assert f"`--judge-pass {DEFAULT_PASS_AT}` is the default" in DOC
    assert all(f"`{name}` is {line:g}" in DOC for name, line in PASS_PRESETS.items())
    assert f"last `--messages` steps of the trace ({DEFAULT_LAST_MESSAGES};" in DOC
    assert f"latest {MOST_RECORDS} records" in DOC
