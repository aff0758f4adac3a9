"""Servers that a URL may name: their drivers, and the adapter that knows none of them."""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from goldsuite.errors import WarehouseError
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from goldsuite.warehouse.files import absolute_url
from goldsuite.warehouse.generic_server import GenericServer
from goldsuite.warehouse.server import SERVERS, Server, known_server

MISSING = [
    ("snowflake://ann:hunter2@account/db", "snowflake"),
    ("bigquery://project/data", "bigquery"),
    ("databricks://token:hunter2@host?http_path=x", "databricks"),
    ("redshift+redshift_connector://ann:hunter2@host/db", "redshift"),
    ("clickhousedb://ann:hunter2@host/db", "clickhouse"),
    ("clickhouse://ann:hunter2@host/db", "clickhouse"),
    ("trino://ann:hunter2@host/catalog", "trino"),
]


def _has(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:
        return False


@pytest.mark.parametrize(("url", "extra"), MISSING)
def test_a_missing_driver_is_told_with_the_extra_that_brings_it(url: str, extra: str) -> None:
    server = known_server(make_url(url))
    assert server is not None
    if _has(server.needs):
        pytest.skip(reason=f"{server.needs} is installed here")
    with pytest.raises(WarehouseError) as caught:
        open_warehouse(url)
    assert f"pip install 'goldsuite[{extra}]'" in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "module", "extra"),
    [
        ("postgresql://ann:hunter2@host/db", "psycopg", "postgresql"),
        ("mysql://ann:hunter2@host/db", "pymysql", "mysql"),
        ("mariadb://ann:hunter2@host/db", "pymysql", "mysql"),
    ],
)
def test_the_drivers_of_the_tested_servers_are_optional_too(
    url: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # As if it were not installed.
    with pytest.raises(WarehouseError) as caught:
        open_warehouse(url)
    assert f"pip install 'goldsuite[{extra}]'" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_every_extra_of_a_server_stands_in_the_package() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    for server in SERVERS.values():
        assert f"\n{server.extra} = [" in text


def test_a_servers_url_has_no_file_to_be_made_absolute(tmp_path: Path) -> None:
    for url in ("postgresql://ann:p%40ss@host/db", "snowflake://ann:x@account/db"):
        assert absolute_url(url, base_dir=tmp_path) == url


@pytest.fixture
def unknown_server(sqlite_path: Path) -> Iterator[OpenWarehouse]:
    """A database that is reached as if nothing were known of its engine."""
    server = Server(
        label="Some engine", dialect="sqlite", extra="x", needs="sqlite3", drivers=frozenset()
    )
    adapter = GenericServer(server, make_url(f"sqlite:///{sqlite_path}"), ())
    opened = OpenWarehouse(
        adapter,
        masked_url="some://host",
        limits=Limits(timeout_s=5),
        concurrency=1,
        allow_functions=(),
        hint=lambda _: "",
        warnings=adapter.warnings,
    )
    with closing(opened):
        yield opened


def test_an_engine_that_is_not_known_is_read_and_warned_of(unknown_server: OpenWarehouse) -> None:
    unknown_server.preflight()
    result = unknown_server.analyst.execute("select name, 7 % 4 from customers order by id").result
    assert result is not None
    assert result.rows == (("Ada", 3), ("Ben", 3), ("Cy", 3))
    assert [t.name for t in unknown_server.catalog().tables] == [
        "customers",
        "eu_customers",
        "orders",
    ]
    (warning,) = unknown_server.warnings
    assert "nothing in the engine was set to read-only" in warning


def test_an_engine_that_is_not_known_gets_nothing_that_the_gate_cannot_read(
    unknown_server: OpenWarehouse,
) -> None:
    for sql in ("select from where ((", "insert into customers values (9, 'x', 'x')", "vacuum"):
        for door in (unknown_server.gold, unknown_server.analyst):
            problem = door.execute(sql).problem
            assert problem is not None
            assert problem.kind == "refused"
    counted = unknown_server.gold.execute("select count(*) from customers").result
    assert counted is not None
    assert counted.rows == ((3,),)
