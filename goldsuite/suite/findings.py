"""What is wrong with a gold file, before it is worded with file, line and case.

A finding never holds a gold value or gold SQL: the process that runs analysts gets to see it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from goldsuite.nearest import nearest

__all__ = ["GOLD_KEYS", "Finding", "Path", "named", "or_known"]

Path: TypeAlias = tuple[str | int, ...]
"""From the top of the file to a value: keys and 0-based positions, `("cases", 3, "split")`."""

GOLD_KEYS = frozenset({"gold_sql", "gold_value"})
"""What stands under these keys is never shown."""

_NAME = re.compile(r"[A-Za-z_][\w-]{0,39}", re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One fault at one place."""

    path: Path
    message: str
    line: int | None = None
    """1-based; None: the line of `path`."""


def named(name: str) -> str:
    """` 'name'` if it can be nothing but a name, else an empty text.

    A slip of indentation can make a gold value or a piece of SQL stand where a name belongs.
    """
    return f" {name!r}" if _NAME.fullmatch(name) else ""


def or_known(word: str, known: Iterable[str]) -> str:
    """A sentence that helps on from an unknown word: the nearest known one, else all of them."""
    known = tuple(known)
    near = nearest(word, known)
    return f"Did you mean {near!r}?" if near else f"Known: {', '.join(known)}."
