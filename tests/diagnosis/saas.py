"""A service by subscription: accounts, plans with seats, events, and an archive of plans."""

import random

from tests.diagnosis.invented import Gold, Rows, Schema, moment

__all__ = ["SAAS"]


def _saas(draw: random.Random) -> Rows:
    accounts = [
        (n, draw.choice(["free", "team", "firm"]), draw.choice(["de", "fr", "jp", None]),
         n % 13 == 0, moment(draw).date())
        for n in range(1, 131)
    ]  # fmt: skip
    plans, seats, events = [], list[tuple[object, ...]](), list[tuple[object, ...]]()
    for n in range(1, 901):
        plans.append((
            n, draw.randrange(1, 111), moment(draw), draw.choice(["live"] * 4 + ["ended", "due"]),
            draw.randrange(900, 90000) / 100, draw.randrange(0, 900) / 100,
            draw.choice([None, *range(1, 30)]),
        ))  # fmt: skip
        for _ in range(draw.choice([1, 1, 2, 4])):
            seats.append((len(seats) + 1, n, draw.choice(["admin", "user"]), draw.randrange(9)))
    for n in range(1, 2001):
        kind = draw.choice(["login", "export", "share"])
        events += [(n, draw.randrange(1, 131), moment(draw), kind, draw.randrange(1, 500))]
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
