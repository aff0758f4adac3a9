"""The process that tells which cases changed since a moment, so that the run never holds the key.

    python -m goldsuite.pipeline.changed_process < request.json > result.json

The request is a `Request`, the result a list of case ids: nothing of suite or records leaves it
besides. What a case was at that moment is told by the newest run that had asked it before: a whole
or partial run of the same suite by the same analyst, whose record is as it was written.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TypedDict

from goldsuite.model.grade import ERRORS
from goldsuite.records.file import read_plain
from goldsuite.records.header import RunHeader
from goldsuite.records.index import list_runs
from goldsuite.suite.case_hash import case_sha256
from goldsuite.suite.check_process import main
from goldsuite.suite.key import load_key

__all__ = ["Request", "changed"]


class Request(TypedDict):
    """What the parent asks."""

    path: str
    """Of the suite."""
    runs_dir: str
    since: str
    """A time with its zone, ISO 8601."""
    analyst: str
    """The hash that the runs' plans have of it."""
    context: str | None
    """The hash over every file that the analyst may read; None without a context."""
    as_of: str | None


def changed(request: Request) -> list[str]:
    """Ids of the cases that are not as they were, in the order of the suite.

    A case is as it was where its newest asking before the moment was graded, and case, context and
    the date that "today" means were the same. What cannot be told counts as changed.
    """
    key = load_key(Path(request["path"]))
    now = {case.id: case_sha256(case) for case in key.cases}
    folder = Path(request["runs_dir"])
    open_cases, same = set(now), set()
    for run in _before(request, folder, key.name):
        asked = {
            case["id"]: case
            for case in read_plain(folder / run.file)["cases"]
            if case["id"] in open_cases and case["verdict"] not in ERRORS
        }
        open_cases -= asked.keys()
        if run.context_sha256 == request["context"] and run.as_of == request["as_of"]:
            same |= {id_ for id_, case in asked.items() if case.get("case_sha256") == now[id_]}
        if not open_cases:
            break
    return [id_ for id_ in now if id_ not in same]


def _before(request: Request, folder: Path, suite: str) -> Iterator[RunHeader]:
    """The runs that can tell, newest first."""
    since = datetime.fromisoformat(request["since"])
    for run in reversed(list_runs(folder).runs):
        if (
            run.started_at <= since
            and run.suite == suite
            and not run.altered
            # Its context was another for that run alone.
            and "trying" not in run.selection
            and _analyst(folder / Path(run.file).stem) == request["analyst"]
        ):
            yield run


def _analyst(folder: Path) -> str | None:
    """Whom a run asked, by its plan; None where it has none, as in a folder of records alone."""
    try:
        plan: Mapping[str, Any] = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
        return str(plan["options"]["fixed"]["analyst"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


if __name__ == "__main__":
    sys.exit(main(changed))
