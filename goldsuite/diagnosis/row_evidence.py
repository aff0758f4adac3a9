"""Where the answer is rows: which of them are missing, too many, too high or too low."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from goldsuite.diagnosis.answer_checks import shown
from goldsuite.diagnosis.counterfactual.experiment import same_cell
from goldsuite.model.result_set import Cell, ResultSet

__all__ = ["row_evidence"]

_SHOWN = 3
_Row = tuple[Cell, ...]


def row_evidence(own: ResultSet, gold: ResultSet) -> Iterator[str]:
    """Sentences on the groups that differ; none where the results are no rows of one shape."""
    width = len(gold.columns)
    if len(own.columns) != width or width < 1 or max(len(own.rows), len(gold.rows)) < 2:
        return
    values = [n for n in range(width) if _is_measure(gold, n) and _is_measure(own, n)]
    keys = [n for n in range(width) if n not in values]
    if not keys:
        return
    ours, theirs = _by_key(own, keys), _by_key(gold, keys)
    if ours is None or theirs is None:
        yield from _repeated(own, gold, keys)
        return
    extra = [key for key in ours if key not in theirs]
    missing = [key for key in theirs if key not in ours]
    if missing:
        yield f"{_counted(missing)} missing: {_listed(missing)}."
    if extra:
        yield f"{_counted(extra)} not in the gold: {_listed(extra)}."
    for number in values:
        yield from _compared(gold.columns[number].name, number, ours, theirs)


def _is_measure(result: ResultSet, number: int) -> bool:
    cells = [row[number] for row in result.rows if row[number] is not None]
    return bool(cells) and all(
        isinstance(cell, int | float | Decimal) and not isinstance(cell, bool) for cell in cells
    )


def _by_key(result: ResultSet, keys: list[int]) -> Mapping[_Row, _Row] | None:
    """The rows by their key; None where a key stands in several rows."""
    found = {tuple(row[n] for n in keys): row for row in result.rows}
    return found if len(found) == len(result.rows) else None


def _repeated(own: ResultSet, gold: ResultSet, keys: list[int]) -> Iterator[str]:
    counts = [len({tuple(row[n] for n in keys) for row in r.rows}) for r in (own, gold)]
    yield (
        f"The answer has {len(own.rows):,} rows of {counts[0]:,} groups, the gold"
        f" {len(gold.rows):,} rows of {counts[1]:,}."
    )


def _compared(
    name: str, number: int, ours: Mapping[_Row, _Row], theirs: Mapping[_Row, _Row]
) -> Iterator[str]:
    both = [key for key in theirs if key in ours]
    for words, sign in (("too high", 1), ("too low", -1)):
        wrong = [k for k in both if _sign(ours[k][number], theirs[k][number]) == sign]
        if wrong:
            first = wrong[0]
            yield (
                f"`{name}` is {words} in {len(wrong):,} of {len(both):,} groups, as in"
                f" {_listed([first])}: {shown(ours[first][number])}, in the gold"
                f" {shown(theirs[first][number])}."
            )


def _sign(one: Cell, other: Cell) -> int:
    if one is None or other is None or same_cell(one, other):
        return 0
    return 1 if float(one) > float(other) else -1  # type: ignore[arg-type]


def _counted(keys: list[_Row]) -> str:
    return f"{len(keys):,} group is" if len(keys) == 1 else f"{len(keys):,} groups are"


def _listed(keys: list[_Row]) -> str:
    told = [" / ".join(shown(cell) for cell in key) for key in keys[:_SHOWN]]
    return ", ".join(told) + (" ..." if len(keys) > _SHOWN else "")
