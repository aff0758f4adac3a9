"""The warehouse's tables as text: a list of them, and one in full."""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from goldsuite.analysts.toolbox.result_text import bounded, cell_text, one_line, problem_text
from goldsuite.analysts.toolbox.tools import ToolResult, shown
from goldsuite.model.result_set import Cell
from goldsuite.nearest import did_you_mean
from goldsuite.warehouse.base import Catalog, CatalogColumn, CatalogTable, Door

__all__ = ["describe", "list_tables", "sql_name"]

_SAMPLED_ROWS = 20
_SAMPLES = 3
"""Values shown of a column that the catalog tells no values of."""
_MAX_SAMPLE = 60
_MAX_COMMENT = 500


def sql_name(table: CatalogTable, dialect: str) -> str:
    """How the table is written in SQL: quoted where its name needs it."""
    parts = (table.schema, table.name) if table.schema else (table.name,)
    return ".".join(_identifier(part, dialect) for part in parts)


def list_tables(catalog: Catalog, dialect: str, *, containing: str | None, max_text: int) -> str:
    """One line per table, as many as the limit allows."""
    wanted = (containing or "").casefold()
    tables = [
        table
        for table in catalog.tables
        if wanted in f"{table.schema or ''}.{table.name}\n{table.comment or ''}".casefold()
    ]
    if not tables:
        within = f" whose name or comment contains {shown(containing)}" if wanted else ""
        return f"The warehouse has no table{within}."
    lines: list[str] = []
    used = 0
    for table in tables:
        line = _title(table, dialect)
        used += len(line) + 1
        if used > max_text and lines:
            left = len(tables) - len(lines)
            lines.append(f"(TRUNCATED: {left:,} more tables; ask with `containing`)")
            break
        lines.append(bounded(line, max_text))
    return "\n".join(lines)


def describe(catalog: Catalog, door: Door, name: str, *, max_text: int) -> ToolResult:
    """Everything that is known of the table `name`, with values read through `door`."""
    table = _find(catalog, name, door.dialect)
    if isinstance(table, str):
        return ToolResult(text=table, ok=False)
    samples, trouble = _samples(table, door)
    lines = [_title(table, door.dialect)]
    if table.primary_key:
        keys = ", ".join(_identifier(key, door.dialect) for key in table.primary_key)
        lines.append(f"primary key: {keys}")
    lines += [_foreign_key(table, index, door.dialect) for index in range(len(table.foreign_keys))]
    lines.append(f"columns ({len(table.columns)}):" if table.columns else "columns: not known")
    lines += [
        f"  {_column(column, samples.get(column.name, ()), door.dialect)}"
        for column in table.columns
    ]
    if trouble:
        lines.append(f"no sample values: {trouble}")
    return ToolResult(text=bounded("\n".join(lines), max_text), ok=True)


def _find(catalog: Catalog, name: str, dialect: str) -> CatalogTable | str:
    """The table called `name`, as SQL or as it is; else what to say."""
    names: dict[str, list[CatalogTable]] = {}
    for table in catalog.tables:
        written = (sql_name(table, dialect), _plain_name(table), table.name)
        for text in dict.fromkeys(map(one_line, written)):
            names.setdefault(text, []).append(table)
    # As a list of ours shows it, or as it really is.
    name = one_line(name)
    found = names.get(name)
    if found is None:
        folded = name.casefold()
        found = [t for text, ts in names.items() if text.casefold() == folded for t in ts]
        found = list(dict.fromkeys(found))
    if len(found) == 1:
        return found[0]
    # A table of the default schema is meant before one of the same name elsewhere.
    if len(default := [table for table in found if table.schema is None]) == 1:
        return default[0]
    if found:
        several = ", ".join(sql_name(table, dialect) for table in found[:10])
        return f"there are several tables {shown(name)}: {several}. Name one of them."
    hint = did_you_mean(name[:200], names)
    return f"there is no table {shown(name)}.{hint} list_tables gives their names."


def _plain_name(table: CatalogTable) -> str:
    return f"{table.schema}.{table.name}" if table.schema else table.name


def _identifier(name: str, dialect: str) -> str:
    # Lower case alone is written as it is: anything else means something else in some dialect.
    plain = name.isidentifier() and name.isascii() and name == name.lower()
    return one_line(exp.to_identifier(name, quoted=not plain).sql(dialect=dialect))


def _title(table: CatalogTable, dialect: str) -> str:
    rows = "" if table.row_count is None else f", {_about(table)}{table.row_count:,} rows"
    comment = f": {_note(table.comment)}" if table.comment else ""
    return f"{sql_name(table, dialect)} ({table.kind}{rows}){comment}"


def _about(table: CatalogTable) -> str:
    return "about " if table.row_count_estimated else ""


def _note(comment: str) -> str:
    text = one_line(" ".join(comment.split()))
    return text if len(text) <= _MAX_COMMENT else f"{text[:_MAX_COMMENT]}…"


def _foreign_key(table: CatalogTable, index: int, dialect: str) -> str:
    key = table.foreign_keys[index]
    own = ", ".join(_identifier(name, dialect) for name in key.columns)
    referred = ", ".join(_identifier(name, dialect) for name in key.referred_columns)
    return f"foreign key: ({own}) refers to {_identifier(key.table, dialect)} ({referred})"


def _column(column: CatalogColumn, samples: Sequence[Cell], dialect: str) -> str:
    parts = [_identifier(column.name, dialect), one_line(column.type)]
    if not column.nullable:
        parts.append("not null")
    text = " ".join(parts)
    if column.comment:
        text += f": {_note(column.comment)}"
    if column.values:
        return f"{text} [values: {', '.join(map(_sample, column.values))}]"
    return f"{text} [such as {', '.join(map(_sample, samples))}]" if samples else text


def _sample(cell: Cell) -> str:
    text = cell_text(cell)
    if len(text) > _MAX_SAMPLE:
        text = f"{text[:_MAX_SAMPLE]}…"
    return f"'{text}'" if isinstance(cell, str) and not text.startswith("'") else text


def _samples(table: CatalogTable, door: Door) -> tuple[Mapping[str, tuple[Cell, ...]], str]:
    """A few values of each column, from the first rows; and why there are none."""
    if not any(not column.values for column in table.columns):
        return {}, ""
    place = ".".join(
        exp.to_identifier(part, quoted=True).sql(dialect=door.dialect)
        for part in (table.schema, table.name)
        if part
    )
    execution = door.execute(f"select * from {place} limit {_SAMPLED_ROWS}")  # noqa: S608 - quoted
    if execution.result is None:
        return {}, problem_text(execution.problem) if execution.problem else ""
    rows = execution.result.rows
    found: dict[str, tuple[Cell, ...]] = {}
    for index, column in enumerate(execution.result.columns):
        seen = dict.fromkeys(row[index] for row in rows if row[index] is not None)
        found[column.name] = tuple(seen)[:_SAMPLES]
    return found, ""
