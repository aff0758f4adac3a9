"""Running the command line: two streams and an exit code."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from goldsuite.cli import app

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def record(self) -> dict[str, Any]:
        """stdout, read as the record that `--format json` prints."""
        record = json.loads(self.out)
        assert isinstance(record, dict)
        return record

    def verdicts(self) -> dict[str, str]:
        """Verdict by case id."""
        return {case["id"]: case["verdict"] for case in self.record["cases"]}


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Our own variables, without settings of goldsuite, and with this checkout's code."""
    # Nor is a test to write into the summary of the step that it runs in.
    foreign = ("GOLDSUITE", "GITHUB_STEP_SUMMARY")
    own = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return own | {"PYTHONPATH": str(ROOT)} | dict(extra or {})


def goldsuite(*arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> Run:
    """Run `goldsuite ARGUMENTS` in `cwd`, in this process: a second is saved at every call."""
    out, err = io.StringIO(), io.StringIO()
    before = signal.getsignal(signal.SIGTERM)
    try:
        with (
            contextlib.chdir(cwd),
            mock.patch.dict(os.environ, environment(env), clear=True),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = app.run([str(argument) for argument in arguments])
    finally:
        signal.signal(signal.SIGTERM, before)
    return Run(code=int(code), out=out.getvalue(), err=err.getvalue())


def goldsuite_process(
    *arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None, timeout: float = 120
) -> Run:
    """Run `goldsuite ARGUMENTS` in `cwd` as a user does."""
    done = subprocess.run(
        [sys.executable, "-m", "goldsuite", *map(str, arguments)],
        cwd=cwd, env=environment(env), capture_output=True, text=True, timeout=timeout,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return Run(code=done.returncode, out=done.stdout, err=done.stderr)
