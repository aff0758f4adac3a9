"""Aligns the analyst's plan with the gold's, level by level."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import count
from typing import Any

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.conditions import pair_filters
from goldsuite.diagnosis.counterfactual.merged import (
    Chain,
    Grouping,
    Merged,
    MergedSelect,
    MergedSet,
    Operator,
    Slot,
    SlotKind,
    SourceSlot,
    Whole,
)
from goldsuite.diagnosis.counterfactual.pairing import pair_sources
from goldsuite.diagnosis.counterfactual.plan import (
    Condition,
    Plan,
    Projection,
    SelectPlan,
    SetPlan,
    Source,
    Tail,
    refers_to,
)
from goldsuite.diagnosis.counterfactual.projections import pair_projections
from goldsuite.diagnosis.counterfactual.renaming import (
    aliases_of,
    rename_alias,
    rename_column,
    rename_output,
    set_apart,
)
from goldsuite.diagnosis.counterfactual.text import condition_text, part_text, time_text

__all__ = ["merge_plans"]

DateColumns = Callable[[str], Collection[str]]
"""Gives the columns of a table that hold days without a time of day."""


def merge_plans(analyst: Plan, gold: Plan, *, dialect: str, dates: DateColumns) -> Merged:
    """Align two plans; the names in `analyst` are changed to the gold's on the way."""
    set_apart(analyst, aliases_of(gold))
    return _Merger(root=analyst, dialect=dialect, dates=dates).merge(analyst, gold, place="root")


