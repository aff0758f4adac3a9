"""docs/grading.md: its examples run, and its tables are those of the code.

`python -m tests.docs.test_grading_doc` writes the two generated tables anew.
"""

import doctest
import re
from pathlib import Path

import pytest

from goldsuite.analysts.predictions import AnswersFormat
from goldsuite.grading import units
from goldsuite.grading.flags import FLAGS
from goldsuite.model.grade import Verdict
from goldsuite.records.file import write_record
from tests.docs.readme import ROOT
from tests.sample_run import sample_record

PAGE = ROOT / "docs" / "grading.md"


def units_table() -> str:
    """The table in the docstring of the code that follows it."""
    lines = (units.__doc__ or "").splitlines()
    return "\n".join(line for line in lines if line.startswith("|"))


def flags_table() -> str:
    rows = [f"| `{flag}` | {meaning} |" for flag, meaning in FLAGS.items()]
    return "\n".join(["| flag | meaning |", "| --- | --- |", *rows])


def section(title: str) -> str:
    found = re.search(
        rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert found, title
    return found[1]


def first_cells(text: str) -> list[str]:
    return re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


def test_every_example_gives_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").mkdir()
    write_record(sample_record(), tmp_path / "runs" / "RUN.json")
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted >= 20
    assert found.failed == 0


def test_the_table_of_units_is_the_one_that_is_followed() -> None:
    assert units_table() in section("Units")


def test_the_table_of_flags_is_the_one_in_the_code() -> None:
    assert flags_table() in section("Flags")
    assert first_cells(section("Flags")) == list(FLAGS)


def test_every_verdict_and_every_format_is_explained() -> None:
    assert first_cells(section("Verdicts")) == [verdict.value for verdict in Verdict]
    assert first_cells(section("Grading a file of answers")) == [
        each.value for each in AnswersFormat
    ]


def _rewrite() -> None:
    text = PAGE.read_text("utf-8")
    for name, table in (("units", units_table()), ("flags", flags_table())):
        text = re.sub(
            rf"<!-- {name} -->\n(?:\|.*\n)*",
            lambda _, n=name, t=table: f"<!-- {n} -->\n{t}\n",  # type: ignore[misc]
            text,
        )
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    _rewrite()
