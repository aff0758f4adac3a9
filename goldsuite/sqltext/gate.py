"""The read-only gate: is this text one query that may run?

It gives early and clear refusals. The security is the engine's own lock-down below it. A text that
sqlglot cannot read is left to the caller (`Rule.NOT_PARSED`), who can ask the engine and come back
with the names that the engine saw (`check_references`).
"""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import Token, TokenType

from goldsuite.sqltext.gate_rules import (
    FILE_ENDINGS,
    QUERY_ROOTS,
    RULES,
    UNKNOWN,
    WRITING,
    DialectRules,
)
from goldsuite.sqltext.parsing import UNREADABLE, within_limits
from goldsuite.sqltext.references import (
    Reference,
    ReferenceKind,
    place_of,
    token_references,
    tree_references,
)

__all__ = [
    "MAX_GUARDED_CHARS",
    "Reference",
    "ReferenceKind",
    "Refusal",
    "Rule",
    "check_query",
    "check_references",
    "token_references",
]

# sqlglot logs every statement that it keeps as plain text; what we refuse, we tell ourselves.
logging.getLogger("sqlglot").addHandler(logging.NullHandler())

MAX_GUARDED_CHARS = 1_000_000
"""Longer texts are no analyst's query, and parsing them ignores every time limit."""


class Rule(StrEnum):
    """Why a text was refused."""

    ONE_STATEMENT = "one statement"
    QUERY_ONLY = "queries only"
    NO_WRITES = "no writes"
    NO_HIDDEN_CODE = "no executable comments"
    KNOWN_TABLE_FUNCTIONS = "known table functions only"
    KNOWN_FUNCTIONS = "known functions only"
    NO_VARIABLES = "no variables of the session"
    NO_SERVER_STATE = "no server state"
    NO_SYSTEM_FUNCTIONS = "no system functions"
    NO_SYSTEM_TABLES = "no system tables"
    NO_FILES = "no files"
    LENGTH = "length"
    NOT_PARSED = "readable SQL"
    """Not a verdict: the engine may still be able to read it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """Which rule a text breaks, and where."""

    rule: Rule
    message: str
    line: int | None = None
    """1-based; None where the place is not known."""
    column: int | None = None
    """1-based."""

    def __str__(self) -> str:
        place = "" if self.line is None else f" (line {self.line}, column {self.column})"
        return f"refused by the rule '{self.rule}': {self.message}{place}"


def check_query(
    sql: str, dialect: str, *, guarded: bool, allow_functions: Collection[str] = ()
) -> Refusal | None:
    """Say why `sql` is not one read-only query, or None where it is one.

    Args:
        dialect: sqlglot's name of it.
        guarded: whether the analyst's rules for functions, system tables and files apply too.
        allow_functions: names that these rules let through besides, in any case.
    """
    if guarded and len(sql) > MAX_GUARDED_CHARS:
        return Refusal(rule=Rule.LENGTH, message=f"more than {MAX_GUARDED_CHARS:,} characters")
    reader = Dialect.get_or_raise(dialect)
    try:
        tokens = reader.tokenize(sql)
        if not within_limits(tokens):
            return Refusal(rule=Rule.NOT_PARSED, message="too deeply nested to be read safely")
        statements = [s for s in reader.parser().parse(tokens, sql) if _is_statement(s)]
    except UNREADABLE:
        return Refusal(rule=Rule.NOT_PARSED, message="sqlglot cannot read it")
    refusal = _check_count(sql, tokens, len(statements))
    if refusal is None and statements[0] is not None:
        refusal = _check_read_only(sql, tokens, statements[0])
    if refusal is None and guarded:
        refusal = (
            _check_comments(sql, tokens)
            or _check_session(sql, statements[0], RULES.get(dialect, UNKNOWN))
            or check_references(
                tree_references(statements[0]), dialect, sql=sql, allow_functions=allow_functions
            )
        )
    return refusal


def check_references(
    references: Iterable[Reference],
    dialect: str,
    *,
    sql: str = "",
    allow_functions: Collection[str] = (),
) -> Refusal | None:
    """Apply the analyst's rules for names; `sql` is the text that the offsets count in."""
    rules = RULES.get(dialect, UNKNOWN)
    allowed = {name.lower() for name in allow_functions}
    for reference in references:
        if reference.kind == "table":
            broken = _check_table(reference, rules)
        elif reference.kind == "member":
            broken = _check_member(reference, rules)
        else:
            broken = _check_function(reference, rules, allowed)
        if broken is not None:
            return _refusal(*broken, sql, reference.offset)
    return None


def _check_table(reference: Reference, rules: DialectRules) -> tuple[Rule, str] | None:
    name, schema = reference.name.lower(), (reference.schema or "").lower()
    denied = name in rules.denied_tables or f"{schema}.{name}" in rules.denied_tables
    if schema in {"", rules.builtin_schema} and rules.system_prefix is not None:
        # Of the engine's own tables only the known ones: every version adds some.
        denied |= name.startswith(rules.system_prefix) and name not in rules.system_tables
    denied |= (reference.catalog or "").lower() in rules.denied_catalogs
    if denied or schema in rules.denied_schemas:
        return Rule.NO_SYSTEM_TABLES, f"{reference.name!r} tells settings, paths or secrets"
    if rules.scans_files and _looks_like_a_file(name):
        return Rule.NO_FILES, f"{reference.name!r} would be read as a file, not as a table"
    if schema in rules.file_formats or (rules.file_formats and _has_path(name + schema)):
        shown = f"{reference.schema}.{reference.name}" if schema else reference.name
        return Rule.NO_FILES, f"{shown!r} would be read as a file, not as a table"
    return None