class _Merger:
    def __init__(self, *, root: Plan, dialect: str, dates: DateColumns) -> None:
        self._root = root
        self._dialect = dialect
        self._dates = dates
        self._numbers = count()

    def merge(self, analyst: Plan, gold: Plan, *, place: str) -> Merged:
        """`place` is `root`, `derived`, or `positional` where only the place of a column counts."""
        if isinstance(analyst, SelectPlan) and isinstance(gold, SelectPlan):
            return self._selects(analyst, gold, place=place)
        if isinstance(analyst, SetPlan) and isinstance(gold, SetPlan):
            return self._sets(analyst, gold)
        return self._whole(analyst, gold)

    def _whole(self, analyst: Plan, gold: Plan) -> Whole:
        return Whole(slot=self._slot(SlotKind.WHOLE, analyst, gold, equal=False))

    def _slot(  # what the fragments are, the caller's own signature says
        self,
        kind: SlotKind,
        analyst: object,
        gold: object,
        *,
        equal: bool,
        nested: Iterable[Merged] = (),
    ) -> Any:
        return Slot(
            number=next(self._numbers),
            kind=kind,
            analyst=analyst,
            gold=gold,
            equal=equal,
            nested=tuple(nested),
        )

    def _sets(self, analyst: SetPlan, gold: SetPlan) -> MergedSet:
        same = (analyst.operator, analyst.distinct) == (gold.operator, gold.distinct)
        operators = [Operator(kind=p.operator, distinct=p.distinct) for p in (analyst, gold)]
        return MergedSet(
            operator=self._slot(SlotKind.OPERATOR, *operators, equal=same),
            left=self.merge(analyst.left, gold.left, place="positional"),
            right=self.merge(analyst.right, gold.right, place="positional"),
            tail=self._tail(analyst.tail, gold.tail, place="derived"),
        )

    def _selects(self, analyst: SelectPlan, gold: SelectPlan, *, place: str) -> Merged:
        if bool(analyst.sources) is not bool(gold.sources):
            return self._whole(analyst, gold)
        ours, theirs = _levels(analyst), _levels(gold)
        if len(ours) == len(theirs):
            return self._select(analyst, gold, place=place)
        core = self._select(ours[-1], theirs[-1], place="root", levels_differ=True)
        if not any(s.slot.analyst and s.slot.gold for s in core.sources):
            return self._whole(analyst, gold)
        shells = tuple(ours[:-1]), tuple(theirs[:-1])
        return Chain(shell=self._slot(SlotKind.SHELL, *shells, equal=False), core=core)

    def _select(
        self, analyst: SelectPlan, gold: SelectPlan, *, place: str, levels_differ: bool = False
    ) -> MergedSelect:
        sources = self._sources(analyst, gold)
        if levels_differ:
            columns = analyst.projections, gold.projections
            whole = self._slot(SlotKind.COLUMNS, *columns, equal=False)
            projections: tuple[Slot[Projection], ...] = ()
        else:
            whole, projections = None, self._projections(analyst, gold, place=place)
        filters = pair_filters(
            self._of_kind(analyst.conditions, "filter"),
            self._of_kind(gold.conditions, "filter"),
            ties=[c for p in (analyst, gold) for c in p.conditions if c.kind == "tie"],
        )
        return MergedSelect(
            sources=sources,
            conditions=(
                *self._ties(analyst, gold),
                *self._times(analyst, gold),
                *self._paired(SlotKind.FILTER, filters),
            ),
            having=self._paired(SlotKind.HAVING, self._all_paired(analyst.having, gold.having)),
            qualify=self._paired(SlotKind.HAVING, self._all_paired(analyst.qualify, gold.qualify)),
            group=self._group(analyst, gold),
            projections=projections,
            columns=whole,
            distinct=self._distinct(analyst, gold),
            tail=self._tail(analyst.tail, gold.tail, place=place),
            plans=(analyst, gold),
        )

    def _sources(self, analyst: SelectPlan, gold: SelectPlan) -> tuple[SourceSlot, ...]:
        pairs = pair_sources(analyst, gold)
        by_gold = {pair.gold.alias: pair for pair in pairs}
        for pair in pairs:
            rename_alias(self._root, pair.analyst.alias, pair.gold.alias)
        found: list[SourceSlot] = []
        for theirs in gold.sources:
            partner = by_gold.get(theirs.alias)
            if partner is None:
                slot = self._slot(SlotKind.SOURCE, None, theirs, equal=False)
                found.append(SourceSlot(alias=theirs.alias, slot=slot))
            else:
                found.append(self._pair(partner.analyst, theirs, swapped=partner.swapped))
        paired = {id(pair.analyst) for pair in pairs}
        for ours in analyst.sources:
            if id(ours) not in paired:
                slot = self._slot(SlotKind.SOURCE, ours, None, equal=False)
                found.append(SourceSlot(alias=ours.alias, slot=slot))
        return tuple(found)

    def _pair(self, ours: Source, theirs: Source, *, swapped: bool) -> SourceSlot:
        nested: Merged | None = None
        if ours.plan is not None and theirs.plan is not None and not swapped:
            before = [(output, output.name) for output in _outputs(ours.plan)]
            nested = self.merge(ours.plan, theirs.plan, place="derived")
            if not isinstance(nested, MergedSelect | MergedSet):
                _name_by_place(ours.plan, theirs.plan)
            # Whoever reads the derived table uses the gold's names of its columns from now on.
            for output, old in before:
                if output.name != old:
                    rename_column(self._root, theirs.alias, old, output.name)
        same = not swapped and self._join_text(ours) == self._join_text(theirs)
        slot = self._slot(SlotKind.SOURCE, ours, theirs, equal=same)
        return SourceSlot(alias=theirs.alias, slot=slot, nested=nested)

    def _join_text(self, source: Source) -> str:
        for condition in source.on:
            condition.text = condition_text(condition, self._dialect)
        return f"{source.side} {' AND '.join(sorted(c.text for c in source.on))}"

    def _projections(
        self, analyst: SelectPlan, gold: SelectPlan, *, place: str
    ) -> tuple[Slot[Projection], ...]:
        found: list[Slot[Projection]] = []
        names = {projection.name for projection in gold.projections}
        for ours, theirs in pair_projections(analyst, gold, positional=place == "positional"):
            if ours is not None:
                new = theirs.name if theirs is not None else _apart(ours.name, names)
                ours.name, old = new, ours.name
                if old != new:
                    rename_output(analyst, old, new)
            same, nested = self._same(ours, theirs)
            found.append(self._slot(SlotKind.PROJECTION, ours, theirs, equal=same, nested=nested))
        return tuple(found)

    def _same(
        self, ours: Projection | None, theirs: Projection | None
    ) -> tuple[bool, tuple[Merged, ...]]:
        if ours is None or theirs is None:
            return False, ()
        a, g = ours.part, theirs.part
        if part_text(a) != part_text(g) or len(a.holes) != len(g.holes):
            return False, ()
        return True, self._holes(a.holes, g.holes)

    def _holes(self, ours: Sequence[Plan], theirs: Sequence[Plan]) -> tuple[Merged, ...]:
        return tuple(
            self.merge(a, g, place="positional") for a, g in zip(ours, theirs, strict=True)
        )

    def _of_kind(self, conditions: Iterable[Condition], kind: str) -> list[Condition]:
        found = [c for c in conditions if c.kind == kind]
        for condition in found:
            condition.text = condition_text(condition, self._dialect)
        return found

    def _all_paired(
        self, analyst: Iterable[Condition], gold: Iterable[Condition]
    ) -> list[tuple[list[Condition], list[Condition], bool]]:
        sides = list(analyst), list(gold)
        for condition in (*sides[0], *sides[1]):
            condition.text = condition_text(condition, self._dialect)
        return pair_filters(*sides, ties=[])

    def _paired(
        self,
        kind: SlotKind,
        pairs: Iterable[tuple[list[Condition], list[Condition], bool]],
    ) -> tuple[Slot[list[Condition]], ...]:
        found = []
        for ours, theirs, same in pairs:
            nested: tuple[Merged, ...] = ()
            if same and len(ours) == len(theirs) == 1 and ours[0].part.holes:
                nested = self._holes(ours[0].part.holes, theirs[0].part.holes)
            found.append(self._slot(kind, ours or None, theirs or None, equal=same, nested=nested))
        return tuple(found)

    def _ties(self, analyst: SelectPlan, gold: SelectPlan) -> tuple[Slot[list[Condition]], ...]:
        """All ties of two sources are one."""
        sides = [_by_aliases(self._of_kind(p.conditions, "tie")) for p in (analyst, gold)]
        return tuple(
            self._slot(
                SlotKind.TIE,
                sides[0].get(aliases),
                sides[1].get(aliases),
                equal=_texts(sides[0].get(aliases, ())) == _texts(sides[1].get(aliases, ())),
            )
            for aliases in dict.fromkeys((*sides[1], *sides[0]))
        )

    def _times(self, analyst: SelectPlan, gold: SelectPlan) -> tuple[Slot[list[Condition]], ...]:
        sides = [self._of_kind(p.conditions, "time") for p in (analyst, gold)]
        if not any(sides):
            return ()
        dates = self._date_columns(analyst, gold)
        texts = [time_text(side, self._dialect, dates) for side in sides]
        same = texts[0] == texts[1]
        return (self._slot(SlotKind.TIME, sides[0] or None, sides[1] or None, equal=same),)

    def _date_columns(self, *plans: SelectPlan) -> set[str]:
        return {
            f"{source.alias}.{column}"
            for plan in plans
            for source in plan.sources
            if source.table is not None
            for column in self._dates(source.table)
        }

    def _group(self, analyst: SelectPlan, gold: SelectPlan) -> Slot[Grouping]:
        sides = [
            Grouping(parts=tuple(p.group), node=p.group_node) if p.group_node is not None else None
            for p in (analyst, gold)
        ]
        texts = [
            (sorted(map(part_text, p.group)), _modifiers(p.group_node)) for p in (analyst, gold)
        ]
        same = texts[0] == texts[1] and (sides[0] is None) == (sides[1] is None)
        slot: Slot[Grouping] = self._slot(SlotKind.GROUP, *sides, equal=same)
        return slot

    def _distinct(self, analyst: SelectPlan, gold: SelectPlan) -> Slot[exp.Expr]:
        sides = analyst.distinct, gold.distinct
        texts = [side.sql() if side is not None else None for side in sides]
        slot: Slot[exp.Expr] = self._slot(SlotKind.DISTINCT, *sides, equal=texts[0] == texts[1])
        return slot

    def _tail(self, analyst: Tail, gold: Tail, *, place: str) -> Slot[Tail]:
        texts = [(list(map(part_text, t.order)), _ends(t)) for t in (analyst, gold)]
        same = texts[0] == texts[1]
        if not analyst.cuts and not gold.cuts and (place != "root" or not gold.order):
            same = True  # an order that nothing is cut by, and nobody asked for
        slot: Slot[Tail] = self._slot(SlotKind.TAIL, analyst, gold, equal=same)
        return slot


