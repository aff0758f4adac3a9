"""Equal because of one canonical form: names resolved, derived tables merged, logic simplified."""

from typing import Any

from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.canonicalize import canonicalize
from sqlglot.optimizer.eliminate_ctes import eliminate_ctes
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.normalize import normalize
from sqlglot.optimizer.optimizer import optimize
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.optimizer.simplify import simplify

from goldsuite.diagnosis.coincidence.subject import Subject
from goldsuite.sqltext.canonical import normal_form
from goldsuite.sqltext.parsing import UNREADABLE

__all__ = ["canonical_text", "same_text"]

_RULES = (
    qualify, normalize, merge_subqueries, eliminate_ctes, annotate_types, canonicalize, simplify,
)  # fmt: skip
"""Those that keep a query's meaning also where values are NULL; none that turns subqueries into
joins."""


def same_text(gold: str, analyst: str, dialect: str) -> bool:
    """Whether two texts are one query but for their writing."""
    one, other = normal_form(gold, dialect), normal_form(analyst, dialect)
    return one.parsed and other.parsed and one.text == other.text


def canonical_text(subject: Subject) -> str | None:
    """The canonical form of a query, for comparing; None where sqlglot cannot make one."""
    schema: dict[str, Any] = {t.name: {c.name: c.type for c in t.columns} for t in subject.tables}
    try:
        tree = optimize(
            subject.tree.copy(), schema=schema, dialect=subject.dialect, rules=_RULES,
            validate_qualify_columns=True, identify=False, quote_identifiers=False,
        )  # fmt: skip
        _rename_sources(tree)
        _forget_names(tree)
        return str(tree.sql(dialect=subject.dialect, comments=False))
    except UNREADABLE:
        return None


def _rename_sources(tree: exp.Expr) -> None:
    """Sources called after their tables and places: an alias is only a name."""
    for scope in traverse_scope(tree):
        names = {alias: f"s{n}" for n, alias in enumerate(sorted(scope.selected_sources, key=lambda
                 a, s=scope: _place_of(a, s)))}  # fmt: skip
        for column in scope.columns:
            if column.table in names:
                column.set("table", exp.to_identifier(names[column.table]))
        for alias, (node, _) in scope.selected_sources.items():
            holder: exp.Expr = node
            while not isinstance(holder, (exp.Table, exp.Subquery)) and holder.parent is not None:
                holder = holder.parent
            holder.set("alias", exp.TableAlias(this=exp.to_identifier(names[alias])))


def _place_of(alias: str, scope: Any) -> int:
    return list(scope.selected_sources).index(alias)


def _forget_names(tree: exp.Expr) -> None:
    """The outermost columns are told by their place, not by their name."""
    if isinstance(tree, exp.Select) and tree.args.get("order") is None:
        plain = [projection.unalias() for projection in tree.selects]
        tree.set("expressions", [exp.alias_(p.copy(), f"c{n}") for n, p in enumerate(plain)])
