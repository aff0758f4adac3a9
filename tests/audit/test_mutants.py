"""Which mutants of a query are made, and which are not since they mean the same."""

import pytest

from goldsuite.audit.likeness import near_duplicates, shared_golds
from goldsuite.audit.mutants import MutantKind, mutants_of
from goldsuite.audit.tables import Tables
from goldsuite.model.key import GoldCase
from goldsuite.warehouse.base import Catalog, CatalogColumn, CatalogTable, ForeignKey


def table(name: str, *columns: str, key: str, refers: str | None = None) -> CatalogTable:
    return CatalogTable(
        name=name,
        schema=None,
        kind="table",
        columns=tuple(
            CatalogColumn(name=c.split()[0], type=c.split()[1], nullable=True) for c in columns
        ),
        primary_key=(key,),
        foreign_keys=(
            (ForeignKey(columns=(f"{refers}_id",), table=f"{refers}s", referred_columns=("id",)),)
            if refers
            else ()
        ),
    )


TABLES = Tables(
    catalog=Catalog(
        tables=(
            table("customers", "id INTEGER", "country VARCHAR", key="id"),
            table("lines", "line INTEGER", "order_id INTEGER", key="line", refers="order"),
            table(
                "orders", "id INTEGER", "customer_id INTEGER", "net DOUBLE", "gross DOUBLE",
                "placed_at TIMESTAMP", "paid_at TIMESTAMP", key="id", refers="customer",
            ),
            table(
                "orders_old", "id INTEGER", "net DOUBLE", "placed_at TIMESTAMP", key="id",
            ),
        )
    ),
    dialect="duckdb",
)  # fmt: skip


def made(sql: str, kind: MutantKind) -> set[str]:
    return {mutant.what for mutant in mutants_of(sql, TABLES) if mutant.kind is kind}


@pytest.mark.parametrize(
    ("sql", "kind", "expected"),
    [
        (
            "select sum(net) from orders where net > 0 and gross > 1",
            MutantKind.DROPPED_CONDITION,
            {"without `net > 0`", "without `gross > 1`"},
        ),
        # NULL does not pass the comparison either.
        (
            "select sum(net) from orders where paid_at is not null and paid_at > '2025-01-01'",
            MutantKind.DROPPED_CONDITION,
            {"without `paid_at > '2025-01-01'`"},
        ),
        (
            "select count(*) filter (where net > 5) from orders",
            MutantKind.DROPPED_CONDITION,
            {"without `net > 5`"},
        ),
        (
            "select sum(net) from orders where placed_at < '2025-03-01'",
            MutantKind.MOVED_BOUNDARY,
            {
                "`placed_at < '2025-03-01'` with a bound a day later",
                "`placed_at < '2025-03-01'` with a bound a day earlier",
            },
        ),
        (
            "select count(*) from orders where net >= 10",
            MutantKind.MOVED_BOUNDARY,
            {"`net > 10` in place of `net >= 10`"},
        ),
        (
            "select count(distinct customer_id) from orders",
            MutantKind.NO_DISTINCT,
            {"`COUNT(DISTINCT customer_id)` without DISTINCT"},
        ),
        # The key of the only table is distinct anyway.
        ("select count(distinct id) from orders", MutantKind.NO_DISTINCT, set()),
        (
            "select max(net) from orders",
            MutantKind.AGGREGATE,
            {"`MIN(net)` in place of `MAX(net)`"},
        ),
        ("select sum(net) from orders", MutantKind.COLUMN, {"`gross` in place of `net`"}),
        (
            "select sum(net) from orders where placed_at > '2025-01-01'",
            MutantKind.TIME_COLUMN,
            {"`paid_at` in place of `placed_at`"},
        ),
        (
            "select sum(net) from orders",
            MutantKind.SOURCE,
            {"table `orders_old` in place of `orders`"},
        ),
        # The other table lacks a column that is read.
        ("select sum(gross) from orders", MutantKind.SOURCE, set()),
        ("select sum(net) from orders", MutantKind.FAN_OUT, {"one more join, to `lines`"}),
        # A row that comes twice has the same greatest value.
        ("select max(net) from orders", MutantKind.FAN_OUT, set()),
        (
            "select count(*) from orders o join customers c on o.customer_id = c.id",
            MutantKind.JOIN_KIND,
            {"LEFT JOIN of `customers`"},
        ),
        # A row without a customer has no country, so that it is thrown out anyway.
        (
            "select sum(net) from orders join customers c on customer_id = c.id where country > ''",
            MutantKind.JOIN_KIND,
            set(),
        ),
        ("select from where", MutantKind.COLUMN, set()),
    ],
)
def test_mutants_of_a_kind(sql: str, kind: MutantKind, expected: set[str]) -> None:
    assert made(sql, kind) == expected


def test_a_budget_takes_from_every_kind_in_turn() -> None:
    sql = "select sum(net) from orders where placed_at > '2025-01-01' and gross > 1"
    assert {mutant.kind for mutant in mutants_of(sql, TABLES, most=3)} == {
        MutantKind.DROPPED_CONDITION, MutantKind.MOVED_BOUNDARY, MutantKind.FAN_OUT,
    }  # fmt: skip


def case(name: str, question: str, sql: str = "select 1") -> GoldCase:
    return GoldCase(id=name, question=question, line=1, gold_sql=(sql,))


def test_questions_in_nearly_the_same_words_are_near_duplicates() -> None:
    found = near_duplicates([
        case("a", "What was total net revenue in March 2025?"),
        case("b", "How much was the total net revenue of March 2025?"),
        case("c", "What was total net revenue in March 2024?"),
        case("d", "Which shop sold most?"),
    ])  # fmt: skip
    assert [(pair.first, pair.second, pair.likeness) for pair in found] == [("a", "b", 1.0)]


def test_a_gold_on_both_sides_is_found_also_where_only_literals_differ() -> None:
    cases = [
        case("train-1", "?", "select sum(net) from orders where id = 7"),
        case("test-1", "?", "SELECT SUM(net)  FROM Orders WHERE id = 7"),
        case("train-2", "?", "select net from orders where paid_at > '2025-01-01'"),
        case("test-2", "?", "select net from orders where paid_at > '2024-01-01'"),
        case("train-3", "?", "select gross from orders"),
    ]
    splits = {each.id: "test" if each.id.startswith("test") else "train" for each in cases}
    found = shared_golds(cases, splits, "duckdb")  # type: ignore[arg-type]
    assert [(pair.train, pair.test, pair.same) for pair in found] == [
        (("train-1",), ("test-1",), True),
        (("train-2",), ("test-2",), False),
    ]
