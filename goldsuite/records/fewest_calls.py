"""How few tool calls gave a correct answer before, by the records of earlier runs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from goldsuite.records.runs_dir import record_paths

__all__ = ["MOST_RECORDS", "CaseKey", "fewest_calls"]

MOST_RECORDS = 50
"""The latest ones, so that grading does not slow down from run to run."""

CaseKey: TypeAlias = tuple[str, str]
"""A case's id and its question: under another question it is another case."""


def fewest_calls(runs_dir: Path, *, before: str | None, suite: str) -> dict[CaseKey, int]:
    """Fewest calls of a correct answer to each case of `suite`, in runs that began `before`.

    A run id begins with its time, so that grading a run again looks at the same runs as the first
    time. What cannot be read as a record holds none; without a run id there is nothing earlier.
    """
    fewest: dict[CaseKey, int] = {}
    if before is None:
        return fewest
    earlier = [path for path in record_paths(runs_dir) if path.stem < before]
    for path in earlier[-MOST_RECORDS:]:
        for key, calls in _correct(path, suite):
            fewest[key] = min(calls, fewest.get(key, calls))
    return fewest


def _correct(path: Path, suite: str) -> Iterator[tuple[CaseKey, int]]:
    # Read plainly: a record of another version may have fields that this one does not know.
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["suite"]["name"] != suite:
            return
        found = [_calls(case) for case in record["cases"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return
    yield from (each for each in found if each is not None)


def _calls(case: dict[str, Any]) -> tuple[CaseKey, int] | None:
    told = case.get("calls") if case.get("calls") is not None else case.get("tools")
    if not case["passed"] or not isinstance(told, list):
        return None
    return (str(case["id"]), str(case["question"])), len(told)
