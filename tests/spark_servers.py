"""Throw-away servers of Spark SQL for the tests: Sail always, Spark where it is installed.

`GOLDSUITE_TEST_SPARK_URL` names a thrift server of Spark to be used instead of one of our own; a
schema with a random name is made there and dropped again. Spark itself is some 400 MB and needs
Java 17, so that the tests do without it where it is absent.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from adbc_driver_flightsql import dbapi as flightsql
from pyhive import hive
from sqlalchemy.engine import make_url

from tests.servers import free_port

_START_S = 60.0

TABLES = (
    (
        "create table customers (id int comment 'The key', name string, region string) "
        "using parquet comment 'Who buys'"
    ),
    (
        "create table orders (id int, customer_id int, amount decimal(10, 2), ordered_on date) "
        "using parquet"
    ),
    "insert into customers values (1, 'Ada', 'EU'), (2, 'Ben', 'US'), (3, 'Cy', null)",
    (
        "insert into orders values (10, 1, 5.50, date'2025-01-02'), "
        "(11, 1, 4.50, date'2025-01-03'), (12, 2, 7.25, date'2025-02-01')"
    ),
    "create view eu_customers as select * from customers where region = 'EU'",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class SparkServer:
    """A server with the tables above in its default schema, or in that of the URL."""

    url: str
    pid: int | None
    """Of a server of our own; None for one of the environment."""
    folder: Path | None
    """In which a server of our own runs and writes."""


@contextmanager
def sail_server() -> Iterator[SparkServer]:
    """A Sail of our own, with the tables."""
    folder = Path(tempfile.mkdtemp(prefix="goldsuite-sail-"))
    port = free_port()
    command = [sys.executable, "-m", "pysail", "flight", "server", "--port", str(port)]
    with _running([*command, "-C", str(folder)], folder, {"TZ": "UTC"}) as process:
        address = f"grpc://127.0.0.1:{port}"
        _wait(process, folder, lambda: _ask_sail(address, ("select 1",)))
        _ask_sail(address, TABLES)
        url = f"sail://127.0.0.1:{port}?tls=false"
        yield SparkServer(url=url, pid=process.pid, folder=folder)


@contextmanager
def spark_server() -> Iterator[SparkServer]:
    """A thrift server of Spark, with the tables; skips where there is none."""
    if url := os.environ.get("GOLDSUITE_TEST_SPARK_URL"):
        with _schema(url) as inside:
            yield SparkServer(url=inside, pid=None, folder=None)
        return
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        pytest.skip(reason="pyspark is not installed, and GOLDSUITE_TEST_SPARK_URL is not set")
    if shutil.which("java") is None:
        pytest.skip(reason="Spark needs Java, which is not installed")
    folder = Path(tempfile.mkdtemp(prefix="goldsuite-spark-"))
    port = free_port()
    home = Path(found.origin).parent
    with _running(_spark(home, port), folder, {"SPARK_HOME": str(home)}) as process:
        url = f"spark://127.0.0.1:{port}"
        _wait(process, folder, lambda: _ask_spark(url, ("select 1",)))
        with _schema(url) as inside:
            yield SparkServer(url=inside, pid=process.pid, folder=folder)


def _spark(home: Path, port: int) -> list[str]:
    return [
        str(home / "bin" / "spark-submit"),
        *("--master", "local[2]", "--driver-memory", "1g"),
        *("--conf", "spark.ui.enabled=false", "--conf", "spark.sql.shuffle.partitions=2"),
        *("--class", "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2", "spark-internal"),
        *("--hiveconf", f"hive.server2.thrift.port={port}"),
        *("--hiveconf", "hive.server2.thrift.bind.host=127.0.0.1"),
    ]


@contextmanager
def _schema(url: str) -> Iterator[str]:
    name = f"shop_{uuid4().hex[:8]}"
    _ask_spark(url, (f"create database {name}",))
    inside = make_url(url).set(database=name).render_as_string(hide_password=False)
    _ask_spark(inside, TABLES)
    yield inside
    _ask_spark(url, (f"drop database {name} cascade",))


@contextmanager
def _running(
    command: list[str], folder: Path, environment: dict[str, str]
) -> Iterator["subprocess.Popen[bytes]"]:
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait(process: "subprocess.Popen[bytes]", folder: Path, ask: Any) -> None:
    end = time.monotonic() + _START_S
    while True:
        try:
            ask()
        except Exception:  # noqa: BLE001 - each driver has its own ways to say "not yet"
            if time.monotonic() > end or process.poll() is not None:
                log = (folder / "server.log").read_text(encoding="utf-8", errors="replace")
                pytest.fail(f"the server did not start: {log[-2000:]}")
            time.sleep(0.1)
        else:
            return


def _ask_sail(address: str, statements: tuple[str, ...]) -> None:
    with flightsql.connect(address, autocommit=True) as connection:
        for sql in statements:
            with connection.cursor() as cursor:
                cursor.execute(sql)
                cursor.fetchall()


def _ask_spark(url: str, statements: tuple[str, ...]) -> None:
    parsed = make_url(url)
    with closing(
        hive.connect(parsed.host, parsed.port, database=parsed.database or "default")
    ) as connection:
        for sql in statements:
            with closing(connection.cursor()) as cursor:
                cursor.execute(sql)
