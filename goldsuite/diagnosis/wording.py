"""Words of a question, to see whether it names a metric, a column or a value."""

from collections.abc import Iterable

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.sqltext.conditions import Predicate

__all__ = ["defines", "fragment", "mentions", "names_predicate", "quoted"]

_LONGEST = 400
"""Characters of a fragment that a sentence shows."""
_FLAG_WORDS = frozenset({"is", "has", "was", "flag"})


def mentions(question: str, term: str) -> bool:
    """Whether the words of `term` stand in `question` in a row; case and a plural s are ignored."""
    words = _words(term)
    said = _words(question)
    return bool(words) and any(
        said[start : start + len(words)] == words for start in range(len(said) - len(words) + 1)
    )


def defines(dictionary: MetricDictionary, name: str) -> bool:
    """Whether the dictionary has a metric of that name, label or synonym."""
    words = _words(name)
    return any(_words(term) == words for metric in dictionary.metrics for term in metric.terms)


def names_predicate(question: str, predicate: Predicate) -> bool:
    """Whether the question itself asks for a condition: it says its value, or its column."""
    if any(mentions(question, literal) for literal in predicate.literals):
        return True
    return any(_names_column(question, column) for column in predicate.columns)


def _names_column(question: str, column: str) -> bool:
    words = [w for w in _words(column.rpartition(".")[2]) if w not in _FLAG_WORDS]
    said = set(_words(question))
    return bool(words) and all(word in said for word in words)


def _words(text: str) -> list[str]:
    parts = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return [part[:-1] if _is_plural(part) else part for part in parts]


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith("ss")


def quoted(texts: Iterable[str]) -> str:
    """Fragments of SQL as a sentence lists them."""
    return ", ".join(map(fragment, texts))


def fragment(text: str) -> str:
    """One fragment of SQL as a sentence shows it; the middle of a very long one is left out."""
    if len(text) > _LONGEST:
        half = _LONGEST // 2
        text = f"{text[:half]} ... {text[-half:]}"
    return f"`{text}`"
