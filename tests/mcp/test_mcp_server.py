"""`goldsuite mcp` as an agent meets it: the real client, over stdio, with the real server."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from goldsuite.analysts.sandbox import SandboxRequest, confine
from goldsuite.analysts.toolbox.mcp_config import (
    QUERY_LOG,
    read_server_config,
    server_places,
    write_mcp_config,
)
from goldsuite.analysts.toolbox.query_log import read_query_log
from goldsuite.errors import UsageError
from goldsuite.model.answer import LoggedQuery
from tests.command_line import goldsuite
from tests.mcp.conversations import Call, Conversation, converse

TOKEN = "f00dfeed"
GOLD = "GOLD-4823910.55"
"""What the suite alone knows."""

EVIL = 'x"; drop table orders; --\nrefunds'
QUOTED_EVIL = '"' + EVIL.replace('"', '""') + '"'
SETUP = f"""
create table orders (id integer primary key, state varchar, amount decimal(10, 2));
insert into orders values (1, 'open', 10.50), (2, 'open', 2.25), (3, 'closed', 7.00);
create table {QUOTED_EVIL} (a integer);
"""
LONG = "select * from generate_series(1, 5000) as t(n)"


def write_project(root: Path, warehouse: str) -> Path:
    """A project with suite, runs and context, the suite hidden in the context's folder too."""
    dataset = root / "context/.knowledge/datasets/shop"
    (dataset / "metrics").mkdir(parents=True)
    (root / "context/.knowledge/active.yaml").write_text("active: shop\n")
    (dataset / "metrics/index.yaml").write_text("revenue: the sum of amount\n")
    case = (
        "cases:\n- id: a\n  question: How much?\n  split: train\n"
        f"  gold_sql: select '{GOLD}'\n  gold_value: '{GOLD}'\n"
    )
    (root / "gold-cases.yaml").write_text(case)
    (dataset / "copied-suite.yaml").write_text(case)
    (dataset / "linked-suite.yaml").symlink_to(root / "gold-cases.yaml")
    (root / "runs/r1").mkdir(parents=True)
    (root / "runs/r1/answers.jsonl").write_text(GOLD)
    (dataset / "runs").symlink_to(root / "runs")
    (root / "goldsuite.toml").write_text(f'warehouse = "{warehouse}"\ncontext = "context"\n')
    return root


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A trial's server on DuckDB, and what was said to it."""

    folder: Path
    conversation: Conversation
    calls: Mapping[str, Call]

    def said(self, name: str) -> tuple[str, bool]:
        """Text, and whether it is no error."""
        said = self.conversation.said[list(self.calls).index(name)]
        return said.text, said.ok


TRIAL_CALLS: dict[str, Call] = {
    "tables": ("list_tables", {}),
    "orders": ("describe_table", {"table": "orders"}),
    "evil": ("describe_table", {"table": QUOTED_EVIL}),
    "evil query": ("run_query", {"sql": f"select count(*) as n from {QUOTED_EVIL}"}),
    "sum": ("run_query", {"sql": "select sum(amount) as s from orders"}),
    "wrong": ("run_query", {"sql": "select sum(amuont) from orders"}),
    "write": ("run_query", {"sql": "delete from orders"}),
    "file": ("run_query", {"sql": "select * from read_text('../gold-cases.yaml')"}),
    "attach": ("run_query", {"sql": "attach '../gold-cases.yaml' as g"}),
    "truncated": ("run_query", {"sql": LONG}),
    "no argument": ("run_query", {}),
    "no tool": ("read_suite", {}),
    "context": ("list_context", {}),
    "metrics": ("read_context", {"file": ".knowledge/datasets/shop/metrics/index.yaml"}),
    "traversal": ("read_context", {"file": ".knowledge/../../server.json"}),
    "absolute": ("read_context", {"file": "/etc/passwd"}),
    "surrogate": ("run_query", {"sql": "select 'ünï' as t"}),
}


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Trial:
    root = tmp_path_factory.mktemp("trial")
    with duckdb.connect(str(root / "shop.duckdb")) as connection:
        connection.execute(SETUP)
    dataset = root / "work/.knowledge/datasets/shop"
    (dataset / "metrics").mkdir(parents=True)
    (root / "work/.knowledge/active.yaml").write_text("active: shop\n")
    (dataset / "metrics/index.yaml").write_text("revenue: the sum of amount\n")
    config = write_mcp_config(
        root / "mcp",
        warehouse_url=f"duckdb:///{root}/shop.duckdb",
        context=root / "work",
        token=TOKEN,
    )
    server = json.loads(config.read_text())["mcpServers"]["goldsuite"]
    conversation = converse(
        [server["command"], *server["args"]],
        list(TRIAL_CALLS.values()),
        cwd=root / "work",
        env=server["env"],
        errors=root / "stderr",
    )
    return Trial(folder=root / "mcp", conversation=conversation, calls=TRIAL_CALLS)


