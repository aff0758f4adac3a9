"""What stands around a measure: its sign, its factor and its rounding."""

from dataclasses import dataclass

from sqlglot import exp

__all__ = ["ROUNDING", "Layers", "literal_number", "peel"]

ROUNDING = (exp.Round, exp.Ceil, exp.Floor, exp.Trunc)


@dataclass(frozen=True, kw_only=True, slots=True)
class Layers:
    """An expression taken apart."""

    negative: bool
    factor: float
    rounded: bool
    core: exp.Expr


def peel(node: exp.Expr) -> Layers:
    """Take off what is around the innermost measure, brackets and casts included."""
    negative, factor, rounded = False, 1.0, False
    while True:
        right = literal_number(node.args.get("expression"))
        left = literal_number(node.args.get("this"))
        if isinstance(node, exp.Neg):
            negative, inner = not negative, node.this
        elif isinstance(node, exp.Mul | exp.Div) and right:
            factor = factor * right if isinstance(node, exp.Mul) else factor / right
            inner = node.this
        elif isinstance(node, exp.Mul) and left:
            factor, inner = factor * left, node.expression
        elif isinstance(node, ROUNDING) or _is_whole(node):
            rounded, inner = True, node.this
        elif isinstance(node, exp.Paren | exp.Cast):
            inner = node.this
        else:
            break
        if not isinstance(inner, exp.Expr):
            break
        node = inner
    if factor < 0:
        negative, factor = not negative, -factor
    return Layers(negative=negative, factor=factor, rounded=rounded, core=node)


def _is_whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.INTEGER_TYPES)


def literal_number(node: object) -> float | None:
    """The number that an expression is; None for anything else."""
    while isinstance(node, exp.Paren | exp.Cast):
        node = node.this
    if isinstance(node, exp.Neg):
        inner = literal_number(node.this)
        return None if inner is None else -inner
    if isinstance(node, exp.Literal) and not node.is_string:
        return float(node.name)
    return None
