"""Outside programs, well and badly behaved, run for real."""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from goldsuite.analysts.command import CommandSource
from goldsuite.analysts.command_line import split_command
from goldsuite.analysts.stragglers import find_processes
from goldsuite.errors import UsageError
from goldsuite.model.answer import Reply
from goldsuite.model.question import Prompt

ANSWER = (
    "print('analyst_value: 42\\nanalyst_query: select 42\\ndefinition_source: my own choice')\n"
)
THE_REPLY = Reply(value="42", query="select 42", definition_source="my own choice")

Ask = Callable[..., Reply]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder as a team has it: suite, runs and more, with a secret in the suite."""
    folder = tmp_path / "project"
    (folder / "runs").mkdir(parents=True)
    (folder / "gold-cases.yaml").write_text("gold_value: 4823910.55\n")
    return folder


def _prepare(directory: Path) -> None:
    folder = directory / ".knowledge" / "datasets" / "shop"
    folder.mkdir(parents=True)
    (directory / ".knowledge" / "active.yaml").write_text("active: shop\n")
    (folder / "schema.md").write_text("# Tables\n")


@pytest.fixture
def make(tmp_path: Path, project: Path) -> Iterator[Callable[..., CommandSource]]:
    """Make a source for a Python script; every source is closed and must leave nothing behind."""
    made: list[CommandSource] = []
    temp = tmp_path / "temp"
    temp.mkdir()
    agents = tmp_path / "agents"
    agents.mkdir()

    def one(script: str, environ: Mapping[str, str] | None = None, **options: Any) -> CommandSource:
        (agents / "agent.py").write_text(script)
        source = CommandSource(
            f"'{sys.executable}' -S agent.py",
            base_dir=agents,
            dialect="duckdb",
            warehouse_url=options.pop("warehouse_url", "duckdb:////data/w.duckdb"),
            hidden=[project],
            prepare=options.pop("prepare", _prepare),
            environ={"PATH": os.defpath} | dict(environ or {}),
            **options,
        )
        made.append(source)
        return source

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(temp))
        yield one
        for source in made:
            asyncio.run(source.aclose())
    assert list(temp.iterdir()) == []


_COUNT = iter(range(10_000))


def _ask(source: CommandSource, *, timeout_s: float | None = 20) -> Reply:
    """One trial; afterwards no process that carries its token is alive."""
    token = f"token-{os.getpid()}-{next(_COUNT)}"

    async def trial() -> Reply:
        async with asyncio.timeout(timeout_s):
            return await source.fresh().answer(Prompt(token=token, text="How many orders?"))

    try:
        return asyncio.run(trial())
    finally:
        assert find_processes([token]) == ()


def test_a_program_that_answers_is_read(make: Callable[..., CommandSource]) -> None:
    source = make(f"import sys; assert 'How many orders?' in sys.stdin.read()\n{ANSWER}")
    assert _ask(source) == THE_REPLY
    assert source.name == f"command:{Path(sys.executable).name} agent.py"
    assert source.isolation == "directory"


def test_a_program_that_says_nothing_has_given_no_answer(
    make: Callable[..., CommandSource],
) -> None:
    assert _ask(make("pass")) == Reply()


DETACH = """\
import os, sys, time
def detached(clear, close):
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.chdir("/")
    if close:
        null = os.open("/dev/null", os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(null, handle)
    os.execve("/bin/sleep", ["sleep", "61"], {} if clear else dict(os.environ))
"""


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("import subprocess; subprocess.Popen(['sleep', '61'])\n", id="background"),
        pytest.param(f"{DETACH}detached(clear=False, close=True)\n", id="daemon"),
        pytest.param(f"{DETACH}detached(clear=True, close=False)\n", id="daemon without marks"),
        pytest.param(
            "import os, signal, time\n"
            "if os.fork() == 0:\n"
            "    signal.signal(signal.SIGTERM, signal.SIG_IGN); os.setpgid(0, 0); time.sleep(61)\n",
            id="another group",
        ),
        pytest.param(
            "import os, time\n"
            "for _ in range(20):\n"
            "    if os.fork() == 0: os.fork(); time.sleep(61); os._exit(0)\n",
            id="many",
        ),
    ],
)
def test_what_a_program_leaves_running_is_ended_with_it(
    make: Callable[..., CommandSource], script: str
) -> None:
    before = _sleepers()
    started = time.monotonic()
    assert _ask(make(f"{script}{ANSWER}")) == THE_REPLY
    assert time.monotonic() - started < 50
    assert _sleepers() == before


def _sleepers() -> int:
    """How many processes run `sleep 61`, whatever their environment."""
    count = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                count += (entry / "cmdline").read_bytes() == b"sleep\x0061\x00"
            except OSError:
                continue
    return count


@pytest.mark.parametrize(
    ("script", "parts"),
    [
        pytest.param(
            "import sys; print('boom', file=sys.stderr); sys.exit(3)",
            ["exit code 3", "stderr: boom", "these variables: AWS_REGION, OTHER", "--pass-env"],
            id="dies at once",
        ),
        pytest.param(
            f"{ANSWER}import sys; sys.exit(7)",
            ["exit code 7", "although it had answered (analyst_value: '42')"],
            id="answers and fails",
        ),
        pytest.param(
            "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
            ["was ended by SIGSEGV"],
            id="crashes",
        ),
        pytest.param(
            "while True: print('x' * 10_000)",
            ["printed more than 200,000 bytes"],
            id="floods",
        ),
        pytest.param(
            "import os\n"
            "try:\n"
            "    while True: os.write(1, b'x' * 10_000)\n"
            "except BrokenPipeError: pass\n"
            "while True: pass",
            ["printed more than 200,000 bytes"],
            id="floods and stays",
        ),
        pytest.param(
            "import os; os.write(1, bytes(range(256)) * 4)",
            ["no answer in the output", "not all UTF-8"],
            id="binary",
        ),
        pytest.param(
            "print('I think it is 42.')",
            ["no answer in the output", "I think it is 42."],
            id="prose",
        ),
    ],
)  # fmt: skip
def test_a_fault_of_the_program_is_told(
    make: Callable[..., CommandSource], script: str, parts: list[str]
) -> None:
    environ = {"OTHER": "1", "AWS_REGION": "x", "PWD": "/srv"}
    reply = _ask(make(script, environ, max_stdout=200_000))
    assert reply.error is not None
    assert [part for part in parts if part not in reply.error] == []
    assert (reply.value, reply.query) == (None, None)


def test_an_answer_with_a_broken_character_is_still_read(
    make: Callable[..., CommandSource],
) -> None:
    reply = _ask(make("import os; os.write(1, b'analyst_value: M\\xfcnchen\\n')"))
    assert reply == Reply(value="M\ufffdnchen")


def test_endless_stderr_is_cut_and_does_no_harm(make: Callable[..., CommandSource]) -> None:
    script = f"import sys\nfor n in range(100_000): print('line', n, file=sys.stderr)\n{ANSWER}"
    assert _ask(make(script)) == THE_REPLY


def test_a_program_that_never_reads_a_long_brief_does_no_harm(
    make: Callable[..., CommandSource],
) -> None:
    source = make(f"import time; time.sleep(0.2)\n{ANSWER}")

    async def trial() -> Reply:
        return await source.fresh().answer(Prompt(token="t", text="long " * 500_000))

    assert asyncio.run(trial()) == THE_REPLY


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("import time; time.sleep(61)", id="sleeps"),
        pytest.param("while True: pass", id="spins"),
        pytest.param(
            "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "while True: time.sleep(1)",
            id="ignores SIGTERM",
        ),
        pytest.param(f"{DETACH}detached(False, True)\ntime.sleep(61)", id="has a daemon"),
        pytest.param(
            "import os, time, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "for _ in range(5): os.fork()\ntime.sleep(61)",
            id="forked 32 times",
        ),
    ],
)
def test_cancelling_ends_a_program_with_all_it_started(
    make: Callable[..., CommandSource], script: str
) -> None:
    before = _sleepers()
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        _ask(make(script, grace_s=0.3), timeout_s=0.7)
    assert time.monotonic() - started < 50
    assert _sleepers() == before


def test_a_program_may_tidy_up_after_sigterm(
    make: Callable[..., CommandSource], tmp_path: Path
) -> None:
    note = tmp_path / "tidied"
    script = (
        "import signal, sys, time\n"
        f"def end(*_): open({str(note)!r}, 'w').close(); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end); time.sleep(61)"
    )
    with pytest.raises(TimeoutError):
        _ask(make(script), timeout_s=1)
    assert note.exists()


def test_the_working_directory_holds_the_context_and_nothing_else(
    make: Callable[..., CommandSource],
) -> None:
    script = (
        "import os\n"
        "found = sorted(os.path.join(f, n) for f, ds, ns in os.walk('.') for n in ds + ns)\n"
        "modes = [oct(os.stat(p).st_mode & 0o777) for p in ('.', '.knowledge/active.yaml')]\n"
        "home = [os.path.samefile(os.environ['HOME'], '.'),"
        " os.path.samefile(os.environ['TMPDIR'], '.tmp')]\n"
        "print('analyst_value:', found, modes, home)"
    )
    expected = [
        "./.knowledge",
        "./.knowledge/active.yaml",
        "./.knowledge/datasets",
        "./.knowledge/datasets/shop",
        "./.knowledge/datasets/shop/schema.md",
        "./.tmp",
    ]
    assert _ask(make(script)).value == f"{expected} ['0o700', '0o444'] [True, True]"


def test_a_trial_sees_nothing_of_an_earlier_one(make: Callable[..., CommandSource]) -> None:
    source = make(
        "import os\n"
        "print('analyst_value:', os.path.exists('mark'), len(os.listdir('.tmp')))\n"
        "open('mark', 'w').close(); open('.tmp/mark', 'w').close()"
    )
    assert [_ask(source).value for _ in range(2)] == ["False 0", "False 0"]


def test_the_context_is_taken_once_for_all_trials(make: Callable[..., CommandSource]) -> None:
    calls: list[Path] = []

    def prepare(directory: Path) -> None:
        calls.append(directory)
        _prepare(directory)

    source = make("print('analyst_value:', open('.knowledge/active.yaml').read())", prepare=prepare)
    assert [_ask(source).value for _ in range(2)] == ["active: shop", "active: shop"]
    assert len(calls) == 1


SEEK = """\
import os, sys
needle, found = "4823910.55", []
def look(path):
    try:
        if needle in open(path, errors="replace").read():
            found.append("file")
    except OSError:
        pass
here = os.getcwd()
while True:
    for name in os.listdir(here) if os.access(here, os.R_OK) else []:
        look(os.path.join(here, name))
    for name in ("gold-cases.yaml", "runs/answers.jsonl", "goldsuite.toml"):
        look(os.path.join(here, name))
    if here == "/":
        break
    here = os.path.dirname(here)
for name, value in os.environ.items():
    for path in value.replace("=", ":").split(":"):
        for up in (path, os.path.dirname(path), os.path.dirname(os.path.dirname(path))):
            for extra in ("", "gold-cases.yaml"):
                look(os.path.join(up, extra))
    if "project" in value or name in ("PWD", "OLDPWD"):
        found.append(name)
for handle in os.listdir("/proc/self/fd"):
    try:
        target = os.readlink("/proc/self/fd/" + handle)
    except OSError:
        continue
    if not target.startswith(("pipe:", "socket:", "/proc/")):
        found.append(target)
print("analyst_value:", found)
"""


def test_an_agent_that_looks_for_the_suite_does_not_find_it(
    make: Callable[..., CommandSource], project: Path
) -> None:
    environ = {
        "PWD": str(project),
        "OLDPWD": str(project),
        "GOLDSUITE_SUITE": str(project / "gold-cases.yaml"),
        "PATH": f"{project}/.venv/bin:/usr/bin:/bin",
        "LC_PAPER": str(project),
        "SSL_CERT_FILE": f"{project}/ca.pem",
    }
    with (project / "gold-cases.yaml").open() as suite:
        os.set_inheritable(suite.fileno(), True)
        assert _ask(make(SEEK, environ)).value == "[]"


def test_variables_reach_the_program_and_their_values_no_error(
    make: Callable[..., CommandSource],
) -> None:
    script = (
        "import os, sys\n"
        "names = ('API_KEY', 'GOLDSUITE_WAREHOUSE_URL')\n"
        "print(*(os.environ[n] for n in names), os.environ.get('OTHER'), file=sys.stderr)\n"
        "sys.exit(1)"
    )
    source = make(
        script,
        {"API_KEY": "sk-12345678", "OTHER": "x"},
        pass_env=["API_KEY"],
        warehouse_url="postgresql://ann:hunter2hunter2@db/shop",
    )
    error = _ask(source).error
    assert error is not None
    assert "stderr: *** *** None" in error
    assert "sk-12345678" not in str(source.notes)
    assert source.notes["environment_passed"] == "API_KEY"
    assert source.notes["environment_withheld"] == "OTHER"


def test_a_secret_at_the_cut_of_a_long_text_is_masked_too(
    make: Callable[..., CommandSource],
) -> None:
    secret = "abcdefghij" * 20
    lines = [
        "import os, sys",
        "print('x' * 10, os.environ['KEY'], 'y' * 900, file=sys.stderr)",
        "print('x' * 10, os.environ['KEY'])",
    ]
    for end in ("", "\nsys.exit(1)"):
        error = _ask(make("\n".join(lines) + end, {"KEY": secret}, pass_env=["KEY"])).error
        assert error is not None
        assert "abcdefghij" not in error


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("python 'agent.py", "cannot be split"),
        ("no-such-program-here x", "'no-such-program-here' is not on PATH"),
        ("./missing.sh", "'./missing.sh': there is no program"),
        ("plain.sh", "write './plain.sh'"),
        ("./plain.sh", "chmod +x"),
    ],
)
def test_a_command_line_that_cannot_be_run_is_refused(
    tmp_path: Path, command: str, part: str
) -> None:
    (tmp_path / "plain.sh").write_text("echo")
    with pytest.raises(UsageError) as caught:
        split_command(command, base_dir=tmp_path, path=os.defpath)
    assert part in str(caught.value)


def test_existing_files_are_made_absolute_and_other_words_stay(tmp_path: Path) -> None:
    (tmp_path / "my agent.py").write_text("")
    (tmp_path / "agent.toml").write_text("")
    words = split_command(
        "sh 'my agent.py' --config=agent.toml --model=big -v run",
        base_dir=tmp_path,
        path=os.defpath,
    )
    assert words[0].endswith("/sh")
    assert words[1:] == (
        f"{tmp_path}/my agent.py",
        f"--config={tmp_path}/agent.toml",
        "--model=big",
        "-v",
        "run",
    )


def test_a_file_that_is_no_program_is_told_on_the_trial(
    make: Callable[..., CommandSource], tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x00\x01 neither script nor program")
    broken.chmod(0o755)
    source = CommandSource(
        str(broken),
        base_dir=tmp_path,
        dialect="duckdb",
        warehouse_url="duckdb:///x",
        hidden=[],
        prepare=None,
    )
    error = _ask(source).error
    asyncio.run(source.aclose())
    assert error is not None
    assert "'broken' could not be started" in error


def test_the_work_area_is_never_inside_of_a_hidden_folder(
    monkeypatch: pytest.MonkeyPatch, project: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(project / "runs"))
    script = tmp_path / "where.sh"
    script.write_text("#!/bin/sh\necho analyst_value: `pwd`\n")
    script.chmod(0o755)
    source = CommandSource(
        "./where.sh",
        base_dir=tmp_path,
        dialect="duckdb",
        warehouse_url="duckdb:///x",
        hidden=[project],
        prepare=None,
    )
    value = _ask(source).value
    asyncio.run(source.aclose())
    assert value is not None
    assert not Path(value).is_relative_to(project)
    assert not Path(value).exists()
    assert list((project / "runs").iterdir()) == []


def test_a_program_inside_of_a_hidden_folder_is_noted(project: Path) -> None:
    script = project / "agent.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    source = CommandSource(
        "./agent.sh",
        base_dir=project,
        dialect="duckdb",
        warehouse_url=f"duckdb:///{project}/w.duckdb",
        hidden=[project],
        prepare=None,
        environ={"PATH": f"{project}/bin:/bin"},
    )
    asyncio.run(source.aclose())
    assert sorted(source.notes) == ["path_entries_removed", "program_place", "warehouse_place"]
    assert str(project) not in str(source.notes)
