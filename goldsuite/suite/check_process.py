"""The process that checks the key before a run, so that the run itself never holds it.

    python -m goldsuite.suite.check_process < request.json > result.json

The request is `{"path": ..., "shown": ..., "dialect": ...}`. The result holds the questions (None
where there are faults) and the faults, as file, line and message. No gold leaves this process.
"""

import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from goldsuite.errors import Fault, SuiteError
from goldsuite.model.question import Question, QuestionSet
from goldsuite.suite.checked import CheckedFile, in_order, query_faults, read_checked
from goldsuite.suite.questions import QuestionSetRow, question_set_row

__all__ = ["ContextRow", "Request", "Result", "check", "examine", "main"]


class ContextRow(TypedDict):
    """One file that the analyst may read."""

    name: str
    """As the analyst sees it."""
    path: str


class Request(TypedDict):
    """What the parent asks."""

    path: str
    shown: str
    """How messages name the file."""
    dialect: str | None
    context: NotRequired[list[ContextRow]]
    """What is searched for parts of the key, by a process that does so."""


class FaultRow(TypedDict):
    """One fault in JSON."""

    file: str
    line: int | None
    message: str


class Result(TypedDict):
    """What the parent learns; exactly one of `questions` and `faults` holds something."""

    questions: QuestionSetRow | None
    faults: list[FaultRow]
    expects_skills: bool
    """Whether any case expects skills; which ones is key."""
    leaks: list[dict[str, Any]]
    """Where the context holds parts of the key; empty where it was not searched."""


def check(request: Request) -> Result:
    """Check a whole gold file and hand out its questions half."""
    return examine(request)[1]


def examine(request: Request) -> tuple[CheckedFile | None, Result]:
    """As `check`, with the file itself beside the result; None where it has faults."""
    shown = request["shown"]
    try:
        checked = read_checked(Path(request["path"]), shown=shown)
    except SuiteError as error:
        return None, _faulty(error.faults)
    faults = in_order([*checked.faults, *query_faults(checked, request["dialect"])])
    if faults:
        return None, _faulty(faults)
    skills = any(entry.case.expected_skills for entry in checked.entries)
    questions = question_set_row(_questions(checked))
    return checked, {"questions": questions, "faults": [], "expects_skills": skills, "leaks": []}


def _faulty(faults: tuple[Fault, ...]) -> Result:
    return {"questions": None, "faults": _rows(faults), "expects_skills": False, "leaks": []}


def _questions(checked: CheckedFile) -> QuestionSet:
    return QuestionSet(
        name=checked.name,
        file=checked.file.shown,
        sha256=checked.file.sha256,
        as_of=checked.head.as_of,
        questions=tuple(
            Question(
                id=entry.case.id,
                text=entry.case.question,
                split=entry.case.split,
                tags=entry.case.tags or (),
                paraphrases=entry.case.paraphrases or (),
                line=entry.line,
            )
            for entry in checked.entries
            if entry.case.split is not None
        ),
    )


def _rows(faults: tuple[Fault, ...]) -> list[FaultRow]:
    return [{"file": f.file, "line": f.line, "message": f.message} for f in faults]


def main(answer: Callable[[Any], object] = check) -> int:
    """Answer the request on stdin; an unforeseen error is told by its place alone."""
    try:
        result = answer(json.loads(sys.stdin.buffer.read()))
    except Exception as error:  # noqa: BLE001 - its text may hold gold, and must not reach the parent
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno}"
        sys.stderr.write(f"{type(error).__name__} in {place}\n")
        return 1
    sys.stdout.write(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
