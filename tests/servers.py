"""Throw-away database servers for the tests, or those that the environment names.

A server runs as its own system user where the tests run as root, in a folder of its own, and ends
with the test process. `GOLDSUITE_TEST_POSTGRESQL_URL` and `GOLDSUITE_TEST_MARIADB_URL` name an
administrator of servers to be used instead.
"""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from uuid import uuid4

import psycopg
import pymysql
import pytest
from sqlalchemy.engine import make_url

PASSWORD = "p@ss:w/rd%21"
"""Holds what a URL must escape, and must never be seen in a message."""
_START_S = 30.0

TABLES = (
    (
        "create table customers (id integer primary key, name varchar(40) not null, "
        "region varchar(40))"
    ),
    """create table orders (
        id integer primary key, customer_id integer, amount decimal(10, 2), ordered_on date,
        foreign key (customer_id) references customers (id))""",
    "insert into customers values (1, 'Ada', 'EU'), (2, 'Ben', 'US'), (3, 'Cy', null)",
    """insert into orders values (10, 1, 5.50, '2025-01-02'), (11, 1, 4.50, '2025-01-03'),
        (12, 2, 7.25, '2025-02-01')""",
    "create view eu_customers as select * from customers where region = 'EU'",
    "create sequence numbers",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Accounts:
    """One database as three accounts see it; each URL holds its password."""

    admin: str
    """May do everything on the server."""
    owner: str
    """Owns the tables, so that only goldsuite keeps it from writing."""
    reader: str
    """May only select."""


@contextmanager
def postgresql_accounts() -> Iterator[Accounts]:
    """A database with the tables above, and its accounts."""
    with _admin_url("GOLDSUITE_TEST_POSTGRESQL_URL", _run_postgresql) as admin:
        mark = uuid4().hex[:8]
        owner, reader, database = f"owner_{mark}", f"reader_{mark}", f"shop_{mark}"
        with psycopg.connect(_plain(admin), autocommit=True) as connection:
            for role in (owner, reader):
                connection.execute(f"create role {role} login password '{PASSWORD}'")
            connection.execute(f"create database {database} owner {owner}")
        accounts = Accounts(
            admin=_url(admin, database=database),
            owner=_url(admin, username=owner, password=PASSWORD, database=database),
            reader=_url(admin, username=reader, password=PASSWORD, database=database),
        )
        with psycopg.connect(_plain(accounts.owner)) as connection:
            for statement in TABLES:
                connection.execute(statement)
            connection.execute(f"grant select on all tables in schema public to {reader}")
            connection.execute("comment on table customers is 'Who buys'")
            connection.execute("comment on column customers.region is 'Sales region'")
        yield accounts
        with psycopg.connect(_plain(admin), autocommit=True) as connection:
            connection.execute(f"drop database {database} with (force)")
            for role in (owner, reader):
                connection.execute(f"drop role {role}")


@contextmanager
def mariadb_accounts() -> Iterator[Accounts]:
    """A database with the tables above, and its accounts."""
    with _admin_url("GOLDSUITE_TEST_MARIADB_URL", _run_mariadb) as admin:
        mark = uuid4().hex[:8]
        owner, reader, database = f"owner_{mark}", f"reader_{mark}", f"shop_{mark}"
        with closing(connect_mariadb(admin)) as connection, connection.cursor() as cursor:
            cursor.execute(f"create database {database}")
            for user in (owner, reader):
                cursor.execute(f"create user {user}@'%' identified by '{PASSWORD}'")
            cursor.execute(f"grant all on {database}.* to {owner}@'%'")
            cursor.execute(f"grant select, show view on {database}.* to {reader}@'%'")
            cursor.execute(f"use {database}")
            for statement in TABLES:
                cursor.execute(statement)
            cursor.execute("alter table customers comment 'Who buys'")
            cursor.execute("alter table customers modify region varchar(40) comment 'Sales region'")
            connection.commit()
        yield Accounts(
            admin=_url(admin, database=database),
            owner=_url(admin, username=owner, password=PASSWORD, database=database),
            reader=_url(admin, username=reader, password=PASSWORD, database=database),
        )
        with closing(connect_mariadb(admin)) as connection, connection.cursor() as cursor:
            cursor.execute(f"drop database {database}")
            cursor.execute(f"drop user {owner}@'%', {reader}@'%'")


def connect_postgresql(url: str) -> psycopg.Connection[Any]:
    """A plain connection, past goldsuite; every statement is its own transaction."""
    return psycopg.connect(_plain(url), autocommit=True)


def connect_mariadb(url: str) -> "pymysql.connections.Connection[Any]":
    """A plain connection, past goldsuite."""
    parsed = make_url(url)
    return pymysql.connect(
        host=parsed.host,
        port=parsed.port or 3306,
        user=parsed.username,
        password=parsed.password or "",
        database=parsed.database,
        autocommit=True,
    )


def free_port() -> int:
    """A port of this machine where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def _admin_url(variable: str, run: Callable[[Path], Iterator[str]]) -> Iterator[str]:
    if given := os.environ.get(variable):
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix="goldsuite-server-"))
    try:
        yield from run(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run_postgresql(folder: Path) -> Iterator[str]:
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    path = os.pathsep.join([*map(str, reversed(programs)), os.environ.get("PATH", "")])
    initdb, server = shutil.which("initdb", path=path), shutil.which("postgres", path=path)
    if initdb is None or server is None:
        _absent("PostgreSQL")
    identity = _give_to("postgres", folder)
    password = folder / "password"
    password.write_text("admin")
    password.chmod(0o644)
    data, port = folder / "data", free_port()
    made: list[Any] = [initdb, "-D", data, "-U", "postgres", "-A", "scram-sha-256", "--no-sync"]
    subprocess.run([*made, f"--pwfile={password}"], check=True, capture_output=True, **identity)
    settings = {
        "port": port,
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": folder,
        "fsync": "off",
        "shared_buffers": "32MB",
    }
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    url = f"postgresql://postgres:admin@127.0.0.1:{port}/postgres"
    with _running([server, "-D", data, *options], identity, lambda: connect_postgresql(url)):
        yield url


def _run_mariadb(folder: Path) -> Iterator[str]:
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    install = shutil.which("mariadb-install-db", path=path)
    server = shutil.which("mariadbd", path=path)
    if install is None or server is None:
        _absent("MariaDB")
    identity = _give_to("mysql", folder)
    data, port = folder / "data", free_port()
    made: list[Any] = [install, "--no-defaults", f"--datadir={data}", "--skip-test-db"]
    subprocess.run(
        [*made, "--auth-root-authentication-method=normal"],
        check=True,
        capture_output=True,
        **identity,
    )
    grant = folder / "accounts.sql"
    grant.write_text(
        "create user admin@'%' identified by 'admin';\n"
        "grant all on *.* to admin@'%' with grant option;\n"
    )
    grant.chmod(0o644)
    options = {
        "datadir": data,
        "socket": folder / "socket",
        "pid-file": folder / "pid",
        "port": port,
        "bind-address": "127.0.0.1",
        "init-file": grant,
        "innodb-buffer-pool-size": "32M",
        "innodb-log-file-size": "8M",
        "innodb-flush-log-at-trx-commit": 0,
    }
    command = [server, "--no-defaults", *(f"--{name}={value}" for name, value in options.items())]
    url = f"mariadb://admin:admin@127.0.0.1:{port}"
    with _running(command, identity, lambda: connect_mariadb(url)):
        yield url


@contextmanager
def _running(
    command: list[Any], identity: dict[str, Any], connect: Callable[[], Any]
) -> Iterator[None]:
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **identity,
    ) as process:
        try:
            _wait_for(connect, process)
            yield
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_for(connect: Callable[[], Any], process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + _START_S
    while True:
        try:
            connect().close()
        except (psycopg.Error, pymysql.Error):
            if process.poll() is not None or time.monotonic() > end:
                pytest.fail(f"the server did not start: {process.args!r}")
            time.sleep(0.1)
        else:
            return


def _give_to(user: str, folder: Path) -> dict[str, Any]:
    """Who runs the server: both refuse root, or should."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam(user)
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": [], "cwd": folder}


def _absent(server: str) -> NoReturn:
    reason = f"the programs of {server} are not installed"
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason}, and CI must not skip")
    pytest.skip(reason=reason)


def _url(url: str, **parts: Any) -> str:
    return make_url(url).set(**parts).render_as_string(hide_password=False)


def _plain(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
