"""Running the command line as a user does: another process, two streams, an exit code."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    own = {name: value for name, value in os.environ.items() if not name.startswith("GOLDSUITE")}
    return own | {"PYTHONPATH": str(ROOT)} | dict(extra or {})


def goldsuite(
    *arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None, timeout: float = 120
) -> Run:
    """Run `goldsuite ARGUMENTS` in `cwd`."""
    done = subprocess.run(
        [sys.executable, "-m", "goldsuite", *map(str, arguments)],
        cwd=cwd, env=environment(env), capture_output=True, text=True, timeout=timeout,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return Run(code=done.returncode, out=done.stdout, err=done.stderr)
