"""Where SQL in an answer ends and prose goes on."""

from collections.abc import Sequence

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.errors import SqlglotError

__all__ = ["end_of_query"]

_LONGEST = 50_000
"""Characters. A longer text is taken as it is: parsing it several times would hold up the run."""
_MOST_PARAGRAPHS = 40
_MOST_LINES = 200


def end_of_query(paragraphs: Sequence[str], *, dialect: str | None) -> tuple[str, bool]:
    """The leading paragraphs that make up the query, and whether they parse.

    SQL may hold blank lines, and a remark may follow it after one. A paragraph is taken to go on
    with the query unless what stands before it is whole and it begins with a plain word (which SQL
    would read as an alias). Of what is left, the longest part that parses is the query. Where no
    part parses, all of it is: a query that we cannot read is still the analyst's.
    """
    whole = "\n\n".join(paragraphs)
    if len(whole) > _LONGEST or len(paragraphs) > _MOST_PARAGRAPHS:
        return whole, False
    candidates = [paragraphs[0]]
    for paragraph in paragraphs[1:]:
        if _parses(candidates[-1], dialect) and _begins_with_a_word(paragraph, dialect):
            break
        candidates.append(f"{candidates[-1]}\n\n{paragraph}")
    found = next((text for text in reversed(candidates) if _parses(text, dialect)), None)
    if found is None:
        found = _before_a_sentence(paragraphs[0], dialect)
    return (whole, False) if found is None else (found, True)


def _before_a_sentence(paragraph: str, dialect: str | None) -> str | None:
    """The lines before a remark that follows without a blank line; None where there is none.

    Only a line that begins with a plain word is given up: one that begins with a keyword may be SQL
    of an engine that the parser does not know.
    """
    lines = paragraph.split("\n")[:_MOST_LINES]
    for count in range(len(lines) - 1, 0, -1):
        head = "\n".join(lines[:count])
        if _begins_with_a_word(lines[count], dialect) and _parses(head, dialect):
            return head
    return None


def _parses(text: str, dialect: str | None) -> bool:
    """Whether `text` is SQL with at least one statement; a lone word is a column, and none."""
    try:
        trees = sqlglot.parse(text, read=dialect)
    except (SqlglotError, RecursionError):
        return False
    return any(not isinstance(tree, exp.Condition | exp.Alias | None) for tree in trees)


def _begins_with_a_word(text: str, dialect: str | None) -> bool:
    try:
        tokens = sqlglot.tokenize(text, read=dialect)
    except SqlglotError:
        return True
    return bool(tokens) and tokens[0].token_type in {TokenType.VAR, TokenType.IDENTIFIER}
