"""Two queries part by part: what only one of them has, and nothing for mere writing."""

import pytest

from goldsuite.sqltext.diff import Side, diff_queries


def _signed(analyst: str, gold: str) -> list[str]:
    blocks = diff_queries(analyst, gold, "duckdb")
    assert blocks is not None
    signs = {Side.BOTH: " ", Side.ANALYST: "-", Side.GOLD: "+"}
    return [
        f"{block.name}|{signs[line.side]}{line.clause} {line.text}"
        for block in blocks
        for line in block.lines
    ]


def test_parts_that_differ_stand_under_their_clause() -> None:
    assert _signed(
        "select sum(o.total) from orders o where o.day >= '2025-01-01'",
        "select sum(total) from orders join customers c on orders.customer_id = c.id "
        "where not c.is_test and orders.day >= date '2025-01-01'",
    ) == [
        "| SELECT SUM(orders.total)",
        "| FROM orders",
        "|+FROM customers",
        "|+ON customers.id = orders.customer_id",
        "| WHERE orders.day >= '2025-01-01'",
        "|+WHERE NOT customers.is_test",
    ]


@pytest.mark.parametrize(
    ("analyst", "gold"),
    [
        ("SELECT a FROM t", "select x.A from T as x;"),
        ("select a from t where b = 1 and c = 2", "select a from t where c = 2 and b = 1"),
        ("select a from t join u on t.id = u.id", "select a from u join t on u.id = t.id"),
        ("select a, b from t", "select b, a as z from t"),
        ("select a from t where d >= '2025-01-01'", "select a from t where d >= date '2025-01-01'"),
    ],
)
def test_what_is_only_written_differently_is_no_difference(analyst: str, gold: str) -> None:
    assert {line.partition("|")[2][0] for line in _signed(analyst, gold)} == {" "}


def test_the_condition_of_an_outer_join_is_a_part_of_it() -> None:
    assert _signed(
        "select count(*) from a left join b on a.id = b.id and b.ok",
        "select count(*) from a left join b on a.id = b.id where b.ok",
    )[1:] == [
        "| FROM a",
        "|-FROM LEFT JOIN b ON a.id = b.id AND b.ok",
        "|+FROM LEFT JOIN b ON a.id = b.id",
        "|+WHERE b.ok",
    ]


def test_a_duplicate_part_is_a_difference() -> None:
    assert _signed("select a, a from t", "select a from t") == [
        "| SELECT t.a",
        "|-SELECT t.a",
        "| FROM t",
    ]


def test_a_derived_table_is_a_block_that_is_paired_with_what_is_most_like_it() -> None:
    assert _signed(
        "select sum(amount) from refunds where paid",
        "select count(*) from (select order_id from refunds where paid group by order_id) x",
    ) == [
        "|+SELECT COUNT(*)",
        "|+FROM (x)",
        "x|-SELECT SUM(refunds.amount)",
        "x|+SELECT refunds.order_id",
        "x| FROM refunds",
        "x| WHERE refunds.paid",
        "x|+GROUP BY refunds.order_id",
    ]


def test_limit_and_order_count() -> None:
    assert _signed("select a from t order by a limit 3", "select a from t order by a desc")[2:] == [
        "|-ORDER BY a",
        "|+ORDER BY a DESC",
        "|-LIMIT 3",
    ]


def test_sql_that_cannot_be_read_has_no_difference() -> None:
    assert diff_queries("select from", "select 1", "duckdb") is None
    assert diff_queries("select 1", "delete from t", "duckdb") is None
