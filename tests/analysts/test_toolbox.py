"""The tools of an agent, over a small SQLite warehouse with names that mean harm."""

import asyncio
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from goldsuite.analysts.toolbox import Toolbox, ToolResult
from goldsuite.context.resolve import ResolvedContext, resolve_context
from goldsuite.errors import WarehouseError
from goldsuite.model.answer import LoggedQuery
from goldsuite.warehouse.base import Catalog
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse

EVIL = 'x"; drop table orders; --\nrefunds'
"""A table's name with a quote, a comment and a line break in it."""

SETUP = f"""
create table customers (id integer primary key, name text not null);
create table orders (
    id integer primary key, customer_id integer references customers (id), state text, note text,
    amount decimal(10, 2));
insert into customers values (1, 'Ann'), (2, 'Bo | Bo'), (3, 'NULL');
insert into orders
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 250)
    select i, i % 3 + 1, case when i % 2 then 'open' else 'closed' end, null, i / 4.0 from n;
create table "{EVIL.replace('"', '""')}" (a integer);
create table "Mixed Case" (a integer);
create view big as select id from orders;
"""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenWarehouse]:
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SETUP)
        connection.commit()
    with open_warehouse(f"sqlite:///{path}") as opened:
        yield opened


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ResolvedContext:
    root = tmp_path_factory.mktemp("context")
    dataset = root / ".knowledge/datasets/shop"
    (dataset / "metrics").mkdir(parents=True)
    (root / ".knowledge/active.yaml").write_text("active: shop\n")
    (dataset / "metrics/index.yaml").write_text("revenue: the sum of amount, open orders only\n")
    (dataset / "long.md").write_text("äbcdefghij" * 5)
    (dataset / "empty.md").write_text("")
    (dataset / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    outside = root / "secret.yaml"
    outside.write_text("gold: 42\n")
    (dataset / "linked.yaml").symlink_to(outside)
    return resolve_context(root)


@pytest.fixture
def toolbox(warehouse: OpenWarehouse, context: ResolvedContext) -> Toolbox:
    return Toolbox(warehouse.analyst, warehouse.catalog(), context)


def call(toolbox: Toolbox, name: str, **arguments: object) -> ToolResult:
    return asyncio.run(toolbox.call(name, arguments))


def run(toolbox: Toolbox, sql: str) -> ToolResult:
    return call(toolbox, "run_query", sql=sql)


def test_every_tool_says_what_it_takes(toolbox: Toolbox) -> None:
    schemas = {tool.name: tool.input_schema for tool in toolbox.tools}
    assert sorted(schemas) == [
        "describe_table",
        "list_context",
        "list_tables",
        "read_context",
        "run_query",
    ]
    assert all(schema["additionalProperties"] is False for schema in schemas.values())
    assert schemas["run_query"]["required"] == ["sql"]
    assert schemas["list_tables"]["required"] == []
    assert schemas["read_context"]["properties"]["offset"]["type"] == "integer"


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("run_query", {}, "the argument 'sql' is missing"),
        ("run_query", {"sql": 3}, "the argument 'sql' is 3, and a valid string is expected"),
        ("run_query", {"sql": None}, "the argument 'sql' is None"),
        ("run_query", {"sql": "select 1", "limit": 5}, "there is no argument 'limit'"),
        ("run_query", {"sqll": "select 1"}, "Did you mean 'sql'"),
        ("run_query", {"sql": " \n"}, "sql is empty"),
        ("run_query", {"sql": "select 1" + " " * 100_000}, "sql has 100,008 characters"),
        ("read_context", {"file": "a", "offset": "7"}, "'offset' is '7', and a valid integer"),
        ("read_context", {"file": "a", "offset": True}, "'offset' is True"),
        ("run_qery", {"sql": "select 1"}, "Did you mean 'run_query'?"),
        ("", {}, "there is no tool ''"),
        ("x" * 10_000, {}, "there is no tool 'xxx"),
    ],
)
def test_a_call_that_cannot_be_meant_says_why(
    toolbox: Toolbox, name: str, arguments: Mapping[str, object], expected: str
) -> None:
    result = asyncio.run(toolbox.call(name, arguments))
    assert not result.ok
    assert expected in result.text
    assert len(result.text) < 500
    assert toolbox.queries == ()