def test_the_tools_are_offered_as_read_only(trial: Trial) -> None:
    tools = trial.conversation.tools
    assert [tool.name for tool in tools] == [
        "list_tables",
        "describe_table",
        "run_query",
        "list_context",
        "read_context",
    ]
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
    assert all(tool.input_schema["type"] == "object" for tool in tools)
    assert "Read the context first" in trial.conversation.instructions


def test_tables_are_listed_and_described(trial: Trial) -> None:
    assert trial.said("tables")[0].splitlines() == [
        "orders (table, 3 rows)",
        '"x""; drop table orders; --\\nrefunds" (table, 0 rows)',
    ]
    text, ok = trial.said("orders")
    assert ok
    assert "  state VARCHAR [values: 'closed', 'open']" in text.splitlines()
    assert "  amount DECIMAL(10, 2) [such as 10.50, 2.25, 7.00]" in text.splitlines()


def test_a_hostile_table_name_does_no_harm(trial: Trial) -> None:
    assert trial.said("evil")[1]
    assert trial.said("evil query") == ("n\n0\n(1 row)", True)


@pytest.mark.parametrize(
    ("call", "expected", "ok"),
    [
        # 10.50 + 2.25 + 7.00
        ("sum", "s\n19.75\n(1 row)", True),
        ("surrogate", "t\nünï\n(1 row)", True),
        ("wrong", "the query failed: Binder Error: Referenced column", False),
        ("write", "refused by the rule", False),
        ("file", "refused by the rule", False),
        ("attach", "refused by the rule", False),
        ("no argument", "the argument 'sql' is missing", False),
        ("no tool", "there is no tool 'read_suite'", False),
        ("metrics", "revenue: the sum of amount", True),
        ("traversal", "there is no context file", False),
        ("absolute", "there is no context file", False),
    ],
)
def test_a_call_ends_with_text_and_says_whether_it_is_an_error(
    trial: Trial, call: str, expected: str, *, ok: bool
) -> None:
    text, told = trial.said(call)
    assert expected in text
    assert told is ok


def test_a_large_result_is_cut_and_says_so(trial: Trial) -> None:
    lines = trial.said("truncated")[0].splitlines()
    assert len(lines) == 102
    assert lines[-1].startswith("(TRUNCATED: the first 100 of more than 1,000 rows are shown;")


def test_every_query_is_logged_with_the_token(trial: Trial) -> None:
    lines = [json.loads(line) for line in (trial.folder / QUERY_LOG).read_text().splitlines()]
    asked = [
        arguments["sql"]
        for name, arguments in TRIAL_CALLS.values()
        if name == "run_query" and arguments
    ]
    assert [line["sql"] for line in lines] == asked
    assert {line["token"] for line in lines} == {TOKEN}
    read = read_query_log(trial.folder / QUERY_LOG, token=TOKEN)
    assert read is not None
    assert read.faults == ()
    assert read.queries[1] == LoggedQuery(
        sql="select sum(amount) as s from orders", rows=1, value="19.75"
    )
    assert [query.error is None for query in read.queries] == [True, True, *[False] * 4, True, True]


