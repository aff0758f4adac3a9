"""Small databases in the warehouse itself, as `VALUES` written into the statement.

No data moves, nothing is created, and the dialect is exact. Where the engine has LATERAL, one
statement asks for all databases; in SQLite a subquery gathers the rows of each as JSON; elsewhere
each database is a branch of a UNION ALL.
"""

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from goldsuite.diagnosis.coincidence.databases import TinyDatabase
from goldsuite.diagnosis.coincidence.shadows import (
    ALL,
    NUMBER,
    guard_divisors,
    quoted,
    shadow_name,
    shadowed,
    values_query,
)
from goldsuite.diagnosis.coincidence.shape import Shape, TinyTable
from goldsuite.diagnosis.coincidence.subject import Subject, real_tables
from goldsuite.model.coincidence import CoincidenceMethod
from goldsuite.model.result_set import Cell, Column, Execution, ResultSet

__all__ = ["WarehouseLaboratory"]

_WAYS: dict[str, tuple[str, ...]] = {
    "sqlite": ("json", "union"), "mysql": ("union",), "bigquery": ("union",),
    "clickhouse": ("union",),
}  # fmt: skip
_OTHER_WAYS = ("lateral", "union")
_LATERAL_AT_ONCE = 200
_JSON_AT_ONCE = 100
_MOST_BRANCHES = 25
_FEW = 3
_MOST_SOURCES = 300
"""FROM and JOIN in one statement: the gate reads no more than 500."""
_ERRORS = (SqlglotError, RecursionError, ValueError, AttributeError, TypeError)