def test_a_result_is_a_table_with_its_number_of_rows(toolbox: Toolbox) -> None:
    result = run(toolbox, "select id, name, null as gone from customers order by id")
    assert result == ToolResult(
        ok=True,
        text=(
            "id | name | gone\n1 | Ann | NULL\n2 | 'Bo | Bo' | NULL\n3 | 'NULL' | NULL\n(3 rows)"
        ),
    )


def test_a_result_without_rows_says_so(toolbox: Toolbox) -> None:
    assert run(toolbox, "select id from orders where id < 0").text == "id\n(0 rows)"


def test_more_rows_than_are_shown_are_counted(toolbox: Toolbox) -> None:
    lines = run(toolbox, "select id from orders order by id").text.splitlines()
    assert lines[0] == "id"
    assert lines[-2] == "100"
    assert lines[-1].startswith("(TRUNCATED: the first 100 of 250 rows are shown;")


def test_rows_that_were_not_fetched_are_more_than_those_that_were(
    warehouse: OpenWarehouse, context: ResolvedContext
) -> None:
    toolbox = Toolbox(warehouse.analyst.limited_to(50), warehouse.catalog(), context)
    last = run(toolbox, "select id from orders order by id").text.splitlines()[-1]
    assert last.startswith("(TRUNCATED: the first 50 of more than 50 rows are shown;")
    assert toolbox.queries[0].rows == 50
    # The door that it was made from keeps its own limit.
    execution = warehouse.analyst.execute("select id from orders")
    assert execution.result is not None
    assert len(execution.result.rows) == 250


def test_long_text_is_cut_and_says_so(warehouse: OpenWarehouse, context: ResolvedContext) -> None:
    toolbox = Toolbox(warehouse.analyst, warehouse.catalog(), context, max_text=60)
    text = run(toolbox, "select id, 'abcdefghij' as t from orders order by id limit 20").text
    # Each line but the first is of 14 characters and its line break: three fit behind `id | t`.
    assert text.splitlines()[1:4] == ["1 | abcdefghij", "2 | abcdefghij", "3 | abcdefghij"]
    assert text.splitlines()[4].startswith("(TRUNCATED: the first 3 of 20 rows")


def test_one_huge_value_does_not_fill_the_result(toolbox: Toolbox) -> None:
    text = run(toolbox, "select printf('%.100000c', 'x') as t").text
    assert text == f"t\n{'x' * 500}…\n(1 row)"


def test_a_value_with_line_breaks_stays_on_its_line(toolbox: Toolbox) -> None:
    text = run(toolbox, "select 'a' || char(10) || '(0 rows)' || char(27) || '[2J' as t").text
    assert text == "t\na\\n(0 rows)\\x1b[2J\n(1 row)"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select nope from orders", "the query failed: no such column: nope"),
        ("delete from orders", "refused by the rule"),
        ("select 1; select 2", "refused by the rule"),
        ("select * from pragma_database_list", "refused by the rule"),
        ("selec 1", "selec"),
    ],
)
def test_what_does_not_run_comes_back_as_text_and_is_logged(
    toolbox: Toolbox, sql: str, expected: str
) -> None:
    result = run(toolbox, sql)
    assert not result.ok
    assert expected in result.text
    (logged,) = toolbox.queries
    assert (logged.sql, logged.rows, logged.value) == (sql, None, None)
    assert logged.error is not None


def test_the_log_has_the_single_value_to_full_precision(toolbox: Toolbox) -> None:
    run(toolbox, "select 0.1 + 0.2")
    run(toolbox, "select id from orders order by id limit 2")
    run(toolbox, "select null")
    call(toolbox, "describe_table", table="orders")
    assert toolbox.queries == (
        LoggedQuery(sql="select 0.1 + 0.2", rows=1, value="0.30000000000000004"),
        LoggedQuery(sql="select id from orders order by id limit 2", rows=2),
        LoggedQuery(sql="select null", rows=1),
    )


