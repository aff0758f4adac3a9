"""Spark SQL behind one interface, on a real Sail and, where it is there, on Spark itself."""

import math
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from goldsuite.errors import PreflightError, WarehouseError
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.servers import free_port
from tests.spark_servers import SparkServer, sail_server, spark_server
from tests.waiting import LIVENESS_S

RUNAWAY = "select count(distinct id % 1000003) from range(20000000000)"

SERVERS = {"sail": sail_server, "spark": spark_server}


@pytest.fixture(scope="module", params=sorted(SERVERS))
def server(request: pytest.FixtureRequest) -> Iterator[SparkServer]:
    with SERVERS[request.param]() as running:
        yield running


@pytest.fixture(scope="module")
def shop(server: SparkServer) -> Iterator[OpenWarehouse]:
    with open_warehouse(server.url, limits=Limits(timeout_s=30)) as warehouse:
        yield warehouse


@contextmanager
def _limited(server: SparkServer, **limits: Any) -> Iterator[OpenWarehouse]:
    with open_warehouse(server.url, limits=Limits(**limits)) as warehouse:
        yield warehouse


def test_an_open_warehouse_says_what_it_is_and_what_nothing_enforces(shop: OpenWarehouse) -> None:
    assert shop.dialect == "spark"
    assert shop.engine.startswith(("Sail 0.", "Spark SQL 4."))
    assert shop.time_zone == "UTC"
    assert any("has no read-only mode" in warning for warning in shop.warnings)


def test_both_doors_answer(shop: OpenWarehouse) -> None:
    sql = (
        "select c.name, sum(o.amount) as total from customers c join orders o "
        "on o.customer_id = c.id group by c.name order by total desc"
    )
    for door in (shop.gold, shop.analyst):
        result = door.execute(sql).result
        assert result is not None
        assert [column.name for column in result.columns] == ["name", "total"]
        assert result.rows == (("Ada", Decimal("10.00")), ("Ben", Decimal("7.25")))


CELLS: list[tuple[str, object]] = [
    ("7 % 4", 3),
    ("cast(9007199254740993 as bigint)", 9007199254740993),
    ("1.50bd", Decimal("1.50")),
    ("cast(99999999999999999999999999999999999999 as decimal(38, 0))", Decimal("9" * 38)),
    ("cast(1.5 as double)", 1.5),
    ("cast('infinity' as double)", math.inf),
    ("true", True),
    ("null", None),
    ("''", ""),
    ("'${env:HOME}'", "${env:HOME}"),
    ("X'00ff'", b"\x00\xff"),
    ("date'2025-01-02'", date(2025, 1, 2)),
    ("timestamp_ntz'2025-01-02 03:04:05.5'", datetime(2025, 1, 2, 3, 4, 5, 500000)),  # noqa: DTZ001
    ("interval '1 02:03:04.5' day to second", timedelta(days=1, seconds=7384.5)),
    ("array(1, 2, null)", "[1, 2, null]"),
    ("map('b', 1, 'a', 2)", '{"a": 2, "b": 1}'),
    ("named_struct('b', array(1.50bd), 'a', 'x')", '{"a": "x", "b": [1.5]}'),
]


@pytest.mark.parametrize(("expression", "expected"), CELLS)
def test_a_value_comes_as_it_is(shop: OpenWarehouse, expression: str, expected: object) -> None:
    execution = shop.analyst.execute(f"select {expression} as x")
    assert execution.result is not None, execution.problem
    assert execution.result.rows == ((expected,),)
    assert type(execution.result.rows[0][0]) is type(expected)


def test_nan_is_kept(shop: OpenWarehouse) -> None:
    result = shop.analyst.execute("select cast('nan' as double) as x").result
    assert result is not None
    (value,) = result.rows[0]
    assert isinstance(value, float)
    assert math.isnan(value)


def test_an_instant_is_told_in_utc(shop: OpenWarehouse) -> None:
    result = shop.analyst.execute("select timestamp'2025-01-02 03:04:05+02:00' as x").result
    assert result is not None
    (value,) = result.rows[0]
    assert isinstance(value, datetime)
    # Spark's protocol drops the zone, in which the session is.
    assert value.replace(tzinfo=UTC) == datetime(2025, 1, 2, 1, 4, 5, tzinfo=UTC)


