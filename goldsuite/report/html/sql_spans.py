"""SQL in colours: runs of text, each with the letter of its kind, which the page makes spans of."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from sqlglot.tokenizer_core import Token, TokenType

from goldsuite.sqltext.parsing import tokenize

__all__ = ["Spans", "sql_spans"]

Spans: TypeAlias = tuple[str, ...]
"""Letter and text by turns; together the texts are the query as it was written."""

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_LONGEST = 20_000
"""Characters; a longer text is shown without colours."""


@lru_cache(maxsize=20_000)
def sql_spans(sql: str, dialect: str) -> Spans:
    """The text of `sql` in runs of one kind: k keyword, s text, n number, c comment, else empty."""
    tokens = tokenize(sql, dialect) if len(sql) <= _LONGEST else None
    if tokens is None:
        return ("", sql) if sql else ()
    runs: list[str] = []
    for letter, text in _parts(sql, tokens):
        if runs and (runs[-2] == letter or text.isspace()):
            runs[-1] += text
        elif text:
            runs += (letter, text)
    return tuple(runs)


def _parts(sql: str, tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Every token with its kind, and what lies between them: comments and blanks."""
    ends = [(0, 0, "")]
    ends += [(token.start, token.end + 1, _letter(token)) for token in tokens]
    ends.append((len(sql), len(sql), ""))
    for (_, before, _), (start, end, letter) in pairwise(ends):
        # Tokens that the tokenizer makes of nothing do not move backwards.
        start = max(start, before)  # noqa: PLW2901
        yield "c" if sql[before:start].strip() else "", sql[before:start]
        yield letter, sql[start:end]


def _letter(token: Token) -> str:
    if token.token_type is TokenType.NUMBER:
        return "n"
    if token.token_type.name.endswith("STRING"):
        return "s"
    is_word = token.text.replace(" ", "").replace("_", "").isalpha()
    return "k" if is_word and token.token_type not in _NAMES else ""
