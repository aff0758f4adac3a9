"""What differs between the analyst's query and the gold, part by part."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from goldsuite.diagnosis.keys import Keys
from goldsuite.sqltext.conditions import Predicate
from goldsuite.sqltext.measures import Measure
from goldsuite.sqltext.shape import Ordering, QueryShape, read_shape

__all__ = ["Difference", "Sides", "Swap", "bare_names", "compare"]

Part = TypeVar("Part")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sides(Generic[Part]):
    """Parts that only one of the two queries has."""

    missing: tuple[Part, ...] = ()
    """In the gold only."""
    extra: tuple[Part, ...] = ()
    """In the analyst's query only."""

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra)


@dataclass(frozen=True, kw_only=True, slots=True)
class Swap:
    """The gold's main table does not give the measure; another stands in its place."""

    gold: str
    predicted: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """The two queries and their parts, compared with a swapped table read as the gold's."""

    gold: QueryShape
    predicted: QueryShape
    """As written."""
    swap: Swap | None
    predicates: Sides[Predicate]
    measures: Sides[str]
    grains: Sides[tuple[str, ...]]
    outputs: Sides[str]
    windows: Sides[str]
    orderings: Sides[Ordering]
    set_operations: Sides[str]
    written: Mapping[str, str]
    """The analyst's own writing of a text in which a swapped table goes by the gold's name."""

    def as_written(self, text: str) -> str:
        """A fragment of the analyst's query as the analyst wrote it."""
        return self.written.get(text, text)

    def without_definition(self, explained: Iterable[Predicate]) -> "Difference":
        """What is left once it is known that the metric is defined otherwise."""
        gone = set(explained)
        left: Sides[Predicate] = Sides(
            missing=tuple(p for p in self.predicates.missing if p not in gone),
            extra=tuple(p for p in self.predicates.extra if p not in gone),
        )
        if self.swap is not None:  # on another table every condition reads otherwise
            left = Sides()
        return replace(self, swap=None, measures=Sides(), predicates=left)


def compare(gold_sql: str, predicted_sql: str, dialect: str, keys: Keys) -> Difference | None:
    """Compare two queries; None where either cannot be taken apart."""
    gold = read_shape(gold_sql, dialect, owner=keys, dates=keys.dates)
    predicted = read_shape(predicted_sql, dialect, owner=keys, dates=keys.dates)
    if gold is None or predicted is None:
        return None
    swap = _swap(gold, predicted)
    aligned = predicted
    if swap is not None and swap.gold not in bare_names(predicted.tables):
        rename = {swap.predicted: swap.gold}
        renamed = read_shape(predicted_sql, dialect, owner=keys, dates=keys.dates, rename=rename)
        aligned = renamed or predicted
    return _difference(gold, predicted, aligned, swap=swap, keys=keys)


def bare_names(tables: Iterable[str]) -> frozenset[str]:
    """Table names without their schemas."""
    return frozenset(table.rpartition(".")[2] for table in tables)


def _swap(gold: QueryShape, predicted: QueryShape) -> Swap | None:
    ours, theirs = gold.main_table, predicted.main_table
    if ours is None or theirs is None or theirs in bare_names(gold.tables):
        return None
    # A count of rows has no columns that would tell its table: then the gold's must be unread.
    if ours not in bare_names(predicted.tables):
        return Swap(gold=ours, predicted=theirs)
    same = _same_columns(gold, predicted)
    columns = [
        {same.get(c, c) for m in shape.measures for c in m.columns} for shape in (gold, predicted)
    ]
    if all(columns) and columns[0].isdisjoint(columns[1]):
        return Swap(gold=ours, predicted=theirs)
    return None


def _difference(
    gold: QueryShape, predicted: QueryShape, aligned: QueryShape, *, swap: Swap | None, keys: Keys
) -> Difference:
    same = _same_columns(gold, aligned)
    sides = [_Reduced(shape=shape, same=same, keys=keys) for shape in (gold, aligned)]
    return Difference(
        gold=gold,
        predicted=predicted,
        swap=swap,
        predicates=_parted(*({_predicate_key(p): p for p in s.shape.predicates} for s in sides)),
        measures=_part_measures(*(s.measures() for s in sides)),
        grains=_parted(*(s.grains() for s in sides)),
        outputs=_parted(*(s.listed(s.shape.outputs) for s in sides)),
        windows=_parted(*(s.listed(s.shape.windows) for s in sides)),
        orderings=_parted(*({o.text: o for o in s.shape.orderings} for s in sides)),
        set_operations=_parted(*(s.listed(s.shape.set_operations) for s in sides)),
        written=_written(predicted, aligned),
    )


