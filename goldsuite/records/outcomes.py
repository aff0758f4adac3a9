"""Which cases of a finished run passed, with nothing else of its record.

A record holds gold, so it is read by a process of its own: whoever asks these cases again must not
have their gold in memory.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from goldsuite.errors import RecordError
from goldsuite.model.grade import ERRORS, FAILED, Verdict
from goldsuite.model.run import SCHEMA_VERSION, RunSplit

__all__ = ["RunOutcomes", "read_outcomes"]

_TIMEOUT_S = 120.0
_FAILED = FAILED | {Verdict.CORRECT}
"""Verdicts of a case that did not pass; a right answer among them was luck, in a strict run."""
_READ = """\
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    record = json.load(file)
json.dump({
    "schema_version": record["schema_version"],
    "run_id": record["run_id"],
    "split": record["split"],
    "cases": [
        [case["id"], case["verdict"], case["passed"], case.get("error") is not None]
        for case in record["cases"]
    ],
}, sys.stdout)
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunOutcomes:
    """What a run came to, case by case; several entries where a case was asked several times."""

    run_id: str
    split: RunSplit
    cases: tuple[tuple[str, Verdict, bool, bool], ...]
    """Id, verdict, whether it passed, and whether the analyst broke."""

    @property
    def failed(self) -> tuple[str, ...]:
        """Cases with a failure, in the order of the record; an error is none."""
        return self._where(lambda verdict, passed, _: verdict in _FAILED and not passed)

    @property
    def errors(self) -> tuple[str, ...]:
        """Cases with an error: the analyst broke, or its SQL could not be run again."""
        return self._where(
            lambda verdict, _, broke: verdict in ERRORS or (verdict is Verdict.NO_GOLD and broke)
        )

    def _where(self, holds: Callable[[Verdict, bool, bool], bool]) -> tuple[str, ...]:
        found = (
            case for case, verdict, passed, broke in self.cases if holds(verdict, passed, broke)
        )
        return tuple(dict.fromkeys(found))


def read_outcomes(path: Path) -> RunOutcomes:
    """The outcomes in the record file at `path`.

    Raises:
        RecordError: it is no run record, or a newer goldsuite wrote it.
    """
    command = [sys.executable, "-I", "-X", "utf8", "-c", _READ, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_S, check=False)
        fields = json.loads(done.stdout) if done.returncode == 0 else {}
        if fields.get("schema_version", 0) > SCHEMA_VERSION:
            raise RecordError(
                f"{path}: written in record format {fields['schema_version']}; this version of "
                f"goldsuite reads up to {SCHEMA_VERSION}. Upgrade goldsuite to read it."
            )
        return RunOutcomes(
            run_id=str(fields["run_id"]),
            split=fields["split"],
            cases=tuple(
                (str(c), Verdict(verdict), bool(p), bool(b)) for c, verdict, p, b in fields["cases"]
            ),
        )
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path}: no run record of goldsuite that can be read") from error