def test_a_year_that_python_does_not_have_comes_as_text(shop: OpenWarehouse) -> None:
    result = shop.analyst.execute("select cast('10000-01-01' as date) as x").result
    assert result is not None
    (value,) = result.rows[0]
    assert isinstance(value, str)
    assert value.removeprefix("+") == "10000-01-01"


def test_names_of_columns_are_kept_twice_and_empty(shop: OpenWarehouse) -> None:
    result = shop.analyst.execute("select 1 as a, 2 as a, 3 as ``").result
    assert result is not None
    assert [column.name for column in result.columns] == ["a", "a", ""]


def test_an_error_of_the_engine_is_told_without_its_classes(shop: OpenWarehouse) -> None:
    problem = shop.analyst.execute("select * from nothing_here").problem
    assert problem is not None
    assert problem.kind == "failed"
    assert "nothing_here" in problem.message
    assert "HiveSQLException" not in problem.message


def test_rows_beyond_the_cap_are_not_fetched(server: SparkServer) -> None:
    with _limited(server, timeout_s=30, max_rows=10) as warehouse:
        result = warehouse.analyst.execute("select id from range(100000)").result
        assert result is not None
        assert result.truncated
        assert len(result.rows) == 10


def test_a_runaway_statement_ends_and_the_next_one_runs(server: SparkServer) -> None:
    with _limited(server, timeout_s=2) as warehouse:
        warehouse.analyst.execute("select 1")
        threads = threading.active_count()
        problem = warehouse.analyst.execute(RUNAWAY).problem
        assert problem is not None
        assert problem.kind == "timed_out"
        assert threading.active_count() == threads
        answer = warehouse.gold.execute("select 1").result
        assert answer is not None
    if server.pid is not None:
        _assert_idle(server.pid)


def _assert_idle(pid: int) -> None:
    end = time.monotonic() + LIVENESS_S
    while time.monotonic() < end:
        before = _cpu_ticks(pid)
        time.sleep(0.5)
        if _cpu_ticks(pid) - before < 10:  # Of 50 of one core.
            return
    pytest.fail("the server still works on what was cancelled")


def _cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_the_catalog_tells_tables_views_comments_and_values(shop: OpenWarehouse) -> None:
    tables = {t.name: t for t in shop.catalog().tables if t.schema is None}
    assert sorted(tables) == ["customers", "eu_customers", "orders"]
    assert [tables[name].kind for name in sorted(tables)] == ["table", "view", "table"]
    customers = tables["customers"]
    assert customers.comment == "Who buys"
    assert customers.row_count == 3
    assert [(c.name, c.type, c.comment, c.values) for c in customers.columns] == [
        ("id", "int", "The key", ()),
        ("name", "string", None, ("Ada", "Ben", "Cy")),
        ("region", "string", None, ("EU", "US")),
    ]
    assert [c.type for c in tables["orders"].columns] == ["int", "int", "decimal(10,2)", "date"]


ATTACKS = [
    "insert into customers values (9, 'x', 'x')",
    "insert overwrite customers select 9, 'x', 'x'",
    "from customers insert into customers select *",
    "with a as (select 9, 'x', 'x') insert into customers select * from a",
    "create table stolen as select 1 as a",
    "create temporary view customers as select 1 as id",
    "drop table customers",
    "truncate table customers",
    "delete from customers",
    "update customers set name = 'x'",
    "alter table customers rename to c",
    "insert overwrite directory '/tmp/goldsuite-stolen' using csv select 1",
    "cache table customers",
    "set spark.sql.runSQLOnFiles=true",
    "add jar '/tmp/x.jar'",
    "execute immediate 'drop table customers'",
    "select 1; drop table customers",
    "select * from text.`/etc/passwd`",
    "select * from csv.`etc`",
    "select * from `org.apache.spark.sql.execution.datasources.text.TextFileFormat`.`passwd`",
    "select * from parquet.`file:/tmp/x`",
    "select * from system.session.sessions",
    "select reflect('java.lang.System', 'getenv', 'HOME')",
    "select try_reflect('java.lang.System', 'getenv', 'HOME')",
    "select java_method('java.lang.System', 'getenv', 'HOME')",
    "select identifier('reflect')('java.lang.System', 'getenv', 'HOME')",
    "select * from identifier('text.`/etc/passwd`')",
    "select transform(id) using 'cat /etc/passwd' as (x) from customers",
    "select input_file_name() from customers",
    "select from_protobuf(name, 'x', '/etc/passwd') from customers",
    "select * from read_files('/etc/passwd')",
    "select not_a_function_of_spark(1)",
    "show tables",
    "explain select 1",
]