def _written(predicted: QueryShape, aligned: QueryShape) -> dict[str, str]:
    """Both come from one text, so their parts stand in one order."""
    if predicted is aligned:
        return {}
    measures = zip(predicted.measures, aligned.measures, strict=False)
    predicates = zip(predicted.predicates, aligned.predicates, strict=False)
    return {there.text: here.text for here, there in measures} | {
        there.text: here.text for here, there in predicates
    }


def _parted(gold: Mapping[Key, Part], predicted: Mapping[Key, Part]) -> Sides[Part]:
    return Sides(
        missing=tuple(part for key, part in gold.items() if key not in predicted),
        extra=tuple(part for key, part in predicted.items() if key not in gold),
    )


def _predicate_key(predicate: Predicate) -> Hashable:
    return predicate.text, predicate.outer_join is not None


def _part_measures(gold: dict[str, set[bool]], predicted: dict[str, set[bool]]) -> Sides[str]:
    """A measure under a condition equals one whose whole query has the condition.

    Only where a query has the measure both with and without one, as a share has, do they differ.
    """
    shares = {
        text
        for text in gold.keys() & predicted.keys()
        if gold[text] != predicted[text] and max(len(gold[text]), len(predicted[text])) > 1
    }
    parted = _parted({text: text for text in gold}, {text: text for text in predicted})
    missing = [f"{text} as a share" for text in shares if len(gold[text]) > 1]
    extra = [f"{text} as a share" for text in shares if len(predicted[text]) > 1]
    return Sides(missing=(*parted.missing, *sorted(missing)), extra=(*parted.extra, *sorted(extra)))


def _same_columns(gold: QueryShape, predicted: QueryShape) -> dict[str, str]:
    """Columns that a join makes equal, each with the one name that stands for them.

    Of the analyst's joins only those of columns of one name count: they may be the fault.
    """
    same: dict[str, str] = {}
    for shape in (gold, predicted):
        ties = (tie for block in shape.blocks for tie in block.equalities if all(tie.bare))
        for tie in ties:
            (_, table, column), (_, other, other_column) = tie.sides
            if shape is gold or column == other_column:
                pair = sorted(
                    same.get(n, n) for n in (f"{table}.{column}", f"{other}.{other_column}")
                )
                same = {k: pair[0] if v == pair[1] else v for k, v in same.items()}
                same.update(dict.fromkeys(pair, pair[0]))
    return same


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reduced:
    """A shape, with what means the same written the same."""

    shape: QueryShape
    same: Mapping[str, str]
    keys: Keys

    def listed(self, texts: Iterable[str]) -> dict[Hashable, str]:
        return {self.same.get(text, text): text for text in texts}

    def grains(self) -> dict[Hashable, tuple[str, ...]]:
        blocks = [b for b in self.shape.blocks if b.grain and not b.semi]
        return {tuple(sorted({self.same.get(k, k) for k in b.grain})): b.grain for b in blocks}

    def measures(self) -> dict[str, set[bool]]:
        found: dict[str, set[bool]] = {}
        for measure in self.shape.measures:
            found.setdefault(self._measure(measure), set()).add(measure.conditional)
        return found

    def _measure(self, measure: Measure) -> str:
        if not measure.counts or len(measure.columns) != 1:
            return measure.text
        column = measure.columns[0]
        outer = any(
            r.how in ("left", "right", "full") for b in self.shape.blocks for r in b.readings
        )
        if not measure.distinct:
            return measure.text if outer or not self.keys.never_null(column) else "COUNT(*)"
        table, _, name = column.rpartition(".")
        alone = bare_names(self.shape.tables) == {table}
        if alone and self.keys.are_unique(table, {name}):
            return "COUNT(*)"
        return f"COUNT(DISTINCT {self.same.get(column, column)})"
