"""SQL text to trees, safely: text that cannot be read is an answer, never an exception.

An analyst's SQL is input from outside. sqlglot raises on bad SQL, recurses on deep SQL, takes
exponential time on a chain of joins that lack their condition, and its compiled form ends the whole
process on nestings of ten thousands; so a text is measured by its tokens before it is parsed.
"""

import logging
from collections.abc import Iterable

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

__all__ = [
    "UNREADABLE",
    "parse_query",
    "parse_statements",
    "read_dialect",
    "tokenize",
    "within_limits",
]

UNREADABLE = (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, LookupError)
"""What sqlglot raises on SQL that it cannot handle; the later ones come from its own slips."""

MAX_DEPTH = 200
"""Of brackets. No hand-written query comes near; the parser's recursion ends at about 300."""
MAX_CHAIN = 500
"""Of FROM, JOIN, `[` and `<`, each counted over the whole text."""
MAX_PATH = 20
"""Of dots, `::` and NOT that follow each other with one token between, or none."""
MAX_OPEN_JOINS = 10
"""Joins without a condition of their own: parsing time doubles with each."""

_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})
_CHAINING = (TokenType.FROM, TokenType.JOIN, TokenType.L_BRACKET, TokenType.LT)
_LINKS = frozenset({TokenType.DOT, TokenType.DCOLON, TokenType.NOT})
_NEEDS_NO_CONDITION = frozenset({TokenType.CROSS, TokenType.NATURAL})

# sqlglot warns through `logging`, which without a handler writes to stderr: what it warns of is
# told by our return values.
logging.getLogger("sqlglot").addHandler(logging.NullHandler())


def read_dialect(dialect: str) -> Dialect:
    """The dialect of that sqlglot name; an unknown name gives the generic one."""
    known = Dialect.get(dialect)
    return known() if known else Dialect()


def tokenize(sql: str, dialect: str) -> tuple[Token, ...] | None:
    """The tokens of `sql`, comments left out, or None where it has none that the dialect knows."""
    try:
        return tuple(read_dialect(dialect).tokenize(sql))
    except UNREADABLE:
        return None


def parse_statements(sql: str, dialect: str) -> tuple[exp.Expr, ...] | None:
    """Every statement of `sql`; None where it is empty, opaque to sqlglot, or no SQL at all."""
    tokens = tokenize(sql, dialect)
    if not tokens or not within_limits(tokens):
        return None
    try:
        trees = read_dialect(dialect).parser().parse(list(tokens), sql)
    except UNREADABLE:
        return None
    statements = tuple(t for t in trees if t is not None and not isinstance(t, exp.Semicolon))
    if not statements or any(isinstance(t, exp.Command) for t in statements):
        return None
    return statements


def parse_query(sql: str, dialect: str) -> exp.Query | None:
    """The one query that `sql` is, outer brackets taken off; None for anything else."""
    statements = parse_statements(sql, dialect)
    if statements is None or len(statements) != 1:
        return None
    query = statements[0].unnest()
    return query if isinstance(query, exp.Query) else None


def within_limits(tokens: Iterable[Token]) -> bool:
    """Whether text of these tokens can be parsed safely and in time."""
    depth = open_joins = path = since_link = 0
    chains = dict.fromkeys(_CHAINING, 0)
    before: TokenType | None = None
    for token in tokens:
        kind = token.token_type
        depth += (kind in _OPENING) - (kind in _CLOSING)
        if kind in chains:
            chains[kind] += 1
        if kind is TokenType.JOIN and before not in _NEEDS_NO_CONDITION:
            open_joins += 1
        elif kind in (TokenType.ON, TokenType.USING):
            open_joins -= 1
        since_link = 0 if kind in _LINKS else since_link + 1
        path = path + 1 if since_link == 0 else path if since_link == 1 else 0
        if depth > MAX_DEPTH or open_joins > MAX_OPEN_JOINS or path > MAX_PATH:
            return False
        before = kind
    return max(chains.values()) <= MAX_CHAIN