def _name_by_place(ours: Plan, theirs: Plan) -> None:
    """The gold's names for the analyst's output columns, where there are as many."""
    mine, others = _outputs(ours), _outputs(theirs)
    if len(mine) == len(others) and isinstance(ours, SelectPlan):
        for output, other in zip(mine, others, strict=True):
            rename_output(ours, output.name, other.name)
            output.name = other.name


def _levels(plan: SelectPlan) -> list[SelectPlan]:
    """The queries that each read the next one alone, outermost first."""
    levels = [plan]
    while len(levels[-1].sources) == 1:
        inner = levels[-1].sources[0].plan
        if not isinstance(inner, SelectPlan):
            break
        levels.append(inner)
    return levels


def _by_aliases(conditions: Iterable[Condition]) -> dict[frozenset[str], list[Condition]]:
    found: dict[frozenset[str], list[Condition]] = {}
    for condition in conditions:
        aliases = frozenset(table for table, _ in refers_to(condition.part))
        found.setdefault(aliases, []).append(condition)
    return found


def _texts(conditions: Iterable[Condition]) -> list[str]:
    return sorted({condition.text for condition in conditions})


def _modifiers(group: exp.Group | None) -> str:
    if group is None:
        return ""
    bare = group.copy()
    bare.set("expressions", [])
    return bare.sql()


def _ends(tail: Tail) -> tuple[str, str]:
    return tuple(e.sql() if e is not None else "" for e in (tail.limit, tail.offset))  # type: ignore[return-value]


def _apart(name: str, taken: set[str]) -> str:
    new = name
    while new in taken:
        new = f"{new}_a"
    return new


def _outputs(plan: Plan) -> list[Projection]:
    while isinstance(plan, SetPlan):
        plan = plan.left
    return plan.projections
