"""Queries that may give another result on the same data: by chance, or without a set order."""

from functools import lru_cache

from sqlglot import exp

from goldsuite.sqltext.parsing import parse_statements

__all__ = ["depends_on_chance"]

_NODES = (
    exp.Rand,
    exp.Randn,
    exp.Uuid,
    exp.TableSample,
    exp.AnyValue,
    exp.First,
    exp.Last,
)
_NAMES = frozenset({
    "random", "rand", "randomblob", "gen_random_uuid", "newid", "uuid_generate_v4", "nextval",
    "arbitrary",
})  # fmt: skip


@lru_cache(maxsize=4096)
def depends_on_chance(sql: str, dialect: str) -> bool:
    """Whether `sql` draws at random, or takes some of its rows without an order.

    A LIMIT under an ORDER BY is not among them, though ties may make it so; nor is a query that
    cannot be parsed.
    """
    statements = parse_statements(sql, dialect) or ()
    return any(_is_chance(node) for tree in statements for node in tree.walk())


def _is_chance(node: exp.Expr) -> bool:
    if isinstance(node, _NODES):
        return True
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in _NAMES
    if isinstance(node, exp.Query):
        return node.args.get("limit") is not None and node.args.get("order") is None
    return False
