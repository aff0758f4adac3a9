"""The gate's lists of names, held against what a real PostgreSQL says of its functions."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest

from goldsuite.sqltext import postgres_names
from tests.servers import Accounts, connect_postgresql

# Volatile, and yet only looks at the clock, chance, sizes, or the server's own spelling of them.
VOLATILE_AND_HARMLESS = frozenset(
    {
        "clock_timestamp",
        "gen_random_uuid",
        "pg_relation_size",
        "pg_table_size",
        "pg_total_relation_size",
        "random",
        "timeofday",
    }
)


@pytest.fixture(scope="module")
def server(postgresql: Accounts) -> Iterator["psycopg.Connection[Any]"]:
    with closing(connect_postgresql(postgresql.admin)) as connection:
        yield connection


def _names(server: "psycopg.Connection[Any]", condition: str) -> set[str]:
    rows = server.execute(
        "select distinct proname::text from pg_proc "
        f"where pronamespace = 'pg_catalog'::regnamespace and {condition}"
    ).fetchall()
    return {name for (name,) in rows}


def test_no_function_that_may_change_something_is_let_through(
    server: "psycopg.Connection[Any]",
) -> None:
    volatile = _names(server, "provolatile = 'v'")
    allowed = postgres_names.FUNCTIONS | postgres_names.TABLE_FUNCTIONS
    assert sorted(volatile & allowed) == sorted(VOLATILE_AND_HARMLESS & volatile)


def test_what_a_dot_may_call_is_denied_where_it_may_change_something(
    server: "psycopg.Connection[Any]",
) -> None:
    # `x.f` calls a function of one argument; those of none or of several cannot be reached so.
    ways = _names(
        server,
        "provolatile = 'v' and 1 between pronargs - pronargdefaults and pronargs and proname ~ "
        "'^(lo_|pg_(read|ls|adv|create|drop|backup|stat_reset|replication|import|cancel|terminate))'",
    )
    assert "pg_read_file" in ways
    assert sorted(ways - postgres_names.HARMFUL) == []


def test_the_lists_do_not_contradict_each_other() -> None:
    allowed = postgres_names.FUNCTIONS | postgres_names.TABLE_FUNCTIONS
    assert sorted(allowed & postgres_names.HARMFUL) == []
