"""Every kind of analyst, opened by its name and asked in a whole run."""

import json
import sqlite3
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.errors import GoldsuiteError
from goldsuite.pipeline.analyst_sources import open_analyst
from goldsuite.pipeline.session import AnalystContext, open_session_warehouse
from goldsuite.pipeline.settings import Settings, read_settings
from goldsuite.runner.throttle import Throttle
from goldsuite.warehouse.engines import OpenWarehouse
from tests.command_line import Run, goldsuite
from tests.stand_in.process import call, say, stand_in

SUITE = """\
name: shop
cases:
  - id: count
    question: "How many sales are there?"
    split: train
    tags: [easy]
    gold_sql: select count(*) from sales
    unit: count
  - id: total
    question: "What is the total of sales?"
    split: train
    gold_sql: select sum(amount) from sales
  - id: largest
    question: "What is the largest sale?"
    split: test
    gold_sql: select max(amount) from sales
"""
CONFIGURATION = 'suite = "gold-cases.yaml"\nwarehouse = "sqlite:///shop.db"\n'


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Path]:
    with sqlite3.connect(tmp_path / "shop.db") as db:
        db.execute("create table sales (amount real)")
        db.executemany("insert into sales values (?)", [(31.25,), (10.0,), (18.75,)])
    db.close()
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    (tmp_path / "goldsuite.toml").write_text(CONFIGURATION)
    before = list(sys.path)
    yield tmp_path
    sys.path[:] = before


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, OpenWarehouse]]:
    """Settings and their warehouse, for what goes no further."""
    folder = tmp_path_factory.mktemp("opened")
    sqlite3.connect(folder / "shop.db").close()
    (folder / "goldsuite.toml").write_text(CONFIGURATION)
    settings = read_settings({}, folder=folder, environ={})
    with open_session_warehouse(settings) as warehouse:
        yield settings, warehouse


def _eval(shop: Path, analyst: str, *options: str, env: Mapping[str, str] | None = None) -> Run:
    return goldsuite(
        "eval", "train", "--analyst", analyst, "--format", "json", *options, cwd=shop, env=env
    )


