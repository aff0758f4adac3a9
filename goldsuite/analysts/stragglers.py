"""Finds the processes that a program started, also those that tried to get away.

Linux only, by /proc. A process belongs to a trial if it is in the program's session, carries the
trial's token in the environment it was started with, holds one of the trial's output pipes, or
descends from such a process. What drops all of these at once (`env -i`, a session of its own, its
parent gone, output closed) is not found: only a sandbox holds that. Elsewhere than on Linux nothing
is found, and the process group is all that is ended.
"""

import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from goldsuite.analysts.environment import TOKEN

__all__ = ["Mark", "find_processes", "find_stragglers", "kill_all"]

_PROC = Path("/proc")
_DEAD = frozenset({"Z", "X", "x"})
_KERNEL = 2
"""The parent of all kernel threads, which have no environment."""
_LOOKS = 50
"""At most; on a busy machine processes of others end all the time."""
_EXECVE_S = 1.0
"""The longest that an execve is waited for; on a loaded machine it may be put aside half done."""
_LOOK_AGAIN_S = 0.002


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """What tells a trial's processes from all others."""

    session: int
    """Process id of the program, which leads its own session and process group."""
    token: str
    """The value of GOLDSUITE_TOKEN; empty to go by the other signs."""
    pipes: frozenset[int] = frozenset()
    """Inodes of the trial's output pipes to look for; looking costs more than the rest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Process:
    pid: int
    parent: int
    session: int


def find_stragglers(mark: Mark) -> tuple[int, ...]:
    """Process ids of all living processes of a trial, the program itself included; sorted."""
    for _ in range(_LOOKS):
        processes = list(_living())
        members = _members(processes, mark)
        # One that ended while we looked may have left a child that was not yet there to be listed.
        if members or all(_read(process.pid) for process in processes):
            break
    return tuple(sorted(members))


def _members(processes: Sequence[_Process], mark: Mark) -> set[int]:
    members = {p.pid for p in processes if _carries(p, mark)}
    grown = True
    while grown:
        more = {p.pid for p in processes if p.parent in members} - members
        members |= more
        grown = bool(more)
    return members


def find_processes(tokens: Iterable[str]) -> tuple[int, ...]:
    """Processes that carry one of `tokens`: what a killed runner left behind; sorted."""
    wanted = frozenset(tokens)
    return tuple(sorted(p.pid for p in _living() if _token_of(p.pid) in wanted))


def kill_all(pids: Iterable[int]) -> None:
    """SIGKILL each; those that are gone are passed over."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _living() -> Iterator[_Process]:
    if not _PROC.is_dir():
        return
    own = os.getpid()
    for entry in os.scandir(_PROC):
        if not entry.name.isdigit() or int(entry.name) == own:
            continue
        process = _read(int(entry.name))
        if process is not None:
            yield process


def _read(pid: int) -> _Process | None:
    try:
        stat = Path(_PROC, str(pid), "stat").read_bytes()
    except OSError:  # ended meanwhile
        return None
    # The name in brackets may itself hold blanks and brackets, so count from its end.
    state, parent, _group, session = stat.rpartition(b")")[2].split()[:4]
    if state.decode() in _DEAD:
        return None
    if int(parent) == _KERNEL:
        return None
    return _Process(pid=pid, parent=int(parent), session=int(session))


def _carries(process: _Process, mark: Mark) -> bool:
    return (
        process.session == mark.session
        or (bool(mark.token) and _token_of(process.pid) == mark.token)
        or (bool(mark.pipes) and not mark.pipes.isdisjoint(_pipes_of(process.pid)))
    )


def _token_of(pid: int) -> str | None:
    try:
        environ = _environment_of(pid)
    except OSError:  # another user's, or ended meanwhile
        return None
    prefix = f"{TOKEN}=".encode()
    for entry in environ.split(b"\0"):
        if entry.startswith(prefix):
            return entry.removeprefix(prefix).decode(errors="replace")
    return None


def _environment_of(pid: int) -> bytes:
    """In the middle of an execve a process shows neither environment nor command line: wait."""
    folder = Path(_PROC, str(pid))
    deadline = time.monotonic() + _EXECVE_S
    while True:
        environ = (folder / "environ").read_bytes()
        if environ or (folder / "cmdline").read_bytes() or time.monotonic() > deadline:
            return environ
        if _read(pid) is None:
            raise ProcessLookupError(pid)
        time.sleep(_LOOK_AGAIN_S)


def _pipes_of(pid: int) -> Iterator[int]:
    try:
        handles = list(os.scandir(_PROC / str(pid) / "fd"))
    except OSError:
        return
    for handle in handles:
        with suppress(OSError):
            target = str(Path(handle.path).readlink())
            if target.startswith("pipe:["):
                yield int(target[len("pipe:[") : -1])
