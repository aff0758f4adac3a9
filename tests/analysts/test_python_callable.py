"""Functions of the user's, called for real."""

import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypeVar, cast

import pytest

from goldsuite.analysts.equipment import Equipment
from goldsuite.analysts.python_callable import PythonSource
from goldsuite.analysts.toolbox import Toolbox
from goldsuite.errors import AnalystError, ServiceError, UsageError
from goldsuite.model.answer import LoggedQuery, Reply
from goldsuite.model.question import Prompt

_T = TypeVar("_T")
_COUNT = iter(range(10_000))


class Once:
    """A pace that tries once."""

    async def send(self, request: Callable[[], Awaitable[_T]]) -> _T:
        return await request()


class Tools:
    """Stands for a toolbox that ran one query."""

    queries = (LoggedQuery(sql="select 1", rows=1, value="1"),)


def _lay_out(folder: Path) -> None:
    (folder / ".knowledge").mkdir()
    (folder / ".knowledge" / "active.yaml").write_text("active: shop\n")


EQUIPMENT = Equipment(
    dialect="sqlite",
    toolbox=lambda: cast(Toolbox, Tools()),
    pace=Once(),
    warehouse_url=lambda: "sqlite:////handed/out.db",
    lay_out=_lay_out,
)
Make = Callable[..., PythonSource]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make a source for the code of a module; sources are closed, and sys.path restored."""
    made: list[PythonSource] = []
    before = list(sys.path)

    def one(code: str, function: str = "answer", **options: str) -> PythonSource:
        module = f"agent_{os.getpid()}_{next(_COUNT)}"
        (tmp_path / f"{module}.py").write_text(code)
        source = PythonSource(
            f"{module}:{function}",
            equipment=replace(EQUIPMENT, options=options),
            base_dir=tmp_path,
            hidden=[],
            suite=tmp_path / "gold-cases.yaml",
        )
        made.append(source)
        return source

    yield one
    for source in made:
        asyncio.run(source.aclose())
    sys.path[:] = before


def _ask(source: PythonSource) -> Reply:
    prompt = Prompt(token="t-1", text="How many orders?", as_of=date(2025, 12, 31))
    return asyncio.run(source.fresh().answer(prompt))


def _broken(source: PythonSource) -> str:
    with pytest.raises(AnalystError) as caught:
        _ask(source)
    return str(caught.value)


@pytest.mark.parametrize(
    ("returned", "reply"),
    [
        ("42", Reply(value="42")),
        ("12.5", Reply(value="12.5")),
        ("True", Reply(value="true")),
        ("__import__('decimal').Decimal('1.50')", Reply(value="1.50")),
        ("__import__('datetime').date(2025, 1, 2)", Reply(value="2025-01-02")),
        ("[('a', 1), ('b', 2)]", Reply(value='[["a", 1], ["b", 2]]')),
        ("None", Reply()),
        ("'  '", Reply()),
        ("'about 42'", Reply(value="about 42")),
        ("'analyst_value: 42\\nanalyst_query: select 42'", Reply(value="42", query="select 42")),
        (
            "{'analyst_value': 1.50, 'analyst_query': 'select 1', 'turns': 2}",
            Reply(value="1.5", query="select 1", turns=2),
        ),
        ("{'declined': 'no data'}", Reply(declined="no data")),
        ("__import__('goldsuite').model.answer.Reply(value='7')", Reply(value="7")),
    ],
)
def test_whatever_a_function_returns_is_read(make: Make, returned: str, reply: Reply) -> None:
    imports = "import goldsuite.model.answer\n"
    assert _ask(make(f"{imports}def answer(question): return {returned}")) == reply


def test_a_scalar_of_numpy_is_the_number_that_it_holds(make: Make) -> None:
    code = "import numpy as np\ndef answer(q): return {'analyst_value': np.float64(2.5)}"
    assert _ask(make(code)) == Reply(value="2.5")


@pytest.mark.parametrize(
    ("returned", "part"),
    [
        ("object()", "object, which is no answer"),
        ("{'value': 1}", "its keys: 'value'"),
        ("{'analyst_value': 1, 'cost': 'much'}", "'cost' is 'much'"),
        ("{'analyst_value': object()}", "object is no JSON value"),
    ],
)
def test_what_is_no_answer_is_told(make: Make, returned: str, part: str) -> None:
    assert part in _broken(make(f"def answer(question): return {returned}"))


@pytest.mark.parametrize(
    "code",
    [
        "def answer(question): return question",
        "async def answer(question): return question",
        "class A:\n    def __call__(self, question): return question\nanswer = A()",
        "class A:\n    async def __call__(self, question): return question\nanswer = A()",
        "async def work(question): return question\nanswer = lambda question: work(question)",
        "def answer(*words): return words[0]",
        "import functools\ndef f(a, question): return question\nanswer = functools.partial(f, 1)",
    ],
)
def test_anything_that_can_be_called_with_a_question_will_do(make: Make, code: str) -> None:
    assert _ask(make(code)) == Reply(value="How many orders?")


def test_a_function_gets_what_it_declares(make: Make) -> None:
    code = (
        "import os\n"
        "def answer(question, as_of, *, workdir, token, dialect, warehouse_url, toolbox,"
        " big='no'):\n"
        "    found = sorted(os.listdir(workdir))\n"
        "    return f'{as_of} {found} {token} {dialect} {warehouse_url} {big}'"
    )
    source = make(code, big="yes")
    reply = _ask(source)
    assert reply.value == (
        "2025-12-31 ['.knowledge', '.tmp'] t-1 sqlite sqlite:////handed/out.db yes"
    )
    assert reply.queries == Tools.queries
    assert source.notes["given"] == "as_of, big, dialect, token, toolbox, warehouse_url, workdir"
    assert source.isolation == "in-process"


def test_every_trial_has_a_directory_of_its_own_that_is_removed(make: Make) -> None:
    source = make("def answer(question, workdir): return str(workdir)")
    first, second = _ask(source).value, _ask(source).value
    assert first != second
    assert not Path(str(first)).exists()


def test_questions_wait_for_no_free_thread(make: Make) -> None:
    # All forty must be at work together, or none of them would ever end.
    code = (
        "import threading\n"
        "together = threading.Barrier(40)\n"
        "def answer(question):\n"
        "    together.wait(timeout=60)\n"
        "    return 1"
    )
    source = make(code)

    async def go() -> list[Reply]:
        prompt = Prompt(token="t", text="q")
        return await asyncio.gather(*(source.fresh().answer(prompt) for _ in range(40)))

    assert asyncio.run(go()) == [Reply(value="1")] * 40


def test_a_trial_that_is_cancelled_leaves_its_thread_and_nothing_else(make: Make) -> None:
    code = (
        "import threading\n"
        "started, go_on, ended = threading.Event(), threading.Event(), threading.Event()\n"
        "def answer(question, workdir):\n"
        "    started.set(); go_on.wait(60); ended.set()"
    )
    source = make(code)
    module = sys.modules[source.name.split(":")[1]]

    async def go() -> None:
        task = asyncio.create_task(source.fresh().answer(Prompt(token="t", text="q")))
        await asyncio.to_thread(module.started.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(go())
    module.go_on.set()
    assert module.ended.wait(60)
    left = [t for t in threading.enumerate() if t.name == "python-analyst"]
    for thread in left:
        thread.join(60)


def test_what_a_function_raises_is_told_with_its_place_and_without_secrets(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_KEY", "sk-12345678")
    code = (
        "import os\ndef answer(question):\n    raise ValueError('bad ' + os.environ['AGENT_KEY'])"
    )
    source = make(code)
    module = source.name.split(":")[1]
    assert _broken(source) == f"ValueError: bad *** (at {module}.py:3)"


@pytest.mark.parametrize("raised", ["StopIteration", "SystemExit", "KeyboardInterrupt"])
def test_a_function_cannot_end_the_run(make: Make, raised: str) -> None:
    source = make(f"def answer(question): raise {raised}()")
    assert f"it raised {raised}" in _broken(source)


def test_a_fault_of_a_service_stays_one(make: Make) -> None:
    code = (
        "from goldsuite.errors import ServiceError\n"
        "def answer(question): raise ServiceError('busy', retry_after_s=3, overloaded=True)"
    )
    with pytest.raises(ServiceError) as caught:
        _ask(make(code))
    assert (caught.value.retry_after_s, caught.value.overloaded) == (3, True)


@pytest.mark.parametrize(
    ("code", "function", "options", "part"),
    [
        ("", "answer", {}, "has no function 'answer'"),
        ("def answer_it(q): pass", "answer", {}, "Did you mean 'answer_it'?"),
        ("answer = 7", "answer", {}, "something that is no function"),
        ("def answer(", "answer", {}, "importing it failed: SyntaxError"),
        ("raise RuntimeError('no')", "answer", {}, "importing it failed: RuntimeError: no"),
        ("import no_such_library", "answer", {}, "imports 'no_such_library', which is not inst"),
        ("def answer(): pass", "answer", {}, "takes no question"),
        ("def answer(*, question): pass", "answer", {}, "takes no question"),
        ("def answer(q, work_dir): pass", "answer", {}, "'work_dir'. Did you mean 'workdir'?"),
        ("def answer(q, model): pass", "answer", {}, "model=VALUE"),
        ("def answer(q, model=1): pass", "answer", {"modell": "x"}, "Did you mean 'model'?"),
        ("def answer(q, workdir): pass", "answer", {"workdir": "/"}, "no option 'workdir'"),
        ("def answer(q): pass", "not-a-name", {}, "write python:MODULE:FUNCTION"),
    ],
)
def test_what_is_wrong_is_seen_before_the_run(
    make: Make, code: str, function: str, options: dict[str, str], part: str
) -> None:
    with pytest.raises(UsageError) as caught:
        make(code, function, **options)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("target", "part"),
    [
        ("no_such_module_here:answer", "there is no module 'no_such_module_here'"),
        ("answer", "write python:MODULE:FUNCTION"),
        ("json:answer", "'json' is the name of another module"),
    ],
)
def test_a_module_that_cannot_be_meant_is_refused(tmp_path: Path, target: str, part: str) -> None:
    (tmp_path / "json.py").write_text("def answer(q): pass")
    before = list(sys.path)
    with pytest.raises(UsageError) as caught:
        PythonSource(
            target,
            equipment=EQUIPMENT,
            base_dir=tmp_path,
            hidden=[],
            suite=tmp_path / "gold-cases.yaml",
        )
    sys.path[:] = before
    assert part in str(caught.value)


def test_variables_that_lead_to_the_suite_are_gone_for_the_time_of_the_run(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = str(tmp_path / "gold-cases.yaml")
    led = {"GOLDSUITE_ANYTHING": "x", "MY_SUITE": f"file://{suite}", "PWD": str(tmp_path)}
    for name, value in {**led, "HARMLESS": "y"}.items():
        monkeypatch.setenv(name, value)
    source = make(
        "import os\ndef answer(question):\n"
        "    return sorted(n for n, v in os.environ.items()"
        " if n in ('HARMLESS', 'PWD', 'MY_SUITE') or n.startswith('GOLDSUITE_'))"
    )
    assert _ask(source).value == '["HARMLESS"]'
    assert set(led) <= set(source.notes["environment_withheld"].split(", "))
    asyncio.run(source.aclose())
    assert {name: os.environ[name] for name in led} == led


def test_a_source_that_cannot_be_made_leaves_the_environment_as_it_was(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDSUITE_ANYTHING", "x")
    with pytest.raises(UsageError):
        make("")
    assert os.environ["GOLDSUITE_ANYTHING"] == "x"
