"""Comparing works from disk: no engine, no model library, no key of any suite."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from goldsuite.records.file import write_record
from tests.comparison.made_runs import run_of

ROOT = Path(__file__).parents[2]
HEAVY = {"sqlalchemy", "duckdb", "sqlglot", "pandas", "numpy", "anthropic", "yaml", "rich.console"}


@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("compare", "text"),
        ("compare", "json"),
        ("compare", "markdown"),
        ("reliability", "text"),
        ("reliability", "json"),
    ],
)
def test_comparing_records_loads_nothing_heavy(command: str, form: str, tmp_path: Path) -> None:
    paths = []
    for number in (1, 2):
        record = run_of({"a": "+-", "b": "--"}, number=number)
        paths.append(str(tmp_path / f"{record.run_id}.json"))
        write_record(record, Path(paths[-1]))
    script = (
        "import json, sys\nfrom goldsuite.cli.app import run\n"
        f"code = run({[command, *paths, '--format', form]!r})\n"
        "print('\\n@@' + json.dumps([code, sorted(sys.modules)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    code, modules = json.loads(done.stdout.rsplit("\n@@", 1)[1])
    assert code == 0
    assert HEAVY.isdisjoint(modules)
    assert "goldsuite.suite.key" not in modules
