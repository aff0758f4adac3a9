"""The benchmark of a Databricks Genie space, as the space is exported.

Under `benchmarks.questions` each entry has `question`, a list of pieces of text, and `answer`, a
list of `{"format": "SQL", "content": [pieces]}`. The whole may stand as text under
`serialized_space`, as the API returns it. Its `example_question_sqls` are what Genie is told, and
no benchmark.
Source: https://docs.databricks.com/api/workspace/genie
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from goldsuite.suite.importers.base import Candidate, Reading, Source, Untaken
from goldsuite.suite.importers.entry import Entry, NotTakenError, collect
from goldsuite.suite.importers.json_text import read_json

__all__ = ["read_genie"]

_KEYS = frozenset(("id", "question", "answer"))


def read_genie(source: Source) -> Reading:
    """Implements `goldsuite.suite.importers.base.Importer`."""
    space = read_json(source)
    if isinstance(space, dict) and isinstance(space.get("serialized_space"), str):
        source = replace(
            source, shown=f"{source.shown}: serialized_space", text=space["serialized_space"]
        )
        space = read_json(source)
    benchmarks = space.get("benchmarks") if isinstance(space, dict) else None
    questions = benchmarks.get("questions") if isinstance(benchmarks, dict) else None
    if not isinstance(questions, list) or not questions:
        raise source.error(None, "no list under `benchmarks.questions`: is it a Genie space?")
    entries = list(_entries(source, questions))
    return collect(map(_candidate, entries), entries=entries, known=_KEYS)


def _entries(source: Source, questions: list[Any]) -> Iterator[Entry]:
    for index, item in enumerate(questions):
        if not isinstance(item, dict):
            raise source.error(None, f"benchmarks.questions[{index}] is no object.")
        yield Entry(place=f"benchmarks.questions[{index}]", data=item)


def _candidate(entry: Entry) -> Candidate | Untaken:
    try:
        return entry.candidate(
            id=entry.optional("id"),
            question=_joined(entry.data.get("question"), "question"),
            gold_sql=_queries(entry.data.get("answer")),
        )
    except NotTakenError as reason:
        return replace(entry.untaken(str(reason)), name=entry.optional("id"))


def _queries(answers: Any) -> list[str]:
    if not isinstance(answers, list) or not answers:
        raise NotTakenError("has no answer")
    if not all(isinstance(answer, dict) for answer in answers):
        raise NotTakenError("'answer' is no list of objects")
    formats = [str(answer.get("format")) for answer in answers]
    # The SDK spells it GENIE_AGENT_BENCHMARK_ANSWER_FORMAT_SQL.
    queries = [
        _joined(answer.get("content"), "content")
        for answer, name in zip(answers, formats, strict=True)
        if name.upper().rpartition("_")[2] == "SQL"
    ]
    if not queries:
        raise NotTakenError(f"its answer is no SQL but {json.dumps(formats[0])}")
    return queries


def _joined(pieces: Any, key: str) -> str:
    """The pieces of a text, each of which is a line or ends with its own line break."""
    if isinstance(pieces, str):
        pieces = [pieces]
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        raise NotTakenError(f"{key!r} is no text")
    text = "".join(piece if piece.endswith("\n") else f"{piece}\n" for piece in pieces).strip()
    if not text:
        raise NotTakenError(f"{key!r} is missing or empty")
    return text
