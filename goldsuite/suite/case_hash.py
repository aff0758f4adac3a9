"""A hash of what the suite says of one case, by which a change of the case is seen."""

import hashlib
import json
from dataclasses import MISSING, Field, fields
from typing import Any

from goldsuite.model.key import GoldCase

__all__ = ["case_sha256"]

_REMARKS = frozenset({"line", "tags", "difficulty", "note", "verified_by", "verified_at"})
"""What neither an answer nor a grade depends on."""


def case_sha256(case: GoldCase) -> str:
    """SHA-256 over the question, the gold and all that grading is told of the case; hex.

    Fields that have their default are left out, so that a case keeps its hash when the suite's
    format gains a field.
    """
    told = {
        each.name: _plain(getattr(case, each.name))
        for each in fields(case)
        if each.name not in _REMARKS and not _is_default(each, getattr(case, each.name))
    }
    text = json.dumps(told, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _is_default(each: "Field[Any]", value: object) -> bool:
    return (
        each.default is not MISSING
        and type(value) is type(each.default)
        and (value == each.default)
    )


def _plain(value: object) -> object:
    """Values that are written alike and are not the same have their type beside them."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str | bool | None):
        return value
    return [type(value).__name__, str(value)]
