"""Older record formats, brought up to this one step by step.

Each step takes the content of one format and gives that of the next; it adds what can be told from
the record itself, and never makes up what was not measured. A new format adds one step at the end.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from goldsuite.model.run import SCHEMA_VERSION
from goldsuite.records.tag_figures import figures_by_tag

__all__ = ["STEPS", "migrate"]


def migrate(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a record of any known format as one of this format.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it has not the fields of its own format, or
            there is no such format.
    """
    current = dict(plain)
    while (version := current["schema_version"]) != SCHEMA_VERSION:
        current = STEPS[version](current) | {"schema_version": version + 1}
    return current


def _from_1(plain: dict[str, Any]) -> dict[str, Any]:
    """Format 2 has a hash, which cannot be had afterwards, and figures by tag, which can."""
    cases = plain["cases"]
    tags = figures_by_tag(
        (case["id"], tuple(case.get("tags", ())), case["verdict"], case["passed"]) for case in cases
    )
    aggregate = plain["aggregate"] | {
        "cases": len({case["id"] for case in cases}),
        "tags": {tag: asdict(figures) for tag, figures in tags.items()},
    }
    return plain | {"record_sha256": None, "aggregate": aggregate}


STEPS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1}
"""By the format that a step starts from."""
