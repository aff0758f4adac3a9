"""docs/analysts.md against the code: its commands are run, its tables are those that hold."""

import re
from pathlib import Path

from goldsuite.analysts.command_line import PLACEHOLDERS
from goldsuite.analysts.python_function import OFFERED
from goldsuite.pipeline.analyst_sources import KINDS
from tests.docs.readme import ROOT, Shell, copy_checkout, masked, matches, steps

DOC = (ROOT / "docs/analysts.md").read_text(encoding="utf-8")


def _first_cells(head: str) -> list[str]:
    rows = DOC.split(head)[1].split("\n\n")[0].splitlines()
    return [row.split("|")[1] for row in rows[2:]]


def test_every_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    shell = Shell(copy_checkout(tmp_path))
    asked = list(steps(DOC))
    assert len(asked) == 7
    for step in asked:
        found, shown = masked(shell.run(step)), masked(step.output)
        assert matches(shown, found), f"analysts.md:{step.line}: {step.command}\n" + "\n".join(
            found
        )


def test_every_kind_and_every_place_is_explained() -> None:
    names = re.findall(r"`(\w+)", "".join(_first_cells("| name | who answers | options |")))
    assert sorted(names) == sorted(KINDS)
    places = re.findall(r"`\{(\w+)\}`", "".join(_first_cells("| place | what is put in |")))
    assert places == list(PLACEHOLDERS)


def test_all_that_a_function_may_declare_is_named() -> None:
    section = DOC.split("## A function in Python")[1].split("\n## ")[0]
    assert [name for name in OFFERED if f"`{name}`" not in section] == []
