"""The question that an error asks when a name is nearly right."""

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?`, with a space before it; empty where nothing is near."""
    near = difflib.get_close_matches(name, sorted(set(known)), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
