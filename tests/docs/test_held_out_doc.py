"""docs/held-out.md tells every line of the ledger, and options that there are."""

import re
from pathlib import Path

from goldsuite.records.ledger_entry import EntryKind
from tests.command_line import goldsuite

DOC = Path(__file__).parents[2] / "docs" / "held-out.md"


def test_every_line_of_the_ledger_is_told_in_order() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", DOC.read_text(), re.MULTILINE)
    assert rows == [kind.value for kind in EntryKind]


def test_every_option_that_is_named_is_one(tmp_path: Path) -> None:
    commands = (("eval",), ("grade",), ("report",), ("suite", "retire"))
    known = "".join(goldsuite(*command, "--help", cwd=tmp_path).out for command in commands)
    named = set(re.findall(r"--[a-z][a-z-]+", DOC.read_text()))
    assert named
    assert {option for option in named if option not in known} == set()