def test_the_log_and_the_configuration_are_their_owner_s_alone(trial: Trial) -> None:
    modes = {path.name: path.stat().st_mode & 0o777 for path in trial.folder.iterdir()}
    assert modes == {"mcp.json": 0o600, "server.json": 0o600, QUERY_LOG: 0o600}


def test_nothing_is_said_on_stderr(trial: Trial) -> None:
    assert trial.conversation.stderr == ""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    with closing(sqlite3.connect(root / "shop.sqlite")) as connection:
        connection.executescript(SETUP)
    return write_project(root, "sqlite:///shop.sqlite")


def test_nothing_of_the_suite_or_the_runs_can_be_reached(project: Path) -> None:
    files = [
        ".knowledge/active.yaml",
        ".knowledge/datasets/shop/metrics/index.yaml",
    ]
    tried = [
        ".knowledge/datasets/shop/copied-suite.yaml",
        ".knowledge/datasets/shop/linked-suite.yaml",
        ".knowledge/datasets/shop/runs/r1/answers.jsonl",
        str(project / "gold-cases.yaml"),
        "../gold-cases.yaml",
    ]
    calls: list[Call] = [
        ("list_context", {}),
        *[("read_context", {"file": file}) for file in (*files, *tried)],
        ("list_tables", {}),
        ("describe_table", {"table": "orders"}),
        ("describe_table", {"table": QUOTED_EVIL}),
        ("run_query", {"sql": f"attach '{project}/gold-cases.yaml' as g"}),
        ("run_query", {"sql": f"select readfile('{project}/gold-cases.yaml')"}),
        ("run_query", {"sql": "select file from pragma_database_list"}),
        ("run_query", {"sql": "select sum(amount) from orders"}),
    ]
    conversation = converse(
        [sys.executable, "-P", "-m", "goldsuite", "mcp", "--log", "queries.jsonl"],
        calls,
        cwd=project,
        env={},
        errors=project / "stderr",
    )
    said = conversation.said
    # All that there is to read: what is listed, and nothing besides.
    assert [line.split(" (")[0] for line in said[0].text.splitlines()] == files
    assert [one.ok for one in said[1:8]] == [True, True, False, False, False, False, False]
    assert all(GOLD not in one.text for one in said)
    assert [one.ok for one in said[8:]] == [True, True, True, False, False, False, True]
    assert said[-1].text.splitlines()[1] == "19.75"
    read = read_query_log(project / "queries.jsonl", token=None)
    assert read is not None
    assert [query.value for query in read.queries] == [None, None, None, "19.75"]


def test_stdout_is_the_protocol_s_alone_and_the_server_ends_with_its_client(
    tmp_path: Path,
) -> None:
    # Three nested loops of 100,000 rows each: longer than any test would wait.
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("create table n as select range as i from range(100000)")
    config = write_mcp_config(
        tmp_path, warehouse_url=f"duckdb:///{tmp_path}/shop.duckdb", context=None, token=TOKEN
    )
    server = json.loads(config.read_text())["mcpServers"]["goldsuite"]
    endless = "select count(*) from n a, n b, n c where a.i * b.i <> c.i"
    start = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    run = {"name": "run_query", "arguments": {"sql": endless}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": run},
        {"jsonrpc": "2.0", "id": 3, "method": "ping"},
    ]
    with subprocess.Popen(
        [server["command"], *server["args"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in messages:
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.write("this is no JSON\n")
        process.stdin.flush()
        lines = [json.loads(process.stdout.readline())]
        while lines[-1].get("id") != 3:
            lines.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        rest = process.stdout.read()
        # Its end is waited for, with the query still at work.
        assert process.wait(timeout=50) == 0
    assert lines[0]["result"]["serverInfo"]["name"] == "goldsuite"
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert (tmp_path / QUERY_LOG).read_text() == ""


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "cannot be read (No such file or directory)"),
        ("{", "is no JSON"),
        ("[]", "no JSON object"),
        ("{}", "'context' is missing"),
        ('{"context": null, "warehouse": 7}', "'warehouse' is no text"),
    ],
)
def test_a_configuration_that_is_none_is_told(
    tmp_path: Path, content: str | None, expected: str
) -> None:
    path = tmp_path / "server.json"
    if content is not None:
        path.write_text(content)
    run = goldsuite("mcp", "--config", path, cwd=tmp_path)
    assert (run.code, run.out) == (2, "")
    assert expected in run.err


