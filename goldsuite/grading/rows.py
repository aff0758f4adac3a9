"""Rows as a multiset: every row of the gold finds its own partner, and none is used twice.

Equal rows are found by hash. What is left is compared with tolerance: rows are grouped by their
cells that are no numbers, sorted by their numbers and compared in that order. Noise can change the
order of close rows, so a group that mismatches is matched as a bipartite graph.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from goldsuite.grading.cells import Form, is_number
from goldsuite.grading.columns import Pair

__all__ = ["MatchingLimitError", "Row", "rows_differ", "rows_equal", "segments_equal"]

Row = tuple[Form, ...]

MAX_EDGES = 1_000_000
"""Of the graph of one group; beyond it the comparison gives up, and says so."""

_NUMBER: Form = ("number", None)


class MatchingLimitError(Exception):
    """Too many rows lie within tolerance of each other to be told apart."""


def rows_equal(pairs: Sequence[Pair]) -> bool:
    """Whether the rows over these column pairs are the same multiset.

    Raises:
        MatchingLimitError: a group of close rows is too large to be matched.
    """
    gold, predicted = _rows(pairs)
    return _same_multiset(gold, predicted, pairs)


def segments_equal(pairs: Sequence[Pair], segments: Iterable[tuple[int, int]]) -> bool:
    """The same for each slice of rows on its own: order between the slices, none within."""
    gold, predicted = _rows(pairs)
    return all(_same_multiset(gold[a:b], predicted[a:b], pairs) for a, b in segments)


def _rows(pairs: Sequence[Pair]) -> tuple[list[Row], list[Row]]:
    gold = list(zip(*(pair.gold for pair in pairs), strict=True))
    predicted = list(zip(*(pair.predicted for pair in pairs), strict=True))
    return gold, predicted


def _same_multiset(gold: list[Row], predicted: list[Row], pairs: Sequence[Pair]) -> bool:
    if len(gold) != len(predicted):
        return False
    if gold == predicted or dict(Counter(gold)) == dict(Counter(predicted)):
        return True
    tolerant = [place for place, pair in enumerate(pairs) if pair.is_tolerant]
    if not tolerant:
        return False
    gold_groups, predicted_groups = _grouped(gold, tolerant), _grouped(predicted, tolerant)
    if {key: len(rows) for key, rows in gold_groups.items()} != {
        key: len(rows) for key, rows in predicted_groups.items()
    }:
        return False
    return all(
        _group_matches(rows, predicted_groups[key], pairs) for key, rows in gold_groups.items()
    )


def _grouped(rows: list[Row], tolerant: list[int]) -> dict[Row, list[Row]]:
    """Rows by their cells that must be equal; a number under tolerance stands as a mark."""
    columns: list[Sequence[Form]] = list(zip(*rows, strict=True))
    for place in tolerant:
        columns[place] = [_NUMBER if is_number(form) else form for form in columns[place]]
    groups: defaultdict[Row, list[Row]] = defaultdict(list)
    for key, row in zip(zip(*columns, strict=True), rows, strict=True):
        groups[key].append(row)
    return groups


def _group_matches(gold: list[Row], predicted: list[Row], pairs: Sequence[Pair]) -> bool:
    numeric = [
        place for place, pair in enumerate(pairs) if pair.is_tolerant and is_number(gold[0][place])
    ]
    if not numeric:
        return True
    if len(gold) == 1:
        return _row_allows(gold[0], predicted[0], numeric, pairs)

    def numbers(row: Row) -> tuple[object, ...]:
        return tuple(row[place] for place in numeric)

    gold, predicted = sorted(gold, key=numbers), sorted(predicted, key=numbers)
    if all(_row_allows(g, p, numeric, pairs) for g, p in zip(gold, predicted, strict=True)):
        return True
    margins_keep_order = all(pairs[place].tolerance.relative < 1 for place in numeric)
    if len(numeric) == 1 and margins_keep_order:
        return False  # the sorted order is the best matching of intervals on one line
    return _perfect_matching(_edges(gold, predicted, numeric, pairs))


def _row_allows(gold: Row, predicted: Row, numeric: list[int], pairs: Sequence[Pair]) -> bool:
    return all(pairs[place].allows(gold[place], predicted[place]) for place in numeric)


def _edges(
    gold: list[Row], predicted: list[Row], numeric: list[int], pairs: Sequence[Pair]
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
            if _row_allows(row, predicted[at], numeric, pairs)
        ]
        total += len(near)
        if total > MAX_EDGES:
            raise MatchingLimitError
        edges.append(sorted(near))
    return edges


def _while_close(walk: range, value: Form, line: list[Form], pair: Pair) -> Iterable[int]:
    for at in walk:
        if not pair.allows(value, line[at]):
            return
        yield at


def _perfect_matching(edges: list[list[int]]) -> bool:
    """Whether every left node gets a right node of its own (Kuhn's algorithm, iterative)."""
    owner: dict[int, int] = {}
    held: dict[int, int] = {}
    return all(_augment(left, edges, owner, held) for left in range(len(edges)))


def _augment(
    left: int, edges: list[list[int]], owner: dict[int, int], held: dict[int, int]
) -> bool:
    """One breadth-first search for a free right node; flips the path that leads to it."""
    came_from: dict[int, int] = {}
    queue = [left]
    for node in queue:
        for right in edges[node]:
            if right in came_from:
                continue
            came_from[right] = node
            if right not in owner:
                _flip(right, came_from, owner, held)
                return True
            queue.append(owner[right])
    return False


def _flip(end: int, came_from: dict[int, int], owner: dict[int, int], held: dict[int, int]) -> None:
    right: int | None = end
    while right is not None:
        node = came_from[right]
        # The node at the start of the path held nothing yet, which ends it.
        previous = held.get(node)
        owner[right], held[node] = node, right
        right = previous


def rows_differ(pairs: Sequence[Pair]) -> tuple[list[int], list[int]]:
    """Positions of gold rows without an equal partner, and of predicted rows without one."""
    gold, predicted = _rows(pairs)
    return _unmatched(gold, predicted, pairs), _unmatched(predicted, gold, pairs, swapped=True)


def _unmatched(
    rows: list[Row], others: list[Row], pairs: Sequence[Pair], *, swapped: bool = False
) -> list[int]:
    """Exact partners first; of the rest, those with no free row within tolerance."""
    free = Counter(others)
    rest = []
    for at, row in enumerate(rows):
        if free[row] > 0:
            free[row] -= 1
        else:
            rest.append(at)
    if len(rest) > 200:
        return rest
    loose = list(free.elements())[:400]
    unmatched = []
    for at in rest:
        partner = next(
            (o for o in loose if _cells_allow(rows[at], o, pairs, swapped=swapped)), None
        )
        if partner is None:
            unmatched.append(at)
        else:
            loose.remove(partner)
    return unmatched


def _cells_allow(row: Row, other: Row, pairs: Sequence[Pair], *, swapped: bool) -> bool:
    gold, predicted = (other, row) if swapped else (row, other)
    return all(p.allows(g, q) for p, g, q in zip(pairs, gold, predicted, strict=True))
