"""Runs with `--sandbox`: what the record says, what is refused, and our MCP server inside."""

import json
import os
import shlex
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from goldsuite.analysts.sandbox import find_sandbox
from goldsuite.errors import UsageError
from tests.command_line import goldsuite

SUITE = """\
cases:
  - id: count
    question: "How many sales are there?"
    split: train
    gold_sql: select count(*) from sales
    gold_value: 3
  - id: total
    question: "What is the total of sales?"
    split: train
    gold_sql: select sum(amount) from sales
    gold_value: 60.0
"""

DIRECT = """\
import os, sqlite3, sys
sys.stdin.read()
path = os.environ["GOLDSUITE_WAREHOUSE_URL"].removeprefix("sqlite:///")
value = sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("select 3").fetchone()[0]
print(f"analyst_value: {value}\\nanalyst_query: select 3\\ndefinition_source: my own choice")
"""

OVER_MCP = """\
import json, os, subprocess, sys
config, question = sys.argv[1:]
server = json.load(open(config))["mcpServers"]["goldsuite"]
process = subprocess.Popen(
    [server["command"], *server["args"]], env=os.environ | server["env"], text=True,
    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
ran = "select count(*) from sales" if "How many" in question else "select sum(amount) from sales"
def tell(message):
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
    process.stdin.flush()
def ask(number, method, params):
    tell({"id": number, "method": method, "params": params})
    while (reply := json.loads(process.stdout.readline())).get("id") != number:
        pass
    return reply["result"]
ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
    "clientInfo": {"name": "agent", "version": "1"}})
tell({"method": "notifications/initialized"})
rows = ask(2, "tools/call", {"name": "run_query", "arguments": {"sql": ran}})
value = rows["content"][0]["text"].splitlines()[1]
claimed = ran.upper() if "How many" in question else "select 60.0"
assert "GOLDSUITE_WAREHOUSE_URL" not in os.environ
print(f"analyst_value: {value}\\nanalyst_query: {claimed}\\ndefinition_source: my own choice")
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    try:
        find_sandbox(os.environ)
    except UsageError as error:
        pytest.skip(reason=str(error))
    with closing(sqlite3.connect(tmp_path / "shop.db")) as db:
        db.execute("create table sales (shop text, amount real)")
        sales = [("North", 31.25), ("South", 10.0), ("West", 18.75)]
        db.executemany("insert into sales values (?, ?)", sales)
        db.commit()
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    write_settings(tmp_path, "sandbox = true\n")
    return tmp_path


def write_settings(shop: Path, more: str) -> None:
    (shop / "goldsuite.toml").write_text(f'warehouse = "sqlite:///shop.db"\n{more}')


def command(shop: Path, script: str, *words: str) -> str:
    (shop / "agent.py").write_text(script)
    return f"command:{shlex.join([sys.executable, '-S', 'agent.py', *words])}"


def test_the_record_says_sandboxed_and_the_warehouse_is_reached(shop: Path) -> None:
    run = goldsuite(
        "eval", "train", "--analyst", command(shop, DIRECT), "--format", "json", cwd=shop
    )
    assert run.record["isolation"] == "sandboxed"
    assert run.verdicts() == {"count": "correct", "total": "wrong"}


def test_a_run_in_a_sandbox_is_not_resumed_outside_of_it(shop: Path) -> None:
    broken = command(shop, "import sys; sys.exit('broken')")
    stopped = goldsuite("eval", "train", "--analyst", broken, cwd=shop)
    assert stopped.code == 4
    (run_id,) = [path.name for path in (shop / "runs").iterdir() if path.is_dir()]
    resumed = goldsuite("eval", "--resume", run_id, "--no-sandbox", "--analyst", broken, cwd=shop)
    assert resumed.code == 2
    assert "was started with another isolation" in resumed.err


def test_how_to_go_on_names_the_sandbox_and_its_mounts(shop: Path) -> None:
    write_settings(shop, "")
    (shop / "key").write_text("x")
    broken = command(shop, "import sys; sys.exit('broken')")
    options = ["--sandbox", "--mount", "key", "--analyst", broken]
    stopped = goldsuite("eval", "train", *options, cwd=shop)
    assert "--sandbox --mount key " in stopped.err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--no-sandbox", "--mount", "shop.db"], "--mount is for the sandbox"),
        (["--mount", "no-such-thing"], "mount 'no-such-thing': there is no such file or folder"),
        (["--mount", "runs-and-more"], "the suite or the runs lie in it"),
        (["--analyst", "python:agent:answer"], "runs in this process, which no sandbox"),
    ],
)
def test_what_the_sandbox_cannot_hold_is_refused(
    shop: Path, options: list[str], expected: str
) -> None:
    (shop / "runs-and-more").symlink_to(shop)
    given = {"--analyst": command(shop, DIRECT)}
    words = [*options] if "--analyst" in options else [*options, "--analyst", given["--analyst"]]
    run = goldsuite("eval", "train", *words, cwd=shop)
    assert run.code == 2
    assert expected in run.err


def test_settings_tell_what_they_expect(shop: Path) -> None:
    write_settings(shop, 'sandbox = "perhaps"\n')
    run = goldsuite("eval", "train", "--analyst", "baseline", cwd=shop)
    assert run.code == 2
    assert "sandbox = 'perhaps': true or false is expected" in run.err


def test_our_mcp_server_works_inside_and_tells_what_really_ran(shop: Path) -> None:
    spec = command(shop, OVER_MCP, "{mcp_config}", "{question}")
    run = goldsuite("eval", "train", "--analyst", spec, "--format", "json", cwd=shop)
    assert run.record["isolation"] == "sandboxed"
    assert run.verdicts() == {"count": "correct", "total": "correct"}
    cases = {case["id"]: case for case in run.record["cases"]}
    assert [case["queries_run"] for case in cases.values()] == [1, 1]
    assert "query_not_run" not in cases["count"]["flags"]
    assert "query_not_run" in cases["total"]["flags"]
    rows = [
        json.loads(line)
        for path in (shop / "runs").glob("*/answers.jsonl")
        for line in path.read_text().splitlines()
    ]
    assert {row["id"]: row["queries"][0]["value"] for row in rows} == {
        "count": "3",
        "total": "60.0",
    }
