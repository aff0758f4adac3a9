"""`--sandbox`: a program sees a root of its own, which holds what it needs and not the suite.

The list is of what is there, not of what is hidden: the system's folders, the program, the trial's
own directory, and what `--mount` admits; everything else does not exist for the program, whatever
path it tries. It has a /proc of its own, in which only its own processes are. The network is
shared, because agents need it. Bubblewrap makes the sandbox where it is installed, else plain user
namespaces do.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from goldsuite.analysts.namespaces import namespace_argv
from goldsuite.analysts.sandbox_view import Mount, View, make_view
from goldsuite.errors import UsageError

__all__ = ["Confinement", "Sandbox", "SandboxRequest", "confine", "find_sandbox", "sandboxed_argv"]

SandboxTool: TypeAlias = Literal["bubblewrap", "namespaces"]

_PROBE_S = 30.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Sandbox:
    """A way to make a sandbox that was seen to work here."""

    tool: SandboxTool
    program: str
    """Absolute path of `bwrap` or `unshare`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SandboxRequest:
    """What the user asks of a sandbox for all programs of a run."""

    secrets: tuple[Path, ...]
    """The suite and the runs, which nothing that is shown may hold."""
    readable: tuple[Path, ...] = ()
    """Files and folders that we give, such as the copy of the warehouse."""
    mounts: tuple[Mount, ...] = ()
    """What the user admits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Confinement:
    """A sandbox that was seen to work, and what the programs of a run see in it."""

    sandbox: Sandbox
    view: View

    def wrap(
        self, argv: Sequence[str], *, directory: Path, writable: Sequence[Path] = ()
    ) -> tuple[str, ...]:
        """The command line that runs `argv` confined; see `sandboxed_argv`."""
        return sandboxed_argv(
            self.sandbox,
            argv,
            self.view,
            directory=directory,
            writable=writable,
            user=os.getuid(),
            group=os.getgid(),
        )


def confine(
    argv: Sequence[str],
    request: SandboxRequest,
    *,
    hidden: Sequence[Path],
    environ: Mapping[str, str],
) -> Confinement:
    """A sandbox for the program of `argv`.

    Args:
        argv: the program by its absolute path, and its arguments.
        request: what the user asks.
        hidden: folders that are not shown even where they lie in the system's.
        environ: our own variables, for PATH and HOME.

    Raises:
        UsageError: this machine allows none, or the suite or the runs would be shown.
    """
    home = Path(environ["HOME"]) if environ.get("HOME") else None
    view = make_view(
        argv,
        hidden=hidden,
        secrets=request.secrets,
        readable=request.readable,
        mounts=request.mounts,
        home=home,
    )
    return Confinement(sandbox=find_sandbox(environ), view=view)


def sandboxed_argv(
    sandbox: Sandbox,
    argv: Sequence[str],
    view: View,
    *,
    directory: Path,
    writable: Sequence[Path] = (),
    user: int,
    group: int,
) -> tuple[str, ...]:
    """The command line that runs `argv` in `directory`, seeing `view` and nothing else.

    Args:
        sandbox: how.
        argv: the program and its arguments.
        view: what it sees.
        directory: the trial's own, which it may write to.
        writable: further folders of the trial.
        user: the id that the program sees itself running as, which is its own.
        group: likewise.
    """
    own = (*view.writable, *map(str, writable), str(directory))
    if sandbox.tool == "namespaces":
        return namespace_argv(
            sandbox.program,
            argv,
            system=view.system,
            masked=view.masked,
            readable=view.readable,
            writable=own,
            directory=str(directory),
            user=user,
            group=group,
        )
    words = [
        sandbox.program,
        # The id of the user stays: some agents refuse to run as root.
        *("--unshare-user", "--uid", str(user), "--gid", str(group)),
        *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *("--die-with-parent", "--cap-drop", "ALL"),
        *_each("--ro-bind-try", view.system),
        *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),  # noqa: S108 - a new one
    ]
    for path in view.masked:
        words += ["--tmpfs", path]
    words += [*_each("--ro-bind", view.readable), *_each("--bind", own)]
    return (*words, "--chdir", str(directory), "--", *argv)


def _each(option: str, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        yield from (option, path, path)


def find_sandbox(environ: Mapping[str, str]) -> Sandbox:
    """The first way that works on this machine: each is tried on a program that does nothing.

    Raises:
        UsageError: none does; says why, and what to do.
    """
    path = environ.get("PATH", os.defpath)
    faults = []
    names: tuple[tuple[SandboxTool, str], ...] = (
        ("bubblewrap", "bwrap"),
        ("namespaces", "unshare"),
    )
    for tool, name in names:
        program = shutil.which(name, path=path)
        if program is None:
            faults.append(f"{name} is not installed")
            continue
        sandbox = Sandbox(tool=tool, program=program)
        fault = _fault(sandbox)
        if fault is None:
            return sandbox
        faults.append(f"{name}: {fault}")
    raise UsageError(
        f"--sandbox: this machine allows no sandbox ({'; '.join(faults)}). Install bubblewrap, "
        "allow unprivileged user namespaces, or run without --sandbox: the record then says "
        "`isolation: directory`."
    )


def _fault(sandbox: Sandbox) -> str | None:
    """Why a program that does nothing fails in it; None where it works."""
    argv = sandboxed_argv(
        sandbox,
        ("/bin/sh", "-c", "test -r /proc/self/stat"),
        View(),
        directory=Path("/tmp"),  # noqa: S108 - any folder that is there
        user=os.getuid(),
        group=os.getgid(),
    )
    try:
        done = subprocess.run(
            argv, capture_output=True, check=False, timeout=_PROBE_S, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return getattr(error, "strerror", None) or type(error).__name__
    if done.returncode == 0:
        return None
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return said[-1][:200] if said else f"exit code {done.returncode}"
