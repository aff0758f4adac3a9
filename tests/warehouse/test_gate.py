"""The parse gate: what is one read-only query, and what an analyst may call in it."""

import pytest

from goldsuite.sqltext.gate import MAX_GUARDED_CHARS, Reference, Rule, check_query, check_references
from goldsuite.sqltext.gate_rules import RULES

QUERIES = [
    ("duckdb", "select 1"),
    ("duckdb", "select 1;"),
    ("duckdb", "-- a comment\nselect 1 -- another\n;\n-- and a last one"),
    ("duckdb", "select 1;;"),
    ("duckdb", "(select 1) union all (select 2)"),
    ("duckdb", "with a as (select 1 as x) select x from a"),
    ("duckdb", "with recursive r as (select 1 as i union all select i + 1 from r) select * from r"),
    ("duckdb", "values (1), (2)"),
    ("duckdb", "from orders"),
    ("duckdb", "from orders select amount where amount > 3"),
    ("duckdb", "table orders"),
    ("duckdb", "describe orders"),
    ("duckdb", "summarize orders"),
    ("duckdb", "show tables"),
    ("duckdb", "pivot orders on status using sum(amount)"),
    ("duckdb", "unpivot orders on amount into name a value b"),
    ("duckdb", "select * from range(3), generate_series(1, 2) g, unnest([1]) u"),
    ("duckdb", "select * from duckdb_tables()"),
    ("duckdb", "select table_name from information_schema.tables"),
    ("duckdb", "select [x * 2 for x in [1, 2]], list_transform([1], x -> x + 1)"),
    ("duckdb", "select 'drop table orders; -- ' as text, \"insert\" from orders"),
    ("duckdb", "select replace(name, 'a', 'b'), update_time, \"set\" from orders"),
    ("duckdb", "select read_text from orders"),
    ("duckdb", "select * from customers where name glob 'A*' or name similar to 'A.*'"),
    ("duckdb", "select date_trunc('month', d), extract(year from d), d::date, now() from t"),
    ("duckdb", 'select * from "Revenue/Cost"'),
    ("duckdb", "select count(*) filter (where a > 1) over (order by b) from orders qualify a > 1"),
    ("sqlite", "select [a b], `c` from 'orders'"),
    ("sqlite", "select * from json_each('[1]')"),
    ("sqlite", "select * from pragma_table_info('orders')"),
    ("sqlite", "select name from sqlite_master where name glob 'o*'"),
]


@pytest.mark.parametrize(("dialect", "sql"), QUERIES)
def test_a_query_passes_both_doors(dialect: str, sql: str) -> None:
    assert check_query(sql, dialect, guarded=True) is None
    assert check_query(sql, dialect, guarded=False) is None


NO_QUERIES = [
    ("", Rule.ONE_STATEMENT),
    (" ; ", Rule.ONE_STATEMENT),
    ("-- only a comment", Rule.ONE_STATEMENT),
    ("select 1; select 2", Rule.ONE_STATEMENT),
    ("select 1; drop table orders", Rule.ONE_STATEMENT),
    ("select 1 /* harmless */ ; /* hidden */ delete from orders", Rule.ONE_STATEMENT),
    ("insert into orders values (1)", Rule.NO_WRITES),
    ("update orders set amount = 0", Rule.NO_WRITES),
    ("delete from orders", Rule.NO_WRITES),
    ("merge into t using u on t.i = u.i when matched then delete", Rule.NO_WRITES),
    ("with a as (select 1) insert into orders select * from a", Rule.NO_WRITES),
    ("with a as (insert into t values (1) returning i) select * from a", Rule.NO_WRITES),
    ("with a as (delete from orders returning *) select * from a", Rule.NO_WRITES),
    ("select 1 into copied", Rule.NO_WRITES),
    ("create table t as select 1", Rule.NO_WRITES),
    ("create temp table t as select 1", Rule.NO_WRITES),
    ("drop table orders", Rule.NO_WRITES),
    ("alter table orders add column x int", Rule.NO_WRITES),
    ("copy orders to 'orders.csv'", Rule.NO_WRITES),
    ("attach 'other.db'", Rule.NO_WRITES),
    ("set threads = 1", Rule.NO_WRITES),
    ("set variable x = 1", Rule.NO_WRITES),
    ("pragma database_list", Rule.NO_WRITES),
    ("use other", Rule.NO_WRITES),
    ("install httpfs", Rule.NO_WRITES),
    ("begin", Rule.NO_WRITES),
    ("select * from orders for update", Rule.NO_WRITES),
    ("load httpfs", Rule.QUERY_ONLY),
    ("call enable_logging()", Rule.QUERY_ONLY),
    ("explain analyze select 1", Rule.QUERY_ONLY),
    ("prepare p as select 1", Rule.QUERY_ONLY),
    ("vacuum", Rule.QUERY_ONLY),
]


@pytest.mark.parametrize(("sql", "rule"), NO_QUERIES)
@pytest.mark.parametrize("guarded", [True, False])
def test_what_is_no_single_query_is_refused_at_both_doors(
    sql: str, rule: Rule, guarded: bool
) -> None:
    refusal = check_query(sql, "duckdb", guarded=guarded)
    assert refusal is not None
    assert refusal.rule is rule


