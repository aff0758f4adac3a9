"""The questions with trusted SQL that the context shows the analyst as examples."""

from collections.abc import Iterator
from dataclasses import dataclass

from goldsuite.context.entry import named_entries, text_of
from goldsuite.context.resolve import ResolvedContext
from goldsuite.context.yaml_file import YamlMapping, YamlValue, read_yaml

_PLACES = (
    "verified_queries.yaml",
    "verified_queries.yml",
    # Older layouts.
    "semantic/verified_queries.yaml",
    "semantic/verified_queries.yml",
)
_LIST_KEYS = ("verified_queries", "queries")


@dataclass(frozen=True, kw_only=True, slots=True)
class VerifiedQuery:
    """One example."""

    question: str
    sql: str


def verified_queries(context: ResolvedContext) -> tuple[VerifiedQuery, ...]:
    """The examples of the resolved folder: its own first, then those under `semantic/`.

    An entry without a question or without SQL is no example and is passed over.

    Raises:
        ContextError: a file is unreadable.
    """
    files = context.dataset_files()
    found = (
        query
        for place in _PLACES
        if place in files
        for query in _queries(read_yaml(files[place].path))
    )
    return tuple(dict.fromkeys(found))


def _queries(content: YamlValue) -> Iterator[VerifiedQuery]:
    listed = content
    if isinstance(content, YamlMapping):
        listed = next((content[key] for key in _LIST_KEYS if key in content), content)
    for entry in named_entries(listed, "question"):
        question = text_of(entry, "question", "prompt")
        sql = text_of(entry, "sql", "query")
        if question is not None and sql is not None:
            yield VerifiedQuery(question=question, sql=sql)
