"""What a suite can be exported to."""

from enum import StrEnum

__all__ = ["ExportKind"]


class ExportKind(StrEnum):
    """Who is to read the file."""

    SPIDER = "spider"
    BIRD = "bird"
    PROMPTFOO = "promptfoo"
    INSPECT = "inspect"
