"""`--sandbox`, for real: programs that go looking, in every kind of sandbox that works here."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from goldsuite.analysts import sandbox as module
from goldsuite.analysts.sandbox import Sandbox, SandboxTool, find_sandbox, sandboxed_argv
from goldsuite.analysts.sandbox_view import Mount, View, make_view, read_mount
from goldsuite.errors import UsageError

PROGRAMS: dict[SandboxTool, str] = {"bubblewrap": "bwrap", "namespaces": "unshare"}


@pytest.fixture(params=sorted(PROGRAMS))
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    tool: SandboxTool = request.param
    program = shutil.which(PROGRAMS[tool])
    if program is None:
        pytest.skip(reason=f"{PROGRAMS[tool]} is not installed")
    found = Sandbox(tool=tool, program=program)
    fault = module._fault(found)
    if fault is not None:
        pytest.skip(reason=f"{tool} is not allowed here: {fault}")
    return found


@dataclass(frozen=True, kw_only=True)
class Project:
    """A suite, runs, and a trial's directory elsewhere."""

    root: Path
    work: Path

    @property
    def suite(self) -> Path:
        return self.root / "gold-cases.yaml"

    @property
    def runs(self) -> Path:
        return self.root / "runs"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "project"
    (root / "runs").mkdir(parents=True)
    (root / "gold-cases.yaml").write_text("gold_value: 42\n")
    (root / "runs/answers.jsonl").write_text("42\n")
    work = tmp_path / "work"
    work.mkdir()
    return Project(root=root, work=work)


def view_of(project: Project, argv: Sequence[str], mounts: Sequence[Mount] = ()) -> View:
    return make_view(
        argv,
        hidden=[project.root, project.runs],
        secrets=[project.suite, project.runs],
        mounts=mounts,
    )


def run(
    sandbox: Sandbox,
    project: Project,
    argv: Sequence[str],
    *,
    mounts: Sequence[Mount] = (),
) -> "subprocess.CompletedProcess[str]":
    words = sandboxed_argv(
        sandbox,
        argv,
        view_of(project, argv, mounts),
        directory=project.work,
        user=os.getuid(),
        group=os.getgid(),
    )
    environ = {"PATH": os.defpath, "GOLDSUITE_TOKEN": "t"}
    return subprocess.run(
        words, capture_output=True, text=True, env=environ, cwd=project.work, timeout=60
    )


PROBE = """
import json, os, sys
def tried(what, *arguments):
    try:
        return repr(what(*arguments))
    except OSError as error:
        return type(error).__name__
def read(path):
    return open(path).read()
def write(path):
    return open(path, "w").write("x")
suite, runs, parent, mine, work = sys.argv[1:]
numbers = [name for name in os.listdir("/proc") if name.isdigit()]
print(json.dumps({
    "suite": tried(read, suite),
    "suite through /proc/1/root": tried(read, "/proc/1/root" + suite),
    "runs": tried(os.listdir, runs),
    "parent": tried(read, f"/proc/{parent}/cmdline"),
    "numbers": len(numbers),
    "arguments": [read(f"/proc/{n}/cmdline") for n in numbers if n != str(os.getpid())],
    "system": tried(write, "/usr/bin/x"),
    "etc": tried(write, "/etc/hostname"),
    "own": tried(write, mine),
    "cwd": os.getcwd(),
    "user": os.getuid(),
    "siblings": sorted(os.listdir(os.path.dirname(work))),
    "caps": [line.split()[1] for line in open("/proc/self/status") if line.startswith("CapEff")],
}))
"""


def test_suite_runs_and_the_parent_are_out_of_reach(sandbox: Sandbox, project: Project) -> None:
    argv = (
        sys.executable,
        *("-c", PROBE),
        str(project.suite),
        str(project.runs),
        str(os.getpid()),
        str(project.work / "mine"),
        str(project.work),
    )
    # The suite is an argument here, as an agent that knows its name would look for it; named so,
    # it would be refused, and so the view is made for the program alone.
    words = sandboxed_argv(
        sandbox,
        argv,
        view_of(project, argv[:1]),
        directory=project.work,
        user=os.getuid(),
        group=os.getgid(),
    )
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["suite"] == "FileNotFoundError"
    assert seen["suite through /proc/1/root"] in {"FileNotFoundError", "PermissionError"}
    assert seen["runs"] == "FileNotFoundError"
    # Either no process has that number, or one of the sandbox's own has.
    assert str(os.getpid()) not in seen["parent"]
    assert seen["numbers"] <= 3
    assert seen["system"] in {"OSError", "PermissionError"}
    assert seen["etc"] in {"OSError", "PermissionError"}
    assert (project.work / "mine").read_text() == "x"
    assert seen["cwd"] == str(project.work)
    assert seen["user"] == os.getuid()
    assert seen["siblings"] == ["work"]
    assert seen["caps"] == ["0000000000000000"]


def test_what_is_hidden_inside_of_the_system_s_folders_is_masked(
    sandbox: Sandbox, project: Project, tmp_path: Path
) -> None:
    # The test's folder stands in for /usr: writing there is not for a test.
    system = tmp_path / "system"
    (system / "suites").mkdir(parents=True)
    (system / "suites/gold.yaml").write_text("42")
    (system / "suites/agent.sh").write_text("#!/bin/sh\nls -R " + str(system) + "\n")
    (system / "suites/agent.sh").chmod(0o755)
    view = View(
        system=(*View().system, str(system)),
        masked=(str(system / "suites"),),
        readable=(str(system / "suites/agent.sh"),),
    )
    argv = sandboxed_argv(
        sandbox,
        (str(system / "suites/agent.sh"),),
        view,
        directory=project.work,
        user=os.getuid(),
        group=os.getgid(),
    )
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "agent.sh" in done.stdout
    assert "gold.yaml" not in done.stdout


