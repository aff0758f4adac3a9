"""A clinic: patients, doctors, visits with scripts and bills, and a copy of the visits."""

import random

from tests.diagnosis.invented import Gold, Rows, Schema, moment

__all__ = ["CLINIC"]


def _clinic(draw: random.Random) -> Rows:
    patients = [
        (n, draw.randrange(1940, 2015), draw.choice(["public", "private", None]), n % 9 == 0)
        for n in range(1, 151)
    ]
    doctors = [(n, draw.choice(["eyes", "heart", "bones"]), n % 4 == 0) for n in range(1, 16)]
    visits, scripts, bills = [], list[tuple[object, ...]](), list[tuple[object, ...]]()
    for n in range(1, 1401):
        start = moment(draw)
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