@pytest.mark.parametrize("sql", ATTACKS)
def test_an_attack_is_refused_at_the_analysts_door(shop: OpenWarehouse, sql: str) -> None:
    problem = shop.analyst.execute(sql).problem
    assert problem is not None
    assert problem.kind == "refused"
    assert "refused by the rule" in problem.message


def test_nothing_that_was_attacked_has_changed(shop: OpenWarehouse) -> None:
    for sql in ATTACKS:
        shop.analyst.execute(sql)
    result = shop.gold.execute("select id, name, region from customers order by id").result
    assert result is not None
    assert result.rows == ((1, "Ada", "EU"), (2, "Ben", "US"), (3, "Cy", None))
    assert not Path("/tmp/goldsuite-stolen").exists()


WRITES = [sql for sql in ATTACKS if sql.startswith(("insert", "create", "drop", "truncate", "set"))]


@pytest.mark.parametrize("sql", WRITES)
def test_the_keys_door_takes_no_write_either(shop: OpenWarehouse, sql: str) -> None:
    problem = shop.gold.execute(sql).problem
    assert problem is not None
    assert problem.kind == "refused"


ORDINARY = [
    "select date_trunc('month', ordered_on) as m, count(*) from orders group by 1 order by 1",
    "select name, rank() over (order by id desc) from customers",
    "with o as (select * from orders) select percentile_approx(amount, 0.5) from o",
    "select id, x from orders lateral view explode(array(1, 2)) t as x order by id, x",
    "select transform(array(1, 2), x -> x + 1)",
    "select collect_list(name), to_json(named_struct('a', 1)) from customers",
    "select * from range(3)",
    "values (1, 'a'), (2, 'b')",
    "(select 1) union all (select 2)",
    "select case when region is null then 'none' else region end from customers",
    (
        "select months_between(date'2025-03-01', ordered_on), datediff(current_date(), ordered_on) "
        "from orders"
    ),
    (
        "select regexp_extract(name, '(A)', 1), split(name, 'd')[0], concat_ws('-', name, region) "
        "from customers"
    ),
]


@pytest.mark.parametrize("sql", ORDINARY)
def test_ordinary_sql_is_not_refused(shop: OpenWarehouse, sql: str) -> None:
    assert shop.analyst.execute(sql).problem is None


ABSENT = [
    ("sail://localhost:{port}?tls=false", "Is the server running"),
    ("adbc+flightsql://localhost:{port}?tls=false", "Is the server running"),
    ("spark://ann:hunter2@localhost:{port}/shop", "Is the thrift server running"),
    ("hive://localhost:{port}", "Is the thrift server running"),
]


@pytest.mark.parametrize(("url", "hint"), ABSENT)
def test_a_server_that_is_not_there_is_told_with_what_to_try(url: str, hint: str) -> None:
    with pytest.raises(PreflightError) as caught:
        open_warehouse(url.format(port=free_port()))
    assert "`select 1` failed" in str(caught.value)
    assert hint in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "module", "extra"),
    [
        ("spark://ann:hunter2@host/shop", "pyhive", "spark"),
        ("sail://ann:hunter2@host", "adbc_driver_flightsql", "sail"),
    ],
)
def test_a_missing_driver_is_told_with_the_extra_that_brings_it(
    url: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # As if it were not installed.
    with pytest.raises(WarehouseError) as caught:
        open_warehouse(url)
    assert f"pip install 'goldsuite[{extra}]'" in str(caught.value)
    assert "hunter2" not in str(caught.value)


WRONG = [
    ("spark://localhost?auth=KERBEROS", "auth='KERBEROS': write one of"),
    ("spark://localhost?usr=ann", "'usr' is unknown"),
    ("hive+https://localhost", "another driver than 'https'"),
    ("adbc+postgresql://localhost", "another driver than 'postgresql'"),
]


@pytest.mark.parametrize(("url", "said"), WRONG)
def test_a_url_that_cannot_be_meant_is_told(url: str, said: str) -> None:
    with pytest.raises(WarehouseError) as caught:
        open_warehouse(url)
    assert said in str(caught.value)
