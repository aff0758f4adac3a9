"""Comparing a judge with a human: the human's file is read, and paired with judged records."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldsuite.comparison.calibration import Calibration, calibrate
from goldsuite.errors import RecordError, UsageError
from goldsuite.model.judge import BEST, JudgeResult
from goldsuite.model.run import RunRecord
from goldsuite.records.file import read_record
from goldsuite.records.runs_dir import find_record

__all__ = ["Calibrated", "HumanScore", "calibrate_file", "read_human_scores"]

_KEYS = ("run", "case", "trial", "criterion", "score")
_MOST_TOLD = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class HumanScore:
    """One row of a human's file."""

    line: int
    run: str
    """Id of a run, or the path of a record."""
    case: str
    trial: int
    criterion: str
    """Its text or its number in the rubric, from 1; "" for the score of the whole."""
    score: int
    """0 to 5."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibrated:
    """The comparison, and the rows that had nothing to be compared with."""

    calibration: Calibration
    judges: tuple[str, ...]
    """Models whose scores were compared, sorted."""
    unpaired: tuple[str, ...]
    """One sentence for each such row."""


def calibrate_file(path: Path, *, runs_dir: Path) -> Calibrated:
    """Compare the human scores in `path` with what judges made of the same trials.

    Raises:
        UsageError: there is no such file.
        RecordError: a row is no score, or names a run whose record cannot be read.
    """
    records: dict[str, RunRecord] = {}
    pairs, unpaired, judges = [], [], set()
    for row in read_human_scores(path):
        if row.run not in records:
            records[row.run] = read_record(find_record(row.run, runs_dir))
        record = records[row.run]
        found = _judge_score(record, row)
        if isinstance(found, str):
            unpaired.append(f"{path}:{row.line}: {found}")
            continue
        pairs.append((row.score, found))
        judges |= {record.judge.model} if record.judge else set()
    return Calibrated(
        calibration=calibrate(pairs), judges=tuple(sorted(judges)), unpaired=tuple(unpaired)
    )


def _judge_score(record: RunRecord, row: HumanScore) -> float | str:
    """The judge's score that belongs to `row`, or why there is none."""
    for case in record.cases:
        if (case.id, case.trial) == (row.case, row.trial):
            if case.judge is None or case.judge.score is None:
                return f"case {row.case!r} has no score of a judge in run {row.run!r}"
            return _of_criterion(case.judge, row)
    return f"run {row.run!r} has no trial {row.trial} of a case {row.case!r}"


def _of_criterion(result: JudgeResult, row: HumanScore) -> float | str:
    wanted = " ".join(row.criterion.casefold().split())
    if not wanted and result.score is not None:
        return result.score
    for number, each in enumerate(result.criteria, start=1):
        name = " ".join((each.criterion or "").casefold().split())
        if wanted in {name, str(number)}:
            return each.score
    return f"case {row.case!r} was not judged by a criterion {row.criterion!r}"


# -- The file --------------------------------------------------------------------------------------


def read_human_scores(path: Path) -> tuple[HumanScore, ...]:
    """The rows of a CSV file with a heading, or of a JSONL file.

    Raises:
        UsageError: there is no such file.
        RecordError: rows are faulty; all of them are listed.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: the human scores cannot be read: {error}") from None
    is_json = path.suffix.lower() in {".jsonl", ".ndjson", ".json"}
    scores, faults = [], []
    seen: dict[tuple[str, str, int, str], int] = {}
    for line, fields in _json_rows(text) if is_json else _csv_rows(text):
        try:
            score = _score(line, fields)
        except ValueError as error:
            faults.append(f"{path}:{line}: {error}")
            continue
        key = (score.run, score.case, score.trial, score.criterion)
        if key in seen:
            faults.append(f"{path}:{line}: scored already in line {seen[key]}")
        seen.setdefault(key, line)
        scores.append(score)
    if not scores and not faults:
        faults.append(f"{path}: no score in it. A row needs run, case, criterion and score.")
    if faults:
        more = [f"and {len(faults) - _MOST_TOLD} more"] if len(faults) > _MOST_TOLD else []
        raise RecordError("\n".join([*faults[:_MOST_TOLD], *more]))
    return tuple(scores)


def _csv_rows(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(text.splitlines())
    for row in reader:
        yield reader.line_num, {(key or "").strip().lower(): value for key, value in row.items()}


def _json_rows(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                value = None
            yield number, value if isinstance(value, dict) else {}


def _score(line: int, fields: Mapping[str, Any]) -> HumanScore:
    texts = {key: str(fields.get(key) if fields.get(key) is not None else "") for key in _KEYS}
    texts = {key: text.strip() for key, text in texts.items()}
    missing = [key for key in ("run", "case", "score") if not texts[key]]
    if missing:
        raise ValueError(f"{' and '.join(missing)} missing; a row has {', '.join(_KEYS)}")
    score, trial = _whole(texts["score"]), _whole(texts["trial"] or "1")
    if score is None or not 0 <= score <= BEST:
        raise ValueError(f"score {texts['score']!r}: a whole number from 0 to {BEST} is expected")
    if not trial:
        raise ValueError(f"trial {texts['trial']!r}: a whole number from 1 is expected")
    return HumanScore(
        line=line,
        run=texts["run"],
        case=texts["case"],
        trial=trial,
        criterion=texts["criterion"],
        score=score,
    )


def _whole(text: str) -> int | None:
    # Spreadsheets write 4 as 4.0.
    digits = text.removesuffix(".0")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 9 else None
