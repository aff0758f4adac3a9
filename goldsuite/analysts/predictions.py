"""Answers that exist already, read from a file: our own rows, or the predictions of a benchmark.

| format | what it looks like | how a prediction finds its case |
| --- | --- | --- |
| jsonl | one object per line, in the words of `answers.jsonl` | by `id` |
| bird | a JSON object: index -> SQL, `----- bird -----` between tabs, database | by place |
| spider | one SQL per line, or SQL, a tab and the database | by place |
| defog | CSV with the columns `question` and `generated_query` | by the text of the question |

A place (BIRD counts from 0) is one in the suite's order, or in the order of one split of it. Such a
file must hold as many predictions as there are cases: one line too few would shift all that follow.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from goldsuite.analysts.prediction_formats import (
    FoundAnswer,
    read_bird,
    read_csv_rows,
    read_defog,
    read_spider,
)
from goldsuite.analysts.row import ANSWER_KEYS, read_answer
from goldsuite.errors import Fault, RecordError, UsageError
from goldsuite.model.answer import Answer
from goldsuite.model.question import Question
from goldsuite.nearest import did_you_mean
from goldsuite.sqltext.parsing import parse_query

__all__ = ["AnswersFormat", "Predictions", "read_predictions"]

_SHOWN_FAULTS = 20


class AnswersFormat(StrEnum):
    """How a file of answers is written."""

    JSONL = "jsonl"
    BIRD = "bird"
    SPIDER = "spider"
    DEFOG = "defog"


@dataclass(frozen=True, kw_only=True, slots=True)
class Predictions:
    """What a file of answers holds."""

    format: AnswersFormat
    answers: tuple[Answer, ...]
    """One per case, in the order of the file; every id is one of the suite's."""
    databases: tuple[str, ...]
    """The databases that the file names, sorted; a suite has one warehouse for all of them."""

    @property
    def by_place(self) -> bool:
        """True where the order of the file decided which case a prediction belongs to."""
        return self.format in {AnswersFormat.BIRD, AnswersFormat.SPIDER}


def read_predictions(
    path: Path,
    *,
    questions: Sequence[Question],
    places: Sequence[Question],
    answers_format: AnswersFormat | None = None,
    dialect: str | None = None,
) -> Predictions:
    """Read the answers in `path`.

    Args:
        questions: all of the suite, to look ids and texts up in.
        places: those that a format without ids or texts counts through, in order.
        answers_format: None to see it from the file.
        dialect: sqlglot's name, for telling SQL from other text.

    Raises:
        UsageError: there is no such file, or its format cannot be seen.
        RecordError: it has faults; all of them are listed, with their lines.
    """
    text = _text_of(path)
    found_format = answers_format or _detect(path, text, dialect)
    faults: list[Fault] = []

    def fault(line: int | None, message: str) -> None:
        faults.append(Fault(file=str(path), line=line, message=message))

    match found_format:
        case AnswersFormat.JSONL:
            found = _read_rows(text, fault)
        case AnswersFormat.BIRD:
            found = read_bird(text, places, fault)
        case AnswersFormat.SPIDER:
            found = read_spider(text, places, fault)
        case AnswersFormat.DEFOG:
            found = read_defog(text, questions, fault)
    answers = _one_per_case(found, [question.id for question in questions], fault)
    if not answers and not faults:
        fault(None, f"holds no answer that could be read as {found_format.value}")
    if faults:
        raise RecordError(_listed(faults))
    databases = sorted({row.database for row in found if row.database})
    return Predictions(format=found_format, answers=answers, databases=tuple(databases))


def _text_of(path: Path) -> str:
    try:
        # A file from a Windows editor may begin with a byte order mark.
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file of answers") from None
    except OSError as error:
        raise UsageError(f"{path}: the answers cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise RecordError(f"{path}:{line}: the text is not UTF-8; save it as UTF-8.") from None


def _detect(path: Path, text: str, dialect: str | None) -> AnswersFormat:
    """By what the file holds; its name counts only where nothing in it does."""
    if not text.strip():
        raise RecordError(f"{path}: the file is empty, so there is no answer to grade.")
    if text.lstrip().startswith("{"):
        return AnswersFormat.BIRD if _is_indexed(text) else AnswersFormat.JSONL
    first = text.strip().split("\n", 1)[0]
    if "generated_query" in _csv_cells(first):
        return AnswersFormat.DEFOG
    first = first.partition("\t")[0]
    if path.suffix == ".sql" or parse_query(first, dialect or "") is not None:
        return AnswersFormat.SPIDER
    known = ", ".join(AnswersFormat)
    raise UsageError(
        f"{path}: the format of these answers is not seen from its first line {first!r:.80}; "
        f"name it with --answers-format ({known})"
    )


def _csv_cells(line: str) -> list[str]:
    try:
        return next((cells for _, cells in read_csv_rows(line)), [])
    except ValueError:
        return []


def _is_indexed(text: str) -> bool:
    """One object over the whole file, whose keys are no words of ours."""
    first = text.strip().split("\n", 1)[0]
    for part in (first, text):
        try:
            whole = json.loads(part)
        except (ValueError, RecursionError):
            continue
        return isinstance(whole, dict) and whole.keys().isdisjoint({"id", *ANSWER_KEYS})
    # Broken either way: a row of ours does not end after its bracket.
    return first.strip() == "{"


def _read_rows(text: str, fault: Callable[[int | None, str], None]) -> list[FoundAnswer]:
    found = []
    for line, row in enumerate(text.split("\n"), start=1):
        if not row.strip():
            continue
        try:
            answer = read_answer(row)
        except ValueError as error:
            fault(line, f"{error}. Mend the line or take it out.")
            continue
        if answer.trial != 1:
            fault(line, f"'trial' is {answer.trial}: one answer is graded for each case.")
            continue
        found.append(FoundAnswer(answer=answer, line=line))
    return found


def _one_per_case(
    found: Iterable[FoundAnswer],
    known: Sequence[str],
    fault: Callable[[int | None, str], None],
) -> tuple[Answer, ...]:
    """Unknown and repeated ids are faults; but a resumed run answers again what had broken."""
    ids = set(known)
    kept: dict[str, FoundAnswer] = {}
    for row in found:
        case = row.answer.id
        earlier = kept.get(case)
        if case not in ids:
            fault(row.line, f"the suite has no case {case!r}.{did_you_mean(case, known)}")
        elif earlier is not None and earlier.answer.reply.error is None:
            place = f"line {earlier.line}" if earlier.line else "before"
            fault(row.line, f"case {case!r} is answered twice, first on {place}. Keep one of them.")
        else:
            kept[case] = row
    return tuple(row.answer for row in kept.values())


def _listed(faults: Sequence[Fault]) -> str:
    more = len(faults) - _SHOWN_FAULTS
    lines = [*map(str, faults[:_SHOWN_FAULTS]), *([f"... and {more} more"] if more > 0 else [])]
    return "\n".join(lines)
