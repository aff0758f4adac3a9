"""Command lines with places for the question, the folder and the MCP server, run for real."""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from goldsuite.analysts.command import CommandSource
from goldsuite.analysts.command_line import fill, placeholders, split_command
from goldsuite.errors import UsageError
from goldsuite.model.answer import LoggedQuery, Reply, TraceEvent
from goldsuite.model.question import Prompt

QUESTION = "How many 'orders'; $(date) {workdir}?"


@pytest.mark.parametrize(
    ("words", "filled"),
    [
        (["p", "{question}"], ["p", "a b {workdir}"]),
        (["p", "-q={question}", "{workdir}/x"], ["p", "-q=a b {workdir}", "/w/x"]),
        (["p", '{"a": 1}', "{other}", "{}"], ["p", '{"a": 1}', "{other}", "{}"]),
        (["{question}", "x"], ["{question}", "x"]),
    ],
)  # fmt: skip
def test_what_is_put_in_stays_in_its_word(words: list[str], filled: list[str]) -> None:
    assert list(fill(words, {"question": "a b {workdir}", "workdir": "/w"})) == filled


@pytest.mark.parametrize(
    ("text", "argument"), [("a\0b", "a\ufffdb"), ("a\ud800b", "a?b"), ("é", "é")]
)
def test_no_question_is_refused_by_the_system(text: str, argument: str) -> None:
    assert fill(["p", "{question}"], {"question": text}) == ("p", argument)


def test_the_places_of_a_command_line_are_found() -> None:
    words = ["claude", "-p", "{brief}", "--mcp-config={mcp_config}", "{else}"]
    assert placeholders(words) == {"brief", "mcp_config"}


def test_a_misspelt_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'\{questoin\}' is no placeholder. Did you mean 'quest"):
        split_command("sh -c {questoin}", base_dir=tmp_path, path=os.defpath)


Make = Callable[..., CommandSource]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make a source for a Python script that is given `arguments`."""
    made: list[CommandSource] = []

    def one(script: str, arguments: str, **options: Any) -> CommandSource:
        (tmp_path / "agent.py").write_text(script)
        source = CommandSource(
            f"'{sys.executable}' -S agent.py {arguments}",
            base_dir=tmp_path,
            dialect="sqlite",
            warehouse_url=options.pop("warehouse_url", "sqlite:////data/w.db"),
            hidden=[],
            prepare=None,
            environ={"PATH": os.defpath} | options.pop("environ", {}),
            **options,
        )
        made.append(source)
        return source

    yield one
    for source in made:
        asyncio.run(source.aclose())


def _ask(source: CommandSource) -> Reply:
    async def trial() -> Reply:
        return await source.fresh().answer(Prompt(token="token-of-this-trial", text=QUESTION))

    return asyncio.run(trial())


SHOW = """\
import os, sys
said = sys.stdin.read()
print("analyst_value:", sys.argv[1:], len(said) > 0, "GOLDSUITE_WAREHOUSE_URL" in os.environ)
"""


@pytest.mark.parametrize(
    ("arguments", "shown", "on_stdin"),
    [
        ("--model big", ["--model", "big"], True),
        ("-q {question}", ["-q", QUESTION], False),
        ("-q={question} '{question}'", [f"-q={QUESTION}", QUESTION], False),
    ],
)
def test_a_question_is_one_argument_and_the_brief_then_stays_away_from_stdin(
    make: Make, arguments: str, shown: Sequence[str], on_stdin: bool
) -> None:
    assert _ask(make(SHOW, arguments)).value == f"{shown} {on_stdin} True"


def test_the_brief_and_the_directory_can_be_arguments(make: Make) -> None:
    script = (
        "import os, sys\n"
        "brief, folder = sys.argv[1:]\n"
        "print('analyst_value:', 'Question: How many' in brief, os.path.samefile(folder, '.'))"
    )
    assert _ask(make(script, "{brief} {workdir}")).value == "True True"


LOGGING = """\
import json, os, sys
server = json.load(open(sys.argv[1]))["mcpServers"]["goldsuite"]
config = json.load(open(server["args"][-1]))
assert config["token"] == server["env"]["GOLDSUITE_TOKEN"] == os.environ["GOLDSUITE_TOKEN"]
assert "GOLDSUITE_WAREHOUSE_URL" not in os.environ
assert "MCP server `goldsuite`" in sys.stdin.read()
with open(config["log"], "a") as log:
    for sql, token in (("select 1", config["token"]), ("select 2", "of another trial")):
        log.write(json.dumps({"token": token, "sql": sql, "rows": 1, "value": "1"}) + "\\n")