def test_a_warehouse_that_does_not_answer_ends_the_server_without_its_secret(
    tmp_path: Path,
) -> None:
    url = "postgresql://me:hunter2secret@127.0.0.1:1/shop"
    write_mcp_config(tmp_path, warehouse_url=url, context=None, token=TOKEN)
    run = goldsuite("mcp", "--config", tmp_path / "server.json", cwd=tmp_path)
    assert (run.code, run.out) == (3, "")
    assert "hunter2secret" not in run.err


def test_the_trial_s_file_goes_with_no_other_option(tmp_path: Path) -> None:
    run = goldsuite("mcp", "--config", "c.json", "--log", "l.jsonl", cwd=tmp_path)
    assert run.code == 2
    assert "--config names all that a trial's server needs" in run.err


def test_without_a_warehouse_there_is_nothing_to_serve(tmp_path: Path) -> None:
    run = goldsuite("mcp", cwd=tmp_path)
    assert run.code == 2
    assert "no warehouse" in run.err


def test_a_missing_package_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    run = goldsuite("mcp", cwd=project)
    assert run.code == 2
    assert "pip install 'goldsuite[mcp]'" in run.err


def test_what_is_written_for_the_server_is_read_back(tmp_path: Path) -> None:
    write_mcp_config(
        tmp_path,
        warehouse_url="duckdb:////data/shop.duckdb",
        context=tmp_path,
        token=TOKEN,
        log=tmp_path / "elsewhere.jsonl",
        allow_functions=["soundex"],
        allow_paths=[Path("/data/parquet")],
        memory_bytes=5,
        timeout_s=7.5,
    )
    config = read_server_config(tmp_path / "server.json")
    assert (config.warehouse_url, config.context) == ("duckdb:////data/shop.duckdb", tmp_path)
    assert (config.token, config.log) == (TOKEN, tmp_path / "elsewhere.jsonl")
    assert (config.allow_functions, config.memory_bytes) == (("soundex",), 5)
    assert (config.allow_paths, config.timeout_s) == ((Path("/data/parquet"),), 7.5)


def test_the_server_works_in_a_sandbox_and_its_log_comes_out(project: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute(SETUP)
    trial = tmp_path / "trial"
    config = write_mcp_config(
        trial, warehouse_url=f"duckdb:///{tmp_path}/shop.duckdb", context=None, token=TOKEN
    )
    server = json.loads(config.read_text())["mcpServers"]["goldsuite"]
    request = SandboxRequest(
        secrets=(project / "gold-cases.yaml", project / "runs"),
        readable=(tmp_path / "shop.duckdb", *server_places()),
    )
    argv = (server["command"], *server["args"])
    try:
        confinement = confine(argv, request, hidden=[project], environ=os.environ)
    except UsageError as error:
        pytest.skip(reason=f"this machine allows no sandbox: {error}")
    conversation = converse(
        confinement.wrap(argv, directory=trial),
        [("run_query", {"sql": "select sum(amount) as s from orders"})],
        cwd=trial,
        env=server["env"],
        errors=tmp_path / "stderr",
    )
    assert [said.text for said in conversation.said] == ["s\n19.75\n(1 row)"]
    read = read_query_log(trial / QUERY_LOG, token=TOKEN)
    assert read is not None
    assert [query.value for query in read.queries] == ["19.75"]
