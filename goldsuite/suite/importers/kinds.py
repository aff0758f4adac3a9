"""Each kind of file with its reader."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from goldsuite.suite.importers.base import Reading, Source
from goldsuite.suite.importers.kind import Kind

__all__ = ["read_kind"]


_READERS = {
    Kind.SPIDER: ("benchmark", "read_spider"),
    Kind.BIRD: ("benchmark", "read_bird"),
    Kind.DEFOG: ("defog", "read_defog"),
    Kind.SNOWFLAKE: ("snowflake", "read_snowflake"),
    Kind.DBT: ("dbt", "read_dbt"),
    Kind.GENIE: ("genie", "read_genie"),
    Kind.AIEVALS: ("gold_yaml", "read_gold_yaml"),
    Kind.CSV: ("plain", "read_plain_csv"),
}


def read_kind(kind: Kind, path: Path, *, shown: str) -> Reading:
    """All that the file at `path` holds.

    Raises:
        SuiteError: it cannot be read, or is no file of that kind.
    """
    # Loaded by name: a command shows its help without any of them.
    module, name = _READERS[kind]
    reader = getattr(import_module(f"goldsuite.suite.importers.{module}"), name)
    return cast(Callable[[Source], Reading], reader)(Source.read(path, shown=shown))
