"""docs/claude.md against the code: the tools, the limits, the efforts, and the file of prices."""

import re
from decimal import Decimal
from pathlib import Path

from goldsuite.analysts.claude.answer_tool import GIVE_ANSWER
from goldsuite.analysts.claude.options import EFFORTS, ClaudeOptions
from goldsuite.analysts.prices import read_prices
from goldsuite.analysts.toolbox.tools import TOOLS
from goldsuite.model.answer import Usage

DOC = (Path(__file__).parents[2] / "docs/claude.md").read_text(encoding="utf-8")


def test_every_tool_is_named() -> None:
    table = DOC.split("| tool | gives |")[1].split("\n\n")[0]
    named = re.findall(r"`(\w+)`", "\n".join(row.split("|")[1] for row in table.splitlines()[2:]))
    assert named == [
        "list_tables", "describe_table", "run_query", "list_context", "read_context", "give_answer",
    ]  # fmt: skip
    assert set(named) == {tool.name for tool in TOOLS} | {GIVE_ANSWER}


def test_limits_and_efforts_are_those_of_the_code() -> None:
    options = ClaudeOptions()
    assert f"(`max_turns`, {options.max_turns})" in DOC
    assert f"(`max_tokens`, {options.max_tokens:,})" in DOC
    assert all(f"`{effort}`" in DOC for effort in EFFORTS)


def test_the_file_of_prices_can_be_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", DOC, re.DOTALL)
    path = tmp_path / "ours.toml"
    path.write_text(example)
    usage = Usage(input_tokens=1_000_000, output_tokens=0)
    assert read_prices(path).cost("claude-sonnet-5-5", usage) == Decimal(2)
    assert read_prices(path).origin.startswith("ours.toml, of 2026-12-01")
