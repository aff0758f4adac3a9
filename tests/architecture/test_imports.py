"""The architecture is a test: layers, blindness, and what stays off the path of a quick command."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

HEAVY = ("sqlalchemy", "duckdb", "sqlglot", "pandas", "numpy", "anthropic", "yaml", "rich.console")


def test_the_import_contracts_are_kept() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _modules_after(code: str) -> set[str]:
    """Every module that is loaded after `code` ran in a fresh interpreter."""
    script = f"{code}\nimport sys\nprint('\\n@@'.join(['', *sorted(sys.modules)]))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {line.removeprefix("@@") for line in done.stdout.splitlines() if line.startswith("@@")}


@pytest.mark.parametrize(
    "code",
    [
        "import goldsuite",
        "from goldsuite.cli.app import run; run(['--help'])",
        "from goldsuite.cli.app import run; run(['eval', '--help'])",
    ],
)
def test_help_imports_none_of_the_heavy_libraries(code: str) -> None:
    assert _modules_after(code).isdisjoint(HEAVY)


def test_the_first_help_does_without_pydantic() -> None:
    # A command's own options are parsed with pydantic by typer itself.
    code = "from goldsuite.cli.app import run; run(['--help'])"
    assert "pydantic" not in _modules_after(code)


def test_report_imports_no_engine_and_no_model_library() -> None:
    loaded = _modules_after("from goldsuite.cli.app import run; run(['report', 'no-such-run'])")
    assert loaded.isdisjoint({*HEAVY} - {"rich.console"})


@pytest.mark.parametrize(
    "module",
    [
        "goldsuite.analysts.base",
        "goldsuite.analysts.command",
        "goldsuite.analysts.baseline",
        "goldsuite.analysts.toolbox",
        "goldsuite.analysts.mcp_server",
        "goldsuite.analysts.sandbox",
        "goldsuite.pipeline.mcp_serving",
        "goldsuite.pipeline.trigger_floor",
        "goldsuite.judging.spec",
        "goldsuite.cli.evaluate",
        "goldsuite.runner.pool",
        "goldsuite.suite.questions",
        "goldsuite.suite.intake",
    ],
)
def test_code_that_runs_analysts_never_loads_the_key(module: str) -> None:
    loaded = _modules_after(f"import {module}")
    assert module in loaded
    assert loaded.isdisjoint({"goldsuite.model.key", "goldsuite.suite.key"})
