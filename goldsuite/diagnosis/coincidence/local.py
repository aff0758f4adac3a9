"""Small databases in a DuckDB of our own: in memory, locked, with no way to a file or the net."""

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from goldsuite.diagnosis.coincidence.databases import TinyDatabase
from goldsuite.diagnosis.coincidence.shadows import (
    ALL,
    NUMBER,
    cast_type,
    quoted,
    shadow_name,
    shadowed,
    value_text,
)
from goldsuite.diagnosis.coincidence.shape import Shape, TinyColumn, TinyTable
from goldsuite.diagnosis.coincidence.subject import Subject, real_tables
from goldsuite.model.coincidence import CoincidenceMethod
from goldsuite.model.result_set import Column, ResultSet
from goldsuite.sqltext.gate import check_query
from goldsuite.warehouse.cells import RowReader

if TYPE_CHECKING:
    import duckdb

__all__ = ["LocalEngine", "LocalLaboratory"]

_MEMORY = 500_000_000
_DIALECT = "duckdb"
_MOST_ROWS = 50_000
"""Of one statement; a query that makes more of a few rows is not looked at."""
_FEW = 8
_MOST_SINGLE = 120
"""Databases that are asked one by one where they cannot be asked at once."""


class LocalEngine:
    """The DuckDB that all laboratories of one run share; opened when it is first needed."""

    def __init__(self) -> None:
        self._root: duckdb.DuckDBPyConnection | None = None
        self._lock = threading.Lock()

    def cursor(self) -> "duckdb.DuckDBPyConnection":
        """A session of its own, with temporary tables of its own."""
        from goldsuite.warehouse.duckdb_session import configuration

        with self._lock:
            if self._root is None:
                import duckdb

                config = configuration(_MEMORY, sealed=True) | {"threads": 1}
                self._root = duckdb.connect(":memory:", config=config)
                self._root.execute("set global TimeZone = 'UTC'")
                self._root.execute("set lock_configuration = true")
            return self._root.cursor()

    def close(self) -> None:
        """Give the memory back."""
        with self._lock:
            if self._root is not None:
                self._root.close()
                self._root = None


