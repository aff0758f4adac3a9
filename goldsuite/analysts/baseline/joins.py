"""How tables join: declared relationships, else foreign keys, else columns named `table_id`.

The path taken is the shortest, then the best declared, then the first by name. That a join may
multiply rows is not looked at: a plain lookup would not look either.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from goldsuite.analysts.baseline.schema import Entity, Schema
from goldsuite.context.dictionary import Relationship

_RELATIONSHIP, _FOREIGN_KEY, _NAMES_ALIKE = range(3)


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Edge:
    """One way to step from a table to another."""

    rank: int
    """How it is known; lower is better."""
    left: str
    right: str
    """Aliases of the tables: from, to."""
    pairs: tuple[tuple[str, str], ...]
    """Columns that must be equal: of the left table, of the right one."""
    to_one: bool
    """True if the step leads from the many side to the one side."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JoinGraph:
    """Every edge in both directions, sorted."""

    edges: tuple[Edge, ...]

    def path(self, source: str, target: str) -> tuple[Edge, ...] | None:
        """The steps from `source` to `target`: () where they are the same, None without a way."""
        queue: list[tuple[int, int, tuple[str, ...], tuple[Edge, ...]]] = [(0, 0, (source,), ())]
        settled: set[str] = set()
        while queue:
            length, rank, visited, steps = heappop(queue)
            here = visited[-1]
            if here == target:
                return steps
            if here in settled:
                continue
            settled.add(here)
            for edge in self.edges:
                if edge.left == here and edge.right not in settled:
                    way = (*visited, edge.right)
                    heappush(queue, (length + 1, rank + edge.rank, way, (*steps, edge)))
        return None

    def distance(self, source: str, target: str) -> int | None:
        """How many joins lie between two tables; None where nothing leads there."""
        steps = self.path(source, target)
        return None if steps is None else len(steps)


def join_graph(schema: Schema, relationships: tuple[Relationship, ...]) -> JoinGraph:
    """All edges; between two tables only the best known kind counts."""
    edges: list[Edge] = []
    for kind in (_declared(schema, relationships), _foreign_keys(schema), _alike(schema)):
        known = {(e.left, e.right) for e in edges}
        edges.extend(e for e in kind if (e.left, e.right) not in known)
    return JoinGraph(edges=tuple(sorted(edges)))


def _both_ways(
    rank: int, many: Entity, one: Entity, pairs: tuple[tuple[str, str], ...]
) -> Iterator[Edge]:
    if many.alias == one.alias:
        return
    back = tuple((right, left) for left, right in pairs)
    yield Edge(rank=rank, left=many.alias, right=one.alias, pairs=pairs, to_one=True)
    yield Edge(rank=rank, left=one.alias, right=many.alias, pairs=back, to_one=False)


def _declared(schema: Schema, relationships: tuple[Relationship, ...]) -> list[Edge]:
    edges: list[Edge] = []
    for relationship in relationships:
        left_table, _, left_column = relationship.left.rpartition(".")
        right_table, _, right_column = relationship.right.rpartition(".")
        many, one = schema.entity(left_table), schema.entity(right_table)
        left = many and many.field(left_column)
        right = one and one.field(right_column)
        # Notes that name what the warehouse lacks are passed over: the catalog is what runs.
        if many and one and left and right:
            edges.extend(_both_ways(_RELATIONSHIP, many, one, ((left.name, right.name),)))
    return edges


def _foreign_keys(schema: Schema) -> list[Edge]:
    edges: list[Edge] = []
    for many in schema.entities:
        for key in many.foreign_keys:
            one = schema.entity(key.table)
            if one is not None:
                pairs = tuple(zip(key.columns, key.referred_columns, strict=False))
                edges.extend(_both_ways(_FOREIGN_KEY, many, one, pairs))
    return edges


def _alike(schema: Schema) -> list[Edge]:
    edges: list[Edge] = []
    for one in schema.entities:
        reference = (*one.words, "id")
        own = [f for f in one.fields if f.words == reference] or [
            f for f in one.fields if f.words == ("id",)
        ]
        for many in schema.entities:
            refers = [f for f in many.fields if f.words == reference]
            if own and refers and many.alias != one.alias:
                pairs = ((refers[0].name, own[0].name),)
                edges.extend(_both_ways(_NAMES_ALIKE, many, one, pairs))
    return edges
