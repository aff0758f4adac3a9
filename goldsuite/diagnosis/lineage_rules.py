"""What queries may not read, and what they must: patterns of tables and columns."""

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["LineageRules", "check_patterns", "read_pattern"]


@dataclass(frozen=True, kw_only=True, slots=True)
class LineageRules:
    """Patterns as in the configuration, such as `customers.email` or `staging.*`."""

    forbid: tuple[str, ...] = ()
    require: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        return bool(self.forbid or self.require)


def read_pattern(text: str) -> tuple[str, ...]:
    """The parts of a pattern: `table`, `table.column`, `schema.table` or `schema.table.column`.

    Raises:
        ValueError: it is none of these.
    """
    parts = tuple(part.strip().lower() for part in text.split("."))
    if not 1 <= len(parts) <= 3 or not all(parts) or set(parts) == {"*"}:
        raise ValueError(
            f"{text!r} is no pattern such as customers.email, staging.* or payroll.people.salary"
        )
    return parts


def check_patterns(texts: Iterable[str]) -> tuple[str, ...]:
    """The same texts.

    Raises:
        ValueError: one of them is no pattern.
    """
    found = tuple(texts)
    for text in found:
        read_pattern(text)
    return found
