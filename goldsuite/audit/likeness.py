"""Cases that repeat each other: questions that read alike, golds that are the same query."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from sqlglot import exp

from goldsuite.model.key import GoldCase
from goldsuite.model.question import Split
from goldsuite.sqltext.canonical import normal_form
from goldsuite.sqltext.parsing import parse_query, read_dialect
from goldsuite.sqltext.similarity import jaccard

__all__ = ["NearDuplicate", "SharedGold", "near_duplicates", "shared_golds"]

LEAST_ALIKE = 0.75
_IDLE_WORDS = """
    a an and are at by did do does for from had has have how in is it many much of on or our s
    that the there this to us was we were what which who with
"""
_IDLE = frozenset(_IDLE_WORDS.split())
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, kw_only=True, slots=True)
class NearDuplicate:
    """Two questions that ask the same in nearly the same words."""

    first: str
    second: str
    """Ids."""
    likeness: float
    """Jaccard index of their words, 0 to 1."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SharedGold:
    """A query that stands on both sides of the split."""

    train: tuple[str, ...]
    test: tuple[str, ...]
    """Ids."""
    same: bool
    """Whether they are the very same query; else the same but for literals."""


def near_duplicates(cases: Sequence[GoldCase]) -> tuple[NearDuplicate, ...]:
    """Pairs of questions whose words are alike by 0.75 or more, by their Jaccard index.

    Words are compared in lower case, without those that ask nothing, such as `what` and `the`.
    Questions whose numbers differ are no duplicates: 2024 is not 2025.
    """
    by_numbers: dict[frozenset[str], list[tuple[str, frozenset[str]]]] = {}
    for case in cases:
        words = _words(case.question)
        numbers = frozenset(word for word in words if any(c.isdigit() for c in word))
        by_numbers.setdefault(numbers, []).append((case.id, words))
    return tuple(
        NearDuplicate(first=one, second=two, likeness=round(likeness, 4))
        for group in by_numbers.values()
        for (one, ours), (two, theirs) in combinations(group, 2)
        if (likeness := jaccard(ours, theirs)) >= LEAST_ALIKE
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - _IDLE


def shared_golds(
    cases: Sequence[GoldCase], splits: dict[str, Split], dialect: str
) -> tuple[SharedGold, ...]:
    """Golds that a train and a test case have in common, the same queries first.

    What an analyst learns of such a train case answers the test case too.
    """
    found: list[SharedGold] = []
    known: set[tuple[str, str]] = set()
    for same in (True, False):
        for train, test in _groups(cases, splits, dialect, same=same):
            pairs = {(one, two) for one in train for two in test}
            if not pairs <= known:
                known |= pairs
                found.append(SharedGold(train=train, test=test, same=same))
    return tuple(found)


def _groups(
    cases: Sequence[GoldCase], splits: dict[str, Split], dialect: str, *, same: bool
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    by_form: dict[str, dict[Split, list[str]]] = {}
    for case in cases:
        forms = {
            form
            for sql in case.gold_sql
            if (form := normal_form(sql, dialect).text if same else _shape(sql, dialect))
        }
        for form in sorted(forms):
            sides = by_form.setdefault(form, {"train": [], "test": []})
            sides[splits[case.id]].append(case.id)
    for sides in by_form.values():
        if sides["train"] and sides["test"]:
            yield tuple(sides["train"]), tuple(sides["test"])


def _shape(sql: str, dialect: str) -> str | None:
    """The normal form with every literal alike; None where the text cannot be read."""
    tree = parse_query(sql, dialect)
    if tree is None:
        return None
    copy = tree.copy()
    for literal in list(copy.find_all(exp.Literal)):
        literal.replace(exp.Literal.string("?"))
    text = read_dialect(dialect).generate(copy, comments=False)
    return normal_form(text, dialect).text
