"""What is Sail's alone: TLS, types that cannot be read, a server that goes away."""

import os
import signal

import pytest

from goldsuite.errors import PreflightError
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import open_warehouse
from tests.spark_servers import sail_server


def test_a_server_that_ends_is_an_error_of_each_statement_alone() -> None:
    with sail_server() as server:
        with pytest.raises(PreflightError, match="tls=false"):
            open_warehouse(server.url.replace("?tls=false", ""))
        with open_warehouse(server.url, limits=Limits(timeout_s=10)) as warehouse:
            months = warehouse.analyst.execute("select interval '14' month as m").problem
            assert months is not None
            assert "cast it to a string" in months.message
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)
            for _ in range(2):
                problem = warehouse.analyst.execute("select 1").problem
                assert problem is not None
                assert problem.kind == "failed"
                assert "connection" in problem.message
