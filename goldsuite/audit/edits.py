"""Editing a copy of a query at the place of a node of the original."""

from sqlglot import exp

__all__ = ["conjuncts", "copy_with", "dropped"]


def copy_with(root: exp.Expr, *nodes: exp.Expr) -> tuple[exp.Expr, list[exp.Expr]]:
    """A copy of the tree, and in it the counterparts of `nodes`."""
    places = {id(node): place for place, node in enumerate(root.walk())}
    copy = root.copy()
    copied = list(copy.walk())
    return copy, [copied[places[id(node)]] for node in nodes]


def conjuncts(condition: exp.Expr) -> list[exp.Expr]:
    """What AND joins, brackets taken off."""
    bare = condition.unnest()
    if isinstance(bare, exp.And):
        return [*conjuncts(bare.left), *conjuncts(bare.right)]
    return [bare]


def dropped(part: exp.Expr) -> None:
    """Take a conjunct out of the tree that it stands in."""
    node = part
    while isinstance(node.parent, exp.Paren):
        node = node.parent
    parent = node.parent
    if isinstance(parent, exp.And):
        parent.replace(parent.right if parent.left is node else parent.left)
    elif isinstance(parent, exp.Where) and isinstance(parent.parent, exp.Filter):
        parent.parent.replace(parent.parent.this)
    elif isinstance(parent, exp.Where | exp.Having):
        parent.pop()
