"""Gold and analyst see one state of the data, on real engines that are written to meanwhile."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from goldsuite.model.result_set import Cell, Execution
from goldsuite.pipeline.executions import CaseStatements, execute_cases
from goldsuite.warehouse.base import Snapshot
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.servers import Accounts, connect_mariadb, connect_postgresql
from tests.waiting import comes_true

COUNT = "select count(*) from customers"


def _value(execution: Execution) -> Cell:
    assert execution.result is not None, execution.problem
    return execution.result.rows[0][0]


@contextmanager
def _one_customer_more(url: str) -> Iterator[None]:
    """PostgreSQL: one row more, committed; taken away again at the end."""
    with closing(connect_postgresql(url)) as connection:
        connection.execute("insert into customers values (99, 'Zoe', null)")
        try:
            yield
        finally:
            connection.execute("delete from customers where id = 99")


@pytest.mark.parametrize("account", ["reader", "owner", "admin"])
def test_postgresql_shows_both_what_was_there_before_a_row_came(
    postgresql: Accounts, account: str
) -> None:
    with open_warehouse(getattr(postgresql, account)) as warehouse:
        with warehouse.moment() as moment:
            (gold,) = moment.execute([COUNT], []).gold
            with _one_customer_more(postgresql.owner):
                (analyst,) = moment.execute([], [COUNT]).analyst
                assert moment.snapshot is Snapshot.EXPORTED
                assert (_value(gold), _value(analyst)) == (3, 3)
        with _one_customer_more(postgresql.owner):
            # What is asked outside of a moment sees the data as it is.
            assert _value(warehouse.analyst.execute(COUNT)) == 4


LOCKED = "select pg_advisory_lock(815)::text"


def test_a_gold_that_is_run_again_sees_what_it_saw_first(postgresql: Accounts) -> None:
    cases = [CaseStatements(gold=(COUNT, LOCKED))]
    waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted"
    with (
        closing(connect_postgresql(postgresql.admin)) as admin,
        open_warehouse(postgresql.reader) as warehouse,
        ThreadPoolExecutor(1) as pool,
    ):
        admin.execute("select pg_advisory_lock(815)")
        asked = pool.submit(execute_cases, warehouse, cases, as_of=None, all_twice=True)
        assert comes_true(lambda: admin.execute(waiting).fetchone() == (1,))
        # The count is done, and its second run is still to come.
        with _one_customer_more(postgresql.owner):
            admin.execute("select pg_advisory_unlock(815)")
            done = asked.result()
    assert done.snapshot is Snapshot.EXPORTED
    assert _value(done.gold[COUNT]) == 3
    assert done.health.unstable == frozenset()
    assert (done.counts.gold.asked, done.counts.gold.executed) == (4, 4)


def test_a_snapshot_that_the_server_lost_is_told_and_the_queries_go_on(
    postgresql: Accounts,
) -> None:
    with open_warehouse(postgresql.reader) as warehouse, warehouse.moment() as moment:
        assert moment.snapshot == "exported"
        with closing(connect_postgresql(postgresql.admin)) as admin:
            admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where application_name = 'goldsuite' and state = 'idle in transaction'"
            )
            while admin.execute(
                "select 1 from pg_stat_activity where application_name = 'goldsuite'"
            ).fetchone():
                pass
        answers = moment.execute([COUNT], [COUNT])
        assert [_value(e) for e in (*answers.gold, *answers.analyst)] == [3, 3]
        assert moment.snapshot is Snapshot.NONE


def test_a_moment_leaves_no_session_on_the_server(postgresql: Accounts) -> None:
    with open_warehouse(postgresql.reader) as warehouse:
        with warehouse.moment() as moment:
            moment.execute([COUNT], [COUNT])
        sql = "select count(*) from pg_stat_activity where application_name = 'goldsuite'"
        with closing(connect_postgresql(postgresql.admin)) as admin:
            # The server takes a moment to end a session.
            assert comes_true(lambda: admin.execute(sql).fetchone() == (0,))


def test_mariadbs_sessions_of_one_case_begin_before_the_first_is_asked(mariadb: Accounts) -> None:
    inserted = threading.Event()

    def insert() -> None:
        with closing(connect_mariadb(mariadb.owner)) as connection, connection.cursor() as cursor:
            cursor.execute("insert into customers values (99, 'Zoe', null)")
            inserted.set()

    with open_warehouse(mariadb.owner) as warehouse, warehouse.moment() as moment:
        timer = threading.Timer(0.5, insert)
        timer.start()
        try:
            # The row comes while the gold sleeps, and before the analyst's query is sent.
            answers = moment.execute(["select sleep(1.5)"], [COUNT])
            assert inserted.is_set()
            assert _value(answers.analyst[0]) == 3
            assert _value(warehouse.analyst.execute(COUNT)) == 4
            assert moment.snapshot is Snapshot.BEGUN_TOGETHER
        finally:
            timer.join()
            with closing(connect_mariadb(mariadb.owner)) as connection:
                connection.cursor().execute("delete from customers where id = 99")


def test_mariadbs_sessions_that_begin_together_are_read_only_and_limited(
    mariadb: Accounts,
) -> None:
    with open_warehouse(mariadb.owner) as warehouse, warehouse.moment() as moment:
        sql = "select @@session.tx_read_only, @@session.time_zone"
        first, second = moment.execute([sql, sql], []).gold
        assert first.result is not None
        assert second.result is not None
        assert first.result.rows == second.result.rows == ((1, "+00:00"),)


def test_a_sqlite_file_that_nobody_wrote_to_is_told_as_unchanged(lite: OpenWarehouse) -> None:
    with lite.moment() as moment:
        answers = moment.execute([COUNT], [COUNT])
        assert [_value(e) for e in (*answers.gold, *answers.analyst)] == [3, 3]
        assert moment.snapshot is Snapshot.UNCHANGED_FILE


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_sqlite_file_that_was_written_to_is_told(sqlite_path: Path, mode: str) -> None:
    with closing(sqlite3.connect(sqlite_path)) as writer:
        writer.execute(f"pragma journal_mode = {mode}")
        with open_warehouse(f"sqlite:///{sqlite_path}") as warehouse, warehouse.moment() as moment:
            assert moment.snapshot == "unchanged file"
            moment.execute([COUNT], [])
            with writer:
                writer.execute("insert into customers values (99, 'Zoe', null)")
            # The writer was not held up, and the difference is not hidden.
            assert _value(moment.execute([], [COUNT]).analyst[0]) == 4
            assert moment.snapshot is Snapshot.NONE


WRITER = """\
import sys, duckdb
try:
    duckdb.connect(sys.argv[1]).execute("insert into customers values (99, 'Zoe', null)")
except duckdb.Error as error:
    sys.exit("lock" if "lock" in str(error) else str(error))
"""


def test_nobody_writes_to_a_duckdb_file_in_between(duckdb_path: Path) -> None:
    with open_warehouse(f"duckdb:///{duckdb_path}") as warehouse, warehouse.moment() as moment:
        gold = moment.execute([COUNT], []).gold[0]
        tried = subprocess.run(
            [sys.executable, "-c", WRITER, str(duckdb_path)], capture_output=True, text=True
        )
        assert tried.stderr.strip() == "lock"
        analyst = moment.execute([], [COUNT]).analyst[0]
        assert (_value(gold), _value(analyst)) == (3, 3)
        assert moment.snapshot is Snapshot.READ_ONLY_FILE
