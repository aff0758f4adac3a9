"""Bringing the analyst's plan to the gold's names."""

from collections.abc import Iterator

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.plan import Plan, SelectPlan, Source, parts_of, plans_below

__all__ = ["aliases_of", "rename_alias", "rename_column", "rename_output", "set_apart"]


def aliases_of(plan: Plan) -> set[str]:
    """Every alias in a query."""
    return {source.alias for source in _sources(plan)}


def _sources(plan: Plan) -> Iterator[Source]:
    for below in plans_below(plan):
        if isinstance(below, SelectPlan):
            yield from below.sources


def set_apart(plan: Plan, taken: set[str]) -> None:
    """Give `plan` aliases that are none of `taken`."""
    own = aliases_of(plan)
    for alias in sorted(own & taken):
        new, number = f"{alias}_a", 2
        while new in taken or new in own:
            new, number = f"{alias}_a{number}", number + 1
        rename_alias(plan, alias, new)
        own.add(new)


def rename_alias(plan: Plan, old: str, new: str) -> None:
    """In the whole of `plan`, where aliases are unique."""
    for source in _sources(plan):
        if source.alias == old:
            source.alias = new
    for column in _columns(plan):
        if column.table == old:
            column.set("table", exp.to_identifier(new))


def rename_column(plan: Plan, alias: str, old: str, new: str) -> None:
    """The column `old` of the source `alias`, wherever it is used."""
    for column in _columns(plan):
        if column.table == alias and column.name == old:
            column.set("this", exp.to_identifier(new))


def rename_output(plan: SelectPlan, old: str, new: str) -> None:
    """An output column, where the block's own ORDER BY names it."""
    for part in plan.tail.order:
        for column in part.node.find_all(exp.Column):
            if not column.table and column.name == old:
                column.set("this", exp.to_identifier(new))


def _columns(plan: Plan) -> Iterator[exp.Column]:
    for below in plans_below(plan):
        for part in parts_of(below):
            yield from part.node.find_all(exp.Column)
    for source in _sources(plan):
        if source.node is not None and not isinstance(source.node, exp.Table):
            yield from source.node.find_all(exp.Column)  # a lateral one may name its neighbours
