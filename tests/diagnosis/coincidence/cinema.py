"""A cinema's warehouse on any engine, and the pairs of queries that are tried on it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import yaml

__all__ = ["PAIRS", "Pair", "build"]

_FIXTURE = Path(__file__).parents[3] / "fixtures" / "coincidence.yml"


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two queries, and what must come out."""

    name: str
    gold: str
    analyst: str
    verdict: str
    everywhere: bool = False
    says: str = ""


def _pairs() -> tuple[Pair, ...]:
    rows: list[dict[str, Any]] = yaml.safe_load(_FIXTURE.read_text())
    return tuple(Pair(**row) for row in rows)


PAIRS = _pairs()


def build(run: Callable[[str], object], *, moment: str = "timestamp") -> None:
    """Create and fill the tables by `run`; `moment` is the engine's type for date and time."""
    for statement in (
        (
            "create table films (film_id integer primary key, title varchar(40) not null, "
            "genre varchar(40), minutes integer not null)"
        ),
        (
            "create table members (member_id integer primary key, joined_on date not null, "
            "level varchar(40) not null, email varchar(40))"
        ),
        (
            f"create table tickets (ticket_id integer primary key, film_id integer not null, "
            f"member_id integer, sold_at {moment} not null, price decimal(8, 2) not null, "
            "seat varchar(40), is_free boolean not null)"
        ),
        (
            "create table calendar (day date primary key, calendar_year integer not null, "
            "is_weekend boolean not null)"
        ),
        "insert into films values (1, 'Dusk', 'noir', 90), (2, 'Dawn', 'drama', 110)",
        (
            "insert into members values (1, '2024-05-01', 'gold', 'a@b.c'), "
            "(2, '2024-06-01', 'silver', 'd@e.f')"
        ),
        (
            "insert into tickets values (1, 1, 1, '2025-02-01 20:00:00', 12.00, '5', false), "
            "(2, 2, 2, '2025-02-02 21:00:00', 9.00, '7', true)"
        ),
        f"insert into calendar values {', '.join(_days())}",
    ):
        run(statement)


def _days() -> list[str]:
    days = [date(2024, 1, 1) + timedelta(days=n) for n in range(731)]
    return [f"('{d}', {d.year}, {'true' if d.isoweekday() > 5 else 'false'})" for d in days]
