"""What a record suggests against one cluster, and whom to ask again, with nothing else of it.

A record holds gold, so it is read by a process of its own: whoever asks the cases again must not
have their gold in memory. What is suggested goes into the context, where the analyst reads it.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldsuite.errors import RecordError, UsageError
from goldsuite.model.run import SCHEMA_VERSION
from goldsuite.nearest import did_you_mean

__all__ = ["Fix", "read_fix"]

_TIMEOUT_S = 120.0
_READ = """\
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    record = json.load(file)
clusters = [c for mode in record["failure_modes"] for c in mode.get("clusters", ())]
split = {case["id"]: case["split"] for case in record["cases"]}
trials = {}
for case in record["cases"]:
    trials.setdefault(case["id"], []).append(case["passed"])
found = next((c for c in clusters if c["id"] == sys.argv[2]), None)
found = found and {
    "suggestion": found["suggestion"],
    "cases": [case for case in found["cases"] if split[case] == "train"],
    "held_out": sum(split[case] != "train" for case in found["cases"]),
}
# Of the others, names alone of those that have a case which is no secret.
known = [c["id"] for c in clusters if any(split[case] == "train" for case in c["cases"])]
json.dump({
    "schema_version": record["schema_version"],
    "run_id": record["run_id"],
    "analyst": record["analyst"],
    "known": known,
    "passed": [case for case, all_ in trials.items() if all(all_) and split[case] == "train"],
    "found": found,
}, sys.stdout)
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fix:
    """Something to write down, and the cases that it should mend."""

    run_id: str
    analyst: str
    """Who was asked in that run."""
    cluster: str
    cases: tuple[str, ...]
    """The train cases of the cluster; a held-out case is never tried on."""
    passed: tuple[str, ...]
    """The train cases that passed in every trial."""
    file: str
    entry: str
    metric: str | None


def read_fix(path: Path, cluster: str) -> Fix:
    """The fix that the record file at `path` suggests for the cluster with the id `cluster`.

    Raises:
        RecordError: it is no run record, or a newer goldsuite wrote it.
        UsageError: there is no such cluster, none of its cases may be asked, or nothing that could
            be laid over the context is suggested.
    """
    fields = _read(path, cluster)
    try:
        return _fix(fields, cluster)
    except (KeyError, TypeError) as error:
        raise RecordError(f"{path}: no run record of goldsuite that can be read") from error


def _fix(fields: dict[str, Any], cluster: str) -> Fix:
    run, found = str(fields["run_id"]), fields["found"]
    if found is None or not found["cases"]:
        if found is not None and found["held_out"]:
            raise UsageError(
                f"cluster {cluster!r} of run {run} has held-out cases alone, and nothing is tried "
                "on those"
            )
        known = fields["known"]
        hint = did_you_mean(cluster, known) or (f" It has {', '.join(known)}." if known else "")
        raise UsageError(f"run {run} has no cluster {cluster!r}.{hint}")
    suggestion = found["suggestion"]
    if suggestion is None or suggestion["entry"] is None:
        raise UsageError(
            f"cluster {cluster!r} of run {run}: there is no text that could be laid over the "
            "context. Edit the context, then run `goldsuite eval train --failed-from "
            f"{run}`."
        )
    return Fix(
        run_id=run,
        analyst=str(fields["analyst"]),
        cluster=cluster,
        cases=tuple(found["cases"]),
        passed=tuple(fields["passed"]),
        file=suggestion["file"],
        entry=suggestion["entry"],
        metric=suggestion["metric"],
    )


def _read(path: Path, cluster: str) -> dict[str, Any]:
    command = [sys.executable, "-I", "-X", "utf8", "-c", _READ, str(path), cluster]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_S, check=False)
        fields = json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, subprocess.TimeoutExpired, ValueError):
        fields = None
    if not isinstance(fields, dict):
        raise RecordError(f"{path}: no run record of goldsuite that can be read")
    if fields.get("schema_version", 0) > SCHEMA_VERSION:
        raise RecordError(
            f"{path}: written in record format {fields['schema_version']}; this version of "
            f"goldsuite reads up to {SCHEMA_VERSION}. Upgrade goldsuite to read it."
        )
    return fields
