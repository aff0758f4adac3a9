"""docs/diagnosis.md tells every cause, in the order and under the modes that the code has."""

from pathlib import Path

from goldsuite.diagnosis.parents import parent_of
from goldsuite.model.diagnosis import Cause

DOC = Path(__file__).parents[2] / "docs" / "diagnosis.md"


def table() -> list[tuple[str, str]]:
    lines = [line for line in DOC.read_text().splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [(row[0].strip("`"), row[2].split(",")[0].strip("`")) for row in cells]


def test_the_causes_stand_in_their_order_with_their_modes() -> None:
    assert table() == [(cause.value, parent_of(cause).value) for cause in Cause]
