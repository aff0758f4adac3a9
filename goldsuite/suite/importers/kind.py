"""The kinds of files that can be imported."""

from enum import StrEnum

__all__ = ["Kind"]


class Kind(StrEnum):
    """What wrote the file."""

    SPIDER = "spider"
    BIRD = "bird"
    DEFOG = "defog"
    SNOWFLAKE = "snowflake"
    DBT = "dbt"
    GENIE = "genie"
    AIEVALS = "aievals"
    CSV = "csv"
