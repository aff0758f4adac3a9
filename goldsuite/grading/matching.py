"""Rows within tolerance of each other, matched one to one: a bipartite graph of close rows."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from goldsuite.grading.cells import Form, is_number
from goldsuite.grading.traits import PairTraits, Row

__all__ = ["MatchingLimitError", "Pairs", "group_matches", "numbers_of", "numeric_places"]

Pairs: TypeAlias = Sequence[PairTraits[Any]]

MAX_EDGES = 1_000_000
"""Of the graph of one group; beyond it the comparison gives up, and says so."""
MAX_STEPS = 5_000_000
"""Of the search in that graph, as far as it finds partners."""


class MatchingLimitError(Exception):
    """Too many rows lie within tolerance of each other to be told apart."""


def numeric_places(row: Row, pairs: Pairs) -> list[int]:
    """Where the rows of a group hold numbers under tolerance."""
    return [at for at, pair in enumerate(pairs) if pair.is_tolerant and is_number(row[at])]


def numbers_of(row: Row, numeric: Sequence[int]) -> tuple[Any, ...]:
    """The numbers that a group's rows are sorted by."""
    return tuple(row[place] for place in numeric)


def group_matches(gold: Sequence[Row], predicted: Sequence[Row], pairs: Pairs) -> bool:
    """Whether as many rows on both sides, equal but for numbers under tolerance, are partners.

    Raises:
        MatchingLimitError: the graph is too large.
    """
    numeric = numeric_places(gold[0], pairs)
    if not numeric:
        return True
    if len(gold) == 1:
        return row_allows(gold[0], predicted[0], numeric, pairs)
    gold = sorted(gold, key=lambda row: numbers_of(row, numeric))
    predicted = sorted(predicted, key=lambda row: numbers_of(row, numeric))
    if all(row_allows(g, p, numeric, pairs) for g, p in zip(gold, predicted, strict=True)):
        return True
    margins_keep_order = all(pairs[place].tolerance.relative < 1 for place in numeric)
    if len(numeric) == 1 and margins_keep_order:
        return False  # the sorted order is the best matching of intervals on one line
    return _perfect_matching(_edges(gold, predicted, numeric, pairs))


def row_allows(gold: Row, predicted: Row, numeric: Sequence[int], pairs: Pairs) -> bool:
    """Whether two rows are within tolerance at these places."""
    return all(pairs[place].allows(gold[place], predicted[place]) for place in numeric)


def _edges(
    gold: Sequence[Row], predicted: Sequence[Row], numeric: list[int], pairs: Pairs
) -> list[list[int]]:
    """For each gold row the predicted rows within tolerance, found by the first number."""
    first = numeric[0]
    line = [row[first] for row in predicted]
    edges: list[list[int]] = []
    total = 0
    for row in gold:
        value = row[first]
        # Margins are symmetric about the gold, so one walk up and one down from it suffice.
        start = bisect_left(line, value)  # type: ignore[type-var]
        near = [
            at
            for walk in (range(start, len(line)), range(start - 1, -1, -1))
            for at in _while_close(walk, value, line, pairs[first])
            if row_allows(row, predicted[at], numeric, pairs)
        ]
        total += len(near)
        if total > MAX_EDGES:
            raise MatchingLimitError
        edges.append(sorted(near))
    return edges


def _while_close(
    walk: range, value: Form, line: list[Form], pair: PairTraits[Any]
) -> Iterable[int]:
    for at in walk:
        if not pair.allows(value, line[at]):
            return
        yield at


def _perfect_matching(edges: list[list[int]]) -> bool:
    """Whether every left node gets a right node of its own (Kuhn's algorithm, iterative)."""
    owner: dict[int, int] = {}
    held: dict[int, int] = {}
    steps = 0
    for left in range(len(edges)):
        seen = _augment(left, edges, owner, held)
        steps += seen
        if not seen:
            return False
        if steps > MAX_STEPS:
            raise MatchingLimitError
    return True


def _augment(left: int, edges: list[list[int]], owner: dict[int, int], held: dict[int, int]) -> int:
    """One breadth-first search for a free right node; flips the path that leads to it.

    Returns the number of right nodes seen, and 0 where none of them could be freed.
    """
    came_from: dict[int, int] = {}
    queue = [left]
    for node in queue:
        for right in edges[node]:
            if right in came_from:
                continue
            came_from[right] = node
            if right not in owner:
                _flip(right, came_from, owner, held)
                return len(came_from)
            queue.append(owner[right])
    return 0


def _flip(end: int, came_from: dict[int, int], owner: dict[int, int], held: dict[int, int]) -> None:
    right: int | None = end
    while right is not None:
        node = came_from[right]
        # The node at the start of the path held nothing yet, which ends it.
        previous = held.get(node)
        owner[right], held[node] = node, right
        right = previous