GUARDED_ONLY = [
    ("duckdb", "select * from read_text('gold.yaml')", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "from read_csv('x')", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "select * from system.main.read_blob('x')", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "select * from \"read_text\"('x')", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "select * from t, lateral read_text(t.name)", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "select * from glob('/etc/*')", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "select * from query('drop table t')", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "select (select content from read_text('x'))", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "select * from duckdb_settings()", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "select * from my_own_macro(1)", Rule.KNOWN_TABLE_FUNCTIONS),
    ("duckdb", "select * from duckdb_secrets", Rule.NO_SYSTEM_TABLES),
    ("duckdb", "select path from DUCKDB_DATABASES", Rule.NO_SYSTEM_TABLES),
    ("duckdb", "select getenv('HOME')", Rule.NO_SYSTEM_FUNCTIONS),
    ("duckdb", "select main.getenv('HOME')", Rule.NO_SYSTEM_FUNCTIONS),
    ("duckdb", "select ('HOME').getenv()", Rule.NO_SYSTEM_FUNCTIONS),
    ("duckdb", "select 1 order by current_setting('secret_directory')", Rule.NO_SYSTEM_FUNCTIONS),
    ("duckdb", "select * from range(read_text('x'))", Rule.NO_SYSTEM_FUNCTIONS),
    ("duckdb", "select nextval('s')", Rule.NO_SYSTEM_FUNCTIONS),
    ("duckdb", "select pg_sleep(9)", Rule.NO_SYSTEM_FUNCTIONS),
    ("duckdb", "select * from 'gold.csv'", Rule.NO_FILES),
    ("duckdb", 'select * from "data/orders.parquet"', Rule.NO_FILES),
    ("duckdb", "from 'https://example.com/x'", Rule.NO_FILES),
    ("duckdb", "select * from '/etc/passwd'", Rule.NO_FILES),
    ("duckdb", "select /*!50000 sleep(5), */ 1", Rule.NO_HIDDEN_CODE),
    ("duckdb", "select 1 /*M! union select 2 */", Rule.NO_HIDDEN_CODE),
    ("sqlite", "select load_extension('x')", Rule.NO_SYSTEM_FUNCTIONS),
    ("sqlite", "select writefile('x', 'y')", Rule.NO_SYSTEM_FUNCTIONS),
    ("sqlite", "select * from pragma_database_list()", Rule.KNOWN_TABLE_FUNCTIONS),
    ("sqlite", "select * from pragma_database_list", Rule.NO_SYSTEM_TABLES),
]


@pytest.mark.parametrize(("dialect", "sql", "rule"), GUARDED_ONLY)
def test_what_reaches_beyond_the_data_is_refused_to_analysts_alone(
    dialect: str, sql: str, rule: Rule
) -> None:
    refusal = check_query(sql, dialect, guarded=True)
    assert refusal is not None
    assert refusal.rule is rule
    assert check_query(sql, dialect, guarded=False) is None


PLACES = [
    ("select a,\n  getenv('x')", 2, 3),
    ("select *\nfrom t\njoin read_text('x') on true", 3, 6),
    ("select 1;\n drop table t", 2, 2),
    ("with a as (delete from t returning 1) select 1", 1, 24),
    ("drop table t", 1, 1),
]


@pytest.mark.parametrize(("sql", "line", "column"), PLACES)
def test_a_refusal_says_where(sql: str, line: int, column: int) -> None:
    refusal = check_query(sql, "duckdb", guarded=True)
    assert refusal is not None
    assert (refusal.line, refusal.column) == (line, column)
    assert f"(line {line}, column {column})" in str(refusal)


@pytest.mark.parametrize("sql", ["selec 1", "select 'open", "(" * 5_000 + "1"])
def test_text_that_sqlglot_cannot_read_is_left_to_the_engine(sql: str) -> None:
    refusal = check_query(sql, "duckdb", guarded=True)
    assert refusal is not None
    assert refusal.rule is Rule.NOT_PARSED


def test_a_text_too_long_to_parse_is_refused_to_analysts() -> None:
    sql = f"select {'1,' * (MAX_GUARDED_CHARS // 2)} 1"
    refusal = check_query(sql, "duckdb", guarded=True)
    assert refusal is not None
    assert refusal.rule is Rule.LENGTH


def test_a_company_can_allow_its_own_functions() -> None:
    sql = "select * from fiscal_calendar(2025)"
    assert check_query(sql, "duckdb", guarded=True) is not None
    assert check_query(sql, "duckdb", guarded=True, allow_functions=["Fiscal_Calendar"]) is None


@pytest.mark.parametrize("dialect", sorted(RULES))
def test_every_denied_name_is_denied_when_parsed(dialect: str) -> None:
    rules = RULES[dialect]
    passed = [
        name
        for name in sorted(rules.denied_functions)
        if check_query(f"select {name}('a')", dialect, guarded=True) is None
    ]
    assert passed == []


def test_a_dialect_without_rules_lets_no_table_function_through() -> None:
    assert check_query("select * from dblink('x')", "postgres", guarded=True) is not None
    assert check_query("select * from orders", "postgres", guarded=True) is None


def test_names_that_an_engine_saw_are_judged_alike() -> None:
    seen = [Reference(kind="function", name="upper"), Reference(kind="table", name="orders")]
    assert check_references(seen, "duckdb") is None
    refusal = check_references([*seen, Reference(kind="function", name="getenv")], "duckdb")
    assert refusal is not None
    assert refusal.line is None
