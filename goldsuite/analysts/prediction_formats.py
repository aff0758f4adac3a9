"""The files that the runners of BIRD, Spider and defog's sql-eval write: SQL alone, without ids."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from goldsuite.model.answer import Answer, Reply
from goldsuite.model.question import Question
from goldsuite.nearest import did_you_mean

__all__ = ["FoundAnswer", "OnFault", "read_bird", "read_csv_rows", "read_defog", "read_spider"]

OnFault: TypeAlias = Callable[[int | None, str], None]
"""Takes the line (None where the fault has none) and what is wrong."""

_BIRD_MARK = "\t----- bird -----\t"
_LONGEST_FIELD = 10_000_000
"""Characters of one CSV field; Python's own limit is too small for a trace beside the SQL."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundAnswer:
    """One prediction and where it stands."""

    answer: Answer
    line: int | None
    """1-based; None where the format has no line of its own for it."""
    database: str | None = None


def _found(
    question: Question, query: str | None, *, line: int | None, database: str | None = None
) -> FoundAnswer:
    reply = Reply(query=query if query and query.strip() else None)
    return FoundAnswer(
        answer=Answer(id=question.id, trial=1, reply=reply), line=line, database=database
    )


def read_bird(text: str, places: Sequence[Question], fault: OnFault) -> list[FoundAnswer]:
    """`{"0": "SELECT ...\\t----- bird -----\\tdatabase", ...}`; a value that is no text is none."""
    repeated: list[str] = []

    def whole(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(key for key, _ in pairs)
        repeated.extend(key for key, count in counts.items() if count > 1)
        return dict(pairs)

    try:
        rows = json.loads(text, object_pairs_hook=whole)
    except RecursionError:
        fault(None, "nested too deeply for a file of predictions")
        return []
    except json.JSONDecodeError as error:
        fault(error.lineno, f"no JSON: {error.msg}")
        return []
    if not isinstance(rows, dict):
        fault(None, "a JSON object with an index for each prediction is expected")
        return []
    for key in repeated:
        fault(None, f"index {key!r} is given more than once")
    wrong = [key for key in rows if not (key.isascii() and key.isdecimal())]
    if wrong:
        fault(None, f"index {wrong[0]!r}: whole numbers from 0 are expected as keys")
        return []
    by_index = {int(key): value for key, value in rows.items()}
    if set(by_index) != set(range(len(places))):
        fault(None, _wrong_indices(by_index, len(places)))
        return []
    return [_bird_row(places[index], by_index[index]) for index in sorted(by_index)]


def _wrong_indices(by_index: dict[int, Any], count: int) -> str:
    missing = [index for index in range(count) if index not in by_index]
    spare = sorted(index for index in by_index if index >= count)
    parts = [f"index {missing[0]} is missing"] if missing else []
    parts += [f"index {spare[0]} has no case"] if spare else []
    return f"{_count_fault(len(by_index), count)} ({', '.join(parts)})"


def _count_fault(have: int, want: int) -> str:
    return (
        f"holds {have:,} predictions for {want:,} cases. Predictions without ids belong to the "
        "cases in the suite's order, so there must be one for each; name the split that was "
        "predicted with --split"
    )


def _bird_row(question: Question, value: object) -> FoundAnswer:
    # BIRD's own runner writes a number where its model failed.
    sql, _, database = value.partition(_BIRD_MARK) if isinstance(value, str) else ("", "", "")
    return _found(question, sql, line=None, database=database.strip() or None)


def read_spider(text: str, places: Sequence[Question], fault: OnFault) -> list[FoundAnswer]:
    """One SQL per line; an empty line between others is a case without an answer."""
    lines = text.rstrip().split("\n")
    if len(lines) != len(places):
        fault(None, _count_fault(len(lines), len(places)))
        return []
    # A tab may as well be white space in the SQL: only where every line ends in a name is it one.
    split = [line.rpartition("\t") for line in lines if line.strip()]
    names = all(sql.strip() and database.strip().isidentifier() for sql, _, database in split)
    found = []
    for number, (question, line) in enumerate(zip(places, lines, strict=True), start=1):
        sql, _, database = line.rpartition("\t") if names else (line, "", "")
        found.append(_found(question, sql, line=number, database=database.strip() or None))
    return found


def read_csv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line on which it starts.

    Raises:
        ValueError: a row is no CSV; the message holds its line.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    start = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise ValueError(f"line {start}: no CSV: {error}") from None
        if row is None:
            return
        yield start, row
        start = reader.line_num + 1


def read_defog(text: str, questions: Sequence[Question], fault: OnFault) -> list[FoundAnswer]:
    """The CSV of sql-eval: `question` finds the case, `generated_query` is the prediction."""
    try:
        rows = list(read_csv_rows(text))
    except ValueError as error:
        fault(None, str(error))
        return []
    header = rows[0][1] if rows else []
    missing = [name for name in ("question", "generated_query") if name not in header]
    if missing:
        fault(1, f"column {missing[0]!r} is missing; the columns are {', '.join(header)}")
        return []
    by_text = {_spaced(question.text): question for question in questions}
    found = []
    for line, cells in rows[1:]:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            fault(line, f"{len(cells)} cells instead of {len(header)}")
            continue
        row = dict(zip(header, cells, strict=True))
        question = by_text.get(_spaced(row["question"]))
        if question is None:
            near = did_you_mean(_spaced(row["question"]), by_text)
            fault(line, f"no case of the suite asks {row['question']!r:.120}.{near}")
        else:
            found.append(_defog_row(question, row, line))
    return found


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _defog_row(question: Question, row: dict[str, str], line: int) -> FoundAnswer:
    query = row["generated_query"].strip() or None
    broke = row.get("error_msg", "").strip()
    reply = Reply(query=query, error=broke or None) if query is None else Reply(query=query)
    answer = Answer(
        id=question.id, trial=1, reply=reply, latency_ms=_latency(row.get("latency_seconds"))
    )
    return FoundAnswer(answer=answer, line=line, database=row.get("db_name", "").strip() or None)


def _latency(seconds: str | None) -> float | None:
    try:
        number = Decimal((seconds or "").strip())
    except InvalidOperation:
        return None
    return float(number * 1000) if number.is_finite() and number >= 0 else None
