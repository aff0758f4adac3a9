"""The normal form of a query's text: what is left when only its writing is taken away.

The case of keywords and identifiers, white space, quoting style, comments and the trailing
semicolon do not count; literals do, with their case. Two texts of one normal form are the same
query; two of different forms may still mean the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp
from sqlglot.dialects.dialect import NormalizationStrategy
from sqlglot.errors import ErrorLevel
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers
from sqlglot.tokenizer_core import Token, TokenType

from goldsuite.sqltext.parsing import UNREADABLE, parse_statements, read_dialect, tokenize

__all__ = ["NormalForm", "fold_identifiers", "normal_form", "raw_form"]

_CACHED = 16_384
_COLUMN_CASE_IGNORED = frozenset({"mysql", "doris", "starrocks", "singlestore"})
"""Dialects whose table names keep their case while column names and aliases do not."""
_TABLE_NAMES = (exp.Table, exp.TableAlias)
_LITERAL_SIDE = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Glob)


@dataclass(frozen=True, kw_only=True, slots=True)
class NormalForm:
    """One text, freed of its writing."""

    text: str
    tokens: frozenset[str]
    """The distinct tokens of `text`: a string keeps its quotes, so it is no identifier."""
    parsed: bool
    """False where the text is no SQL of the dialect, and these are its raw tokens."""


@lru_cache(maxsize=_CACHED)
def normal_form(sql: str, dialect: str) -> NormalForm:
    """The normal form of `sql`, or its raw form where it cannot be parsed. Raises nothing."""
    statements = parse_statements(sql, dialect)
    if statements is None:
        return raw_form(sql, dialect)
    texts = [_written(fold_identifiers(tree, dialect), dialect) for tree in statements]
    text = "; ".join(text for text in texts if text is not None)
    tokens = tokenize(text, dialect)
    if tokens is None or None in texts:
        return raw_form(sql, dialect)
    return NormalForm(text=text, tokens=frozenset(map(_token_text, tokens)), parsed=True)


@lru_cache(maxsize=_CACHED)
def raw_form(sql: str, dialect: str) -> NormalForm:
    """The text as a row of tokens, for SQL that cannot be parsed. Raises nothing.

    Where not even tokens can be read, its words are taken, in lower case.
    """
    tokens = tokenize(sql, dialect)
    words = sql.lower().split() if tokens is None else _without_end(map(_token_text, tokens))
    return NormalForm(text=" ".join(words), tokens=frozenset(words), parsed=False)


def fold_identifiers(tree: exp.Expr, dialect: str) -> exp.Expr:
    """Bring identifiers to the case that the dialect resolves them in; changes `tree`."""
    reader = read_dialect(dialect)
    if dialect == "sqlite":
        _restore_strings(tree)
    normalize_identifiers(tree, dialect=reader)
    strategy = reader.normalization_strategy
    if strategy is NormalizationStrategy.CASE_SENSITIVE and dialect in _COLUMN_CASE_IGNORED:
        for identifier in tree.find_all(exp.Identifier):
            if identifier.arg_key == "this" and not isinstance(identifier.parent, _TABLE_NAMES):
                identifier.set("this", identifier.name.lower())
    return tree


def _restore_strings(tree: exp.Expr) -> None:
    """SQLite reads `x = "Yes"` as text where no column is called so; its case then counts."""
    for column in list(tree.find_all(exp.Column)):
        name, parent = column.this, column.parent
        if column.table or not isinstance(name, exp.Identifier) or not name.quoted:
            continue
        compared = isinstance(parent, _LITERAL_SIDE) and column.arg_key == "expression"
        listed = isinstance(parent, exp.In) and column.arg_key == "expressions"
        if compared or listed:
            column.replace(exp.Literal.string(name.name))


def _written(tree: exp.Expr, dialect: str) -> str | None:
    # Every identifier is quoted: what the author quoted then no longer shows, and a name that is
    # also a keyword keeps apart from it.
    try:
        return read_dialect(dialect).generate(
            tree, copy=False, comments=False, identify=True, unsupported_level=ErrorLevel.IGNORE
        )
    except UNREADABLE:
        return None


def _token_text(token: Token) -> str:
    if token.token_type is TokenType.STRING:
        return f"'{token.text}'"
    if token.token_type is TokenType.IDENTIFIER:
        return f'"{token.text}"'
    return token.text.upper()


def _without_end(words: Iterable[str]) -> list[str]:
    kept = list(words)
    while kept and kept[-1] == ";":
        kept.pop()
    return kept
