"""Gold files on disk for the tests of suite loading."""

from collections.abc import Callable
from pathlib import Path

import pytest

from goldsuite.errors import SuiteError
from goldsuite.suite.checked import query_faults, read_checked

Write = Callable[[str], Path]
Faults = Callable[[str], list[tuple[int | None, str]]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a gold file and returns its path."""

    def write_text(text: str) -> Path:
        path = tmp_path / "gold.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write_text


@pytest.fixture
def faults_of(write: Write) -> Faults:
    """All faults of a gold file as (line, message), in the order in which they are listed."""

    def read(text: str) -> list[tuple[int | None, str]]:
        try:
            checked = read_checked(write(text), shown="gold.yaml")
        except SuiteError as error:
            found = list(error.faults)
        else:
            found = [*checked.faults, *query_faults(checked, "duckdb")]
        return [(fault.line, fault.message) for fault in found]

    return read
