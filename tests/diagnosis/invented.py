"""What an invented warehouse is, and how it becomes a file."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pyarrow as pa

Rows = Mapping[str, Sequence[tuple[object, ...]]]

__all__ = ["Gold", "Rows", "Schema", "build", "moment"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Gold:
    """One question."""

    name: str
    question: str
    sql: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Schema:
    """One warehouse, and what a mutation must know of it."""

    name: str
    ddl: tuple[str, ...]
    rows: Callable[[random.Random], Rows]
    children: tuple[tuple[str, str, str], ...]
    """Child table, its column, and the parent it refers to: several rows for each parent."""
    stale: dict[str, str]
    """A table and its outdated copy."""
    other_columns: dict[str, str]
    """An amount, and another amount of the same table."""
    other_dates: dict[str, str]
    values: dict[str, tuple[str, ...]]
    """The values of a text column."""
    golds: tuple[Gold, ...]


def build(schema: Schema, path: Path) -> Path:
    """Write the warehouse to a DuckDB file."""
    connection = duckdb.connect(str(path))
    for statement in schema.ddl:
        connection.execute(statement)
    for table, rows in schema.rows(random.Random(schema.name)).items():  # noqa: S311
        columns = [pa.array(column) for column in zip(*rows, strict=True)]
        batch = pa.table(columns, names=[f"c{number}" for number in range(len(columns))])
        connection.register("batch", batch)
        connection.execute(f"insert into {table} select * from batch")
        connection.unregister("batch")
    for table, copy in schema.stale.items():
        key = connection.execute(f"select column_name from (describe {table}) limit 1").fetchall()
        connection.execute(f"insert into {copy} select * from {table} where {key[0][0]} % 7 <> 0")
    connection.close()
    return path


def moment(draw: random.Random) -> datetime:
    """Any minute of 2024 and 2025."""
    return datetime(2024, 1, 1) + timedelta(minutes=draw.randrange(731 * 1440))  # noqa: DTZ001
