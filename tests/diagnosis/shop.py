"""A shop: buyers, sales with their lines and returns, goods, and a backup of the sales."""

import random

from tests.diagnosis.invented import Gold, Rows, Schema, moment

__all__ = ["SHOP"]


def _shop(draw: random.Random) -> Rows:
    buyers = [
        (n, f"b{n}", draw.choice(["north", "south", "west", None]), n % 11 == 0,
         draw.randrange(1, n) if n > 5 and n % 4 == 0 else None)
        for n in range(1, 121)
    ]  # fmt: skip
    goods = [(n, draw.choice(["tea", "cake", "mug"]), draw.randrange(3, 60)) for n in range(1, 31)]
    sales, lines, returns = [], list[tuple[object, ...]](), list[tuple[object, ...]]()
    for n in range(1, 1201):
        gross = draw.randrange(500, 20000) / 100
        sales.append((
            n, draw.randrange(1, 101), moment(draw), draw.choice(["paid"] * 5 + ["void", "open"]),
            draw.choice(["web", "till", "phone", None]), gross, round(gross * 0.1, 2),
            draw.choice([0, 0, 4.5]),
        ))  # fmt: skip
        for _ in range(draw.choice([1, 1, 2, 3, 4])):
            lines.append((len(lines) + 1, n, draw.randrange(1, 31), draw.randrange(1, 6),
                          draw.randrange(100, 5000) / 100))  # fmt: skip
        if n % 5 == 0:
            for _ in range(draw.choice([1, 2])):
                returns.append((len(returns) + 1, n, moment(draw).date(),
                                draw.randrange(100, 3000) / 100,
                                draw.choice(["ok", "ok", "refused"])))  # fmt: skip
    return {"buyers": buyers, "goods": goods, "sales": sales, "lines": lines, "returns": returns}


_SALES = """(sale_id integer primary key, buyer_id integer not null, sold_at timestamp not null,
    state varchar not null, way varchar, gross decimal(10,2) not null, tax decimal(10,2) not null,
    postage decimal(10,2) not null)"""

SHOP = Schema(
    name="shop",
    ddl=(
        """create table buyers (buyer_id integer primary key, name varchar not null, area varchar,
            is_staff boolean not null, brought_by integer)""",
        "create table goods (good_id integer primary key, kind varchar not null, cost integer)",
        f"create table sales {_SALES}",
        f"create table sales_backup {_SALES}",
        """create table lines (line_id integer primary key, sale_id integer not null,
            good_id integer not null, pieces integer not null, price decimal(10,2) not null)""",
        """create table returns (return_id integer primary key, sale_id integer not null,
            returned_on date not null, amount decimal(10,2) not null, verdict varchar not null)""",
    ),
    rows=_shop,
    children=(("lines", "sale_id", "sales"), ("returns", "sale_id", "sales")),
    stale={"sales": "sales_backup"},
    other_columns={"gross": "tax", "tax": "postage", "price": "pieces", "amount": "return_id"},
    other_dates={},
    values={
        "state": ("paid", "void", "open"),
        "way": ("web", "till", "phone"),
        "area": ("north", "south", "west"),
        "kind": ("tea", "cake", "mug"),
        "verdict": ("ok", "refused"),
    },
    golds=(
        Gold(
            name="takings",
            question="What were the takings of 2025?",
            sql="""select sum(gross) from sales where state = 'paid'
                and sold_at >= '2025-01-01' and sold_at < '2026-01-01'""",
        ),
        Gold(
            name="web-buyers",
            question="How many buyers bought on the web in spring 2025?",
            sql="""select count(distinct buyer_id) from sales where way = 'web'
                and sold_at >= '2025-03-01' and sold_at < '2025-06-01'""",
        ),
        Gold(
            name="northern-tax",
            question="How much tax did paid sales to northern buyers carry in 2024?",
            sql="""select sum(s.tax) from sales s join buyers b on b.buyer_id = s.buyer_id
                where b.area = 'north' and s.state = 'paid'
                and s.sold_at >= '2024-01-01' and s.sold_at < '2025-01-01'""",
        ),
        Gold(
            name="monthly-average",
            question="What did we take in an average month of 2025?",
            sql="""select avg(t) from (select date_trunc('month', sold_at) as m, sum(gross) as t
                from sales where state = 'paid' and sold_at >= '2025-01-01'
                and sold_at < '2026-01-01' group by 1) x""",
        ),
        Gold(
            name="void-share",
            question="Which share of the sales of 2025 was void?",
            sql="""select count(*) filter (where state = 'void') * 1.0 / count(*) from sales
                where sold_at >= '2025-01-01' and sold_at < '2026-01-01'""",
        ),
        Gold(
            name="idle-buyers",
            question="How many buyers have brought nobody?",
            sql="""select count(*) from buyers b where not exists
                (select 1 from buyers r where r.brought_by = b.buyer_id)""",
        ),
        Gold(
            name="per-buyer",
            question="How many sales has a buyer made on average, buyers with none included?",
            sql="""with c as (select b.buyer_id, count(s.sale_id) as n from buyers b
                left join sales s on s.buyer_id = b.buyer_id group by b.buyer_id)
                select avg(n) from c""",
        ),
        Gold(
            name="not-on-the-web",
            question="How many sales were not made on the web, unknown ways included?",
            sql="""select count(*) from sales where (way <> 'web' or way is null)
                and sold_at >= '2025-01-01'""",
        ),
        Gold(
            name="cake-postage",
            question="What postage did sales with cake carry in 2025?",
            sql="""select sum(s.postage) from sales s where s.sold_at >= '2025-01-01'
                and s.sold_at < '2026-01-01' and s.sale_id in (select l.sale_id from lines l
                join goods g on g.good_id = l.good_id where g.kind = 'cake')""",
        ),
        Gold(
            name="best-five",
            question="What did the five best goods bring in?",
            sql="""select sum(t) from (select l.good_id, sum(l.price) as t from lines l
                join sales s on s.sale_id = l.sale_id where s.state = 'paid'
                group by l.good_id order by t desc limit 5) x""",
        ),
        Gold(
            name="by-way",
            question="What was taken by way of sale in 2025?",
            sql="""select way, sum(gross) as taken from sales where state = 'paid'
                and sold_at >= '2025-01-01' and sold_at < '2026-01-01' group by way""",
        ),
    ),
)