class WarehouseLaboratory:
    """Implements `goldsuite.diagnosis.coincidence.laboratory.Laboratory`."""

    method: CoincidenceMethod = "warehouse"

    def __init__(
        self,
        execute: Callable[[str], Execution],
        shape: Shape,
        *,
        dialect: str,
        deadline: float,
        executions: int,
    ) -> None:
        """`deadline` is a moment of `time.monotonic`; `executions` a number of statements."""
        self._execute = execute
        self._shape = shape
        self._dialect = dialect
        self._deadline = deadline
        self._left = executions
        self._width: dict[str, int] = {}
        self._way: dict[str, str] = {}
        self.executions = 0

    @property
    def spent(self) -> bool:
        return self._left <= 0 or time.monotonic() >= self._deadline

    @property
    def keeps_order(self) -> bool:
        # MySQL forgets the order of a derived table, which some texts have to become.
        return self._dialect != "mysql"

    def batch(self, subject: Subject, databases: Sequence[TinyDatabase]) -> list[ResultSet | None]:
        if not databases or not self._finds_a_way(subject, databases):
            return [None] * len(databases)
        found: list[ResultSet | None] = []
        step = self._at_once(subject)
        for start in range(0, len(databases), step):
            found += self._halves(subject, databases[start : start + step])
        return found

    def _finds_a_way(self, subject: Subject, databases: Sequence[TinyDatabase]) -> bool:
        """Settle how the query is asked on many databases; False where it runs on none.

        Some queries cannot stand in a subquery that looks outside, though they run alone.
        """
        if subject.sql in self._way:
            return True
        tried = databases[:_FEW]
        alone = self.plain(subject, tried)
        working = [d for d, result in zip(tried, alone, strict=True) if result is not None]
        for way in _WAYS.get(self._dialect, _OTHER_WAYS) if working else ():
            self._way[subject.sql] = way
            if self._ask_at_once(subject, working[:1]) is not None:
                return True
        self._way.pop(subject.sql, None)
        return False

    def plain(self, subject: Subject, databases: Sequence[TinyDatabase]) -> list[ResultSet | None]:
        return [self._run_as_written(subject, database) for database in databases]

    def _run_as_written(self, subject: Subject, database: TinyDatabase) -> ResultSet | None:
        if any(node.db for node in real_tables(subject.tree)):
            # A qualified name cannot be hidden by a common table expression.
            tree = self._tree(subject, exp.Literal.number(1))
            return None if tree is None else self._run(f"{self._with([database])} {tree}")
        tables = ", ".join(map(self._own, self._shape.tables))
        start = f"{self._with([database], every=False)}, {tables}"
        sql = subject.sql.strip().rstrip(";")
        if subject.tree.args.get("with_") is None:
            return self._run(f"{start} {sql}")
        return self._run(f"{start} SELECT * FROM ({sql}\n) AS q")  # noqa: S608

    def _own(self, table: TinyTable) -> str:
        """A common table expression of the table's own name, which hides it."""
        columns = self._columns(table.names)
        rows = f"SELECT {columns} FROM {self._shadow(table.name)}"  # noqa: S608
        return f"{self._quoted(table.name)}({columns}) AS ({rows} WHERE {self._quoted(NUMBER)} = 1)"

    def _at_once(self, subject: Subject) -> int:
        way = self._way[subject.sql]
        if way != "union":
            return _LATERAL_AT_ONCE if way == "lateral" else _JSON_AT_ONCE
        sources = sum(1 for _ in subject.tree.find_all(exp.From, exp.Join))
        tables = len(real_tables(subject.tree))
        return max(1, min(_MOST_BRANCHES, _MOST_SOURCES // (1 + sources + tables)))

    def _halves(
        self, subject: Subject, databases: Sequence[TinyDatabase]
    ) -> list[ResultSet | None]:
        """In one statement; where it fails, in two, down to the database that is at fault."""
        asked = None if self.spent else self._ask_at_once(subject, databases)
        if asked is not None:
            return asked
        if len(databases) == 1 or self.spent:
            return [None] * len(databases)
        middle = len(databases) // 2
        halves = databases[:middle], databases[middle:]
        return [found for half in halves for found in self._halves(subject, half)]

    def _ask_at_once(
        self, subject: Subject, databases: Sequence[TinyDatabase]
    ) -> list[ResultSet | None] | None:
        ways = {"lateral": self._ask_lateral, "json": self._ask_json, "union": self._ask_union}
        return ways[self._way[subject.sql]](subject, databases)

    def _ask_lateral(
        self, subject: Subject, databases: Sequence[TinyDatabase]
    ) -> list[ResultSet | None] | None:
        tree = self._tree(subject, exp.column("n", table=ALL))
        if tree is None:
            return None
        sql = f"SELECT {ALL}.n, q.* FROM {ALL} CROSS JOIN LATERAL ({tree}) AS q"  # noqa: S608
        return self._numbered(f"{self._with(databases)} {sql}", len(databases))

    def _ask_union(
        self, subject: Subject, databases: Sequence[TinyDatabase]
    ) -> list[ResultSet | None] | None:
        branches = []
        for number in range(1, len(databases) + 1):
            tree = self._tree(subject, exp.Literal.number(number))
            if tree is None:
                return None
            branches.append(f"SELECT {number} AS n, q.* FROM ({tree}) AS q")  # noqa: S608
        sql = " UNION ALL ".join(branches)
        return self._numbered(f"{self._with(databases, every=False)} {sql}", len(databases))

    def _ask_json(
        self, subject: Subject, databases: Sequence[TinyDatabase]
    ) -> list[ResultSet | None] | None:
        width = self._width_of(subject, databases[0])
        tree = self._tree(subject, exp.column("n", table=ALL))
        if width is None or tree is None:
            return None
        names = [f"c{place}" for place in range(width)]
        listed = ", ".join(names)
        gathered = f"SELECT json_group_array(json_array({listed})) FROM q"  # noqa: S608
        sql = f"SELECT {ALL}.n, (WITH q({listed}) AS ({tree}) {gathered}) FROM {ALL}"  # noqa: S608
        result = self._run(f"{self._with(databases)} {sql}")
        if result is None:
            return None
        columns = tuple(Column(name=name) for name in names)
        found: dict[int, ResultSet] = {}
        for number, text in result.rows:
            rows = tuple(tuple(row) for row in json.loads(str(text)))
            found[int(str(number))] = ResultSet(columns=columns, rows=rows)
        return [found.get(number) for number in range(1, len(databases) + 1)]

    def _width_of(self, subject: Subject, database: TinyDatabase) -> int | None:
        """How many columns the query gives: only running it tells, where it says `*`."""
        if subject.sql not in self._width:
            result = self._run_as_written(subject, database)
            if result is None:
                return None
            self._width[subject.sql] = len(result.columns)
        return self._width[subject.sql]

    def _numbered(self, sql: str, count: int) -> list[ResultSet | None] | None:
        result = self._run(sql)
        if result is None:
            return None
        rows: dict[int, list[tuple[Cell, ...]]] = {n: [] for n in range(1, count + 1)}
        for number, *cells in result.rows:
            rows[int(str(number))].append(tuple(cells))
        return [ResultSet(columns=result.columns[1:], rows=tuple(r)) for r in rows.values()]

    def _tree(self, subject: Subject, number: exp.Expr) -> str | None:
        try:
            tree = guard_divisors(shadowed(subject.tree, self._shape, number, self._dialect))
            return str(tree.sql(dialect=self._dialect, comments=False))
        except _ERRORS:
            return None

    def _with(self, databases: Sequence[TinyDatabase], *, every: bool = True) -> str:
        """The relations that hold the databases, and the one that holds their numbers."""
        numbered = list(enumerate(databases, start=1))
        parts = []
        if every:
            selects = [f"SELECT {number}" for number, _ in numbered]
            rows = ", ".join(f"({number})" for number, _ in numbered)
            body = " UNION ALL ".join(selects) if self._dialect == "mysql" else f"VALUES {rows}"
            parts.append(f"{ALL}(n) AS ({body})")
        for table in self._shape.tables:
            names = self._columns((NUMBER, *table.names))
            body = values_query(table, numbered, self._dialect)
            parts.append(f"{self._shadow(table.name)}({names}) AS ({body})")
        return f"WITH {', '.join(parts)}"

    def _shadow(self, name: str) -> str:
        table = self._shape.of(name)
        return self._quoted(shadow_name(table)) if table is not None else self._quoted(name)

    def _columns(self, names: Sequence[str]) -> str:
        return ", ".join(map(self._quoted, names))

    def _quoted(self, name: str) -> str:
        return quoted(name, self._dialect)

    def _run(self, sql: str) -> ResultSet | None:
        if self.spent:
            return None
        self._left -= 1
        self.executions += 1
        done: Any = self._execute(sql).result
        result: ResultSet | None = done
        return None if result is None or result.truncated else result
