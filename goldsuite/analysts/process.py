"""Runs one outside program to its end: input in, bounded output out, and nothing left behind.

The program leads a session of its own. However it ends (by itself, by flooding, by our being
cancelled), what it started ends with it.
"""

import asyncio
import os
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from goldsuite.analysts.stragglers import Mark, find_processes, find_stragglers, kill_all

__all__ = ["Finished", "run_program"]

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_STDERR_TAIL = 64 * 1024
"""Bytes of stderr that are kept."""
_DRAIN_S = 2.0
"""How long to wait for the rest of the output once the program itself has ended."""
_KILL_S = 5.0
"""How long to wait for a process to go after SIGKILL; longer means that the kernel holds it."""
_ROUNDS = 50
"""Scans for stragglers before giving up on something that forks faster than it is killed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    """What became of one program."""

    returncode: int
    """Exit code; below 0, minus the signal that ended it."""
    stdout: bytes
    stderr: bytes
    """The tail."""
    flooded: bool
    """True if it printed more than the limit and was ended for it; `stdout` is then cut."""
    elapsed_s: float
    """From its start to its own end."""


async def run_program(
    argv: Sequence[str],
    *,
    stdin: bytes,
    directory: Path,
    environ: Mapping[str, str],
    token: str,
    max_stdout: int,
    grace_s: float,
) -> Finished:
    """Run `argv` in `directory`, and end all that it started.

    A program that never reads its input does no harm. Background processes that it leaves are
    killed as soon as it ends. Cancelling sends SIGTERM to its process group, waits `grace_s`
    seconds, and then kills what is left.

    Raises:
        OSError: the program could not be started.
    """
    started = time.monotonic()
    loop = asyncio.get_running_loop()
    protocol = _Output(max_stdout)
    try:
        transport, _ = await loop.subprocess_exec(
            lambda: protocol,
            *argv,
            cwd=directory,
            env=dict(environ),
            start_new_session=True,
            close_fds=True,
        )
    except asyncio.CancelledError:  # perhaps after the fork
        kill_all(find_processes({token}))
        raise
    program = _Program(transport, protocol, token)
    try:
        program.feed(stdin)
        await protocol.ended_or_flooded.wait()
        elapsed_s = time.monotonic() - started
    except asyncio.CancelledError:
        await program.end(grace_s)
        raise
    else:
        await program.end(0)
    finally:
        program.kill()
        transport.close()
    return Finished(
        returncode=program.returncode,
        stdout=bytes(protocol.stdout),
        stderr=bytes(protocol.stderr),
        flooded=protocol.flooded,
        elapsed_s=elapsed_s,
    )


class _Output(asyncio.SubprocessProtocol):
    """Collects output. Unlike `Process.wait()`, learns of the end also while a pipe is open."""

    def __init__(self, max_stdout: int) -> None:
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.flooded = False
        self.ended = asyncio.Event()
        self.ended_or_flooded = asyncio.Event()
        self.drained = asyncio.Event()
        self._max_stdout = max_stdout
        self._open = {_STDOUT, _STDERR}

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _STDERR:
            self.stderr += data
            del self.stderr[:-_STDERR_TAIL]
            return
        self.stdout += data[: self._max_stdout - len(self.stdout) + 1]
        if len(self.stdout) > self._max_stdout:
            self.flooded = True
            self.ended_or_flooded.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        self._open.discard(fd)
        if not self._open:
            self.drained.set()

    def process_exited(self) -> None:
        self.ended.set()
        self.ended_or_flooded.set()


class _Program:
    """A started program and the ways to end it."""

    def __init__(
        self, transport: asyncio.SubprocessTransport, protocol: _Output, token: str
    ) -> None:
        self._transport = transport
        self._protocol = protocol
        self._pid = transport.get_pid()
        self._token = token
        self._all_ended = False
        self._pipes = frozenset(
            inode for fd in (_STDOUT, _STDERR) if (inode := _inode(transport, fd)) is not None
        )

    @property
    def returncode(self) -> int:
        code = self._transport.get_returncode()
        return -signal.SIGKILL if code is None else code

    def feed(self, stdin: bytes) -> None:
        """Hand over the input; the loop writes it as the program reads, or drops it if it ends."""
        pipe = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(_STDIN))
        pipe.write(stdin)
        pipe.close()

    async def end(self, grace_s: float) -> None:
        """End the program and all that it started, and take in the rest of the output."""
        if grace_s > 0 and not self._protocol.ended.is_set():
            self._signal_group(signal.SIGTERM)
            await _within(self._protocol.ended, grace_s)
        await self._kill_stragglers(frozenset())
        if not self._protocol.drained.is_set():
            await _within(self._protocol.drained, 0.05)
        if not self._protocol.drained.is_set():
            # Somebody holds our pipe: one that the other signs did not give away.
            await self._kill_stragglers(self._pipes)
            await _within(self._protocol.drained, _DRAIN_S)
        await _within(self._protocol.ended, _KILL_S)
        self._all_ended = True

    def kill(self) -> None:
        """Kill whatever is left, at once: the last resort when even `end` was interrupted."""
        if not self._all_ended:
            self._signal_group(signal.SIGKILL)
            kill_all(find_stragglers(self._mark(frozenset())))

    async def _kill_stragglers(self, pipes: frozenset[int]) -> None:
        self._signal_group(signal.SIGKILL)
        for _ in range(_ROUNDS):
            found = find_stragglers(self._mark(pipes))
            if not found:
                return
            kill_all(found)
            await asyncio.sleep(0.01)

    def _mark(self, pipes: frozenset[int]) -> Mark:
        return Mark(session=self._pid, token=self._token, pipes=pipes)

    def _signal_group(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, number)


def _inode(transport: asyncio.SubprocessTransport, fd: int) -> int | None:
    pipe = transport.get_pipe_transport(fd)
    handle = None if pipe is None else pipe.get_extra_info("pipe")
    try:
        return None if handle is None else os.fstat(handle.fileno()).st_ino
    except (ValueError, OSError):  # closed already, so nobody holds it
        return None


async def _within(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
