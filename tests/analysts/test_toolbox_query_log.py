"""The log of a trial's queries: what is written is read back, and what is damaged is told."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from goldsuite.analysts.toolbox.query_log import QueryLog, read_query_log
from goldsuite.errors import AnalystError, UsageError
from goldsuite.model.answer import LoggedQuery

QUERIES = (
    LoggedQuery(sql="select 'ü', 1.50\n-- two lines", rows=1),
    LoggedQuery(sql="select 12.50", rows=1, value="12.50"),
    LoggedQuery(sql="selec", error="failed: syntax error"),
)


def line_of(token: str) -> bytes:
    return json.dumps({"token": token, "sql": "select 1", "rows": 1}).encode()


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with QueryLog(path, token="t") as log:
        for query in QUERIES:
            log.write(query)
            # At once, so that a server that is killed loses none.
            assert path.read_bytes().endswith(b"\n")
    with QueryLog(path, token="t") as again:
        again.write(QUERIES[1])
    read = read_query_log(path, token="t")
    assert read is not None
    assert (read.queries, read.faults) == ((*QUERIES, QUERIES[1]), ())


def test_lines_of_several_threads_do_not_mix(tmp_path: Path) -> None:
    with QueryLog(tmp_path / "log", token="t") as log, ThreadPoolExecutor(8) as pool:
        queries = [LoggedQuery(sql=f"select {i} /* {'x' * 5_000} */", rows=1) for i in range(200)]
        list(pool.map(log.write, queries))
    read = read_query_log(tmp_path / "log", token="t")
    assert read is not None
    assert read.faults == ()
    assert sorted(q.sql for q in read.queries) == sorted(q.sql for q in queries)


@pytest.mark.parametrize(
    "line",
    [
        b'{"token": "t", "sql": "select',
        b'{"token": "t"}',
        b'{"token": "t", "sql": 7}',
        b'{"token": "t", "sql": "select 1", "rows": "many"}',
        b'{"token": "t", "sql": "select 1"} and more',
        b"[1]",
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_damaged_line_is_passed_over_and_told(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "log").write_bytes(b"\n".join([line_of("t"), line, line_of("t"), b""]))
    read = read_query_log(tmp_path / "log", token="t")
    assert read is not None
    assert len(read.queries) == 2
    assert read.faults == ("query log: line 2 cannot be read",)


def test_many_damaged_lines_are_told_in_short(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"x\n" * 1_000)
    read = read_query_log(tmp_path / "log", token="t")
    assert read is not None
    assert read.faults == ("query log: line 1, 2, 3 and 997 more cannot be read",)


def test_lines_of_another_trial_are_told(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(
        b"\n".join([line_of("other"), line_of("t"), b'{"sql": "select 2"}'])
    )
    read = read_query_log(tmp_path / "log", token="t")
    assert read is not None
    assert [query.sql for query in read.queries] == ["select 1"]
    assert read.faults == ("query log: 2 lines do not carry the trial's token",)


def test_no_log_is_not_the_same_as_an_empty_one(tmp_path: Path) -> None:
    assert read_query_log(tmp_path / "log", token="t") is None
    QueryLog(tmp_path / "log", token="t").close()
    read = read_query_log(tmp_path / "log", token="t")
    assert read is not None
    assert read.queries == ()


def test_a_link_or_a_folder_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(line_of("t"))
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    assert read_query_log(tmp_path / "link", token="t") is None
    assert read_query_log(tmp_path, token="t") is None


def test_what_is_read_is_bounded(tmp_path: Path) -> None:
    line = line_of("t") + b"\n"
    (tmp_path / "log").write_bytes(line * 10)
    read = read_query_log(tmp_path / "log", token="t", max_bytes=len(line) * 3)
    assert read is not None
    assert len(read.queries) == 3
    assert read.faults == (
        "query log: larger than any that a server of ours writes; its end is unread",
    )


def test_a_full_log_stops_the_queries(tmp_path: Path) -> None:
    with QueryLog(tmp_path / "log", token="t", max_bytes=100) as log:
        log.write(QUERIES[1])
        with pytest.raises(AnalystError, match="the log of this trial's queries is full"):
            log.write(LoggedQuery(sql="select 1" + " " * 100, rows=1))
    read = read_query_log(tmp_path / "log", token="t")
    assert read is not None
    assert read.queries == (QUERIES[1],)


def test_a_log_that_cannot_be_written_gives_no_result() -> None:
    # /dev/full takes no byte, as a full disk.
    path = Path("/dev/full")
    if not path.exists():
        pytest.skip(reason="there is no /dev/full here")
    with (
        QueryLog(path, token="t") as log,
        pytest.raises(AnalystError, match=r"cannot be logged \(No space left on device\)"),
    ):
        log.write(QUERIES[0])


def test_a_log_in_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be written \(No such file or directory\)"):
        QueryLog(tmp_path / "no/log", token="t")
