"""Settings: the nearest file, then variables, then options."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from goldsuite.errors import ConfigurationError
from goldsuite.pipeline.settings import Settings, read_settings


def _read(folder: Path, options: Mapping[str, Any] | None = None, **environ: str) -> Settings:
    return read_settings(options or {}, folder=folder, environ=environ)


def test_without_any_file_the_suite_and_runs_are_in_the_working_folder(tmp_path: Path) -> None:
    settings = _read(tmp_path)
    assert settings.suite == tmp_path / "gold-cases.yaml"
    assert settings.runs_dir == tmp_path / "runs"
    assert settings.root == tmp_path


def test_a_path_in_the_nearest_file_is_taken_from_the_files_folder(tmp_path: Path) -> None:
    (tmp_path / "goldsuite.toml").write_text('suite = "gold/cases.yaml"\nanalyst = "baseline"\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    settings = _read(below)
    assert settings.suite == tmp_path / "gold" / "cases.yaml"
    assert settings.runs_dir == tmp_path / "gold" / "runs"
    assert settings.analyst_base == tmp_path


def test_the_table_in_pyproject_is_read_and_goldsuite_toml_comes_first(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.goldsuite]\nconcurrency = 3\n")
    assert _read(tmp_path).concurrency == 3
    (tmp_path / "goldsuite.toml").write_text("concurrency = 5\n")
    assert _read(tmp_path).concurrency == 5


def test_a_pyproject_without_the_table_does_not_stop_the_search(tmp_path: Path) -> None:
    (tmp_path / "goldsuite.toml").write_text("concurrency = 5\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert _read(tmp_path / "inner").concurrency == 5


def test_a_variable_beats_the_file_and_an_option_beats_the_variable(tmp_path: Path) -> None:
    (tmp_path / "goldsuite.toml").write_text("timeout = 10\n")
    assert _read(tmp_path, GOLDSUITE_TIMEOUT="20").timeout == 20.0
    assert _read(tmp_path, {"timeout": 30.0}, GOLDSUITE_TIMEOUT="20").timeout == 30.0


def test_an_option_that_was_not_given_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "goldsuite.toml").write_text('pass_env = ["A"]\n')
    assert _read(tmp_path, {"pass_env": [], "timeout": None}).pass_env == ("A",)


def test_variables_with_several_names_are_split(tmp_path: Path) -> None:
    assert _read(tmp_path, GOLDSUITE_PASS_ENV="A, B C").pass_env == ("A", "B", "C")


def test_variables_that_analysts_are_given_are_no_settings(tmp_path: Path) -> None:
    assert _read(tmp_path, GOLDSUITE_WAREHOUSE_URL="x", GOLDSUITE_TOKEN="y").warehouse is None


def test_a_tolerance_is_exact(tmp_path: Path) -> None:
    (tmp_path / "goldsuite.toml").write_text("tolerance = 0.01\n")
    assert _read(tmp_path).tolerance == Decimal("0.01")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("warehose = 'x'", "unknown setting 'warehose'. Did you mean 'warehouse'?"),
        ("concurrency = 0", "from 1 to 1000"),
        ("concurrency = true", "a whole number"),
        ("concurrency = 'many'", "a whole number"),
        ("timeout = -1", "above 0"),
        ("timeout = nan", "finite"),
        ("tolerance = 5", "0.005 means 0.5 %"),
        ("as_of = '31.12.2025'", "2025-12-31"),
        ("suite = ''", "not empty"),
        ("pass_env = 'HOME'", "list of names"),
        ("suite = [", "not readable as TOML"),
    ],
)
def test_a_wrong_setting_says_where_what_and_what_to_do(
    tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "goldsuite.toml").write_text(text + "\n")
    with pytest.raises(ConfigurationError) as caught:
        _read(tmp_path)
    assert words in str(caught.value)
    assert str(tmp_path / "goldsuite.toml") in str(caught.value)


def test_an_unknown_variable_is_named_as_it_was_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="GOLDSUITE_SUIT"):
        _read(tmp_path, GOLDSUITE_SUIT="x")
