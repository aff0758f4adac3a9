"""Which predicted column stands for which gold column: one-to-one, decided by the rows.

An assignment holds if the rows become the same multiset under it. Names decide only between
assignments that hold, and forbid one thing: two columns of the answer that carry each other's
names, since then a value stands under a name that means another.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from goldsuite.grading.candidates import AnyCandidates

__all__ = ["Assignment", "assign_columns", "by_name"]

MIN_STEPS = 200
MAX_ROWS_READ = 20_000_000
"""Bound the partial assignments tried; only many columns that look alike come near."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Assignment:
    """What the search found."""

    columns: tuple[int, ...] | None
    """For each gold column the predicted one; None where no assignment holds."""
    problem: str | None = None
    """Why an assignment that makes the rows equal was not taken."""


def assign_columns(candidates: AnyCandidates) -> Assignment:
    """Search in a fixed order; with columns to spare, until it is sure which ones are meant.

    Raises:
        MatchingLimitError: see `Candidates.rows_equal`.
    """
    obvious = by_name(candidates)
    if obvious is not None:
        same = all(pair.same_cells for pair in candidates.pairs(obvious))
        if same and candidates.rows_equal(obvious):
            return Assignment(columns=obvious)
    search = _Search(candidates)
    contradicted = False
    sound: list[tuple[int, ...]] = []
    for columns in search.run():
        if _names_contradict(candidates, columns):
            contradicted = True
            continue
        sound.append(columns)
        if len(candidates.predicted) == len(candidates.gold):
            break  # all columns are used, so any other assignment makes the same rows
    if not sound:
        problem = "two of its columns carry each other's names" if contradicted else search.problem
        return Assignment(columns=None, problem=problem)
    best = max(sound, key=lambda columns: _same_names(candidates, columns))
    rivals = [c for c in sound if not _same_cells(candidates, c, best)]
    if search.problem or any(
        _same_names(candidates, c) == _same_names(candidates, best) for c in rivals
    ):
        return Assignment(columns=None, problem="several of its columns may be the one asked for")
    return Assignment(columns=best)


def by_name(candidates: AnyCandidates) -> tuple[int, ...] | None:
    """Every column by its name, if none is left over; saves the comparison of all with all."""
    gold = [column.name for column in candidates.gold]
    predicted = [column.name for column in candidates.predicted]
    if sorted(gold) != sorted(predicted) or len(set(gold)) != len(gold):
        return None
    return tuple(predicted.index(name) for name in gold)


class _Search:
    """Depth first over the gold columns; a partial assignment whose rows differ is given up."""

    def __init__(self, candidates: AnyCandidates) -> None:
        self._candidates = candidates
        self._fitting: list[list[int]] = []
        for at in range(len(candidates.gold)):
            self._fitting.append(candidates.fitting(at))
            if not self._fitting[-1]:
                break  # this column has no partner, so nothing holds
        self._branches = any(len(found) > 1 for found in self._fitting)
        rows = candidates.row_counts[0]
        self._steps_left = max(MIN_STEPS, MAX_ROWS_READ // max(rows, 1))
        self.problem: str | None = None

    def run(self) -> Iterator[tuple[int, ...]]:
        if all(self._fitting):
            yield from self._extend(())

    def _extend(self, columns: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        complete = len(columns) == len(self._fitting)
        # One column alone was compared when the candidates were found.
        if (len(columns) > 1 and self._branches) or complete:
            self._steps_left -= 1
            if self._steps_left < 0:
                self.problem = "too many of its columns look alike"
                return
            if not self._candidates.rows_equal(columns):
                return
        if complete:
            yield columns
            return
        tried: list[int] = []
        for at in self._fitting[len(columns)]:
            if at in columns or any(self._twins(at, other) for other in tried):
                continue
            tried.append(at)
            yield from self._extend((*columns, at))

    def _twins(self, first: int, second: int) -> bool:
        """True for two predicted columns that neither cells nor names of the gold tell apart."""
        one, other = self._candidates.predicted[first], self._candidates.predicted[second]
        names = {column.name for column in self._candidates.gold}
        return not {one.name, other.name} & names and self._candidates.twins(first, second)


def _names_contradict(candidates: AnyCandidates, columns: tuple[int, ...]) -> bool:
    """True where two predicted columns stand for each other's namesakes."""
    gold = [column.name for column in candidates.gold]
    predicted = [column.name for column in candidates.predicted]
    once = {n for n, k in Counter(gold).items() if k == 1 and n}
    once &= {n for n, k in Counter(predicted).items() if k == 1}
    stands_for = {gold[at]: predicted[column] for at, column in enumerate(columns)}
    return any(
        name != other and name in once and other in once
        for name, other in stands_for.items()
        if other in stands_for
    )


def _same_names(candidates: AnyCandidates, columns: tuple[int, ...]) -> int:
    return sum(
        candidates.gold[at].name == candidates.predicted[column].name != ""
        for at, column in enumerate(columns)
    )


def _same_cells(candidates: AnyCandidates, first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """Whether two assignments read identical columns, so that it does not matter which."""
    return all(a == b or candidates.twins(a, b) for a, b in zip(first, second, strict=True))