def test_tables_are_listed_with_their_rows(toolbox: Toolbox) -> None:
    lines = call(toolbox, "list_tables").text.splitlines()
    assert lines == [
        '"Mixed Case" (table, 0 rows)',
        "big (view, 250 rows)",
        "customers (table, 3 rows)",
        "orders (table, 250 rows)",
        # On one line, written as SQL takes it but for the line break.
        '"x""; drop table orders; --\\nrefunds" (table, 0 rows)',
    ]
    assert call(toolbox, "list_tables", containing="CUST").text == "customers (table, 3 rows)"
    nothing = call(toolbox, "list_tables", containing="zebra").text
    assert nothing == "The warehouse has no table whose name or comment contains 'zebra'."


def test_a_long_list_of_tables_is_cut(warehouse: OpenWarehouse) -> None:
    toolbox = Toolbox(warehouse.analyst, warehouse.catalog(), None, max_text=60)
    lines = call(toolbox, "list_tables").text.splitlines()
    # 28 and 20 characters and their line breaks make 50; the third line has 25 more.
    assert len(lines) == 3
    assert lines[2] == "(TRUNCATED: 3 more tables; ask with `containing`)"


def test_a_table_is_described_with_keys_and_values(toolbox: Toolbox) -> None:
    text = call(toolbox, "describe_table", table="orders").text
    assert text.splitlines() == [
        "orders (table, 250 rows)",
        "primary key: id",
        "foreign key: (customer_id) refers to customers (id)",
        "columns (5):",
        "  id INTEGER [such as 1, 2, 3]",
        "  customer_id INTEGER [such as 2, 3, 1]",
        "  state TEXT [values: 'closed', 'open']",
        "  note TEXT",
        # SQLite keeps what is no whole number as floating point, whatever the type is called.
        "  amount DECIMAL(10, 2) [such as 0.25, 0.5, 0.75]",
    ]


@pytest.mark.parametrize(
    "name", [EVIL, EVIL.replace("\n", "\\n"), f'"{EVIL}"'.replace('x"', 'x""')]
)
def test_a_hostile_name_is_described_and_does_no_harm(toolbox: Toolbox, name: str) -> None:
    result = call(toolbox, "describe_table", table=name)
    assert result.ok
    assert result.text.splitlines()[1:] == ["columns (1):", "  a INTEGER"]
    assert run(toolbox, "select count(*) from orders").ok


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("order", "Did you mean 'orders'?"),
        ("orders; drop table orders", "there is no table 'orders; drop table orders'."),
        ("sqlite_master", "there is no table 'sqlite_master'"),
        ("", "there is no table ''"),
    ],
)
def test_an_unknown_table_is_told(toolbox: Toolbox, name: str, expected: str) -> None:
    result = call(toolbox, "describe_table", table=name)
    assert not result.ok
    assert expected in result.text


@pytest.mark.parametrize("name", ["ORDERS", "Orders", '"Mixed Case"', "Mixed Case", "mixed case"])
def test_a_table_is_found_however_its_name_is_written(toolbox: Toolbox, name: str) -> None:
    assert call(toolbox, "describe_table", table=name).ok


def test_context_files_are_listed_without_what_leads_out(toolbox: Toolbox) -> None:
    lines = call(toolbox, "list_context").text.splitlines()
    assert lines == [
        ".knowledge/active.yaml (13 bytes)",
        ".knowledge/datasets/shop/empty.md (0 bytes)",
        # Five times nine letters of one byte and one of two.
        ".knowledge/datasets/shop/long.md (55 bytes)",
        ".knowledge/datasets/shop/metrics/index.yaml (45 bytes)",
        ".knowledge/datasets/shop/picture.png (6 bytes)",
    ]
    assert call(toolbox, "list_context", containing="INDEX").text == lines[3]


