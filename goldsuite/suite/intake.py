"""Taking a suite in for a run: the questions come over, the key stays where it is.

The file is read and checked by a process of its own, which returns the questions and where the
faults are. So no gold ever stands in the memory of the process that runs analysts.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import goldsuite
from goldsuite.errors import Fault, SuiteError
from goldsuite.model.held_out import Leak
from goldsuite.model.question import QuestionSet
from goldsuite.nearest import nearest
from goldsuite.suite.place import shown_path
from goldsuite.suite.questions import question_set

__all__ = ["Intake", "isolated_command", "take_in"]

_CHECK = "goldsuite.suite.check_process"
_TIMEOUT_S = 600.0
_ENDINGS = (".yaml", ".yml")
_NAMED = 5

# Isolated (-I), so that neither the working folder nor PYTHON* variables decide what is imported;
# the parent's own places are, so that both run the same code.
_START = (
    "import runpy, sys; sys.path[:] = sys.argv[1:]; "
    "runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Intake:
    """The questions of a suite without faults."""

    questions: QuestionSet
    key_checked_at: datetime
    """When the checking process was done with the key; aware, UTC."""
    expects_skills: bool = False
    """Whether any case expects skills; which ones is key."""
    leaks: tuple[Leak, ...] = ()
    """Where the context holds parts of the key; empty where it was not searched."""


def _now() -> datetime:
    return datetime.now(UTC)


def take_in(
    path: Path,
    *,
    dialect: str | None,
    now: Callable[[], datetime] = _now,
    process: str = _CHECK,
    context: Mapping[str, Path] | None = None,
) -> Intake:
    """Read the questions of a gold file, and have its key checked elsewhere.

    Args:
        dialect: sqlglot's name of the warehouse's SQL; None for a general reading.
        now: the clock.
        process: the module that checks; one that searches `context` too may be named.
        context: the files that the analyst may read, by their names.

    Raises:
        SuiteError: the file is missing or has faults; all of them are listed, by line. No message
            holds a gold value or gold SQL.
    """
    shown = shown_path(path)
    _must_be_a_file(path, shown)
    files = [{"name": name, "path": str(file)} for name, file in (context or {}).items()]
    request = {
        "path": os.path.abspath(path),  # noqa: PTH100
        "shown": shown,
        "dialect": dialect,
        "context": files,
    }
    result = _ask(process, request, shown)
    if result["faults"]:
        raise SuiteError([Fault(**fault) for fault in result["faults"]])
    return Intake(
        questions=question_set(result["questions"]),
        key_checked_at=now(),
        expects_skills=result["expects_skills"],
        leaks=tuple(Leak(**leak) for leak in result["leaks"]),
    )


def isolated_command(module: str) -> list[str]:
    """The command that runs `module` of ours in a process of its own."""
    start = _START.format(module=module)
    return [sys.executable, "-I", "-X", "utf8", "-c", start, *_import_places()]


def _ask(process: str, request: dict[str, Any], shown: str) -> Any:
    command = isolated_command(process)
    try:
        done = subprocess.run(
            command,
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _error(shown, f"the check took more than {_TIMEOUT_S:.0f} s.") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise _error(shown, f"the checking process did not start: {reason}.") from None
    if done.returncode == 0:
        return json.loads(done.stdout)
    # Only the line that the process writes itself: a traceback could hold gold.
    told = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
    why = told if done.returncode == 1 else f"exit code {done.returncode}"
    raise _error(shown, f"the checking process broke ({why}). Please report this.")


def _import_places() -> list[str]:
    """Where this process imports from, this very package first."""
    package = Path(goldsuite.__file__).resolve().parent.parent
    return [str(package), *(os.path.abspath(place) for place in sys.path if place)]  # noqa: PTH100


def _error(shown: str, message: str) -> SuiteError:
    return SuiteError([Fault(file=shown, line=None, message=message)])


def _must_be_a_file(path: Path, shown: str) -> None:
    if path.is_dir():
        raise _error(
            shown, f"this is a folder; name the suite's file. {_files_in(path, path.name)}"
        )
    if not path.exists():
        raise _error(shown, f"no such file. {_files_in(path.parent, path.name)}")
    if not path.is_file():
        raise _error(shown, "this is no regular file. A suite is read twice: save it as a file.")


def _files_in(folder: Path, wanted: str) -> str:
    """What the folder offers instead."""
    try:
        names = sorted(p.name for p in folder.iterdir() if p.suffix.lower() in _ENDINGS)
    except OSError:
        return f"There is no folder {str(folder)!r} that can be read."
    near = nearest(wanted, names)
    if near:
        return f"Did you mean {near!r}?"
    if not names:
        return f"There is no {' or '.join(_ENDINGS)} file in {str(folder)!r}."
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"In {str(folder)!r} there are: {', '.join(names[:_NAMED])}{more}."
