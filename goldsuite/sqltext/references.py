"""The names that a query uses: functions, table functions, tables, and what may be one of them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import TokenType

_NAMING = frozenset({TokenType.IDENTIFIER, TokenType.STRING, TokenType.VAR})

# What sqlglot calls a function that it does not know.
_UNKNOWN_TO_SQLGLOT = (exp.Anonymous, exp.AnonymousAggFunc, exp.ParameterizedAgg)

ReferenceKind: TypeAlias = Literal["function", "table function", "table", "member"]
"""A member is a name behind a dot: PostgreSQL reads `x.f` as `f(x)` where x has no such field."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """A name that a query uses."""

    kind: ReferenceKind
    name: str
    schema: str | None = None
    """What stands before the name; None where nothing does."""
    catalog: str | None = None
    """What stands before the schema of a table; None where nothing does."""
    known: bool = False
    """True for a function that sqlglot knows."""
    offset: int | None = None
    """Characters before it in the text; None where not known."""


def tree_references(root: exp.Expr | None) -> Iterator[Reference]:
    """Every name in a tree."""
    if root is None:
        return
    sources: set[int] = set()
    for node in root.walk():
        if isinstance(node, (exp.Table, exp.Lateral)):
            called = node.this
            if isinstance(called, exp.Func):
                sources.add(id(called))
                yield _called("table function", called, schema=node.text("db") or None)
            elif isinstance(node, exp.Table):
                schema = node.text("db") or None
                yield Reference(
                    kind="table",
                    name=node.name,
                    schema=schema,
                    catalog=node.text("catalog") or None,
                    offset=place_of(node),
                )
        elif isinstance(node, exp.Func):
            if id(node) not in sources:
                yield _called("function", node, schema=_schema(node))
        elif isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
            yield Reference(kind="member", name=node.expression.name, offset=place_of(node))
        elif isinstance(node, exp.Column) and node.table:
            yield Reference(kind="member", name=node.name, offset=place_of(node))


def token_references(
    sql: str, dialect: str, table_functions: Collection[str]
) -> tuple[Reference, ...]:
    """The names in a text that no parser turns into a tree, rather too many than too few.

    Every word before a parenthesis is a function, of the kind that `table_functions` (of the
    engine, in lower case) tells; every other name and every text may be a table.

    Raises:
        sqlglot.errors.SqlglotError: not even the words can be told apart.
    """
    tokens = Dialect.get_or_raise(dialect).tokenize(sql)
    following = [*tokens[1:], None]
    references = []
    for token, after in zip(tokens, following, strict=True):
        kind: ReferenceKind = "table"
        if after is not None and after.token_type is TokenType.L_PAREN:
            kind = "table function" if token.text.lower() in table_functions else "function"
        elif token.token_type not in _NAMING:
            continue
        references.append(Reference(kind=kind, name=token.text, offset=token.start))
    return tuple(references)


def place_of(node: exp.Expr) -> int | None:
    """Where `node` starts, as far as sqlglot kept it: of its first part that has a place."""
    starts = (part.meta.get("start") for part in node.walk())
    places = [start for start in starts if isinstance(start, int)]
    return min(places, default=None)


def _called(kind: ReferenceKind, node: exp.Func, *, schema: str | None) -> Reference:
    unknown = isinstance(node, _UNKNOWN_TO_SQLGLOT)
    name = node.name if unknown else node.sql_name().lower()
    return Reference(kind=kind, name=name, schema=schema, known=not unknown, offset=place_of(node))


def _schema(node: exp.Func) -> str | None:
    parent = node.parent
    if not isinstance(parent, exp.Dot) or parent.expression is not node:
        return None
    return parent.this.sql() if isinstance(parent.this, exp.Dot) else parent.this.name
