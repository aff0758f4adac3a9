"""One Flight SQL session of Sail: it can be cancelled, and reads each Arrow type as it is."""

import contextlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa
from adbc_driver_flightsql import ConnectionOptions
from adbc_driver_manager import dbapi

_CLOSE_S = 1.0
"""For the server's answer to a goodbye: one whose threads are all busy gives none."""


class FlightCursor:
    """A PEP 249 cursor that reads its rows batch by batch, as they are asked for."""

    arraysize = 1

    def __init__(self, raw: dbapi.Cursor) -> None:
        self._raw = raw
        self._rows: Iterator[tuple[Any, ...]] = iter(())
        self.description: Sequence[Any] | None = None
        self.rowcount = -1

    def execute(self, sql: str, parameters: Sequence[Any] | None = None) -> None:  # noqa: ARG002
        """Run `sql`; what SQLAlchemy asks here never has parameters."""
        self._raw.execute(sql)
        self.description = self._raw.description
        self._rows = self._read()

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(self._rows, None)

    def fetchmany(self, size: int | None = None) -> list[tuple[Any, ...]]:
        return list(islice(self._rows, size or self.arraysize))

    def fetchall(self) -> list[tuple[Any, ...]]:
        return list(self._rows)

    def cancel(self) -> None:
        """Stop the statement, from another thread."""
        self._raw.adbc_cancel()

    def close(self) -> None:
        self._rows = iter(())
        self._raw.close()

    def _read(self) -> Iterator[tuple[Any, ...]]:
        for batch in self._raw.fetch_record_batch():
            columns = [_values(_column(batch, place)) for place in range(batch.num_columns)]
            yield from zip(*columns, strict=True)


class FlightSession:
    """A connection as SQLAlchemy wants it; it can be stopped from another thread."""

    def __init__(self, raw: dbapi.Connection) -> None:
        self._raw = raw
        self._cursors: list[FlightCursor] = []

    def cursor(self) -> FlightCursor:
        cursor = FlightCursor(self._raw.cursor())
        self._cursors.append(cursor)
        return cursor

    def commit(self) -> None:
        """Nothing: the server has no transactions."""

    def rollback(self) -> None:
        """Nothing: the server has no transactions."""

    def stop(self) -> None:
        """Cancel, from another thread, what runs."""
        for cursor in tuple(self._cursors):
            cursor.cancel()

    def cut(self) -> None:
        """Nothing that `stop` does not do: a cancelled call returns without the server."""

    def close(self) -> None:
        for cursor in self._cursors:  # A statement left open keeps its connection open.
            with contextlib.suppress(dbapi.Error):
                cursor.close()
        self._cursors.clear()
        with contextlib.suppress(dbapi.Error):
            self._raw.adbc_connection.set_options(**call_limits(_CLOSE_S))
            self._raw.close()


def call_limits(seconds: float) -> dict[str, str]:
    """The driver's options by which no call of the server takes longer than `seconds`."""
    calls = (
        ConnectionOptions.TIMEOUT_FETCH,
        ConnectionOptions.TIMEOUT_QUERY,
        ConnectionOptions.TIMEOUT_UPDATE,
    )
    return {call.value: str(seconds) for call in calls}


def _column(batch: pa.RecordBatch, place: int) -> pa.Array:
    try:
        return batch.column(place)
    except KeyError:
        # pyarrow has no class for intervals of months.
        field = batch.schema.field(place)
        raise ValueError(
            f"column {field.name!r} is of the type {field.type}, which cannot be read: cast it to "
            "a string"
        ) from None


def _values(column: pa.Array) -> list[Any]:
    try:
        values: list[Any] = column.to_pylist(maps_as_pydicts="strict")
    except (ValueError, OverflowError, KeyError):
        return [_value(scalar) for scalar in column]
    return values


def _value(scalar: pa.Scalar) -> Any:
    """One value; its text where Python has none, such as a date in the year 10000."""
    try:
        return scalar.as_py()
    except (ValueError, OverflowError):
        return str(scalar.cast(pa.string()))
