"""Worker processes: started when needed, reused while sound, ended with the door.

What a statement may cost is set here: a worker that overruns its time is interrupted, and killed
where that does not help.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

import goldsuite
from goldsuite.warehouse.worker_wire import pack, unpack

INTERRUPT_GRACE_S = 0.4
"""From the first interrupt to the end of the process."""

_PATIENCE_S = 0.25
"""For a worker to come back, before another is started: that takes about as long, and most
statements are done sooner."""
_REPEAT_S = 0.05
_START_S = 60.0
_RESET_S = 2.0
_END_S = 2.0
_SERIAL_BYTES = 8
_REPLY_SLACK = 64 * 2**20

_PROGRAM = Path(__file__).with_name("worker_start.py")
_PACKAGES = Path(goldsuite.__file__).resolve().parents[1]


class WorkerStartError(RuntimeError):
    """No worker process could be started."""


class WorkerLostError(RuntimeError):
    """The worker process ended while it ran a statement, and nobody here had asked for that."""


class OverdueError(RuntimeError):
    """A request took longer than it may."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerOrder:
    """What a worker opens, and what it may take."""

    engine: Literal["duckdb", "sqlite"]
    path: Path
    memory_bytes: int
    """Of the engine; the process gets some more for itself."""
    max_value_bytes: int
    file_bytes: int
    """How large a file it may write."""
    guarded: bool = True
    """Whether it runs what analysts wrote."""
    allow_paths: tuple[Path, ...] = ()
    """Files and folders that the engine may read besides (DuckDB)."""
    folder: Path = Path("/")
    """What a relative path in a view counts from, where any is allowed."""