@pytest.mark.parametrize(
    ("analyst", "part"),
    [
        ("basline", "unknown analyst 'basline'. Did you mean 'baseline'? Known are `anthropic:"),
        ("./agent.py --fast", "A program is written 'command:./agent.py ...'"),
        ("htp://me:secret-pw@host/", "unknown analyst 'htp://me:***@host/'. Did you mean 'http'?"),
        ("baseline:x", "'baseline' has nothing behind its name"),
        ("baseline speed=1", "unknown option 'speed'. It has none."),
        ("anthropic:claude-x efort=low", "unknown option 'efort'. Did you mean 'effort'?"),
        ("anthropic:claude-x effort=lowish", "effort 'lowish' is not known. Did you mean 'low'?"),
        ("anthropic:claude-x max_turns=0", "max_turns=0: a whole number of 1 or more"),
        ("anthropic:claude-x fast", "'fast': options behind the name are written NAME=VALUE"),
        ("anthropic:claude-x effort=low effort=max", "each once"),
        ("anthropic:claude-x prices=none.toml", "none.toml"),
        ("anthropic:claude-x", "There are no credentials for Anthropic's service"),
        ("anthropic:", "the name of a model is expected"),
        ("anthropic:'claude", "No closing quotation"),
        ("https://h/ask timeout=3", "Known: ca_file, header.NAME."),
        ("https://h/ask header.X-Key=NO_SUCH_VARIABLE", "'NO_SUCH_VARIABLE' is not set"),
        ("python:agent", "write python:MODULE:FUNCTION"),
        ("replay:said.jsonl", "nobody can be asked"),
    ],
)
def test_what_cannot_be_meant_is_told_before_anything_is_asked(
    opened: tuple[Settings, OpenWarehouse], monkeypatch: pytest.MonkeyPatch, analyst: str, part: str
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    settings, warehouse = opened
    settings = replace(settings, analyst=analyst)
    context = AnalystContext(resolved=None, dictionary=MetricDictionary())
    with (
        pytest.raises(GoldsuiteError) as caught,
        open_analyst(settings, warehouse, context, pace=Throttle(limit=1)),
    ):
        pytest.fail("it was opened")
    assert part in str(caught.value)
    assert "secret-pw" not in str(caught.value)


@pytest.mark.parametrize(
    ("analyst", "part"),
    [
        ("basline", "Did you mean 'baseline'?"),
        ("replay:", "name the file of the answers"),
        ("replay:none.jsonl", "there is no such file of answers"),
    ],
)
def test_an_analyst_that_cannot_be_opened_ends_the_command(
    shop: Path, analyst: str, part: str
) -> None:
    run = _eval(shop, analyst)
    assert run.code == 2
    assert part in run.err
    assert not list(shop.glob("runs/*.json"))


def test_a_function_is_asked_through_tools_whose_queries_stand_in_the_record(shop: Path) -> None:
    (shop / "shop_agent.py").write_text(
        "SQL = {'How many': 'select count(*) from sales',"
        " 'What is': 'select sum(amount) from sales'}\n"
        "async def answer(question, toolbox, fast='no'):\n"
        "    sql = next(sql for start, sql in SQL.items() if question.startswith(start))\n"
        "    result = await toolbox.call('run_query', {'sql': sql})\n"
        "    assert result.ok and fast == 'yes'\n"
        "    return {'analyst_value': toolbox.queries[-1].value, 'analyst_query': sql}\n"
    )  # fmt: skip
    run = _eval(shop, "python:shop_agent:answer fast=yes")
    assert run.verdicts() == {"count": "correct", "total": "correct"}
    record = run.record
    assert (record["analyst"], record["isolation"]) == ("python:shop_agent:answer", "in-process")
    assert record["analyst_notes"]["options"] == "fast"
    answers = (shop / "runs" / record["run_id"] / "answers.jsonl").read_text()
    first = json.loads(answers.splitlines()[0])
    assert first["queries"] == [{"sql": "select count(*) from sales", "rows": 1, "value": "3"}]


class _Agent(BaseHTTPRequestHandler):
    """Knows one answer, and is overloaded when it is asked for the first time."""

    asked = 0

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        type(self).asked += 1
        allowed = self.headers["x-key"] == "sk-12345678"
        status = 403 if not allowed else 429 if type(self).asked == 1 else 200
        body = {"analyst_value": 3 if "How many" in asked["question"] else 59}
        self.send_response(status)
        self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        return


def test_a_service_is_asked_again_when_it_is_overloaded(shop: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Agent)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/ask"
    try:
        run = _eval(
            shop,
            f"{address} header.X-Key=AGENT_KEY",
            env={"AGENT_KEY": "sk-12345678", "NO_PROXY": "127.0.0.1"},
        )
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert run.verdicts() == {"count": "correct", "total": "wrong"}
    assert (run.record["analyst"], run.record["isolation"]) == (address, "remote")
    answers = (shop / "runs" / run.record["run_id"] / "answers.jsonl").read_text()
    assert sorted(json.loads(row)["retries"] for row in answers.splitlines()) == [0, 1]
    assert "sk-12345678" not in run.out + run.err + answers


def test_claude_is_asked_with_the_options_behind_its_name(shop: Path) -> None:
    sql = "select count(*) from sales"
    answer = {"analyst_value": "3", "analyst_query": sql, "definition_source": "my own choice"}
    conversation = [say(call("run_query", sql=sql)), say(call("give_answer", **answer))]
    with stand_in() as service:
        service.script({"*": conversation})
        run = _eval(
            shop,
            "anthropic:claude-sonnet-5-5 effort=low max_turns=7",
            env={**service.environ, "NO_PROXY": "127.0.0.1"},
        )
        efforts = {body["output_config"]["effort"] for body in service.bodies()}
    assert run.verdicts() == {"count": "correct", "total": "wrong"}
    assert run.record["analyst"] == "anthropic:claude-sonnet-5-5 effort=low max_turns=7"
    assert run.record["model"] == "claude-sonnet-5-5"
    assert run.record["analyst_notes"]["max_turns"] == "7"
    assert efforts == {"low"}


ROWS = '{"id": "count", "analyst_value": 3, "latency_ms": 12.5}\n{"id": "largest"}\n'.replace(
    '"largest"', '"largest", "analyst_value": 31.25'
)


def test_a_file_is_replayed_as_it_is_graded(shop: Path) -> None:
    (shop / "said.jsonl").write_text(ROWS)
    run = _eval(shop, "replay:said.jsonl")
    graded = goldsuite(
        "grade", "said.jsonl", "--split", "train", "--format", "json", cwd=shop
    )  # fmt: skip
    assert run.verdicts() == {"count": "correct", "total": "no_answer"}
    record = run.record
    assert (record["analyst"], record["replayed"]) == ("replay:said.jsonl", True)
    assert [case["latency_ms"] for case in record["cases"]] == [12.5, None]
    assert record["aggregate"] == graded.record["aggregate"]


def test_predictions_of_a_benchmark_are_replayed_and_can_be_narrowed(shop: Path) -> None:
    (shop / "said.sql").write_text("select count(*) from sales\nselect sum(amount) from sales\n")
    assert _eval(shop, "replay:said.sql").verdicts() == {"count": "correct", "total": "correct"}
    assert _eval(shop, "replay:said.sql", "--tag", "easy").verdicts() == {"count": "correct"}


@pytest.mark.parametrize("option", [["--repeat", "2"], ["--dry-run"], ["--run-cost", "1"]])
def test_a_replay_refuses_what_needs_somebody_to_ask(shop: Path, option: list[str]) -> None:
    (shop / "said.jsonl").write_text(ROWS)
    run = _eval(shop, "replay:said.jsonl", *option)
    assert run.code == 2
    assert "replay" in run.err


ADDED = """\
from goldsuite.model.answer import Reply

class Echo:
    model = None
    isolation = "in-process"
    notes = {}
    def __init__(self, target, equipment):
        self.name = f"echo:{target}"
        self._said = equipment.options["say"]
    def fresh(self):
        return self
    async def answer(self, prompt):
        return Reply(value=self._said)
    async def aclose(self):
        pass

def wrong(target, equipment):
    return 7

def broken(target, equipment):
    raise RuntimeError("no licence")
"""
POINTS = """\
[goldsuite.analysts]
echo = goldsuite_echo:Echo
odd = goldsuite_echo:wrong
dear = goldsuite_echo:broken
gone = goldsuite_no_such_module:Echo
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package that adds analysts."""
    site = tmp_path / "site"
    info = site / "goldsuite_echo-1.2.dist-info"
    info.mkdir(parents=True)
    (site / "goldsuite_echo.py").write_text(ADDED)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: goldsuite-echo\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(str(site))


@pytest.mark.usefixtures("package")
def test_a_package_adds_an_analyst(shop: Path) -> None:
    run = _eval(shop, "echo:loud say=3")
    assert run.verdicts() == {"count": "correct", "total": "wrong"}
    assert run.record["analyst"] == "echo:loud"
    assert run.record["analyst_notes"]["added_by"] == "goldsuite-echo 1.2"


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("analyst", "part"),
    [
        ("ecko:loud", "Did you mean 'echo'?"),
        ("odd", "gave int, which is no AnalystSource: it has no 'name'"),
        ("dear", "goldsuite-echo 1.2 adds: it cannot be opened: RuntimeError: no licence"),
        ("gone", "cannot be opened: ModuleNotFoundError"),
    ],
)
def test_an_analyst_of_a_package_that_cannot_be_had_is_told(
    shop: Path, analyst: str, part: str
) -> None:
    run = _eval(shop, analyst)
    assert run.code == 2
    assert part in run.err
