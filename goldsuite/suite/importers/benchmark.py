"""Spider and BIRD: a JSON list of questions with one gold query each, on many databases.

Spider's entries have `question`, `query` and `db_id`; BIRD's `question_id`, `question`, `SQL`,
`db_id`, `difficulty` and `evidence`, which BIRD gives to its systems as a hint.
Sources: the files `dev.json` of https://yale-lily.github.io/spider and
https://bird-bench.github.io.
"""

from collections.abc import Iterator, Sequence

from goldsuite.suite.importers.base import Candidate, Reading, Source, Untaken
from goldsuite.suite.importers.entry import Entry, NotTakenError, collect
from goldsuite.suite.importers.json_text import read_objects

__all__ = ["read_bird", "read_spider"]

_SPIDER_KEYS = frozenset(
    ["question", "query", "db_id", "query_toks", "query_toks_no_value", "question_toks", "sql"]
)
"""The last four repeat the first two in pieces."""
_BIRD_KEYS = frozenset(["question_id", "question", "SQL", "db_id", "evidence", "difficulty"])


def read_spider(source: Source) -> Reading:
    """Implements `goldsuite.suite.importers.base.Importer`."""
    entries = read_objects(source, what="a Spider file")
    return collect(_spider(entries), entries=entries, known=_SPIDER_KEYS)


def _spider(entries: Sequence[Entry]) -> Iterator[Candidate | Untaken]:
    for number, entry in enumerate(entries, start=1):
        try:
            database = entry.text("db_id")
            yield entry.candidate(
                id=f"{database}-{number}",
                question=entry.text("question"),
                gold_sql=[entry.text("query")],
                database=database,
            )
        except NotTakenError as reason:
            yield entry.untaken(str(reason))


def read_bird(source: Source) -> Reading:
    """Implements `goldsuite.suite.importers.base.Importer`."""
    entries = read_objects(source, what="a BIRD file")
    return collect(_bird(entries), entries=entries, known=_BIRD_KEYS)


def _bird(entries: Sequence[Entry]) -> Iterator[Candidate | Untaken]:
    for number, entry in enumerate(entries):
        try:
            database = entry.text("db_id")
            yield entry.candidate(
                id=f"{database}-{entry.optional('question_id') or number}",
                question=entry.text("question"),
                gold_sql=[entry.text("SQL", "query")],
                database=database,
                hint=entry.optional("evidence"),
                fields={"difficulty": entry.optional("difficulty")},
            )
        except NotTakenError as reason:
            yield entry.untaken(str(reason))