def _check_member(reference: Reference, rules: DialectRules) -> tuple[Rule, str] | None:
    if rules.members_are_calls and reference.name.lower() in rules.denied_functions:
        return Rule.NO_SYSTEM_FUNCTIONS, f"'.{reference.name}' calls the function of that name"
    return None


def _check_function(
    reference: Reference, rules: DialectRules, allowed: Collection[str]
) -> tuple[Rule, str] | None:
    name, schema = reference.name.lower(), (reference.schema or "").lower()
    if name in allowed or f"{schema}.{name}" in allowed:
        return None
    if reference.kind == "table function" and name not in rules.table_functions:
        why = f"{reference.name!r} is no table function that an analyst may call"
        return Rule.KNOWN_TABLE_FUNCTIONS, why
    if name in rules.denied_functions or name.startswith(rules.denied_prefixes):
        why = f"{reference.name!r} reaches beyond the data (files, settings, time, secrets)"
        return Rule.NO_SYSTEM_FUNCTIONS, why
    if rules.functions is None or reference.kind == "table function":
        return None
    own = schema not in {"", rules.builtin_schema}
    if own or not (reference.known or name in rules.functions):
        shown = f"{reference.schema}.{reference.name}" if own else reference.name
        why = f"{shown!r} is not known to be harmless; `allow_functions` can admit it"
        return Rule.KNOWN_FUNCTIONS, why
    return None


def _is_statement(tree: exp.Expr | None) -> bool:
    # A comment behind the last semicolon comes as a statement of its own.
    return tree is not None and not isinstance(tree, exp.Semicolon)


def _check_count(sql: str, tokens: list[Token], count: int) -> Refusal | None:
    if count == 1:
        return None
    if count == 0:
        return Refusal(rule=Rule.ONE_STATEMENT, message="the text holds no statement")
    ends = [i for i, token in enumerate(tokens) if token.token_type is TokenType.SEMICOLON]
    starts = [
        tokens[i + 1].start
        for i in ends
        if i + 1 < len(tokens) and tokens[i + 1].token_type is not TokenType.SEMICOLON and i > 0
    ]
    offset = starts[0] if starts else None
    return _refusal(Rule.ONE_STATEMENT, f"{count} statements where one is expected", sql, offset)


def _check_read_only(sql: str, tokens: list[Token], root: exp.Expr) -> Refusal | None:
    first = tokens[0]
    if isinstance(root, exp.Command) and root.name.upper() == "SHOW":
        return Refusal(rule=Rule.NOT_PARSED, message="sqlglot does not know this form of SHOW")
    if not isinstance(root, QUERY_ROOTS):
        return _refusal(*_not_a_query(root, first), sql, first.start)
    for node in root.walk():
        if isinstance(node, WRITING):
            why = f"{node.key.upper()} inside a query writes, locks or changes the session"
            return _refusal(Rule.NO_WRITES, why, sql, place_of(node))
    return None


def _not_a_query(root: exp.Expr, first: Token) -> tuple[Rule, str]:
    # A `Command` is what sqlglot keeps as text: EXPLAIN, CALL, PREPARE, LOAD, VACUUM, REPLACE.
    if isinstance(root, exp.Command):
        return Rule.QUERY_ONLY, f"{root.name.upper()} is no query"
    if isinstance(root, WRITING):
        return Rule.NO_WRITES, f"{root.key.upper()} is no query"
    return Rule.QUERY_ONLY, f"a statement that starts with {first.text!r} is no query"


def _check_comments(sql: str, tokens: list[Token]) -> Refusal | None:
    for token in tokens:
        for comment in token.comments:
            # MySQL and MariaDB execute what stands in `/*! */` and `/*M! */`.
            if comment.startswith(("!", "M!")):
                why = "a comment that some engines execute"
                return _refusal(Rule.NO_HIDDEN_CODE, why, sql, token.start)
    return None


def _check_session(sql: str, root: exp.Expr | None, rules: DialectRules) -> Refusal | None:
    if isinstance(root, exp.Show) and rules.shown is not None and root.name not in rules.shown:
        why = f"SHOW {root.name} tells of the server, not of the data"
        return Refusal(rule=Rule.NO_SERVER_STATE, message=why)
    if rules.has_variables and root is not None:
        for node in root.find_all(exp.Parameter, exp.SessionParameter):
            why = "a variable of the session or the server is set or read"
            return _refusal(Rule.NO_VARIABLES, why, sql, place_of(node))
    return None


def _looks_like_a_file(name: str) -> bool:
    return (
        "://" in name
        or "*" in name
        or name.startswith(("/", "./", "../", "~"))
        or name.endswith(FILE_ENDINGS)
    )


def _has_path(name: str) -> bool:
    return any(mark in name for mark in "/\\:.")


def _refusal(rule: Rule, message: str, sql: str, offset: int | None) -> Refusal:
    if offset is None or offset > len(sql):
        return Refusal(rule=rule, message=message)
    before = sql[:offset]
    return Refusal(
        rule=rule,
        message=message,
        line=before.count("\n") + 1,
        column=offset - (before.rfind("\n") + 1) + 1,
    )
