"""A small warehouse made so that strong cases are strong by construction, beside weak ones.

Every condition, boundary, join and column of the strong golds matters in these rows; each weak gold
reads a corner of the data, or has a tolerance, that hides one kind of mistake.
"""

from pathlib import Path

import duckdb

__all__ = ["STRONG", "SUITE", "WEAK", "build"]

ROWS = """
create table customers (customer_id integer primary key, country varchar, is_test boolean);
insert into customers values (1, 'DE', false), (2, 'DE', false), (3, 'FR', false), (4, 'DE', true);

create table orders (
    order_id integer primary key, customer_id integer references customers(customer_id),
    placed_on date, paid_on date, state varchar, net decimal(10, 2), gross decimal(10, 2)
);
insert into orders values
    (1, 1, '2024-12-31', '2025-01-03', 'paid', 107.00, 127.33),
    (2, 1, '2025-01-01', '2025-01-02', 'paid', 10.00, 11.90),
    (3, 2, '2025-01-15', '2025-02-02', 'paid', 21.00, 24.99),
    (4, 3, '2025-01-31', '2025-01-31', 'open', 33.00, 39.27),
    (5, 4, '2025-01-20', '2025-01-21', 'paid', 45.00, 53.55),
    (6, 2, '2025-01-31', '2025-02-05', 'paid', 58.00, 69.02),
    (7, 3, '2025-02-01', '2025-02-02', 'paid', 72.00, 85.68),
    (8, 1, '2025-01-01', '2024-12-31', 'paid', 87.00, 103.53),
    (9, 1, '2025-06-10', '2025-06-10', 'paid', 5.00, 5.00),
    (10, 2, '2024-12-31', '2024-12-31', 'open', 1.00, 1.19),
    (11, 3, '2025-03-01', '2025-03-01', 'paid', 13.00, 15.47),
    (12, 3, '2025-03-02', '2025-03-03', 'paid', 2000000.00, 2380000.00),
    (13, 3, '2025-03-31', '2025-03-31', 'paid', 900.00, 1071.00),
    (14, 3, '2025-04-01', '2025-04-01', 'paid', 800.00, 952.00),
    (15, 3, '2025-02-28', '2025-02-28', 'paid', 700.00, 833.00);

create table order_lines (
    order_id integer references orders(order_id), line_no integer, sku varchar,
    primary key (order_id, line_no)
);
insert into order_lines values
    (2, 1, 'a'), (2, 2, 'b'), (3, 1, 'a'), (6, 1, 'a'), (6, 2, 'c'), (12, 1, 'a');

create table orders_copy as select * from orders where order_id <> 6;
"""

STRONG = ("net-january", "orders-january", "buyers-january")
WEAK = {
    "one-buyer": "dropped distinct",
    "loose-march": "moved boundary",
    "june-net": "dropped condition",
    "nothing-in-2020": "other aggregate",
    "june-gross": "other column",
    "copied-march": "other source",
}
"""Case, and a kind of mistake that it lets pass."""

SUITE = """\
name: weak shop
cases:
  # Strong: each row that a mistake would let in or leave out changes the value.
  - id: net-january
    question: "What was the net of paid orders in January 2025?"
    split: train
    tolerance: 0
    gold_sql: &january >-
      select sum(o.net) from orders o join customers c on o.customer_id = c.customer_id
      where o.state = 'paid' and not c.is_test
        and o.placed_on >= '2025-01-01' and o.placed_on < '2025-02-01'
  - id: orders-january
    question: "How many paid orders came from real customers between 1 and 31 January 2025?"
    split: train
    unit: count
    gold_sql: >-
      select count(*) from orders o join customers c on o.customer_id = c.customer_id
      where o.state = 'paid' and not c.is_test
        and o.placed_on between '2025-01-01' and '2025-01-31'
  - id: buyers-january
    question: "Which buyers paid how much at most in January 2025?"
    split: train
    tolerance: 0
    gold_sql: >-
      select o.customer_id, max(o.net) from orders o
      where o.state = 'paid' and o.placed_on >= '2025-01-01' and o.placed_on <= '2025-01-31'
      group by o.customer_id
  # Weak, each in one way.
  - id: one-buyer
    question: "How many different customers placed order number 9?"
    split: train
    unit: count
    gold_sql: select count(distinct customer_id) from orders where order_id = 9
  - id: loose-march
    question: "How much gross revenue was there in March 2025?"
    split: train
    tolerance: 0.01
    gold_sql: >-
      select sum(gross) from orders where placed_on >= '2025-03-01' and placed_on < '2025-04-01'
  - id: june-net
    question: "How much net did paid orders of June 2025 bring?"
    split: train
    gold_sql: >-
      select sum(net) from orders
      where state = 'paid' and placed_on >= '2025-06-01' and placed_on < '2025-07-01'
  - id: nothing-in-2020
    question: "What was the total net of 2020?"
    split: train
    gold_sql: >-
      select coalesce(sum(net), 0) from orders
      where placed_on >= '2020-01-01' and placed_on < '2021-01-01'
  - id: june-gross
    question: "What was gross in June 2025, day by day?"
    split: train
    gold_sql: >-
      select placed_on, sum(gross) from orders
      where placed_on >= '2025-06-01' and placed_on < '2025-07-01' group by placed_on
  - id: copied-march
    question: "How many orders were placed in March 2025?"
    split: test
    unit: count
    gold_sql: >-
      select count(order_id) from orders
      where placed_on >= '2025-03-01' and placed_on < '2025-04-01'
"""


def build(folder: Path) -> Path:
    """Write warehouse, suite and settings into `folder`."""
    with duckdb.connect(str(folder / "shop.duckdb")) as db:
        db.execute(ROWS)
    (folder / "gold-cases.yaml").write_text(SUITE.replace("&january ", ""))
    (folder / "goldsuite.toml").write_text('warehouse = "duckdb:///shop.duckdb"\n')
    return folder