class LocalLaboratory:
    """Implements `goldsuite.diagnosis.coincidence.laboratory.Laboratory`.

    Queries of another dialect are transpiled to DuckDB's.
    """

    keeps_order = True

    def __init__(
        self, engine: LocalEngine, shape: Shape, *, dialect: str, deadline: float, executions: int
    ) -> None:
        """`deadline` is a moment of `time.monotonic`; `executions` a number of statements."""
        self._shape = shape
        self._dialect = dialect
        self._deadline = deadline
        self._left = executions
        self._cursor = engine.cursor()
        self._loaded: tuple[TinyDatabase, ...] = ()
        self._viewed: int | None = None
        self._allowed: dict[str, bool] = {}
        self.executions = 0
        self._is_lost = not self._create()
        # What still runs at the deadline is stopped; nothing is begun after it.
        left = max(deadline - time.monotonic(), 0.01)
        self._timer = threading.Timer(left, self._interrupt)
        self._timer.daemon = True
        self._timer.start()

    @property
    def method(self) -> CoincidenceMethod:
        return "local" if self._dialect == _DIALECT else "transpiled"

    @property
    def spent(self) -> bool:
        return self._left <= 0 or time.monotonic() >= self._deadline

    def close(self) -> None:
        """Drop the session's tables."""
        self._timer.cancel()
        self._cursor.close()

    def batch(self, subject: Subject, databases: Sequence[TinyDatabase]) -> list[ResultSet | None]:
        if not (self._may_run(subject) and self._load(databases)):
            return [None] * len(databases)
        text = self._text(subject, exp.column("n", table=ALL))
        found = None if text is None else self._ask_all(text, len(databases))
        return self._one_by_one(subject, len(databases)) if found is None else found

    def plain(self, subject: Subject, databases: Sequence[TinyDatabase]) -> list[ResultSet | None]:
        if not (self._may_run(subject) and self._load(databases)):
            return [None] * len(databases)
        numbers = range(1, len(databases) + 1)
        is_own = self._dialect == _DIALECT and not any(t.db for t in real_tables(subject.tree))
        return [self._run_as_written(subject, n) if is_own else self._run_on(subject, n)
                for n in numbers]  # fmt: skip

    def _interrupt(self) -> None:
        import duckdb

        with suppress(duckdb.Error):  # It may have been closed at this very moment.
            self._cursor.interrupt()

    def _may_run(self, subject: Subject) -> bool:
        """What the analyst's door would refuse is not run here either."""
        if subject.sql not in self._allowed:
            refusal = check_query(subject.sql, subject.dialect, guarded=True)
            self._allowed[subject.sql] = refusal is None
        return self._allowed[subject.sql]

    def _run_as_written(self, subject: Subject, number: int) -> ResultSet | None:
        return self._run(subject.sql) if self._view(number) else None

    def _view(self, number: int) -> bool:
        """Have the tables' own names lead to one database; False: they do not."""
        if number == self._viewed:
            return True
        self._viewed = None
        for table in self._shape.tables:
            columns = ", ".join(quoted(c.name, _DIALECT) for c in table.columns)
            is_made = self._prepare(
                f"create or replace temp view {quoted(table.name, _DIALECT)} as select "  # noqa: S608
                f"{columns} from {quoted(shadow_name(table), _DIALECT)} "
                f"where {NUMBER} = {number}"
            )
            if not is_made:
                return False
        self._viewed = number
        return True

    def _run_on(self, subject: Subject, number: int) -> ResultSet | None:
        text = self._text(subject, exp.Literal.number(number))
        return None if text is None else self._run(text)

    def _create(self) -> bool:
        statements = [f"create temp table {ALL} (n integer)"]
        for table in self._shape.tables:
            columns = [f"{quoted(c.name, _DIALECT)} {self._type(c)}" for c in table.columns]
            name = quoted(shadow_name(table), _DIALECT)
            listed = ", ".join(columns)
            statements.append(f"create temp table {name} ({NUMBER} integer, {listed})")
        return all(map(self._prepare, statements))

    def _type(self, column: TinyColumn) -> str:
        if self._dialect == _DIALECT:
            return cast_type(column, _DIALECT) or "VARCHAR"
        try:
            built = exp.DataType.build(column.type.replace("_", " "), dialect=self._dialect)
        except (SqlglotError, ValueError):
            return "VARCHAR"
        named = cast_type(column, _DIALECT) or "VARCHAR"
        return named if named in {"VARCHAR", "BOOLEAN"} else built.sql(dialect=_DIALECT)

    def _load(self, databases: Sequence[TinyDatabase]) -> bool:
        """Have the tables hold these databases; False: they do not, and no query may run."""
        if self._is_lost:
            return False
        if self._loaded == tuple(databases):
            return True
        self._loaded = ()
        numbers = f"insert into {ALL} select * from range(1, {len(databases) + 1})"  # noqa: S608
        is_loaded = (
            all(self._fill(t, list(enumerate(databases, start=1))) for t in self._shape.tables)
            and self._prepare(f"delete from {ALL}")  # noqa: S608
            and self._prepare(numbers)
        )
        if is_loaded:
            self._loaded = tuple(databases)
        return is_loaded

    def _fill(self, table: TinyTable, databases: Sequence[tuple[int, TinyDatabase]]) -> bool:
        target = quoted(shadow_name(table), _DIALECT)
        rows = [(n, row) for n, database in databases for row in database.rows[table.name]]
        if not self._prepare(f"delete from {target}"):  # noqa: S608 - quoted
            return False
        if not rows:
            return True
        columns: list[list[Any]] = [[n for n, _ in rows]]
        columns += [[value_text(row[p]) for _, row in rows] for p in range(len(table.columns))]
        parts = [f"cast(unnest(?::varchar[]) as {self._type(c)})" for c in table.columns]
        listed = ", ".join(["unnest(?::integer[])", *parts])
        return self._prepare(f"insert into {target} select {listed}", columns)

    def _prepare(self, sql: str, values: Sequence[Any] = ()) -> bool:
        """Run a statement of our own; False: the time was up, or the data does not fit."""
        import duckdb

        try:
            self._cursor.execute(sql, list(values))
        except (duckdb.Error, RuntimeError, MemoryError):
            return False
        return True

    def _text(self, subject: Subject, number: exp.Expr) -> str | None:
        try:
            tree = shadowed(subject.tree, self._shape, number, self._dialect)
            return str(tree.sql(dialect=_DIALECT, comments=False))
        except (SqlglotError, RecursionError, ValueError, AttributeError):
            return None

    def _ask_all(self, text: str, count: int) -> list[ResultSet | None] | None:
        everything = self._run(
            f"select {ALL}.n, q.* from {ALL} cross join lateral ({text}) as q"  # noqa: S608
        )
        if everything is None:
            return None
        columns = everything.columns[1:]
        rows: dict[int, list[tuple[Any, ...]]] = {n: [] for n in range(1, count + 1)}
        for number, *cells in everything.rows:
            rows[int(str(number))].append(tuple(cells))
        return [ResultSet(columns=columns, rows=tuple(found)) for found in rows.values()]

    def _one_by_one(self, subject: Subject, count: int) -> list[ResultSet | None]:
        found: list[ResultSet | None] = []
        for number in range(1, min(count, _MOST_SINGLE) + 1):
            if number > _FEW and found.count(None) == len(found):
                break  # it is the query that is at fault, not one of the databases
            found.append(self._run_on(subject, number))
        return found + [None] * (count - len(found))

    def _run(self, sql: str) -> ResultSet | None:
        import duckdb

        if self.spent:
            return None
        self._left -= 1
        self.executions += 1
        try:
            self._cursor.execute(sql)
            described: Any = self._cursor.description
            rows = self._cursor.fetchmany(_MOST_ROWS + 1)
        except (duckdb.Error, ValueError, OverflowError, RuntimeError, MemoryError):
            return None
        if described is None or len(rows) > _MOST_ROWS:
            return None
        columns = tuple(Column(name=str(d[0] or ""), type=str(d[1])) for d in described)
        reader = RowReader([column.type for column in columns])
        return ResultSet(columns=columns, rows=tuple(reader.read(rows)))
