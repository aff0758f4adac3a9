"""How messages and records name a gold file."""

import os
from pathlib import Path

__all__ = ["shown_path"]


def shown_path(path: Path) -> str:
    """`path` from the working folder where it lies below that, else as it is."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - a link is not followed
    try:
        return str(absolute.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)
