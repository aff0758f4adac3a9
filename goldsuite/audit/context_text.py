"""What the files of a context say, laid out to be searched: words, numbers, names and SQL."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import TypeAlias

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

__all__ = ["NGRAM", "SearchedFile", "significant_digits", "words_of"]

NGRAM = 3
"""Words by which a sequence of words is looked up; a shorter one is not searched for."""

Line: TypeAlias = int

_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[\w.-]+")
_NUMBER = re.compile(
    r"(?<![\w.,-])[-+]?(?:"
    r"\d{1,3}(?:[,_'\u2019\u00a0\u202f ]\d{3})+(?:\.\d+)?"
    r"|\d{1,3}(?:\.\d{3})+(?:,\d+)?"
    r"|\d+(?:[.,]\d+)?"
    r")(?![\w])"
)
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_INLINE = re.compile(r"`([^`\n]+)`")
_QUERY_STARTS = frozenset({"select", "with", "from", "values"})
_YAML_ENDINGS = (".yaml", ".yml")
_MOST_NODES = 200_000


def words_of(text: str) -> list[str]:
    """The words of a text, without case, line breaks and signs."""
    return [word.casefold() for word in _WORD.findall(text)]


def significant_digits(number: Decimal) -> int:
    """Zeros at either end do not count: 0.0120 has two, 31200 three."""
    return len(number.normalize().as_tuple().digits) if number else 0


@dataclass(frozen=True, kw_only=True)
class SearchedFile:
    """One file of the context."""

    name: str
    """As the analyst sees it."""
    text: str = field(repr=False)

    @cached_property
    def words(self) -> list[tuple[str, Line]]:
        """Every word with its line."""
        return [
            (word.casefold(), number)
            for number, line in enumerate(self.text.split("\n"), 1)
            for word in _WORD.findall(line)
        ]

    @cached_property
    def _places(self) -> dict[tuple[str, ...], list[int]]:
        plain = [word for word, _ in self.words]
        places: dict[tuple[str, ...], list[int]] = {}
        for at in range(len(plain) - NGRAM + 1):
            places.setdefault(tuple(plain[at : at + NGRAM]), []).append(at)
        return places

    def line_of_words(self, wanted: Sequence[str]) -> Line | None:
        """Where these words stand one after the other; None where they do not, or are too few."""
        if len(wanted) < NGRAM:
            return None
        for at in self._places.get(tuple(wanted[:NGRAM]), ()):
            found = [word for word, _ in self.words[at : at + len(wanted)]]
            if found == list(wanted):
                return self.words[at][1]
        return None

    @cached_property
    def names(self) -> dict[str, Line]:
        """What could be the id of a case, with the first line that has it."""
        found: dict[str, Line] = {}
        for number, line in enumerate(self.text.split("\n"), 1):
            for name in _NAME.findall(line):
                found.setdefault(name.strip(".-").casefold(), number)
        return found

    @cached_property
    def numbers(self) -> dict[Decimal, Line]:
        """The size of every number of some digits, in each way to read it."""
        found: dict[Decimal, Line] = {}
        for number, line in enumerate(self.text.split("\n"), 1):
            for match in _NUMBER.finditer(line):
                for reading in _readings(match.group()):
                    found.setdefault(reading, number)
        return found

    def queries(self) -> Iterator[tuple[str, Line]]:
        """What looks like SQL, with the line where it starts; the reader has to parse it."""
        if self.name.lower().endswith(_YAML_ENDINGS):
            candidates = _yaml_texts(self.text)
        elif self.name.lower().endswith(".sql"):
            candidates = iter([(self.text, 1)])
        else:
            candidates = _texts_in_prose(self.text)
        for text, line in candidates:
            if (first := _WORD.search(text)) and first.group().casefold() in _QUERY_STARTS:
                yield text, line


def _readings(text: str) -> Iterator[Decimal]:
    plain = re.sub(r"[-+_'\u2019\u00a0\u202f ]", "", text)
    for written in {plain.replace(",", ""), plain.replace(".", "").replace(",", ".")}:
        try:
            yield abs(Decimal(written)).normalize()
        except InvalidOperation:
            continue


def _yaml_texts(text: str) -> Iterator[tuple[str, Line]]:
    """The scalars of all documents; a file that is no YAML has none."""
    try:
        documents = list(yaml.compose_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except (yaml.YAMLError, RecursionError):
        yield from _texts_in_prose(text)
        return
    pending: list[Node] = [*filter(None, documents)]
    # An alias leads to a node again; a few of them can stand for very many.
    seen: set[int] = set()
    while pending and len(seen) < _MOST_NODES:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, ScalarNode):
            # A block scalar starts at its sign, `>-`; the text stands below it.
            yield node.value, node.start_mark.line + 1 + (node.style in {"|", ">"})
        elif isinstance(node, SequenceNode):
            pending += node.value
        elif isinstance(node, MappingNode):
            pending += [part for pair in node.value for part in pair]


def _texts_in_prose(text: str) -> Iterator[tuple[str, Line]]:
    """Code blocks, code in a line, and paragraphs."""
    block: list[str] = []
    fence, start = "", 1
    for number, line in enumerate([*text.split("\n"), ""], 1):
        mark = _FENCE.match(line)
        ends = bool(mark) if fence or mark else not line.strip()
        if ends and (not fence or (mark and mark.group(1).startswith(fence))):
            if block:
                yield "\n".join(block), start
            block, start = [], number + 1
            fence = mark.group(1) if mark and not fence else ""
            continue
        if not block:
            start = number
        block.append(line)
        if not fence:
            yield from ((code, number) for code in _INLINE.findall(line))
    if block:
        yield "\n".join(block), start