def test_a_mount_is_admitted_and_read_only_unless_it_says_otherwise(
    sandbox: Sandbox, project: Project, tmp_path: Path
) -> None:
    for name in ("notes", "state"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "key").write_text(name)
    mounts = [
        read_mount("notes", base_dir=tmp_path),
        read_mount("state:rw", base_dir=tmp_path),
    ]
    script = f"cd {tmp_path}; cat notes/key state/key; echo new > state/new; echo no > notes/new"
    done = run(sandbox, project, ("/bin/sh", "-c", script), mounts=mounts)
    assert done.stdout == "notesstate"
    assert (tmp_path / "state/new").read_text() == "new\n"
    assert not (tmp_path / "notes/new").exists()


def test_a_file_in_the_project_is_shown_without_its_neighbours(
    sandbox: Sandbox, project: Project
) -> None:
    script = project.root / "agent.py"
    script.write_text("import os; print(sorted(os.listdir(os.path.dirname(__file__))))")
    done = run(sandbox, project, (sys.executable, str(script)))
    assert done.stdout == "['agent.py']\n", done.stderr


def test_names_with_quotes_and_line_breaks_are_nothing_but_names(
    sandbox: Sandbox, project: Project, tmp_path: Path
) -> None:
    odd = tmp_path / 'it\'s $(touch hacked)\n; "x"'
    odd.mkdir()
    (odd / "f").write_text("odd")
    mount = read_mount(f"{odd.name}:rw", base_dir=tmp_path)
    done = run(sandbox, project, ("/bin/cat", str(odd / "f")), mounts=[mount])
    assert done.stdout == "odd", done.stderr
    assert list(project.work.iterdir()) == []


def test_the_exit_code_and_the_environment_come_through(sandbox: Sandbox, project: Project) -> None:
    done = run(sandbox, project, ("/bin/sh", "-c", "echo $GOLDSUITE_TOKEN; exit 7"))
    assert (done.stdout, done.returncode) == ("t\n", 7)


def test_a_way_that_works_is_found() -> None:
    if all(shutil.which(name) is None for name in PROGRAMS.values()):
        pytest.skip(reason="neither bwrap nor unshare is installed")
    try:
        found = find_sandbox(os.environ)
    except UsageError as error:
        pytest.skip(reason=f"this machine allows no sandbox: {error}")
    assert found.tool in PROGRAMS


def test_without_a_way_the_error_says_what_was_tried(tmp_path: Path) -> None:
    broken = tmp_path / "unshare"
    broken.write_text("#!/bin/sh\necho 'unshare failed: Operation not permitted' >&2\nexit 1\n")
    broken.chmod(0o755)
    with pytest.raises(UsageError) as caught:
        find_sandbox({"PATH": str(tmp_path)})
    assert "bwrap is not installed; unshare: unshare failed: Operation not permitted" in str(
        caught.value
    )
    assert "Install bubblewrap" in str(caught.value)


def test_the_command_line_of_bubblewrap_is_built_from_the_view() -> None:
    argv = sandboxed_argv(
        Sandbox(tool="bubblewrap", program="/usr/bin/bwrap"),
        ("/agent", "--flag"),
        View(system=("/usr",), masked=("/usr/m",), readable=("/r",), writable=("/w",)),
        directory=Path("/trial"),
        user=7,
        group=8,
    )
    text = " ".join(argv)
    assert text.startswith("/usr/bin/bwrap --unshare-user --uid 7 --gid 8 --unshare-pid ")
    order = [
        "--ro-bind-try /usr /usr",
        "--tmpfs /usr/m",
        "--ro-bind /r /r",
        "--bind /w /w",
        "--bind /trial /trial",
        "--chdir /trial -- /agent --flag",
    ]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)


@pytest.mark.parametrize("name", ["gold-cases.yaml", "runs", "runs/answers.jsonl", ".", ".."])
def test_a_mount_that_would_show_the_suite_or_the_runs_is_refused(
    project: Project, name: str
) -> None:
    for text in (name, f"{name}:rw"):
        mount = read_mount(text, base_dir=project.root)
        with pytest.raises(UsageError, match="the suite or the runs lie in it"):
            view_of(project, ("/bin/true",), [mount])


def test_a_mount_through_a_link_is_refused_as_well(project: Project, tmp_path: Path) -> None:
    (tmp_path / "innocent").symlink_to(project.root)
    mount = read_mount("innocent", base_dir=tmp_path)
    with pytest.raises(UsageError, match="would be shown to the agent"):
        view_of(project, ("/bin/true",), [mount])


def test_a_mount_that_is_not_there_is_told(tmp_path: Path) -> None:
    for text in ("nowhere", ":rw", ""):
        with pytest.raises(UsageError, match="there is no such file or folder"):
            read_mount(text, base_dir=tmp_path)


def test_a_program_s_own_prefix_is_shown_but_never_the_home(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for place in (home / "bin", home / "venv/bin", tmp_path / "project/bin"):
        place.mkdir(parents=True)
        (place / "agent").write_text("")
    project = tmp_path / "project"

    def shown(program: Path) -> tuple[str, ...]:
        return make_view(
            (str(program),), hidden=[project], secrets=[project / "g.yaml"], home=home
        ).readable

    assert shown(home / "venv/bin/agent") == (str(home / "venv"),)
    assert shown(home / "bin/agent") == (str(home / "bin/agent"),)
    assert shown(project / "bin/agent") == (str(project / "bin/agent"),)
    assert shown(Path("/usr/bin/env")) == ()
