"""Programs of `command:` in a sandbox: they answer as outside of it, and reach and leave less."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from goldsuite.analysts.command import CommandSource
from goldsuite.analysts.sandbox import SandboxRequest, find_sandbox
from goldsuite.analysts.sandbox_view import Mount
from goldsuite.analysts.stragglers import find_processes
from goldsuite.errors import UsageError
from goldsuite.model.answer import Reply
from goldsuite.model.question import Prompt
from tests.waiting import comes_true

Make = Callable[..., CommandSource]
_COUNT = iter(range(10_000))


@pytest.fixture(scope="module", autouse=True)
def _needs_a_sandbox() -> None:
    try:
        find_sandbox(os.environ)
    except UsageError as error:
        pytest.skip(reason=str(error))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make a source for a Python script in a sandbox, in a project with a suite and runs."""
    project = tmp_path / "project"
    (project / "runs").mkdir(parents=True)
    (project / "gold-cases.yaml").write_text("gold_value: 4823910.55\n")
    made: list[CommandSource] = []

    def one(script: str, *, mounts: tuple[Mount, ...] = (), words: str = "") -> CommandSource:
        (project / "agent.py").write_text(script)
        source = CommandSource(
            f"'{sys.executable}' -S agent.py {words}",
            base_dir=project,
            dialect="duckdb",
            warehouse_url="duckdb:////data/w.duckdb",
            hidden=[project],
            prepare=None,
            environ={"PATH": os.defpath},
            sandbox=SandboxRequest(
                secrets=(project / "gold-cases.yaml", project / "runs"), mounts=mounts
            ),
        )
        made.append(source)
        return source

    yield one
    for source in made:
        asyncio.run(source.aclose())


def ask(source: CommandSource, *, timeout_s: float = 50) -> Reply:
    token = f"sandboxed-{os.getpid()}-{next(_COUNT)}"

    async def trial() -> Reply:
        async with asyncio.timeout(timeout_s):
            return await source.fresh().answer(Prompt(token=token, text="How many?"))

    try:
        return asyncio.run(trial())
    finally:
        assert comes_true(lambda: find_processes([token]) == ())


def test_a_program_answers_and_the_record_says_sandboxed(make: Make) -> None:
    source = make("import sys; print('analyst_value:', len(sys.stdin.read()) > 20)")
    assert ask(source).value == "True"
    assert source.isolation == "sandboxed"


def test_a_program_finds_neither_the_suite_nor_other_trials(make: Make, tmp_path: Path) -> None:
    script = """
import os, sys
python = [os.path.dirname(os.path.dirname(f(sys.executable))) for f in (str, os.path.realpath)]
system = ("/proc", "/sys", "/usr", "/etc", "/dev", "/opt", "/bin", "/sbin", "/lib", "/lib64")
found = []
for folder, names, files in os.walk("/"):
    if folder in system or folder in python:
        names[:] = []
    else:
        found += [os.path.join(folder, name) for name in files]
trials = {path.split("/")[2] for path in found if path.startswith("/tmp/goldsuite-")}
others = [p for p in os.listdir("/proc") if p.isdigit() and int(p) not in (1, os.getpid())]
print("analyst_value:", sorted(p for p in found if "goldsuite-" not in p), len(trials), others)
"""
    # The program itself is the one file that is shown beside the system, Python and its directory.
    agent = str(tmp_path / "project/agent.py")
    assert ask(make(script)).value == f"{[agent]} 0 []"


ESCAPE = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        null = os.open("/dev/null", os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(null, handle)
        os.execve("/bin/sleep", ["sleep", "{seconds}"], {{}})
    os._exit(0)
time.sleep(0.2)
{then}
"""


def running(seconds: str) -> bool:
    """Whether `sleep SECONDS` is at work anywhere on this machine."""
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if (process / "cmdline").read_bytes() == f"sleep\0{seconds}\0".encode():
                return True
    return False


@pytest.mark.parametrize("then", ["print('analyst_value: 1')", "time.sleep(600)"])
def test_what_drops_every_sign_of_its_trial_ends_with_it_all_the_same(
    make: Make, then: str
) -> None:
    seconds = f"7{os.getpid()}.{next(_COUNT)}"
    source = make(ESCAPE.format(seconds=seconds, then=then))
    if "600" in then:
        with pytest.raises(TimeoutError):
            ask(source, timeout_s=3)
    else:
        assert ask(source).value == "1"
    assert comes_true(lambda: not running(seconds))


def test_a_program_that_ignores_sigterm_or_floods_is_ended(make: Make) -> None:
    deaf = make("import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)")
    with pytest.raises(TimeoutError):
        ask(deaf, timeout_s=2)
    flood = make("while True: print('x' * 100_000)")
    assert "more than 10,000,000 bytes" in (ask(flood).error or "")


def test_a_mount_reaches_the_program(make: Make, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("credentials")
    source = make(
        "import sys; print('analyst_value:', open(sys.argv[1]).read())",
        mounts=(Mount(path=tmp_path / "key", writable=False),),
        words=f"'{tmp_path / 'key'}'",
    )
    assert ask(source).value == "credentials"


def test_what_a_program_lacks_is_hinted_at(make: Make) -> None:
    error = ask(make("open('/var/lib/nothing-here')")).error
    assert error is not None
    assert "(admit what it needs besides: --mount PATH)" in error


def test_the_suite_named_on_the_command_line_is_refused(make: Make, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="would be shown to the agent"):
        make("pass", words="gold-cases.yaml")
