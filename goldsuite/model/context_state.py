"""What the analyst's context was, as the record keeps it.

It stands apart from `goldsuite.model.run`, because the code that runs analysts builds it and may
not reach the key, which the run record leads to.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextState:
    """Which metrics the analyst's dictionary defined: the climb is its growth."""

    dataset: str
    source: Literal["local", "git"]
    commit: str | None
    """Of the context's git source; None for a local directory."""
    metrics: tuple[str, ...]
    """Names of the defined metrics, sorted."""
    count: int
    sha256: str
    """Over the definitions."""
    files_sha256: str
    """Over every file that the analyst may read."""