def test_a_context_file_is_read_in_parts(
    warehouse: OpenWarehouse, context: ResolvedContext
) -> None:
    toolbox = Toolbox(warehouse.analyst, warehouse.catalog(), context, max_text=30)
    name = ".knowledge/datasets/shop/long.md"
    first = call(toolbox, "read_context", file=name).text
    assert first == f"{'äbcdefghij' * 3}\n(TRUNCATED: the file goes on; read it with offset 30)"
    assert call(toolbox, "read_context", file=name, offset=30).text == "äbcdefghij" * 2
    beyond = call(toolbox, "read_context", file=name, offset=50)
    assert (beyond.ok, "ends before character 50" in beyond.text) == (False, True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../secret.yaml", "there is no context file '../secret.yaml'"),
        (".knowledge/../secret.yaml", "there is no context file"),
        (".knowledge/datasets/shop/linked.yaml", "there is no context file"),
        ("/etc/passwd", "there is no context file '/etc/passwd'"),
        (".knowledge/datasets/shop", "there is no context file"),
        (".knowledge/active.yml", "Did you mean '.knowledge/active.yaml'?"),
        (".knowledge/active.yaml\0", "there is no context file"),
        (".knowledge/datasets/shop/picture.png", "the file is no text"),
    ],
)
def test_nothing_but_listed_text_is_read(toolbox: Toolbox, name: str, expected: str) -> None:
    result = call(toolbox, "read_context", file=name)
    assert not result.ok
    assert expected in result.text
    assert "42" not in result.text


def test_an_empty_file_is_said_to_be_empty(toolbox: Toolbox) -> None:
    assert call(toolbox, "read_context", file=".knowledge/datasets/shop/empty.md").ok


def test_a_file_that_became_a_link_is_not_followed(
    warehouse: OpenWarehouse, tmp_path: Path
) -> None:
    (tmp_path / ".knowledge/datasets/shop").mkdir(parents=True)
    (tmp_path / ".knowledge/active.yaml").write_text("active: shop\n")
    notes = tmp_path / ".knowledge/datasets/shop/notes.md"
    notes.write_text("plain\n")
    toolbox = Toolbox(warehouse.analyst, warehouse.catalog(), resolve_context(tmp_path))
    (tmp_path / "secret").write_text("gold: 42\n")
    notes.unlink()
    notes.symlink_to(tmp_path / "secret")
    result = call(toolbox, "read_context", file=".knowledge/datasets/shop/notes.md")
    assert (result.ok, "42" in result.text) == (False, False)


def test_there_may_be_no_context(warehouse: OpenWarehouse) -> None:
    toolbox = Toolbox(warehouse.analyst, warehouse.catalog(), None)
    assert call(toolbox, "list_context").text == "There is no context file."


def test_toolboxes_over_one_door_keep_apart(
    warehouse: OpenWarehouse, context: ResolvedContext
) -> None:
    boxes = [Toolbox(warehouse.analyst, warehouse.catalog(), context) for _ in range(8)]

    async def ask_all() -> list[ToolResult]:
        queries = [f"select {index} as n" for index in range(8)]
        calls = zip(boxes, queries, strict=True)
        return await asyncio.gather(*(box.call("run_query", {"sql": sql}) for box, sql in calls))

    assert [result.text for result in asyncio.run(ask_all())] == [
        f"n\n{index}\n(1 row)" for index in range(8)
    ]
    assert [[query.value for query in box.queries] for box in boxes] == [
        [str(index)] for index in range(8)
    ]


def test_a_catalog_is_read_when_it_is_asked_for_and_its_failure_told(
    warehouse: OpenWarehouse,
) -> None:
    def broken() -> Catalog:
        raise WarehouseError("the tables cannot be listed: gone away")

    toolbox = Toolbox(warehouse.analyst, broken, None)
    assert run(toolbox, "select 1").ok
    result = call(toolbox, "list_tables")
    assert result == ToolResult(text="the tables cannot be listed: gone away", ok=False)
