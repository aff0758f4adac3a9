"""Results as text that an agent reads: compact, bounded, and plain about what is left out."""

from datetime import date, datetime, time
from decimal import Decimal

from goldsuite.model.result_set import Cell, Execution, Problem, ResultSet

__all__ = ["bounded", "cell_text", "one_line", "problem_text", "result_text", "single_value"]

_MAX_CELL = 500
"""Characters of one value."""
_MAX_VALUE = 2_000
"""Characters of a single value in the log."""

_MEANING = {
    "refused": "",  # The message says so itself.
    "failed": "the query failed: ",
    "timed_out": "the query took too long: ",
    "too_large": "the query needs too much: ",
}


def one_line(text: str) -> str:
    """`text` with control characters made visible: nothing in it can pass for a line of ours."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def bounded(text: str, limit: int) -> str:
    """`text`, cut to `limit` characters, which is then said."""
    if len(text) <= limit:
        return text
    mark = f"\n(cut: the first {limit:,} of {len(text):,} characters are shown)"
    return text[:limit] + mark


def cell_text(cell: Cell) -> str:
    """One value on one line; `NULL` for none, and a text that says NULL in quotes."""
    if cell is None:
        return "NULL"
    text = one_line(_plain(cell)[: _MAX_CELL + 1])
    if len(text) > _MAX_CELL:
        text = f"{text[:_MAX_CELL]}…"
    if isinstance(cell, str) and (text == "NULL" or " | " in text):
        return f"'{text}'"
    return text


def single_value(result: ResultSet) -> str | None:
    """The one cell of one row and one column, to full precision; None where there is none."""
    if result.truncated or len(result.rows) != 1 or len(result.rows[0]) != 1:
        return None
    cell = result.rows[0][0]
    return None if cell is None else _plain(cell)[:_MAX_VALUE]


def _plain(cell: Cell) -> str:
    match cell:
        case bool():
            return "true" if cell else "false"
        case Decimal() if cell.is_finite():
            return format(cell, "f")
        case datetime():
            return cell.isoformat(sep=" ")
        case date() | time():
            return cell.isoformat()
        case bytes():
            return f"0x{cell[:_MAX_CELL].hex()}"
    return str(cell)


def problem_text(problem: Problem) -> str:
    """Why a query gave nothing."""
    return f"{_MEANING[problem.kind]}{problem.message}"


def result_text(execution: Execution, *, max_rows: int, max_text: int) -> str:
    """A table of one line per row, and how much of the result it is."""
    if execution.problem is not None:
        return problem_text(execution.problem)
    result = execution.result
    if result is None:
        raise ValueError("an execution has either a result or a problem")
    head = bounded(" | ".join(one_line(column.name) for column in result.columns), max_text)
    lines, used = [head], len(head)
    for row in result.rows[:max_rows]:
        line = " | ".join(map(cell_text, row))
        if used + len(line) + 1 > max_text:
            if len(lines) == 1:
                # The first row alone is too long: a part of it says more than nothing.
                lines.append(bounded(line, max(max_text - used, 200)))
            break
        lines.append(line)
        used += len(line) + 1
    return "\n".join([*lines, _extent(result, len(lines) - 1)])


def _extent(result: ResultSet, shown: int) -> str:
    count = len(result.rows)
    if not result.truncated and shown == count:
        return f"({count:,} row{'' if count == 1 else 's'})"
    total = f"more than {count:,}" if result.truncated else f"{count:,}"
    return (
        f"(TRUNCATED: the first {shown:,} of {total} rows are shown; aggregate, filter or limit "
        "in SQL)"
    )
