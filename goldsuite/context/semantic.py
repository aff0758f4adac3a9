"""The notes under `semantic/`: dimensions, relationships, calendar, and shared measures.

Several files are merged in the order of their names. A dimension without a table, and a
relationship over more than one pair of columns or many to many, cannot be told in
`goldsuite.context.dictionary` and are left out; the analyst still reads them in the file.
"""

import calendar
from collections.abc import Iterable
from dataclasses import dataclass

from goldsuite.context.definition_sql import equal_columns, table_of
from goldsuite.context.dictionary import Dimension, Relationship
from goldsuite.context.entry import mapping_of, named_entries, text_of, texts_in, texts_of
from goldsuite.context.files import ContextFile
from goldsuite.context.metric_entry import Measure
from goldsuite.context.yaml_file import YamlMapping, YamlValue, read_yaml
from goldsuite.errors import ContextError

_EXPRESSION_KEYS = ("sql", "expr", "expression", "column")
_VALUE_KEYS = ("values", "sample_values", "allowed_values")
_WORDING_KEYS = ("synonyms", "aliases", "wordings", "label")
_AGGREGATES = {
    "sum": "sum({})",
    "count": "count({})",
    "count_distinct": "count(distinct {})",
    "avg": "avg({})",
    "average": "avg({})",
    "min": "min({})",
    "max": "max({})",
    "median": "median({})",
}
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}


@dataclass(frozen=True, kw_only=True, slots=True)
class SemanticNotes:
    """What all the files under `semantic/` say together."""

    dimensions: tuple[Dimension, ...]
    relationships: tuple[Relationship, ...]
    measures: dict[str, Measure]
    fiscal_year_start_month: int


def read_semantic(files: Iterable[ContextFile]) -> SemanticNotes:
    """The notes in `files`, which are in the order of their names.

    Raises:
        ContextError: a file is unreadable, or the fiscal year's month is none or contradicted.
    """
    contents = [(file, read_yaml(file.path)) for file in files]
    notes = [(file, content) for file, content in contents if isinstance(content, YamlMapping)]
    tables = {name: table for _, note in notes for name, table in _entity_tables(note)}
    dimensions = [d for _, note in notes for d in _dimensions(note.get("dimensions"), tables)]
    relationships = [r for _, note in notes for r in _relationships(note, tables)]
    measures = [m for _, note in notes for m in _measures(note.get("measures"), tables)]
    return SemanticNotes(
        dimensions=_without_repeats(dimensions),
        relationships=tuple(dict.fromkeys(relationships)),
        measures=dict(measures),
        fiscal_year_start_month=_fiscal_year_start(notes),
    )


def _entity_tables(note: YamlMapping) -> Iterable[tuple[str, str]]:
    """Entity to table, for notes that speak of `order` where the warehouse says `orders`."""
    for entry in named_entries(note.get("entities"), "name"):
        name = text_of(entry, "entity", "id", "name")
        table = text_of(entry, "logical_table", "table", "base_table")
        if name is not None and table is not None:
            yield name, table


def _dimensions(value: YamlValue, tables: dict[str, str]) -> Iterable[Dimension]:
    for entry in named_entries(value, "name"):
        name = text_of(entry, "dimension", "id", "name")
        sql = text_of(entry, *_EXPRESSION_KEYS) or name
        if name is None or sql is None:
            continue
        entity = text_of(entry, "entity")
        table = text_of(entry, "table") or table_of(sql) or tables.get(entity or "")
        if table is not None:
            yield Dimension(
                name=name,
                synonyms=texts_of(entry, "synonyms", "aliases"),
                table=table,
                sql=sql,
                values=_values(entry),
            )


def _without_repeats(dimensions: Iterable[Dimension]) -> tuple[Dimension, ...]:
    """The first of each; one name over two tables is two dimensions."""
    first: dict[tuple[str, str, str], Dimension] = {}
    for dimension in dimensions:
        first.setdefault((dimension.name, dimension.table, dimension.sql), dimension)
    return tuple(first.values())


