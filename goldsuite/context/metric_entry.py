"""One entry of a metric dictionary, in the words of any of the tools that write them.

The keys of several layouts mean the same. They may stand in the entry itself or in the blocks
`definition`, `source`, `calculation` and `compile` inside it; the entry itself wins.

What is no SQL becomes part of the description: a filter such as `only paid orders` belongs to the
definition, and an aggregate without it would be another metric. Such a metric keeps its prose and
loses its SQL.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from goldsuite.context.definition_sql import (
    is_aggregate,
    is_condition,
    is_query,
    is_table,
    select_parts,
)
from goldsuite.context.dictionary import Metric
from goldsuite.context.entry import mapping_of, overlay, text_of, texts_in, texts_of
from goldsuite.context.yaml_file import YamlMapping

_ID_KEYS = ("id", "metric", "key")
_LABEL_KEYS = ("label", "title", "display_name")
_DESCRIPTION_KEYS = ("description", "definition", "means", "meaning")
_SQL_KEYS = ("sql", "expression", "expr")
_BLOCKS = ("definition", "source", "calculation", "compile")
_TABLE_KEYS = ("table", "base_table", "source", "tables", "from")
_JOIN_KEYS = ("joins", "join")
_FILTER_KEYS = ("filters", "filter", "where")
_TIME_KEYS = ("time_column", "time_dimension", "date_column", "timestamp")
_DEFINING_KEYS = ("formula", "numerator", "denominator")
_DETAIL_KEYS = ("grain", "window", "rejected", "notes")


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """An aggregate that the semantic notes define once for several metrics."""

    sql: str
    table: str | None
    filters: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sql:
    """The executable part of a definition."""

    sql: str | None = None
    source: str | None = None
    joins: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()


def metric_name(entry: YamlMapping) -> str | None:
    """The identifier: `id` or `metric` where it has one, else `name`."""
    return text_of(entry, *_ID_KEYS) or text_of(entry, "name")


def read_metric(entry: YamlMapping, name: str, measures: Mapping[str, Measure]) -> Metric:
    """The metric that `entry` defines."""
    label = text_of(entry, *_LABEL_KEYS)
    if label is None and text_of(entry, *_ID_KEYS) is not None:
        label = text_of(entry, "name")
    blocks = [block for key in _BLOCKS if (block := mapping_of(entry, key)) is not None]
    flat = overlay((entry, *blocks), {})
    said = _said_sql(flat, measures)
    executable, prose = _without_prose(said)
    return Metric(
        name=name,
        label=label if label != name else None,
        synonyms=texts_of(flat, "synonyms", "aliases"),
        description=_description(entry, blocks, flat, prose),
        sql=executable.sql,
        source=executable.source,
        joins=executable.joins,
        filters=executable.filters,
        time_column=text_of(flat, *_TIME_KEYS),
        unit=text_of(flat, "unit", "units"),
    )


def _said_sql(flat: YamlMapping, measures: Mapping[str, Measure]) -> _Sql:
    """What the entry gives as SQL, prose among it."""
    filters = texts_of(flat, *_FILTER_KEYS)
    measure = _measure(flat, measures)
    if measure is not None:
        return _Sql(
            sql=measure.sql,
            source=_table(flat) or measure.table,
            joins=_joins(flat),
            filters=tuple(dict.fromkeys((*measure.filters, *filters))),
        )
    sql = _aggregate(flat)
    parts = select_parts(sql) if sql is not None else None
    if parts is None:
        return _Sql(sql=sql, source=_table(flat), joins=_joins(flat), filters=filters)
    return _Sql(
        sql=parts.sql,
        source=parts.source,
        joins=tuple(dict.fromkeys((*parts.joins, *_joins(flat)))),
        filters=tuple(dict.fromkeys((*parts.filters, *filters))),
    )


def _measure(flat: YamlMapping, measures: Mapping[str, Measure]) -> Measure | None:
    """The measure that is the whole metric: its numerator, with nothing to divide by."""
    if text_of(flat, *_SQL_KEYS) is not None or text_of(flat, "denominator") is not None:
        return None
    return measures.get(text_of(flat, "numerator") or text_of(flat, "measure") or "")


def _aggregate(flat: YamlMapping) -> str | None:
    sql = text_of(flat, *_SQL_KEYS)
    if sql is not None:
        return sql
    top, bottom = text_of(flat, "numerator_sql"), text_of(flat, "denominator_sql")
    if top is not None and bottom is not None and is_aggregate(top) and is_aggregate(bottom):
        # Two counts would divide as integers in many a dialect.
        return f"1.0 * ({top}) / nullif({bottom}, 0)"
    # A formula may be `sum(a) / count(*)` or `revenue / visitors`, which is no SQL.
    formulas = (text_of(flat, key) for key in ("formula", "measure"))
    return next((text for text in formulas if text is not None and is_aggregate(text)), None)


def _table(flat: YamlMapping) -> str | None:
    """The main table. `source: Finance policy` tells where a definition comes from: no table."""
    names = (name for key in _TABLE_KEYS for name in texts_in(flat.get(key)))
    return next((name for name in names if is_table(name)), None)


def _joins(flat: YamlMapping) -> tuple[str, ...]:
    key = next((key for key in _JOIN_KEYS if flat.get(key) is not None), None)
    value = flat.get(key) if key is not None else None
    items = value if isinstance(value, list) else [value]
    found = []
    for item in items:
        if isinstance(item, str) and item.strip():
            found.append(item.strip())
        elif isinstance(item, YamlMapping):
            table = text_of(item, "table", "to", "name")
            condition = text_of(item, "on", "condition", "sql_on")
            if table is not None and condition is not None:
                found.append(f"{table} on {condition}")
    return tuple(found)


def _without_prose(said: _Sql) -> tuple[_Sql, tuple[str, ...]]:
    """The executable part, and what is left to be read where prose makes it inexecutable."""
    executable = all(map(is_condition, said.filters)) and not (said.sql and is_query(said.sql))
    if executable:
        return said, ()
    conditions = tuple(f"Condition: {text}" for text in said.filters)
    return replace(said, sql=None, filters=()), (
        *(() if said.sql is None else (f"SQL: {said.sql}",)),
        *conditions,
    )


def _description(
    entry: YamlMapping, blocks: list[YamlMapping], flat: YamlMapping, prose: tuple[str, ...]
) -> str | None:
    """The definition in words, with the parts of it that have keys of their own."""
    told = (text_of(source, *_DESCRIPTION_KEYS) for source in (entry, *blocks))
    description = next(filter(None, told), None)
    if description is None and text_of(flat, *_DEFINING_KEYS) is None and not prose:
        return None
    details = [
        f"{key.capitalize()}: {'; '.join(texts)}"
        for key in (*_DEFINING_KEYS, *_DETAIL_KEYS)
        if (texts := texts_of(flat, key)) and not any(map(is_aggregate, texts))
    ]
    return "\n".join((*filter(None, [description]), *details, *prose)) or None
