"""A question while it is being read: its words, and which of them a rule has already used.

Rules are tables of patterns over the lower-case words joined by single spaces. A used word shows as
a bar, so that no phrase is ever read across it, and no word is read twice.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate

from goldsuite.analysts.baseline.words import STOPWORDS, fold, tokens, word_set

BAR = "|"

BOUNDARIES = word_set("""
    by per for in on from to at during with without where that which who whose were was are is did
    do does have has had between over above under below since before after across among each every
    when while than and or not exceeding until through within across as because
    """)
"""Words that end a noun phrase."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """The words of one question, each free or used."""

    raw: tuple[str, ...]
    """As written."""
    lower: tuple[str, ...]
    folded: tuple[str, ...]
    """Lower case and singular."""
    used: frozenset[int] = field(default=frozenset())
    """Indices of the words that some rule has read."""
    subject: frozenset[int] = field(default=frozenset())
    """Used words that name what is measured; a filter may overlap them: `home visits`."""

    @classmethod
    def of(cls, question: str) -> "Reading":
        """Cut `question` into words; nothing is used yet."""
        raw = tokens(question)
        lower = tuple(token.lower() for token in raw)
        return cls(raw=raw, lower=lower, folded=tuple(map(fold, lower)))

    @property
    def text(self) -> str:
        """The lower-case words, single spaces between them, a bar in place of each used one."""
        return " ".join(BAR if i in self.used else word for i, word in enumerate(self.lower))

    def take(self, indices: Iterable[int]) -> "Reading":
        """The same question with these words used."""
        return replace(self, used=self.used | frozenset(indices))

    def take_subject(self, indices: Iterable[int]) -> "Reading":
        """The same question with these words used as what is measured."""
        taken = frozenset(indices)
        return replace(self, used=self.used | taken, subject=self.subject | taken)

    def only(self, indices: Iterable[int]) -> "Reading":
        """The same question with every word outside `indices` used."""
        return self.take(frozenset(range(len(self.lower))) - frozenset(indices))

    def find(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Every place where `pattern` matches the free text, from the left."""
        return pattern.finditer(self.text)

    def places(self, pattern: re.Pattern[str]) -> list[tuple[re.Match[str], range]]:
        """Every match over the free text, with the indices of the words that it covers."""
        return [(match, self.span(match)) for match in self.find(pattern)]

    def span(self, match: re.Match[str], group: str | int = 0) -> range:
        """The indices of the words that a group of a match over `text` covers."""
        begin, end = match.span(group)
        if begin < 0:
            return range(0)
        starts = self._starts()
        first = next((i for i, s in enumerate(starts) if s >= begin), len(starts))
        stop = next((i for i, s in enumerate(starts) if s >= end), len(starts))
        return range(first, stop)

    def _starts(self) -> list[int]:
        lengths = [len(BAR if i in self.used else word) + 1 for i, word in enumerate(self.lower)]
        return [0, *accumulate(lengths)][: len(lengths)]

    def words(self, indices: Iterable[int]) -> tuple[str, ...]:
        """The folded words at `indices`."""
        return tuple(self.folded[i] for i in indices)

    def phrase_from(
        self,
        start: int,
        *,
        connectors: frozenset[str] = frozenset(),
        shared: frozenset[int] = frozenset(),
    ) -> range:
        """The noun phrase that begins at `start`: up to a used word or a boundary word.

        `connectors`: boundary words that it may hold; `shared`: used words that it may hold.
        """
        stop = start
        while (
            stop < len(self.lower)
            and stop not in self.used - shared
            and (self.lower[stop] not in BOUNDARIES or self.lower[stop] in connectors)
        ):
            stop += 1
        return range(start, stop)

    def until_used(self, indices: range) -> range:
        """The beginning of `indices`, up to the first used word."""
        stop = next((i for i in indices if i in self.used), indices.stop)
        return range(indices.start, stop)

    def content(self, indices: Iterable[int] | None = None) -> tuple[int, ...]:
        """The free words among `indices` (default: all) that can name something."""
        chosen = range(len(self.lower)) if indices is None else indices
        return tuple(i for i in chosen if i not in self.used and self.lower[i] not in STOPWORDS)
