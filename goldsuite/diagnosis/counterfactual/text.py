"""One text for expressions that say the same, so that they can be compared."""

from collections.abc import Collection, Iterable
from typing import cast

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.plan import Condition, Part
from goldsuite.sqltext.conditions import column_names, conjuncts, plain
from goldsuite.sqltext.windows import Bound, read_bounds, write_window

__all__ = [
    "condition_text",
    "expression_text",
    "part_text",
    "simple_expression",
    "time_text",
]

_FACTORS = frozenset({"1", "1.0", "1.00"})


def part_text(part: Part) -> str:
    """An expression, what changes nothing in it left out."""
    return expression_text(part.node)


def expression_text(node: exp.Expr) -> str:
    """Casts between numbers, factors of 1 and the ways of counting rows do not show."""
    return str(simple_expression(node).sql(comments=False))


def simple_expression(node: exp.Expr) -> exp.Expr:
    """The expression that `expression_text` writes."""
    root = exp.Paren(this=node.copy())
    for found in list(root.find_all(exp.Expr)):
        if found.parent is not None:
            _simplify(found)
    return cast(exp.Expr, root.this)


def _simplify(node: exp.Expr) -> None:
    if isinstance(node, exp.Paren) and not _needs_brackets(node):
        node.replace(node.this)
    elif isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.NUMERIC_TYPES):
        if not node.to.is_type(*exp.DataType.INTEGER_TYPES):
            node.replace(node.this)
    elif isinstance(node, exp.Mul) and node.expression.sql() in _FACTORS:
        node.replace(node.this)
    elif isinstance(node, exp.Mul) and node.this.sql() in _FACTORS:
        node.replace(node.expression)
    elif isinstance(node, exp.Count) and isinstance(node.this, exp.Literal):
        node.set("this", exp.Star())
    elif isinstance(node, exp.CountIf):
        node.replace(_counted(node.this))
    elif isinstance(node, exp.Sum | exp.Count) and isinstance(node.this, exp.Case):
        _simplify_case(node, node.this)
    elif isinstance(node, exp.Add | exp.Mul):
        _sort_operands(node)


def _needs_brackets(node: exp.Paren) -> bool:
    """Between operators brackets may decide; anywhere else they do not."""
    around = isinstance(node.parent, exp.Binary | exp.Unary) and not isinstance(
        node.parent, exp.Paren
    )
    return around and isinstance(node.this, exp.Binary | exp.Connector)


def _counted(condition: exp.Expr) -> exp.Expr:
    rows = exp.Count(this=exp.Star(), big_int=True)
    return exp.Filter(this=rows, expression=exp.Where(this=condition.copy()))


def _simplify_case(node: exp.Expr, case: exp.Case) -> None:
    """`SUM(CASE WHEN p THEN 1 ELSE 0 END)` and `SUM(CASE WHEN p THEN x END)` as FILTER."""
    default = case.args.get("default")
    nothing = default is None or isinstance(default, exp.Null)
    if case.this is not None or len(case.args["ifs"]) != 1 or isinstance(node.parent, exp.Filter):
        return
    condition, value = case.args["ifs"][0].this, plain(case.args["ifs"][0].args["true"])
    if isinstance(value, exp.Literal) and value.name in ("1", "1.0"):
        zero = isinstance(default, exp.Literal) and default.name in ("0", "0.0")
        if nothing or (zero and isinstance(node, exp.Sum)):
            node.replace(_counted(condition))
    elif nothing:
        bare = node.copy()
        bare.set("this", value.copy())
        where = exp.Where(this=condition.copy())
        node.replace(exp.Filter(this=bare, expression=where))


def _sort_operands(node: exp.Binary) -> None:
    if isinstance(node.parent, type(node)):
        return
    operands = sorted((o.copy() for o in node.flatten()), key=lambda o: str(o.sql()))
    if len(operands) > 20:
        return
    new = operands[0]
    for operand in operands[1:]:
        new = type(node)(this=new, expression=operand)
    node.replace(new)


def condition_text(condition: Condition, dialect: str) -> str:
    """One conjunct; the sides of a tie in a fixed order."""
    node = condition.part.node
    if condition.kind == "tie":
        return " = ".join(sorted(expression_text(side) for side in (node.this, node.expression)))
    texts = {expression_text(part) for part in conjuncts(node, dialect)}
    return " AND ".join(sorted(texts))


def time_text(conditions: Iterable[Condition], dialect: str, dates: Collection[str]) -> str:
    """All conditions on time of one block; equal windows read the same."""
    days = frozenset(dates)
    bounds: dict[str, list[Bound]] = {}
    rest: set[str] = set()
    for condition in conditions:
        for node in conjuncts(condition.part.node, dialect):
            found = read_bounds(node, days)
            for bound in found:
                bounds.setdefault(column_names(bound.column)[0], []).append(bound)
            if not found:
                rest.add(expression_text(node))
    windows = [write_window(column, of) for column, of in bounds.items()]
    return " AND ".join(sorted((*windows, *rest)))