class TimeLimit:
    """The running time limit of a request, or of all requests of one statement."""

    def __init__(self, seconds: float) -> None:
        self.expired = False
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds until the end; 0 afterwards."""
        return max(0.0, self._end - time.monotonic())


class Worker:
    """One process that runs one statement at a time; used by one thread at a time."""

    def __init__(self, order: WorkerOrder) -> None:
        """Start the process and wait until it has opened its file.

        Raises:
            WorkerStartError: it did not come up.
        """
        self._serial = 0
        self._waiting = False
        self._ahead = False
        self._max_reply = order.max_value_bytes + _REPLY_SLACK
        requests, theirs = Pipe()
        control, self._control = os.pipe()
        self._requests: Connection[Any, Any] = requests
        try:
            self.process = _spawn(theirs.fileno(), control)
        finally:
            theirs.close()
            os.close(control)
        try:
            self._requests.send_bytes(_first_message(order))
            status, *reply = self._reply(TimeLimit(_START_S))
        except (WorkerLostError, OverdueError, OSError) as error:
            self.kill()
            raise WorkerStartError(f"no worker process could be started: {error}") from None
        if status != "ok":
            self.kill()
            raise WorkerStartError(f"a worker process cannot open the file: {reply[1]}")

    def ask(self, name: str, *arguments: Any, limit: TimeLimit) -> tuple[Any, ...]:
        """The reply to one request: `("ok", value)`, or `("error", class, text, code)`.

        Raises:
            OverdueError: `limit` came first; the worker is interrupted, or killed.
            WorkerLostError: the process ended.
        """
        self._send(name, *arguments)
        return self._reply(limit)

    def ask_ahead(self, name: str, *arguments: Any) -> None:
        """Send one request, whose reply `answer` waits for: the worker works on it meanwhile.

        Raises:
            WorkerLostError: the process ended.
        """
        self._send(name, *arguments)
        self._ahead = True

    def answer(self, *, limit: TimeLimit) -> tuple[Any, ...]:
        """The reply to what was asked ahead; raises as `ask` does."""
        self._ahead = False
        return self._reply(limit)

    def end_session(self) -> bool:
        """Let the worker make a fresh session; False if it cannot serve again."""
        if self._waiting or not self._is_drained():
            return False
        try:
            self._requests.send_bytes(pack(("end",)))
        except OSError:
            return False
        self._serial += 1
        return True

    def is_ready(self) -> bool:
        """Wait for the fresh session; False if the process does not give it, or died since."""
        try:
            renewed = self._reply(TimeLimit(_RESET_S))[0] == "ok"
            return renewed and self.process.poll() is None
        except (WorkerLostError, OverdueError, ValueError):
            return False

    def end(self) -> None:
        """Hang up, so that an idle process ends by itself; `wait` must follow."""
        self._requests.close()
        if self._control >= 0:
            os.close(self._control)
            self._control = -1

    def wait(self) -> None:
        """Wait for the end of the process; it is killed where it does not come soon."""
        try:
            self.process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        self.process.kill()
        self.process.wait()
        self.end()

    def _send(self, name: str, *arguments: Any) -> None:
        if self._ahead:
            # Not wanted any more. Never interrupted here: that could meet what is asked now.
            self.answer(limit=TimeLimit(_RESET_S))
        try:
            self._requests.send_bytes(pack((name, *arguments)))
        except OSError:
            raise self._lost() from None

    def _is_drained(self) -> bool:
        """Throw away what was asked ahead and is not wanted any more; False if it does not come."""
        if not self._ahead:
            return True
        with contextlib.suppress(EOFError, OSError):
            if not self._requests.poll(0):
                self._stop()
            self._requests.recv_bytes(self._max_reply)
            self._ahead = False
        return not self._ahead

    def _reply(self, limit: TimeLimit) -> tuple[Any, ...]:
        self._waiting = True
        try:
            if not self._requests.poll(limit.left()):
                limit.expired = True
                self._stop()
            reply = unpack(self._requests.recv_bytes(self._max_reply))
        except (EOFError, OSError):
            if limit.expired:
                raise OverdueError("stopped at its time limit") from None
            raise self._lost() from None
        self._waiting = False
        if limit.expired:
            raise OverdueError("stopped at its time limit")
        answer: tuple[Any, ...] = reply
        return answer

    def _stop(self) -> None:
        """Interrupt, again and again: one that comes before the engine has begun is forgotten."""
        meant = self._serial.to_bytes(_SERIAL_BYTES, "big")
        grace = TimeLimit(INTERRUPT_GRACE_S)
        while grace.left():
            with contextlib.suppress(OSError):
                os.write(self._control, meant)
            if self._requests.poll(_REPEAT_S):
                return
        self.process.kill()

    def _lost(self) -> WorkerLostError:
        self._waiting = True
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_END_S)
        return WorkerLostError(f"the engine's process ended ({_ending(self.process.returncode)})")


class WorkerPool:
    """The workers of one door."""

    def __init__(self, order: WorkerOrder, size: int) -> None:
        self._order = order
        self._file = _identity(order.path)
        # Waiting for a free worker is not the statement's time.
        self._places = threading.BoundedSemaphore(size)
        self._lock = threading.Condition()
        self._starting = 0
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._closed = False

    def take(self) -> Worker:
        """A worker with a fresh session, for the caller alone until `give_back`.

        Raises:
            WorkerStartError: none can be started, or the pool is closed.
        """
        self._places.acquire()
        try:
            return self._idle_worker() or self._new_worker()
        except BaseException:
            self._places.release()
            raise

    def give_back(self, worker: Worker) -> None:
        """Keep `worker` for the next statement, or end it if it cannot run one."""
        sound = worker.end_session()
        with self._lock:
            self._busy.discard(worker)
            sound = sound and not self._closed
            if sound:
                self._idle.append(worker)
                self._lock.notify()
        if not sound:
            worker.kill()
        self._places.release()

    def close(self) -> None:
        """End all processes, also those that run something."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()
            idle, self._idle = self._idle, []
            for worker in self._busy:
                # Whoever waits for its answer is told that it ended, and cleans up.
                worker.process.kill()
        for worker in idle:
            worker.end()
        for worker in idle:
            worker.wait()

    def processes(self) -> Sequence[int]:
        """The process ids of the workers that are there, sorted."""
        with self._lock:
            return sorted(worker.process.pid for worker in (*self._idle, *self._busy))

    def _idle_worker(self) -> Worker | None:
        """A worker that is free now or soon; None where a new one must be started."""
        patience = TimeLimit(_PATIENCE_S)
        while True:
            with self._lock:
                if self._busy or self._starting:
                    self._lock.wait_for(lambda: self._idle or self._closed, patience.left())
                if not self._idle:
                    self._starting += 1
                    return None
                # The last one is the one whose caches are warm.
                worker = self._idle.pop()
                self._busy.add(worker)
            if worker.is_ready():
                return worker
            with self._lock:
                self._busy.discard(worker)
            worker.kill()

    def _new_worker(self) -> Worker:
        try:
            return self._started()
        finally:
            with self._lock:
                self._starting -= 1

    def _started(self) -> Worker:
        if _identity(self._order.path) != self._file:
            raise WorkerStartError(
                "the database file was replaced after it had been opened; open it again"
            )
        worker = None if self._closed else Worker(self._order)
        with self._lock:
            if worker is not None and not self._closed:
                self._busy.add(worker)
                return worker
        if worker is not None:
            worker.kill()
        raise WorkerStartError("the warehouse is closed")


def _spawn(requests: int, control: int) -> "subprocess.Popen[bytes]":
    # A fresh interpreter, not a fork: other threads of this process may hold locks.
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(_PROGRAM), str(requests), str(control)],
        env=_environment(),
        cwd="/",
        pass_fds=(requests, control),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Out of reach of the terminal's Ctrl-C: the door decides what ends.
        start_new_session=True,
    )


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", "TZ": "UTC", **kept}


def _first_message(order: WorkerOrder) -> bytes:
    # The package's own folder, because an editable install may be found by a hook of `site`.
    found = [str(Path(entry).resolve()) for entry in sys.path if entry]
    message = {
        "engine": order.engine,
        "path": str(order.path.resolve()),
        "memory_bytes": order.memory_bytes,
        "max_value_bytes": order.max_value_bytes,
        "file_bytes": order.file_bytes,
        "guarded": order.guarded,
        "allow_paths": [str(allowed) for allowed in order.allow_paths],
        "folder": str(order.folder),
        "sys_path": [*dict.fromkeys([*found, str(_PACKAGES)])],
    }
    return json.dumps(message).encode()


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return status.st_dev, status.st_ino


def _ending(code: int | None) -> str:
    if code is None:
        return "it hung up"
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"