def _values(entry: YamlMapping) -> dict[str, tuple[str, ...]]:
    """Stored value to wordings, from a mapping, a list of values, or a list of mappings."""
    value = next((entry[key] for key in _VALUE_KEYS if entry.get(key) is not None), None)
    if isinstance(value, YamlMapping):
        return {
            stored: texts_of(wordings, *_WORDING_KEYS)
            if isinstance(wordings, YamlMapping)
            else tuple(texts_in(wordings))
            for stored, wordings in value.items()
        }
    found: dict[str, tuple[str, ...]] = {}
    for item in value if isinstance(value, list) else []:
        if isinstance(item, str):
            found[item] = ()
        elif isinstance(item, YamlMapping) and (stored := text_of(item, "value")) is not None:
            found[stored] = texts_of(item, *_WORDING_KEYS)
    return found


def _relationships(note: YamlMapping, tables: dict[str, str]) -> Iterable[Relationship]:
    for key in ("relationships", "joins"):
        for entry in named_entries(note.get(key), "name"):
            pair = _column_pair(entry, tables)
            cardinality = (text_of(entry, "cardinality", "type", "relationship") or "").lower()
            kind = cardinality.replace("-", "_").replace(" ", "_")
            if pair is None or kind == "many_to_many":
                continue
            left, right = reversed(pair) if kind == "one_to_many" else pair
            yield Relationship(left=left, right=right)


def _column_pair(entry: YamlMapping, tables: dict[str, str]) -> tuple[str, str] | None:
    """Both ends as `table.column`."""
    left, right = text_of(entry, "left", "from", "many"), text_of(entry, "right", "to", "one")
    if left is not None and right is not None and "." in left and "." in right:
        return left, right
    condition = text_of(entry, "on", "condition", "sql_on")
    if condition is not None:
        return _pair_in(condition, left)
    columns = entry.get("columns")
    if left is None or right is None or not isinstance(columns, list) or len(columns) != 1:
        return None
    (pair,) = columns
    if not isinstance(pair, YamlMapping):
        return None
    left_column, right_column = text_of(pair, "left", "from"), text_of(pair, "right", "to")
    if left_column is None or right_column is None:
        return None
    return f"{tables.get(left, left)}.{left_column}", f"{tables.get(right, right)}.{right_column}"


def _pair_in(condition: str, left: str | None) -> tuple[str, str] | None:
    columns = equal_columns(condition)
    if columns is None or not all(column.table for column in columns):
        return None
    first, second = (".".join(part.name for part in column.parts) for column in columns)
    # `on: users.id = orders.user_id` with `left: orders`
    return (second, first) if columns[1].table == left != columns[0].table else (first, second)


def _measures(value: YamlValue, tables: dict[str, str]) -> Iterable[tuple[str, Measure]]:
    for entry in named_entries(value, "name"):
        name = text_of(entry, "measure", "id", "name")
        expression = text_of(entry, *_EXPRESSION_KEYS)
        if name is None or expression is None:
            continue
        aggregate = (text_of(entry, "aggregation", "agg", "type") or "").lower()
        entity = text_of(entry, "entity")
        yield (
            name,
            Measure(
                sql=_AGGREGATES.get(aggregate, "{}").replace("{}", expression),
                table=text_of(entry, "table") or table_of(expression) or tables.get(entity or ""),
                filters=texts_of(entry, "filters", "filter", "where"),
            ),
        )


def _fiscal_year_start(notes: Iterable[tuple[ContextFile, YamlMapping]]) -> int:
    found: dict[int, str] = {}
    key = "fiscal_year_start_month"
    for file, note in notes:
        holder = mapping_of(note, "calendar") or note
        text = text_of(holder, key)
        if text is None:
            continue
        place = f"{file.path}:{holder.line_of(key)}"
        month = _MONTHS.get(text.lower()) or (int(text) if text.isdecimal() else 0)
        if not 1 <= month <= 12:
            raise ContextError(f"{place}: {key} {text!r} is no month. Give a number from 1 to 12.")
        found.setdefault(month, place)
    if len(found) > 1:
        said = ", ".join(f"{month} in {place}" for month, place in found.items())
        raise ContextError(f"{key} is contradictory: {said}. Keep one of them.")
    return next(iter(found), 1)