print("analyst_value: 1")
"""


def test_what_the_server_logged_for_the_trial_stands_in_the_reply(make: Make) -> None:
    reply = _ask(make(LOGGING, "{mcp_config}"))
    assert (reply.value, reply.error) == ("1", None)
    assert reply.queries == (LoggedQuery(sql="select 1", rows=1, value="1"),)
    assert [event.kind for event in reply.trace] == ["note"]


def test_an_agent_that_never_starts_the_server_has_no_log(make: Make) -> None:
    reply = _ask(make("print('analyst_value: 1')", "{mcp_config}"))
    assert reply.queries is None
    assert reply.trace == (TraceEvent(kind="note", text="the MCP server was never started"),)


SPEAKING = """\
import json, subprocess, sys
server = json.load(open(sys.argv[1]))["mcpServers"]["goldsuite"]
process = subprocess.Popen([server["command"], *server["args"]], text=True,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def send(**message):
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
    process.stdin.flush()
def ask(number, method, params):
    send(id=number, method=method, params=params)
    for line in process.stdout:
        message = json.loads(line)
        if message.get("id") == number:
            return message["result"]
ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                      "clientInfo": {"name": "test", "version": "1"}})
send(method="notifications/initialized")
call = {"name": "run_query", "arguments": {"sql": "select sum(amount) from orders"}}
result = ask(2, "tools/call", call)
process.stdin.close()
process.wait()
print("analyst_value:", "35.5" in result["content"][0]["text"])
"""


def test_an_agent_reaches_the_warehouse_through_the_server(make: Make, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.execute("create table orders (amount real)")
    connection.execute("insert into orders values (5.5), (30)")
    connection.commit()
    connection.close()
    reply = _ask(make(SPEAKING, "{mcp_config}", warehouse_url=f"sqlite:///{tmp_path}/shop.db"))
    assert reply.error is None
    assert reply.value == "True"
    assert reply.queries == (
        LoggedQuery(sql="select sum(amount) from orders", rows=1, value="35.5"),
    )


ENDED = (
    "the program ended with exit code 3, although it had answered (analyst_value: '42 ***'); "
    "stderr: bye ***"
)
STREAM = """\
import json, os, sys
print(json.dumps({"type": "system", "subtype": "init", "model": "m"}))
print(json.dumps({"type": "result", "subtype": "success", "num_turns": 2, "total_cost_usd": 0.5,
                  "result": "analyst_value: 42 " + os.environ["API_KEY"]}))
"""


@pytest.mark.parametrize(
    ("end", "value", "error"),
    [
        ("", "42 ***", None),
        (
            "sys.exit(3)",
            None,
            ENDED,
        ),
    ],
)
def test_a_headless_agent_is_read_event_by_event_and_without_secrets(
    make: Make, end: str, value: str | None, error: str | None
) -> None:
    script = f"{STREAM}print('bye', os.environ['API_KEY'], file=sys.stderr)\n{end}"
    source = make(script, "", pass_env=["API_KEY"], environ={"API_KEY": "sk-12345678"})
    reply = _ask(source)
    assert (reply.value, reply.error, reply.turns) == (value, error, 2)
    assert reply.cost is not None


def test_a_gigabyte_of_output_is_ended_early_and_not_kept(make: Make) -> None:
    script = "import os\nfor _ in range(1_000): os.write(1, b'x' * 1_000_000)\n"
    reply = _ask(make(script, "", max_stdout=2_000_000))
    assert reply.error == "the program printed more than 2,000,000 bytes and was ended for it"
