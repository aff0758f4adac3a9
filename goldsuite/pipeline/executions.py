"""Running each distinct statement once."""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date

from goldsuite.model.result_set import Execution
from goldsuite.sqltext.clock import set_clock
from goldsuite.warehouse.base import Door

__all__ = ["execute_all"]

_WORKERS = 2
"""Two statements at once fill two cores; an engine parallelises a heavy one by itself."""


def execute_all(
    door: Door, statements: Iterable[str], *, as_of: date | None
) -> Mapping[str, Execution]:
    """The execution of each distinct statement, by its text as given.

    With `as_of` the clock functions in it are answered with that date.
    """
    distinct = list(dict.fromkeys(statements))
    with ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="goldsuite-sql") as pool:
        done = pool.map(lambda sql: door.execute(set_clock(sql, door.dialect, as_of).sql), distinct)
        return dict(zip(distinct, done, strict=True))
