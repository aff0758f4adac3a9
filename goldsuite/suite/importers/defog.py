"""The CSV of defog's sql-eval: several accepted golds in one cell.

Queries that are separated by semicolons are each right. Columns in braces are alternatives: any
of them, or several in the order given, is right, and `{}` after GROUP BY repeats the choice.
Source: https://github.com/defog-ai/sql-eval.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from sqlglot.tokenizer_core import Token, TokenType

from goldsuite.sqltext.parsing import tokenize
from goldsuite.suite.importers.base import Candidate, Reading, Source, Untaken
from goldsuite.suite.importers.csv_text import read_table
from goldsuite.suite.importers.entry import Entry, NotTakenError, collect

__all__ = ["accepted_queries", "read_defog"]

_KEYS = frozenset(
    [
        "question",
        "query",
        "db_name",
        "query_category",
        "instructions",
        "full_instructions",
        "k_shot_prompt",
        "db_type",
        "glossary",
    ]
)
_MOST_GOLDS = 63
"""All choices among six columns."""
_BRACES = (TokenType.L_BRACE, TokenType.R_BRACE)
_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET})


def read_defog(source: Source) -> Reading:
    """Implements `goldsuite.suite.importers.base.Importer`."""
    entries = read_table(source, required=(("question",), ("query",)))
    return collect(_candidates(entries), entries=entries, known=_KEYS)


def _candidates(entries: Sequence[Entry]) -> Iterator[Candidate | Untaken]:
    for number, entry in enumerate(entries, start=1):
        try:
            database = entry.optional("db_name")
            category = entry.optional("query_category")
            yield entry.candidate(
                id=f"{database or 'case'}-{number}",
                question=entry.text("question"),
                gold_sql=accepted_queries(entry.text("query")),
                database=database,
                hint=entry.optional("instructions", "full_instructions"),
                fields={"tags": [category] if category else None},
            )
        except NotTakenError as reason:
            yield entry.untaken(str(reason))


def accepted_queries(text: str) -> list[str]:
    """Every query that a cell accepts, the smallest choice of columns first.

    Raises:
        NotTakenError: the cell is no SQL, a brace is not closed, or it accepts too many.
    """
    tokens = tokenize(text, "postgres")
    if not tokens:
        raise NotTakenError("'query' cannot be read as SQL")
    found = [query for part in _statements(text, tokens) for query in _expanded(part)]
    if not found:
        raise NotTakenError("'query' holds no query")
    if len(found) > _MOST_GOLDS:
        raise NotTakenError(f"'query' accepts {len(found)} queries, and {_MOST_GOLDS} are the most")
    return found


def _statements(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    start = 0
    ends = [token.start for token in tokens if token.token_type is TokenType.SEMICOLON]
    for end in [*ends, len(text)]:
        if text[start:end].strip():
            yield text[start:end].strip()
        start = end + 1


def _expanded(query: str) -> list[str]:
    """`query` once for each choice of the columns in its first braces."""
    tokens = tokenize(query, "postgres") or ()
    braces = [
        token for token in tokens if token.token_type in (TokenType.L_BRACE, TokenType.R_BRACE)
    ]
    if not braces:
        return [query]
    if len(braces) % 2 or any(
        token.token_type is not _BRACES[number % 2] for number, token in enumerate(braces)
    ):
        raise NotTakenError("'query' has braces that do not pair")
    pairs = [(a.start, b.end) for a, b in zip(braces[::2], braces[1::2], strict=True)]
    choices = [pair for pair in pairs if query[pair[0] + 1 : pair[1]].strip()]
    if len(choices) != 1:
        raise NotTakenError(f"'query' has {len(choices)} lists of columns in braces, not one")
    columns = _columns(query, tokens, choices[0])
    if 2 ** len(columns) - 1 > _MOST_GOLDS:
        raise NotTakenError(f"'query' lets choose among {len(columns)} columns: too many choices")
    return [_with_choice(query, pairs, ", ".join(choice)) for choice in _choices(columns)]


def _choices(columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    sizes = range(1, len(columns) + 1)
    return chain.from_iterable(combinations(columns, size) for size in sizes)


def _columns(query: str, tokens: Sequence[Token], place: tuple[int, int]) -> list[str]:
    """What stands between the commas of the braces, those within a call aside."""
    start, depth = place[0] + 1, 0
    found = []
    for token in tokens:
        if not place[0] < token.start < place[1]:
            continue
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        if token.token_type is TokenType.COMMA and depth == 0:
            found.append(query[start : token.start])
            start = token.end + 1
    return [column.strip() for column in [*found, query[start : place[1]]]]


def _with_choice(query: str, pairs: Sequence[tuple[int, int]], columns: str) -> str:
    """`columns` in place of every pair of braces, the empty ones too."""
    for start, end in reversed(pairs):
        query = query[:start] + columns + query[end + 1 :]
    return query
