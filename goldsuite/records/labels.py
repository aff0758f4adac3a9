"""What people say a failure is: a file of its own beside the answers of a run.

`labels.jsonl` grows by one line for each decision, the last one of a case holds, and the record
stays as it was written. So grading a run again never loses a label.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from goldsuite.durable import write_whole
from goldsuite.errors import RecordError
from goldsuite.model.diagnosis import CaseLabel, Cause, FailureMode

__all__ = ["copy_labels", "label_case", "labels_of", "labels_path", "unlabel_case"]


def labels_path(record: Path) -> Path:
    """Where the labels of the run with that record file stand."""
    return record.with_suffix("") / "labels.jsonl"


def labels_of(record: Path) -> dict[str, CaseLabel]:
    """The label that holds for each labelled case of the run with that record file, by case id.

    Raises:
        RecordError: the file of labels cannot be read.
    """
    path = labels_path(record)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from None
    found: dict[str, CaseLabel] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            case, label = _read(json.loads(line))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise RecordError(
                f"{path}:{number}: no label of goldsuite ({error}). Mend the line or take it out."
            ) from None
        found.pop(case, None)
        if label is not None:
            found[case] = label
    return found


def _read(row: Mapping[str, Any]) -> tuple[str, CaseLabel | None]:
    case, at = str(row["case"]), datetime.fromisoformat(row["labelled_at"])
    if row["cause"] is None:
        return case, None
    note = row.get("note")
    return case, CaseLabel(
        case=case,
        cause=Cause(row["cause"]),
        mode=FailureMode(row["mode"]),
        note=None if note is None else str(note),
        labelled_at=at,
    )


def label_case(record: Path, label: CaseLabel) -> None:
    """Keep `label` with the run; an earlier one of the case stays in the file and holds no more.

    Raises:
        RecordError: the file cannot be written.
    """
    _append(record, label.case, label.labelled_at, label)


def unlabel_case(record: Path, case: str, now: datetime) -> None:
    """Let what was found automatically hold again for `case`.

    Raises:
        RecordError: the file cannot be written.
    """
    _append(record, case, now, None)


def copy_labels(source: Path, target: Path) -> int:
    """Take the labels of one run over to another of the same answers; gives how many.

    Both are record files. A label that the other run has of a case already stays.

    Raises:
        RecordError: a file of labels cannot be read or written.
    """
    if labels_path(source) == labels_path(target):
        return 0
    known = labels_of(target)
    new = [label for case, label in labels_of(source).items() if case not in known]
    for label in new:
        label_case(target, label)
    return len(new)


def _append(record: Path, case: str, at: datetime, label: CaseLabel | None) -> None:
    row = {
        "case": case,
        "cause": label.cause.value if label else None,
        "mode": label.mode.value if label else None,
        "note": label.note if label else None,
        "labelled_at": at.isoformat(),
    }
    path = labels_path(record)
    try:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        write_whole(path, f"{before}{json.dumps(row, ensure_ascii=False)}\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be written: {error}.") from error
