"""Whether a gold query is one single query: asked before anything runs, without a warehouse."""

from functools import lru_cache

from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from goldsuite.sqltext.gate import Refusal, Rule, check_query

__all__ = ["query_fault"]

_PLAIN_NAMES = """
    L_PAREN R_PAREN COMMA DOT DASH PLUS STAR SLASH LT LTE GT GTE EQ NEQ AND OR NOT DPIPE
    DCOLON STRING NUMBER IDENTIFIER VAR SELECT WITH FROM WHERE GROUP_BY ORDER_BY HAVING
    LIMIT JOIN INNER LEFT RIGHT FULL OUTER CROSS ON USING ALIAS CASE WHEN THEN ELSE END IN
    IS NULL LIKE ILIKE BETWEEN EXISTS DISTINCT UNION ALL EXCEPT INTERSECT DESC ASC DATE
    TIMESTAMP INTERVAL OVER PARTITION_BY INT BIGINT FLOAT DOUBLE DECIMAL VARCHAR TEXT TRUE
    FALSE FILTER QUALIFY
"""
_PLAIN = frozenset(TokenType[name] for name in _PLAIN_NAMES.split())
"""Tokens of which no statement but a query can be made."""


@lru_cache(maxsize=4096)
def query_fault(sql: str, dialect: str | None) -> str | None:
    """Say why `sql` is no single read-only query, or None where it is one or cannot be read here.

    SQL that sqlglot cannot parse is left to the engine. The sentence repeats nothing of the SQL.

    Args:
        dialect: sqlglot's name of it; None for a general reading.
    """
    if not sql.strip():
        return "the SQL is empty. Write the trusted query."
    tokens = _tokens(sql, dialect)
    if tokens is None:
        return None
    if not [token for token in tokens if token.token_type is not TokenType.SEMICOLON]:
        return "the SQL is a comment only. Write the trusted query."
    if _plainly_a_query(tokens):
        return None
    refusal = check_query(sql, dialect or "", guarded=False)
    return None if refusal is None else _told(refusal)


def _tokens(sql: str, dialect: str | None) -> list[Token] | None:
    try:
        return _dialect(dialect).tokenize(sql)
    except SqlglotError:
        return None


@lru_cache
def _dialect(name: str | None) -> Dialect:
    return Dialect.get_or_raise(name)


def _plainly_a_query(tokens: list[Token]) -> bool:
    """True for the common query, at a fifth of the time that parsing takes."""
    starts = tokens[0].token_type in {TokenType.SELECT, TokenType.WITH}
    return starts and all(token.token_type in _PLAIN for token in tokens)


def _told(refusal: Refusal) -> str | None:
    place = f" (line {refusal.line} of the SQL)" if (refusal.line or 1) > 1 else ""
    if refusal.rule is Rule.ONE_STATEMENT:
        return f"several statements{place}, and one query is expected. Leave one."
    if refusal.rule is Rule.QUERY_ONLY:
        return f"no query{place}. A gold is one statement that reads, such as SELECT or WITH."
    if refusal.rule is Rule.NO_WRITES:
        return f"the SQL writes, locks or changes settings{place}. A gold only reads."
    return None
