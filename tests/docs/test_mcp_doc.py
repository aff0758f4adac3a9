"""docs/mcp.md against the code: the tools, their arguments, and the limits that it names."""

import json
import re
from pathlib import Path

from goldsuite.analysts.toolbox.box import MAX_FETCHED_ROWS, MAX_RESULT_ROWS, MAX_TEXT
from goldsuite.analysts.toolbox.mcp_config import write_mcp_config
from goldsuite.analysts.toolbox.query_log import MAX_BYTES
from goldsuite.analysts.toolbox.tools import TOOLS

DOC = (Path(__file__).parents[2] / "docs/mcp.md").read_text(encoding="utf-8")


def test_the_table_names_every_tool_and_its_arguments() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", DOC, flags=re.MULTILINE)
    told = {name: re.findall(r"`(\w+)`( \(optional\))?", cell) for name, cell in rows}
    assert told == {
        tool.name: [
            (name, "" if name in tool.input_schema["required"] else " (optional)")
            for name in tool.input_schema["properties"]
        ]
        for tool in TOOLS
    }


def test_the_limits_are_those_of_the_code() -> None:
    assert f"at most {MAX_RESULT_ROWS} rows are shown" in DOC
    assert f"{MAX_TEXT:,} characters at a time" in DOC
    assert f"those fetched, {MAX_FETCHED_ROWS:,} at most" in DOC
    assert f"never longer than {MAX_BYTES // 10**6} MB" in DOC


def test_the_configuration_shown_has_the_form_of_those_written(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", DOC, flags=re.DOTALL)
    path = write_mcp_config(tmp_path, warehouse_url="duckdb:////x", context=None, token="t")
    ours = json.loads(shown)["mcpServers"]["goldsuite"]
    written = json.loads(path.read_text())["mcpServers"]["goldsuite"]
    assert list(ours) == list(written)
    assert ours["args"][:-1] == written["args"][:-1]
    assert list(ours["env"]) == list(written["env"])
