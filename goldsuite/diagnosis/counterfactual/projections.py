"""Which output column of the analyst's SELECT stands in place of which of the gold's."""

from typing import TypeAlias

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.plan import Projection, SelectPlan
from goldsuite.diagnosis.counterfactual.text import part_text

__all__ = ["PairedProjection", "pair_projections"]

PairedProjection: TypeAlias = tuple[Projection | None, Projection | None]


def pair_projections(
    analyst: SelectPlan, gold: SelectPlan, *, positional: bool
) -> list[PairedProjection]:
    """Every output column once, in the gold's order; what only the analyst has comes last."""
    if positional:
        return _by_place(analyst.projections, gold.projections)
    partners: dict[int, Projection] = {}
    ours = list(analyst.projections)
    for alike in (_same_text, _same_name, _same_role):
        for number, theirs in enumerate(gold.projections):
            partner = next((p for p in ours if alike(p, theirs)), None)
            if number not in partners and partner is not None:
                partners[number] = partner
                ours.remove(partner)
    alone = [n for n in range(len(gold.projections)) if n not in partners]
    if len(alone) == len(ours) == 1:
        partners[alone[0]] = ours.pop()
    pairs: list[PairedProjection] = [
        (partners.get(number), theirs) for number, theirs in enumerate(gold.projections)
    ]
    return [*pairs, *((p, None) for p in ours)]


def _by_place(ours: list[Projection], theirs: list[Projection]) -> list[PairedProjection]:
    length = max(len(ours), len(theirs))
    return [
        (ours[n] if n < len(ours) else None, theirs[n] if n < len(theirs) else None)
        for n in range(length)
    ]


def _same_text(ours: Projection, theirs: Projection) -> bool:
    return part_text(ours.part) == part_text(theirs.part)


def _same_name(ours: Projection, theirs: Projection) -> bool:
    return ours.name == theirs.name and _same_role(ours, theirs)


def _same_role(ours: Projection, theirs: Projection) -> bool:
    """Both aggregate, or neither does."""
    return _aggregates(ours) == _aggregates(theirs)


def _aggregates(projection: Projection) -> bool:
    return projection.part.node.find(exp.AggFunc) is not None
