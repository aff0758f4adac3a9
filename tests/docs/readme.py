"""Runs the console blocks of the README, so that what it shows is what happens.

A block is fenced as `console`; a line `$ COMMAND` (continued by `> ...`) is run, and the lines
after it are its output, both streams as on a terminal. A line `...` stands for any lines. What is
different in every run (ids, times, hashes, durations) is compared as if it were equal.

`python -m tests.docs.readme` writes the README anew with the output of now: read the difference.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_MASKS = (
    (re.compile(r"\d{8}-\d{6}-(train|test|all)-[0-9a-f]{4}"), "RUN"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"), "TIME"),
    (re.compile(r"sha256 [0-9a-f]{12}"), "sha256 HASH"),
    (re.compile(r"^latency +.*$"), "latency"),
    (re.compile(r"SQLite [\d.]+"), "SQLite"),
    (re.compile(r"in \d+\.\d+s|\d+\.\d+ s\b"), "DURATION"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One command of the README with the output that it shows."""

    line: int
    command: str
    output: tuple[str, ...]


def steps(text: str) -> Iterator[Step]:
    """Every command in the console blocks of `text`, in order."""
    inside, command, start, output = False, [""], 0, [""]
    for number, line in enumerate([*text.splitlines(), "```"], start=1):
        starts = inside and line.startswith("$ ")
        ends = inside and line.startswith("```")
        if (starts or ends) and start:
            yield Step(line=start, command="\n".join(command), output=tuple(output))
            start = 0
        if starts:
            command, start, output = [line[2:]], number, []
        elif inside and not ends and start and not output and line.startswith("> "):
            command.append(line[2:])
        elif inside and not ends and start:
            output.append(line)
        if line.startswith("```"):
            inside = line == "```console" and not inside


def copy_checkout(destination: Path) -> Path:
    """The files that git tracks, and the built warehouse, in a folder with a space in its name."""
    target = destination / "gold suite"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    built = ["warehouse/demo.duckdb", "warehouse/demo.duckdb.stamp"]
    for name in [*filter(None, listed.stdout.split("\0")), *built]:
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


class Shell:
    """Runs one command after the other, where the last one left off."""

    def __init__(self, folder: Path) -> None:
        """Start in `folder`, a copy of the checkout."""
        self._root = self._cwd = folder

    def run(self, step: Step) -> tuple[str, ...]:
        """The lines that `step` prints, without those that tell of progress."""
        place = self._root.parent / "cwd"
        ending = f"\ncode=$?; pwd > {shlex.quote(str(place))}; exit $code"
        lines = _output_of(step.command + ending, self._cwd, self._root)
        self._cwd = Path(place.read_text().rstrip("\n"))
        return lines


def _output_of(command: str, folder: Path, root: Path) -> tuple[str, ...]:
    environ = {name: value for name, value in os.environ.items() if "GOLDSUITE" not in name}
    environ |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{environ['PATH']}",
        "PY": sys.executable,
        "PYTHONPATH": str(root),
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    return tuple(line for line in done.stdout.splitlines() if not line.startswith("answered "))


def masked(lines: tuple[str, ...]) -> list[str]:
    """`lines` with all that differs from run to run made equal."""
    text = "\n".join(lines).rstrip()
    for pattern, shown in _MASKS:
        text = "\n".join(pattern.sub(shown, line) for line in text.splitlines())
    return [" ".join(line.split()) for line in text.splitlines()]


def matches(expected: list[str], found: list[str]) -> bool:
    """Whether `found` is `expected`, where `...` stands for any lines."""
    pattern = "".join(".*" if line == "..." else re.escape(f"{line}\n") for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in found), re.DOTALL) is not None


def _rewrite() -> None:
    path = ROOT / "README.md"
    lines = path.read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as name:
        folder = copy_checkout(Path(name))
        shell = Shell(folder)
        results = [(step, shell.run(step)) for step in steps(path.read_text(encoding="utf-8"))]
    for step, found in reversed(results):
        first = step.line + step.command.count("\n")
        if "..." not in step.output and not matches(masked(step.output), masked(found)):
            lines[first : first + len(step.output)] = list(found)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _rewrite()
