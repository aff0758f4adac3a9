"""The embedded warehouse keeps its own rules, and the traps that its README lists are there."""

import re
from pathlib import Path

import duckdb
import pytest


def one(connection: duckdb.DuckDBPyConnection, query: str) -> object:
    row = connection.execute(query).fetchone()
    assert row is not None
    return row[0]


NEVER = {
    "an order is charged other than its parts": """
        select * from orders where charged_amount
        <> goods_amount - coalesce(discount_amount, 0) + shipping_fee + vat_amount""",
    "an order's goods differ from its lines": """
        select o.order_id from orders o join order_lines l on o.order_id = l.order_id
        group by o.order_id, o.goods_amount having sum(l.line_amount) <> o.goods_amount""",
    "an order has no line": """
        select * from orders where order_id not in (select order_id from order_lines)""",
    "a line is not quantity times price": """
        select * from order_lines where line_amount <> quantity * unit_price""",
    "time runs backwards": """
        select * from orders where dispatched_at <= placed_at or delivered_at <= dispatched_at""",
    "a state contradicts its moments": """
        select * from orders where
        (state in ('dispatched', 'delivered')) <> (dispatched_at is not null)
        or (state = 'delivered') <> (delivered_at is not null)""",
    "an order is older than its customer": """
        select * from orders o join customers c on o.customer_id = c.customer_id
        where cast(o.placed_at as date) < c.joined_on""",
    "an order ships to somebody else's address": """
        select * from orders o join addresses a on o.ship_address_id = a.address_id
        where o.customer_id <> a.customer_id""",
    "a customer has no default address, or two": """
        select customer_id from addresses group by 1
        having count(*) filter (where is_default) <> 1""",
    "something is known of the time after the end": """
        select placed_at from orders
        where greatest(placed_at, dispatched_at, delivered_at) >= '2026-01-01'
        union all select paid_at from refunds where greatest(requested_at, paid_at) >= '2026-01-01'
        union all select started_at from web_sessions where started_at >= '2026-01-01'""",
    "a refund is paid without a moment, or has one unpaid": """
        select * from refunds where (status = 'paid') <> (paid_at is not null)""",
    "refunds of an order exceed its goods": """
        select o.order_id from orders o join refunds r on o.order_id = r.order_id
        group by o.order_id, o.goods_amount, o.discount_amount
        having sum(r.amount) > o.goods_amount - coalesce(o.discount_amount, 0)""",
    "a robot buys": "select * from web_sessions where is_bot and placed_order",
    "a visit with an order did not place one, or the reverse": """
        select * from web_sessions where placed_order <> (order_id is not null)""",
    "a product is sold outside its time on sale": """
        select * from order_lines l join orders o on l.order_id = o.order_id
        join products p on l.product_id = p.product_id
        where p.launched_on is null or cast(o.placed_at as date) < p.launched_on
        or cast(o.placed_at as date) > p.discontinued_on""",
    "a wholesale order is no trade customer's": """
        select * from orders o join customers c on o.customer_id = c.customer_id
        where o.sales_channel = 'wholesale' and c.tier <> 'trade'""",
}

SOME = {
    "check accounts order": """
        select * from orders o join customers c on o.customer_id = c.customer_id
        where c.is_internal""",
    "orders are cancelled": "select * from orders where state = 'cancelled'",
    "robots visit": "select * from web_sessions where is_bot",
    "an order has several refunds": "select order_id from refunds group by 1 having count(*) > 2",
    "a refund was rejected": "select * from refunds where status = 'rejected'",
    "a refund is pending": "select * from refunds where status = 'pending'",
    "a customer has several addresses": """
        select customer_id from addresses group by 1 having count(distinct country_code) > 1""",
    "an order came in late on the last day of a month": """
        select * from orders where placed_at > '2025-03-31' and placed_at < '2025-04-01'""",
    "a discount is unknown": "select * from orders where discount_amount is null",
    "a cost is unknown": "select * from ad_spend where cost is null",
    "a product has no cost": "select * from products where unit_cost is null",
    "the copy is behind": """
        select * from orders o join orders_backup b on o.order_id = b.order_id
        where o.state <> b.state""",
}


@pytest.mark.parametrize("rule", NEVER)
def test_it_never_happens_that(demo: duckdb.DuckDBPyConnection, rule: str) -> None:
    assert demo.execute(NEVER[rule]).fetchall() == []


@pytest.mark.parametrize("trap", SOME)
def test_it_does_happen_that(demo: duckdb.DuckDBPyConnection, trap: str) -> None:
    assert one(demo, f"select exists ({SOME[trap]})") is True


def test_the_ready_made_table_counts_everything(demo: duckdb.DuckDBPyConnection) -> None:
    assert one(demo, "select sum(order_count) from daily_sales") == 100_000
    assert one(demo, "select sum(sales_amount) from daily_sales") == one(
        demo, "select sum(charged_amount) from orders"
    )


@pytest.mark.parametrize(
    ("day", "fiscal_year", "fiscal_quarter", "week_start"),
    [
        ("2024-06-30", 2024, 4, "2024-06-24"),
        ("2024-07-01", 2025, 1, "2024-07-01"),
        ("2024-12-31", 2025, 2, "2024-12-30"),
        ("2025-01-01", 2025, 3, "2024-12-30"),
        ("2025-06-30", 2025, 4, "2025-06-30"),
        ("2025-12-31", 2026, 2, "2025-12-29"),
    ],
)
def test_the_fiscal_year_begins_in_july_and_the_week_on_monday(
    demo: duckdb.DuckDBPyConnection,
    day: str,
    fiscal_year: int,
    fiscal_quarter: int,
    week_start: str,
) -> None:
    row = demo.execute(
        "select fiscal_year, fiscal_quarter, cast(week_start as varchar) from calendar"
        " where day = ?",
        [day],
    ).fetchone()
    assert row == (fiscal_year, fiscal_quarter, week_start)


def test_every_table_and_key_of_the_readme_is_there(
    demo: duckdb.DuckDBPyConnection, root: Path
) -> None:
    text = (root / "warehouse" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", text, re.MULTILINE)
    tables = [row[0] for row in demo.execute("show tables").fetchall()]
    counted = {table: f"{one(demo, f'select count(*) from {table}'):,}" for table in tables}
    assert dict(listed) == counted
    constraints = "select count(*) from duckdb_constraints() where constraint_type = "
    assert one(demo, f"{constraints} 'PRIMARY KEY'") == len(tables)
    assert one(demo, f"{constraints} 'FOREIGN KEY'") == 10


def test_every_table_has_a_comment(demo: duckdb.DuckDBPyConnection) -> None:
    query = "select table_name from duckdb_tables() where not internal and comment is null"
    assert demo.execute(query).fetchall() == []
