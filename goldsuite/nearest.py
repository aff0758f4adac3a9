"""The known word that a misspelt one was probably meant to be, for every message that suggests."""

import difflib
from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word nearest to `word`, whatever its case; empty where nothing is near."""
    choices = {choice.lower(): choice for choice in sorted(set(known), reverse=True)}
    near = difflib.get_close_matches(word.lower(), sorted(choices), n=1)
    return choices[near[0]] if near else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?`, with a space before it; empty where nothing is near."""
    near = nearest(word, known)
    return f" Did you mean {near!r}?" if near else ""
