"""Doors: fresh sessions, cells in one set of types, and errors that say what the engine said."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from math import isnan
from pathlib import Path

import pytest

from goldsuite.model.result_set import Cell
from goldsuite.warehouse.door import SqlDoor
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse

DUCKDB_CELLS: list[tuple[str, Cell]] = [
    ("1", 1),
    ("9007199254740993::bigint", 9007199254740993),
    ("170141183460469231731687303715884105727::hugeint", 170141183460469231731687303715884105727),
    ("1.10::decimal(38, 2)", Decimal("1.10")),
    ("0.5::double", 0.5),
    ("'inf'::double", float("inf")),
    ("'Zürich'", "Zürich"),
    ("true", True),
    ("null", None),
    ("date '2025-01-31'", date(2025, 1, 31)),
    ("timestamp '2025-01-31 12:00:00.5'", datetime(2025, 1, 31, 12, 0, 0, 500_000)),  # noqa: DTZ001
    ("timestamptz '2025-01-31 12:00:00+02'", datetime(2025, 1, 31, 10, 0, tzinfo=UTC)),
    ("time '12:30:00'", time(12, 30)),
    ("interval '36 hours'", timedelta(days=1, hours=12)),
    ("'\\xAA\\x00'::blob", b"\xaa\x00"),
    ("'6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
    ("'b'::enum('a', 'b')", "b"),
    ("""'{"b": 1.0, "a": [2.50, "é"]}'::json""", '{"a": [2.5, "é"], "b": 1}'),
    ("{'b': 1, 'a': 'x'}", '{"a": "x", "b": 1}'),
    ("[1, null, 3]", "[1, null, 3]"),
    ("[1.50, 2.00]", "[1.5, 2]"),
    ("[1, 2]::int[2]", "[1, 2]"),
    ("map {'k': date '2025-01-01'}", '{"k": "2025-01-01"}'),
    ("map {2: 'x'}", '{"2": "x"}'),
]


@pytest.mark.parametrize(("expression", "cell"), DUCKDB_CELLS)
def test_duckdb_values_come_as_cells(duck: OpenWarehouse, expression: str, cell: Cell) -> None:
    result = duck.gold.execute(f"select {expression}").result
    assert result is not None
    value = result.rows[0][0]
    assert value == cell
    assert type(value) is type(cell)


SQLITE_CELLS: list[tuple[str, Cell]] = [
    ("1", 1),
    ("0.5", 0.5),
    ("9e999", float("inf")),
    ("'Zürich'", "Zürich"),
    ("null", None),
    ("x'AA00'", b"\xaa\x00"),
    ("cast(x'ff41' as text)", "\ufffdA"),
    ("date('2025-01-31')", "2025-01-31"),
]


@pytest.mark.parametrize(("expression", "cell"), SQLITE_CELLS)
def test_sqlite_values_come_as_cells(lite: OpenWarehouse, expression: str, cell: Cell) -> None:
    result = lite.gold.execute(f"select {expression}").result
    assert result is not None
    value = result.rows[0][0]
    assert value == cell
    assert type(value) is type(cell)


def test_nan_is_kept(duck: OpenWarehouse) -> None:
    result = duck.gold.execute("select 'nan'::double").result
    assert result is not None
    value = result.rows[0][0]
    assert isinstance(value, float)
    assert isnan(value)


def test_duplicate_column_names_are_kept(warehouse: OpenWarehouse) -> None:
    result = warehouse.analyst.execute("select 1 as a, 2 as a, 3 as b").result
    assert result is not None
    assert [column.name for column in result.columns] == ["a", "a", "b"]
    assert result.rows == ((1, 2, 3),)


def test_an_empty_column_name_is_kept(lite: OpenWarehouse) -> None:
    result = lite.analyst.execute('select 1 as ""').result
    assert result is not None
    assert result.columns[0].name == ""


def test_a_column_has_the_engines_own_type(duck: OpenWarehouse) -> None:
    result = duck.gold.execute("select id, amount, ordered_on from orders limit 0").result
    assert result is not None
    assert [column.type for column in result.columns] == ["INTEGER", "DECIMAL(10,2)", "DATE"]
    assert result.rows == ()


@pytest.mark.parametrize(
    ("sql", "row"),
    [
        ("select 7 % 4", (3,)),
        ("select ':x', '%s', '%(a)s'", (":x", "%s", "%(a)s")),
        ("select '?'", ("?",)),
        ("select 1 -- ? :x", (1,)),
    ],
)
def test_no_part_of_the_sql_is_taken_for_a_bind(
    warehouse: OpenWarehouse, sql: str, row: tuple[Cell, ...]
) -> None:
    result = warehouse.gold.execute(sql).result
    assert result is not None
    assert result.rows == (row,)


def test_the_session_runs_in_utc_wherever_the_machine_is(
    duckdb_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    with open_warehouse(f"duckdb:///{duckdb_path}") as warehouse:
        sql = "select current_setting('TimeZone'), timestamptz '2025-01-01 00:00:00'"
        result = warehouse.gold.execute(sql).result
        assert result is not None
        assert result.rows == (("UTC", datetime(2025, 1, 1, tzinfo=UTC)),)


def _leave(door: SqlDoor, *statements: str) -> None:
    """Run statements in one session of `door`, past the gate."""
    with door.sqlalchemy_engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def test_what_one_statement_leaves_is_seen_by_no_other(duck: OpenWarehouse) -> None:
    _leave(
        duck.analyst,
        "create temp table orders as select 999 as amount",
        "create temp macro leftover() as 999",
        "set variable total = 999",
    )
    sql = "select sum(amount), getvariable('total') from orders"
    for door in (duck.gold, duck.analyst):
        result = door.execute(sql).result
        assert result is not None
        # 5.50 + 4.50 + 7.25
        assert result.rows == ((Decimal("17.25"), None),)
        assert door.execute("select leftover()").problem is not None


def test_a_door_serves_many_threads_at_once(warehouse: OpenWarehouse) -> None:
    def ask(number: int) -> tuple[tuple[Cell, ...], ...]:
        door = warehouse.gold if number % 2 else warehouse.analyst
        result = door.execute(f"select {number}, count(*) from customers").result
        assert result is not None
        return result.rows

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(60))) == [((number, 3),) for number in range(60)]


ERRORS = [
    ("select nope from orders", "nope"),
    ("select * from nowhere", "nowhere"),
    ("select * from orders where", ""),
    ("selec 1", "selec"),
    ("select ?", ""),
    ("select 1 \0; drop table orders", ""),
]


@pytest.mark.parametrize(("sql", "named"), ERRORS)
def test_an_engine_error_is_a_problem_on_one_line(
    warehouse: OpenWarehouse, sql: str, named: str
) -> None:
    execution = warehouse.analyst.execute(sql)
    if execution.problem is None:
        pytest.skip(reason=f"{warehouse.engine} runs {sql!r}")
    assert execution.problem.kind in {"failed", "refused"}
    assert named in execution.problem.message
    assert "\n" not in execution.problem.message


def test_a_full_text_table_can_be_searched(sqlite_path: Path) -> None:
    with closing(sqlite3.connect(sqlite_path)) as connection, connection:
        connection.execute("create virtual table notes using fts5(body)")
        connection.execute("insert into notes values ('hello world')")
    with open_warehouse(f"sqlite:///{sqlite_path}") as warehouse:
        result = warehouse.analyst.execute("select * from notes where notes match 'hello'").result
        assert result is not None
        assert result.rows == (("hello world",),)


def test_a_regular_expression_in_python_is_kept_from_analysts(lite: OpenWarehouse) -> None:
    sql = "select name from customers where name regexp '^A'"
    gold = lite.gold.execute(sql).result
    assert gold is not None
    assert gold.rows == (("Ada",),)
    problem = lite.analyst.execute(sql).problem
    assert problem is not None
    assert problem.kind == "refused"


@pytest.mark.parametrize(
    "sql",
    [
        "pivot customers on region using count(*) group by id order by id",  # beyond sqlglot
        "from (pivot customers on region using count(*) group by id) order by id",
        "pivot customers on region in ('EU', 'US') using count(*) group by id order by id;",
    ],
)
def test_a_pivot_runs(duck: OpenWarehouse, sql: str) -> None:
    result = duck.analyst.execute(sql).result
    assert result is not None
    assert [column.name for column in result.columns] == ["id", "EU", "US"]
    assert result.rows == ((1, 1, 0), (2, 0, 1), (3, 0, 0))
