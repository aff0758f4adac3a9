"""The catalog: what both engines tell of the same tables, and what stays unknown."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from goldsuite.warehouse.base import CatalogColumn, CatalogTable, ForeignKey
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse


def _table(warehouse: OpenWarehouse, name: str) -> CatalogTable:
    return next(table for table in warehouse.catalog().tables if table.name == name)


def _column(table: CatalogTable, name: str) -> CatalogColumn:
    return next(column for column in table.columns if column.name == name)


def test_tables_and_views_come_sorted_with_their_counts(warehouse: OpenWarehouse) -> None:
    found = [(t.schema, t.name, t.kind, t.row_count) for t in warehouse.catalog().tables]
    assert found == [
        (None, "customers", "table", 3),
        (None, "eu_customers", "view", 1),
        (None, "orders", "table", 3),
    ]


def test_keys_are_told(warehouse: OpenWarehouse) -> None:
    orders = _table(warehouse, "orders")
    assert orders.primary_key == ("id",)
    assert orders.foreign_keys == (
        ForeignKey(columns=("customer_id",), table="customers", referred_columns=("id",)),
    )
    assert _table(warehouse, "eu_customers").primary_key == ()


def test_columns_keep_their_order_type_and_nullability(warehouse: OpenWarehouse) -> None:
    orders = _table(warehouse, "orders")
    assert [c.name for c in orders.columns] == ["id", "customer_id", "amount", "ordered_on"]
    assert [c.type for c in orders.columns] == ["INTEGER", "INTEGER", "DECIMAL(10, 2)", "DATE"]
    customers = _table(warehouse, "customers")
    assert not _column(customers, "name").nullable
    assert _column(customers, "region").nullable


def test_values_of_text_columns_are_sorted_and_without_null(warehouse: OpenWarehouse) -> None:
    customers = _table(warehouse, "customers")
    assert _column(customers, "region").values == ("EU", "US")
    assert _column(customers, "name").values == ("Ada", "Ben", "Cy")
    assert _column(customers, "id").values == ()


def test_comments_are_told_where_the_engine_has_them(duck: OpenWarehouse) -> None:
    customers = _table(duck, "customers")
    assert customers.comment == "Who buys"
    assert _column(customers, "region").comment == "Sales region"
    assert _column(customers, "name").comment is None


def test_the_catalog_is_read_once(warehouse: OpenWarehouse) -> None:
    assert warehouse.catalog() is warehouse.catalog()


def _built(path: Path, statements: Sequence[str]) -> OpenWarehouse:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return open_warehouse(f"duckdb:///{path}")


@pytest.mark.parametrize(("distinct", "shown"), [(50, 50), (51, 0)])
def test_a_column_with_many_values_shows_none(distinct: int, shown: int, tmp_path: Path) -> None:
    make = f"create table t as select 'v' || (range % {distinct}) as v from range(1000)"
    with _built(tmp_path / "v.duckdb", [make]) as warehouse:
        assert len(_table(warehouse, "t").columns[0].values) == shown


def test_prose_is_no_set_of_values(tmp_path: Path) -> None:
    with _built(
        tmp_path / "p.duckdb", ["create table t as select repeat('x', 201) as v"]
    ) as warehouse:
        assert _table(warehouse, "t").columns[0].values == ()


def test_odd_names_and_types_are_read(tmp_path: Path) -> None:
    statements = [
        "create schema sales",
        'create table sales."My ""T"" 50%" ("Col: X" enum(\'b\', \'a\'), l integer[])',
        'insert into sales."My ""T"" 50%" values (\'b\', [1]), (\'a\', null)',
        "create table zoned (t timestamptz, s struct(a integer, b varchar), h hugeint)",
    ]
    with _built(tmp_path / "odd.duckdb", statements) as warehouse:
        odd = _table(warehouse, 'My "T" 50%')
        assert (odd.schema, odd.row_count) == ("sales", 2)
        assert [c.type for c in odd.columns] == ["ENUM('b', 'a')", "INTEGER[]"]
        assert odd.columns[0].values == ("a", "b")
        assert [c.type for c in _table(warehouse, "zoned").columns] == [
            "TIMESTAMP WITH TIME ZONE",
            "STRUCT(a INTEGER, b VARCHAR)",
            "HUGEINT",
        ]
        assert [t.schema for t in warehouse.catalog().tables] == [None, "sales"]


def test_a_view_whose_table_is_gone_does_not_hide_the_rest(sqlite_path: Path) -> None:
    with closing(sqlite3.connect(sqlite_path)) as connection, connection:
        connection.execute("create view broken as select * from nowhere")
    with open_warehouse(f"sqlite:///{sqlite_path}") as warehouse:
        broken = _table(warehouse, "broken")
        assert (broken.columns, broken.row_count) == ((), None)
        assert _table(warehouse, "orders").row_count == 3


def test_a_sqlite_column_without_a_type_shows_texts_alone(sqlite_path: Path) -> None:
    with closing(sqlite3.connect(sqlite_path)) as connection, connection:
        connection.execute("create table loose (a, b)")
        connection.execute("insert into loose values ('x', 'x'), ('y', 2)")
    with open_warehouse(f"sqlite:///{sqlite_path}") as warehouse:
        loose = _table(warehouse, "loose")
        assert [(c.type, c.values) for c in loose.columns] == [("ANY", ("x", "y")), ("ANY", ())]
