"""Write the generated rows into a DuckDB file."""

import csv
import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from warehouse.days import calendar_rows
from warehouse.dice import Dice
from warehouse.people import make_people
from warehouse.trade import day_weights, make_products, make_trade
from warehouse.web import ad_rows, session_rows

SQL_FOLDER = Path(__file__).resolve().parent

Rows = Iterable[tuple[object, ...]]


def write_database(target: Path, scratch: Path) -> None:
    """Create `target`, which must not exist, with `scratch` as the place for passing files."""
    with _collection_paused(), duckdb.connect(str(target)) as connection:
        connection.execute(_sql("tables.sql"))
        for table, rows in _generated():
            file = scratch / f"{table}.csv"
            _write_csv(file, rows)
            # A parameter, not text: the folder's name may hold a quote.
            connection.execute(
                f"copy {table} from $file (format csv, header false)", {"file": str(file)}
            )
            file.unlink()
        connection.execute(_sql("derived.sql"))
        connection.execute(_sql("comments.sql"))
        connection.execute("checkpoint")


def _generated() -> Iterator[tuple[str, Rows]]:
    """Tables and their rows; each kind has dice of its own, so that one can change alone."""
    people = make_people(Dice(101), day_weights())
    yield "customers", (customer.row() for customer in people.customers)
    yield "addresses", people.address_rows()
    products = make_products()
    yield "products", (product.row() for product in products)
    yield "calendar", calendar_rows()
    trade = make_trade(Dice(202), people, products)
    yield "orders", (order.row() for order in trade.orders)
    yield "order_lines", (line.row() for line in trade.lines)
    yield "refunds", trade.refund_rows()
    yield "web_sessions", session_rows(Dice(303), people, trade.orders)
    yield "ad_spend", ad_rows(Dice(404))


@contextmanager
def _collection_paused() -> Iterator[None]:
    # A million tuples and no cycle among them: looking for some takes half of the time.
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _write_csv(file: Path, rows: Rows) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)


def _sql(name: str) -> str:
    return (SQL_FOLDER / name).read_text(encoding="utf-8")
