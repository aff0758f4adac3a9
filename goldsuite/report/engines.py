"""Several analysts over the same cases, side by side in a short table."""

from collections.abc import Sequence

from goldsuite.model.run import RunRecord
from goldsuite.report.figures import ABSENT, duration, money, percent, printable, shorten

__all__ = ["engines_table"]

_HEADS = ("analyst", "accuracy", "95 %", "passed", "errors", "latency", "cost", "$/correct")
_NAME_WIDTH = 24


def engines_table(records: Sequence[RunRecord], *, markdown: bool = False) -> str:
    """One line for each record, in the order given; what was not measured is a dash."""
    rows = [_row(record) for record in records]
    if markdown:
        rules = ["---", *["---:"] * (len(_HEADS) - 1)]
        cells = [[_escaped(cell) for cell in row] for row in rows]
        return "".join(f"| {' | '.join(line)} |\n" for line in (_HEADS, rules, *cells))
    widths = [max(map(len, column)) for column in zip(_HEADS, *rows, strict=True)]
    return "".join(f"{_aligned(line, widths)}\n" for line in (_HEADS, *rows))


def _row(record: RunRecord) -> tuple[str, ...]:
    found = record.aggregate
    name = f"{record.analyst} ({record.model})" if record.model else record.analyst
    return (
        shorten(printable(name), _NAME_WIDTH),
        percent(found.accuracy),
        _interval(found.accuracy_interval),
        f"{found.passed}/{found.gradable}",
        str(found.errors),
        duration(found.avg_latency_ms),
        money(found.total_cost),
        money(found.cost_per_correct),
    )


def _interval(interval: tuple[float, float] | None) -> str:
    return ABSENT if interval is None else f"{100 * interval[0]:.0f} to {100 * interval[1]:.0f} %"


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    name, *figures = zip(cells, widths, strict=True)
    return "  ".join([name[0].ljust(name[1]), *(cell.rjust(width) for cell, width in figures)])


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
