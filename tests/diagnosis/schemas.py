"""Three invented warehouses, small and always the same, with questions whose answers are known.

Each has a fact table with a moment of time, a child table with several rows for each fact, a
dimension, a stale copy of the facts, flags, NULLs and amounts in several columns.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pyarrow as pa

Rows = Mapping[str, Sequence[tuple[object, ...]]]

__all__ = ["SCHEMAS", "Gold", "Schema", "all_golds", "build"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Gold:
    """One question."""

    name: str
    question: str
    sql: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Schema:
    """One warehouse, and what a mutation must know of it."""

    name: str
    ddl: tuple[str, ...]
    rows: Callable[[random.Random], Rows]
    children: tuple[tuple[str, str, str], ...]
    """Child table, its column, and the parent it refers to: several rows for each parent."""
    stale: dict[str, str]
    """A table and its outdated copy."""
    other_columns: dict[str, str]
    """An amount, and another amount of the same table."""
    other_dates: dict[str, str]
    values: dict[str, tuple[str, ...]]
    """The values of a text column."""
    golds: tuple[Gold, ...]


def build(schema: Schema, path: Path) -> Path:
    """Write the warehouse to a DuckDB file."""
    connection = duckdb.connect(str(path))
    for statement in schema.ddl:
        connection.execute(statement)
    for table, rows in schema.rows(random.Random(schema.name)).items():  # noqa: S311
        columns = [pa.array(column) for column in zip(*rows, strict=True)]
        batch = pa.table(columns, names=[f"c{number}" for number in range(len(columns))])
        connection.register("batch", batch)
        connection.execute(f"insert into {table} select * from batch")
        connection.unregister("batch")
    for table, copy in schema.stale.items():
        key = connection.execute(f"select column_name from (describe {table}) limit 1").fetchall()
        connection.execute(f"insert into {copy} select * from {table} where {key[0][0]} % 7 <> 0")
    connection.close()
    return path


def _moment(draw: random.Random) -> datetime:
    return datetime(2024, 1, 1) + timedelta(minutes=draw.randrange(731 * 1440))  # noqa: DTZ001


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
            n, draw.randrange(1, 101), _moment(draw), draw.choice(["paid"] * 5 + ["void", "open"]),
            draw.choice(["web", "till", "phone", None]), gross, round(gross * 0.1, 2),
            draw.choice([0, 0, 4.5]),
        ))  # fmt: skip
        for _ in range(draw.choice([1, 1, 2, 3, 4])):
            lines.append((len(lines) + 1, n, draw.randrange(1, 31), draw.randrange(1, 6),
                          draw.randrange(100, 5000) / 100))  # fmt: skip
        if n % 5 == 0:
            for _ in range(draw.choice([1, 2])):
                returns.append((len(returns) + 1, n, _moment(draw).date(),
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


def _clinic(draw: random.Random) -> Rows:
    patients = [
        (n, draw.randrange(1940, 2015), draw.choice(["public", "private", None]), n % 9 == 0)
        for n in range(1, 151)
    ]
    doctors = [(n, draw.choice(["eyes", "heart", "bones"]), n % 4 == 0) for n in range(1, 16)]
    visits, scripts, bills = [], list[tuple[object, ...]](), list[tuple[object, ...]]()
    for n in range(1, 1401):
        start = _moment(draw)
        wait = draw.choice([None, *range(5, 90)])
        visits.append((
            n, draw.randrange(1, 131), draw.randrange(1, 16), start,
            draw.choice(["kept"] * 4 + ["missed", "moved"]), wait, draw.randrange(10, 60),
            draw.choice(["ward", "desk", None]),
        ))  # fmt: skip
        for _ in range(draw.choice([0, 1, 2, 2, 3])):
            scripts.append((len(scripts) + 1, n, draw.choice(["pill", "drop", "cream"]),
                            draw.randrange(1, 40)))  # fmt: skip
        for _ in range(draw.choice([0, 1, 1, 2])):
            fee, rebate = draw.randrange(2000, 90000) / 100, draw.randrange(0, 2000) / 100
            bills.append((len(bills) + 1, n, fee, rebate, draw.choice(["sent", "settled"])))
    return {"patients": patients, "doctors": doctors, "visits": visits, "scripts": scripts,
            "bills": bills}  # fmt: skip


_VISITS = """(visit_id integer primary key, patient_id integer not null, doctor_id integer not null,
    starts_at timestamp not null, outcome varchar not null, wait_minutes integer,
    talk_minutes integer not null, room varchar)"""

CLINIC = Schema(
    name="clinic",
    ddl=(
        """create table patients (patient_id integer primary key, born integer not null,
            cover varchar, is_trial boolean not null)""",
        """create table doctors (doctor_id integer primary key, field varchar not null,
            is_locum boolean not null)""",
        f"create table visits {_VISITS}",
        f"create table visits_2024 {_VISITS}",
        """create table scripts (script_id integer primary key, visit_id integer not null,
            drug varchar not null, doses integer not null)""",
        """create table bills (bill_id integer primary key, visit_id integer not null,
            fee decimal(10,2) not null, rebate decimal(10,2) not null, stage varchar not null)""",
    ),
    rows=_clinic,
    children=(("scripts", "visit_id", "visits"), ("bills", "visit_id", "visits")),
    stale={"visits": "visits_2024"},
    other_columns={
        "talk_minutes": "wait_minutes",
        "fee": "rebate",
        "doses": "script_id",
        "wait_minutes": "talk_minutes",
    },
    other_dates={},
    values={
        "outcome": ("kept", "missed", "moved"),
        "cover": ("public", "private"),
        "field": ("eyes", "heart", "bones"),
        "drug": ("pill", "drop", "cream"),
        "stage": ("sent", "settled"),
        "room": ("ward", "desk"),
    },
    golds=(
        Gold(
            name="heart-minutes",
            question="How many minutes did heart doctors talk in kept visits of 2025?",
            sql="""select sum(v.talk_minutes) from visits v join doctors d
                on d.doctor_id = v.doctor_id where d.field = 'heart' and v.outcome = 'kept'
                and v.starts_at >= '2025-01-01' and v.starts_at < '2026-01-01'""",
        ),
        Gold(
            name="patients-seen",
            question="How many patients were seen in the first quarter of 2025?",
            sql="""select count(distinct patient_id) from visits where outcome = 'kept'
                and starts_at >= '2025-01-01' and starts_at < '2025-04-01'""",
        ),
        Gold(
            name="average-wait",
            question="How long was the average wait in 2024, visits without a record left out?",
            sql="""select avg(wait_minutes) from visits where outcome = 'kept'
                and starts_at >= '2024-01-01' and starts_at < '2025-01-01'""",
        ),
        Gold(
            name="settled-fees",
            question="What fees were settled for visits in the ward?",
            sql="""select sum(b.fee) from bills b join visits v on v.visit_id = b.visit_id
                where b.stage = 'settled' and v.room = 'ward'""",
        ),
        Gold(
            name="busiest-week",
            question="How many visits had the busiest week of 2025?",
            sql="""select max(n) from (select date_trunc('week', starts_at) as w, count(*) as n
                from visits where starts_at >= '2025-01-01' and starts_at < '2026-01-01'
                group by 1) t""",
        ),
        Gold(
            name="doses-per-visit",
            question="How many doses does a visit with scripts lead to on average?",
            sql="""with per as (select visit_id, sum(doses) as d from scripts where drug = 'pill'
                group by visit_id) select avg(d) from per""",
        ),
        Gold(
            name="longest-wait",
            question="What was the second longest wait of 2025?",
            sql="""select wait_minutes + talk_minutes / 100.0 from visits
                where wait_minutes is not null and starts_at >= '2025-01-01'
                order by wait_minutes + talk_minutes / 100.0 desc limit 1 offset 1""",
        ),
        Gold(
            name="either",
            question="How many visits had a pill or a settled bill?",
            sql="""select count(*) from (select visit_id from scripts where drug = 'pill'
                union select visit_id from bills where stage = 'settled') u""",
        ),
        Gold(
            name="net-per-visit",
            question="What is the net fee for each visit with a bill?",
            sql="""select sum(b.fee - b.rebate) / count(distinct b.visit_id) from bills b
                join visits v on v.visit_id = b.visit_id where v.outcome = 'kept'
                and v.starts_at >= '2024-07-01' and v.starts_at < '2025-07-01'""",
        ),
        Gold(
            name="by-field",
            question="How many kept visits were there by field?",
            sql="""select d.field, count(*) as visits from visits v join doctors d
                on d.doctor_id = v.doctor_id where v.outcome = 'kept' and not d.is_locum
                group by d.field order by visits desc""",
        ),
    ),
)


def _saas(draw: random.Random) -> Rows:
    accounts = [
        (n, draw.choice(["free", "team", "firm"]), draw.choice(["de", "fr", "jp", None]),
         n % 13 == 0, _moment(draw).date())
        for n in range(1, 131)
    ]  # fmt: skip
    plans, seats, events = [], list[tuple[object, ...]](), list[tuple[object, ...]]()
    for n in range(1, 901):
        plans.append((
            n, draw.randrange(1, 111), _moment(draw), draw.choice(["live"] * 4 + ["ended", "due"]),
            draw.randrange(900, 90000) / 100, draw.randrange(0, 900) / 100,
            draw.choice([None, *range(1, 30)]),
        ))  # fmt: skip
        for _ in range(draw.choice([1, 1, 2, 4])):
            seats.append((len(seats) + 1, n, draw.choice(["admin", "user"]), draw.randrange(9)))
    for n in range(1, 2001):
        kind = draw.choice(["login", "export", "share"])
        events += [(n, draw.randrange(1, 131), _moment(draw), kind, draw.randrange(1, 500))]
    return {"accounts": accounts, "plans": plans, "seats": seats, "events": events}


_PLANS = """(plan_id integer primary key, account_id integer not null, begun_at timestamp not null,
    status varchar not null, monthly decimal(10,2) not null, credit decimal(10,2) not null,
    notice_days integer)"""

SAAS = Schema(
    name="saas",
    ddl=(
        """create table accounts (account_id integer primary key, tier varchar not null,
            land varchar, is_demo boolean not null, joined_on date not null)""",
        f"create table plans {_PLANS}",
        f"create table plans_archive {_PLANS}",
        """create table seats (seat_id integer primary key, plan_id integer not null,
            role varchar not null, uses integer not null)""",
        """create table events (event_id integer primary key, account_id integer not null,
            happened_at timestamp not null, kind varchar not null, size_kb integer not null)""",
    ),
    rows=_saas,
    children=(("seats", "plan_id", "plans"), ("events", "account_id", "accounts")),
    stale={"plans": "plans_archive"},
    other_columns={
        "monthly": "credit",
        "uses": "seat_id",
        "size_kb": "account_id",
        "notice_days": "plan_id",
    },
    other_dates={},
    values={
        "status": ("live", "ended", "due"),
        "tier": ("free", "team", "firm"),
        "land": ("de", "fr", "jp"),
        "role": ("admin", "user"),
        "kind": ("login", "export", "share"),
    },
    golds=(
        Gold(
            name="recurring",
            question="What do live plans of 2025 bring in each month?",
            sql="""select sum(p.monthly - p.credit) from plans p join accounts a
                on a.account_id = p.account_id where p.status = 'live' and not a.is_demo
                and p.begun_at >= '2025-01-01' and p.begun_at < '2026-01-01'""",
        ),
        Gold(
            name="exporting",
            question="How many accounts exported anything in May 2025?",
            sql="""select count(distinct account_id) from events where kind = 'export'
                and happened_at >= '2025-05-01' and happened_at < '2025-06-01'""",
        ),
        Gold(
            name="german-plans",
            question="How many plans do German accounts have?",
            sql="""select count(*) from plans p join accounts a on a.account_id = p.account_id
                where a.land = 'de' and p.status = 'live'""",
        ),
        Gold(
            name="joined",
            question="How many accounts joined in the second half of 2024?",
            sql="""select count(*) from accounts where joined_on >= '2024-07-01'
                and joined_on < '2025-01-01' and not is_demo""",
        ),
        Gold(
            name="notice",
            question="What is the average notice of live plans that have one?",
            sql="select avg(notice_days) from plans where status = 'live'",
        ),
        Gold(
            name="shared-by-users",
            question="What do plans with an admin cost on average?",
            sql="""select avg(p.monthly) from plans p where p.plan_id in
                (select s.plan_id from seats s where s.role = 'admin')
                and p.begun_at >= '2024-01-01' and p.begun_at < '2025-01-01'""",
        ),
        Gold(
            name="size-per-login",
            question="How large is a login in 2025, in kB?",
            sql="""select sum(size_kb) * 1.0 / count(*) from events where kind = 'login'
                and happened_at >= '2025-01-01' and happened_at < '2026-01-01'""",
        ),
        Gold(
            name="top-account",
            question="What is the largest monthly sum of an account?",
            sql="""select max(t) from (select account_id, sum(monthly) as t from plans
                where status = 'live' group by account_id) x""",
        ),
        Gold(
            name="by-tier",
            question="What do live plans bring in by tier?",
            sql="""select a.tier, sum(p.monthly) as monthly from plans p join accounts a
                on a.account_id = p.account_id where p.status = 'live' group by a.tier""",
        ),
        Gold(
            name="biggest-three",
            question="How many kB do the three largest accounts send?",
            sql="""select sum(t) from (select account_id, sum(size_kb) as t from events
                where kind = 'share' group by account_id order by t desc limit 3) x""",
        ),
    ),
)

SCHEMAS = (SHOP, CLINIC, SAAS)


def all_golds() -> Iterator[tuple[Schema, Gold]]:
    """Every question with its warehouse."""
    for schema in SCHEMAS:
        for gold in schema.golds:
            yield schema, gold
