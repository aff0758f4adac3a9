"""The same failures have the same causes whatever engine runs them."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.bench import Bench
from goldsuite.diagnosis.diagnose import diagnose
from goldsuite.diagnosis.failure import Failure
from goldsuite.model.diagnosis import Cause
from goldsuite.warehouse.engines import open_warehouse
from tests.diagnosis.schemas import SCHEMAS
from tests.servers import (
    connect_mariadb,
    connect_postgresql,
    mariadb_accounts,
    postgresql_accounts,
)

DDL = {
    "buyers": """(buyer_id integer primary key, name varchar(40) not null, area varchar(40),
        is_staff integer not null, brought_by integer)""",
    "sales": """(sale_id integer primary key, buyer_id integer not null, sold_at {moment} not null,
        state varchar(40) not null, way varchar(40), gross decimal(10,2) not null,
        tax decimal(10,2) not null, postage decimal(10,2) not null)""",
    "items": """(line_id integer primary key, sale_id integer not null, good_id integer not null,
        pieces integer not null, price decimal(10,2) not null)""",
}
SPRING = "sold_at >= '2025-03-01' and sold_at < '2025-06-01'"
PAIRS = [
    (
        "select sum(gross) from sales where state = 'paid'",
        "select sum(gross) from sales",
        Cause.WRONG_FILTER,
    ),
    (
        f"select count(*) from sales where {SPRING}",
        "select count(*) from sales where sold_at between '2025-03-01' and '2025-05-31'",
        Cause.WRONG_TIME_WINDOW,
    ),
    (
        "select sum(tax) from sales",
        "select sum(s.tax) from sales s join items l on l.sale_id = s.sale_id",
        Cause.FAN_OUT,
    ),
    (
        """select sum(gross) from sales where sale_id in
        (select sale_id from items where pieces > 2)""",
        """select sum(s.gross) from sales s join items l on l.sale_id = s.sale_id
        where l.pieces > 2""",
        Cause.FAN_OUT,
    ),
    (
        "select count(distinct buyer_id) from sales",
        "select count(buyer_id) from sales",
        Cause.MISSING_DISTINCT,
    ),
    (
        """select avg(n) from (select b.buyer_id, count(s.sale_id) as n from buyers b
        left join sales s on s.buyer_id = b.buyer_id group by b.buyer_id) t""",
        """select avg(n) from (select b.buyer_id, count(s.sale_id) as n from buyers b
        join sales s on s.buyer_id = b.buyer_id group by b.buyer_id) t""",
        Cause.WRONG_JOIN,
    ),
    (
        """with c as (select buyer_id, sum(gross) as t from sales group by buyer_id)
        select max(t) from c""",
        """with c as (select buyer_id, avg(gross) as t from sales group by buyer_id)
        select max(t) from c""",
        Cause.WRONG_AGGREGATION,
    ),
    (
        "select count(*) from sales where way <> 'web' or way is null",
        "select count(*) from sales where way <> 'web'",
        Cause.NULL_HANDLING,
    ),
    (
        "select sum(tax) from sales where state = 'paid'",
        "select sum(postage) * 1000 from sales where state = 'void'",
        Cause.UNIT_SCALE,
    ),
]


def rows_of(table: str) -> list[tuple[Any, ...]]:
    # LINES is a keyword of MariaDB.
    draw = random.Random("shop")  # noqa: S311
    found = SCHEMAS[0].rows(draw)["lines" if table == "items" else table]
    return [tuple(int(c) if isinstance(c, bool) else c for c in row) for row in found]


def fill(connection: Any, mark: str, moment: str) -> None:
    cursor = connection.cursor()
    for table, columns in DDL.items():
        cursor.execute(f"create table {table} {columns.format(moment=moment)}")
        rows = rows_of(table)
        marks = ", ".join([mark] * len(rows[0]))
        cursor.executemany(f"insert into {table} values ({marks})", rows)
    connection.commit()


@pytest.fixture(scope="module", params=["sqlite", "postgresql", "mariadb"])
def bench(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("engines") / "shop.sqlite"
        fill_sqlite(path)
        yield from benches_of(f"sqlite:///{path}")
    elif request.param == "postgresql":
        with postgresql_accounts() as accounts:
            with connect_postgresql(accounts.owner) as connection:
                fill(connection, "%s", "timestamp")
            yield from benches_of(accounts.owner)
    else:
        with mariadb_accounts() as accounts:
            with closing(connect_mariadb(accounts.owner)) as server:
                fill(server, "%s", "datetime")
            yield from benches_of(accounts.owner)


def fill_sqlite(path: Path) -> None:
    connection = sqlite3.connect(path)
    for table, columns in DDL.items():
        connection.execute(f"create table {table} {columns.format(moment='timestamp')}")
        rows = [
            tuple(str(c) if not isinstance(c, int | float | str | None) else c for c in row)
            for row in rows_of(table)
        ]
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"insert into {table} values ({marks})", rows)
    connection.commit()
    connection.close()


def benches_of(url: str) -> Iterator[tuple[Bench, str]]:
    warehouse = open_warehouse(url)
    bench = Bench(
        execute=warehouse.analyst.execute,
        dictionary=MetricDictionary(),
        catalog=warehouse.catalog(),
    )
    yield bench, warehouse.dialect
    warehouse.close()


@pytest.mark.parametrize(("gold", "predicted", "cause"), PAIRS)
def test_the_cause_does_not_depend_on_the_engine(
    gold: str, predicted: str, cause: Cause, bench: tuple[Bench, str]
) -> None:
    found = diagnose(
        Failure(
            question="What is it?",
            gold_sql=gold,
            predicted_sql=predicted,
            definition_source=None,
            reason="The value differs.",
            metric=None,
            dialect=bench[1],
        ),
        bench[0],
    )
    assert (found.cause, found.method) == (cause, "counterfactual"), found
