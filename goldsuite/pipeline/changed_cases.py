"""Which cases `--since` asks; found by a process of its own, since suite and records hold gold."""

import json
import os
import subprocess
from collections.abc import Sequence
from datetime import date, datetime

from goldsuite.errors import NothingToDoError, RecordError
from goldsuite.model.context_state import ContextState
from goldsuite.model.question import Question
from goldsuite.pipeline.session import spec_sha256
from goldsuite.pipeline.settings import Settings
from goldsuite.suite.intake import isolated_command

__all__ = ["changed_questions"]

_TIMEOUT_S = 600.0


def changed_questions(
    settings: Settings,
    questions: Sequence[Question],
    since: datetime,
    *,
    state: ContextState | None,
    as_of: date | None,
) -> tuple[Question, ...]:
    """Those of `questions` that changed since then: see `goldsuite.pipeline.changed_process`.

    Raises:
        NothingToDoError: none did.
        RecordError: the runs before cannot be read.
    """
    request = {
        "path": os.path.abspath(settings.suite),  # noqa: PTH100 - as the suite is taken in
        "runs_dir": os.path.abspath(settings.runs_dir),  # noqa: PTH100
        "since": since.isoformat(),
        "analyst": spec_sha256(settings),
        "context": state.files_sha256 if state else None,
        "as_of": as_of.isoformat() if as_of else None,
    }
    changed = set(_ask(request))
    found = tuple(question for question in questions if question.id in changed)
    if not found:
        raise NothingToDoError(
            f"none of {len(questions)} selected cases changed since {since:%Y-%m-%d %H:%M} UTC, "
            "and their context did not either: nothing is asked"
        )
    return found


def _ask(request: dict[str, str | None]) -> list[str]:
    try:
        done = subprocess.run(
            isolated_command("goldsuite.pipeline.changed_process"),
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RecordError(f"--since: looking for changes broke ({type(error).__name__})") from None
    if done.returncode != 0:
        # Only the line that the process writes itself: a traceback could hold gold.
        told = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
        raise RecordError(
            f"--since: the suite or the runs in {request['runs_dir']} cannot be read ({told}). Run "
            "`goldsuite check` and `goldsuite runs list` to see why."
        )
    return [str(case) for case in json.loads(done.stdout)]
