"""docs/records.md says what is so: its SQL runs, its code runs, its options exist."""

import re
import shlex
from pathlib import Path

from goldsuite.records.file import write_record
from tests.command_line import goldsuite
from tests.comparison.made_runs import run_of

TEXT = (Path(__file__).parents[2] / "docs" / "records.md").read_text()


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


def test_the_query_runs(tmp_path: Path) -> None:
    record = run_of({"a": "+", "b": "-"})
    write_record(record, tmp_path / "runs" / f"{record.run_id}.json")
    (command,) = _blocks("bash")
    program, *arguments = shlex.split(command)
    assert program == "goldsuite"
    shown = goldsuite(*arguments, cwd=tmp_path)
    assert shown.code == 0, shown.err
    assert shown.out.splitlines()[0].split() == ["failure_mode", "count_star()"]


def test_the_python_runs(tmp_path: Path) -> None:
    record = run_of({"a": "+", "b": "-"})
    write_record(record, tmp_path / "runs" / f"{record.run_id}.json")
    names: dict[str, object] = {}
    for block in _blocks("python"):
        code = block.replace('"runs', f'"{tmp_path}/runs')
        exec(compile(code, "records.md", "exec"), names)  # noqa: S102 - our own documentation
    assert len(names["runs"]) == 1  # type: ignore[arg-type]
    assert len(names["cases"]) == 2  # type: ignore[arg-type]


def test_every_option_that_is_named_exists(tmp_path: Path) -> None:
    helps = "".join(
        goldsuite(*command, "--help", cwd=tmp_path, env={"COLUMNS": "200"}).out
        for command in (
            ("eval",), ("compare",), ("trend",), ("runs", "list"), ("runs", "sql"), ("report",),
        )
    )  # fmt: skip
    named = set(re.findall(r"`(--[a-z-]+)", TEXT))
    assert named
    assert {option for option in named if option not in helps} == set()
