"""From YAML nodes to plain data: numbers stay exact, and each trap of YAML 1.1 is noted.

YAML reads `no` as false, `012` as 10, `12:30:45` as 45045 and `1e-6` as text. Whether that is a
fault depends on the field, so a trap is noted here with its place and judged by the checks.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal, TypeAlias, cast

from yaml.constructor import SafeConstructor
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from goldsuite.suite.findings import GOLD_KEYS, Finding, Path, named

__all__ = ["Lines", "Plain", "Reading", "Trap", "read_nodes"]

Plain: TypeAlias = (
    "dict[str, Plain] | list[Plain] | str | bool | int | Decimal | date | None"  # date or datetime
)

_YAML = "tag:yaml.org,2002:"
_MERGE = f"{_YAML}merge"
_MAX_DEPTH = 20
_MAX_REPEATED = 1_000_000
"""Values that aliases may repeat in one file: far above honest use, far below a bomb."""
_MAX_DIGITS = 400

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)")
_NUMBER_LIKE = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
"""What any other reader takes for a number; tried only on what YAML 1.1 calls a text."""
_WORDS = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}

TrapKind: TypeAlias = Literal["word", "number", "text", "blank"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trap:
    """A value that YAML reads otherwise than a person would."""

    kind: TrapKind
    """word: `no`. number: `012`. text: `1e-6`, which is no number to YAML. blank: nothing."""
    message: str


class _TooMuchError(Exception):
    """Aliases blow the file up."""


class Lines:
    """Finds the line of a value; nothing is stored, since most lines are never asked for."""

    def __init__(self, root: Node) -> None:
        self._root = root

    def of(self, path: Path) -> int:
        """1-based line of the key or list item at `path`, or of the nearest thing above it."""
        node, line = self._root, _line(self._root)
        for step in path:
            found = _child(node, step)
            if found is None:
                break
            node, line = found
        return line


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """One document as plain data, with what was noted on the way."""

    data: Plain
    traps: dict[Path, Trap]
    findings: tuple[Finding, ...]


def read_nodes(root: Node) -> Reading:
    """Turn the nodes of one document into plain data; faults are returned, not raised."""
    reader = _Reader()
    try:
        data = reader.read(root)
    except _TooMuchError:
        message = "the aliases (*name) of this file repeat too much. Write the values out."
        return Reading(data=None, traps={}, findings=(Finding(path=(), message=message),))
    return Reading(data=data, traps=reader.traps, findings=tuple(reader.findings))


class _Reader:
    def __init__(self) -> None:
        self.traps: dict[Path, Trap] = {}
        self.findings: list[Finding] = []
        self._path: list[str | int] = []
        self._open: set[int] = set()
        self._seen: set[int] = set()
        self._repeated = 0
        self._scalars: dict[str, Callable[[ScalarNode], Plain]] = {
            f"{_YAML}str": self._text,
            f"{_YAML}value": self._text,
            f"{_YAML}int": self._whole,
            f"{_YAML}float": self._fraction,
            f"{_YAML}bool": self._word,
            f"{_YAML}null": self._nothing,
            f"{_YAML}timestamp": self._date,
        }

    def read(self, node: Node) -> Plain:
        if isinstance(node, ScalarNode):
            return self._scalars.get(node.tag, self._foreign)(node)
        if id(node) in self._open:
            return self._fault(node, "an alias (*name) stands inside what it names")
        if len(self._path) > _MAX_DEPTH:
            return self._fault(node, "nested too deeply for a gold file")
        if node.tag not in {f"{_YAML}map", f"{_YAML}seq"}:
            return self._foreign(node)
        self._count(cast("MappingNode | SequenceNode", node))
        self._open.add(id(node))
        value = (
            self._mapping(node) if isinstance(node, MappingNode) else self._items(node)  # type: ignore[arg-type]
        )
        self._open.discard(id(node))
        return value

    def _count(self, node: MappingNode | SequenceNode) -> None:
        if id(node) in self._seen:
            self._repeated += len(node.value)
            if self._repeated > _MAX_REPEATED:
                raise _TooMuchError
        self._seen.add(id(node))

    def _at(self, step: str | int, node: Node) -> Plain:
        self._path.append(step)
        value = self.read(node)
        self._path.pop()
        return value

    def _items(self, node: SequenceNode) -> list[Plain]:
        return [self._at(position, item) for position, item in enumerate(node.value)]

    def _mapping(self, node: MappingNode) -> dict[str, Plain]:
        result = self._merged(node)
        own: dict[str, Node] = {}
        for key, value in node.value:
            if key.tag == _MERGE:
                continue
            if not isinstance(key, ScalarNode):
                self._fault(key, "a key must be a plain word")
            elif key.value in own:
                self._repeats(key, own[key.value])
            else:
                own[key.value] = key
                if key.value in result:
                    self.traps.pop((*self._path, key.value), None)
                result[key.value] = self._at(key.value, value)
        return result

    def _merged(self, node: MappingNode) -> dict[str, Plain]:
        result: dict[str, Plain] = {}
        for merge in _merges(node):
            if isinstance(merge, MappingNode):
                read = cast("dict[str, Plain] | None", self.read(merge))
                result = {**(read or {}), **result}
            else:
                self._fault(merge, "`<<` takes a mapping, or a list of mappings")
        return result

    def _repeats(self, key: ScalarNode, first: Node) -> None:
        hidden = not GOLD_KEYS.isdisjoint(self._path)
        name = "" if hidden else named(key.value)
        self._fault(key, f"the key{name} is given twice, first in line {_line(first)}. Remove one.")

    def _text(self, node: ScalarNode) -> Plain:
        text = cast(str, node.value)
        if not node.style and _NUMBER_LIKE.fullmatch(text):
            self._trap(
                "text",
                "YAML reads this as text, not as a number. Write digits with a point, such as "
                "1200.5 or 0.000001 (an exponent needs a point and a sign: 1.0e-6); "
                "put it in quotes if text is meant",
            )
        return text

    def _whole(self, node: ScalarNode) -> Plain:
        text = cast(str, node.value)
        if not _WHOLE.fullmatch(text):
            fix = "Write a whole number without leading zeros, or put it in quotes"
            if ":" in text:
                fix = "Put it in quotes"
            return self._trap("number", f"YAML reads this as a number in another base. {fix}", text)
        if len(text) > _MAX_DIGITS:
            return self._trap("number", "this number is too large", text)
        return int(text.replace("_", ""))

    def _fraction(self, node: ScalarNode) -> Plain:
        text = cast(str, node.value)
        if ":" in text:
            message = "YAML reads this as a number in base 60. Put it in quotes"
            return self._trap("number", message, text)
        try:
            number = Decimal(text.replace("_", ""))
        except ArithmeticError:  # .inf, .nan, or an explicit !!float before a word
            return self._trap("number", "a finite number is expected", text)
        if len(text) > _MAX_DIGITS or abs(number.adjusted()) > _MAX_DIGITS:
            return self._trap("number", "this number is too large or too small", text)
        return number

    def _word(self, node: ScalarNode) -> Plain:
        word = node.value.lower()
        if word not in _WORDS:
            return self._foreign(node)
        value = _WORDS[word]
        if word not in {"true", "false"}:
            said = str(value).lower()
            message = f"YAML reads this word as {said}. Write {said}, or put it in quotes for text"
            self._trap("word", message)
        return value

    def _nothing(self, node: ScalarNode) -> Plain:
        if not node.value:
            self._trap("blank", "nothing is given. Write null for NULL, or leave the line out")
        return None

    def _date(self, node: ScalarNode) -> Plain:
        try:
            return SafeConstructor().construct_yaml_timestamp(node)
        except (ValueError, AttributeError, OverflowError):
            message = "YAML reads this as a date, and no such date exists"
            return self._trap("number", f"{message}. Put it in quotes if text is meant", node.value)

    def _foreign(self, node: Node) -> Plain:
        return self._fault(
            node, "tags such as !!binary or !name are not known here. Write plain values."
        )

    def _trap(self, kind: TrapKind, message: str, value: Plain = None) -> Plain:
        self.traps[tuple(self._path)] = Trap(kind=kind, message=message)
        return value

    def _fault(self, node: Node, message: str) -> Plain:
        self.findings.append(Finding(path=tuple(self._path), message=message, line=_line(node)))
        return None


def _line(node: Node) -> int:
    return cast(int, node.start_mark.line) + 1


def _merges(node: MappingNode) -> Iterator[Node]:
    for key, value in node.value:
        if key.tag == _MERGE:
            yield from value.value if isinstance(value, SequenceNode) else (value,)


def _child(node: Node, step: str | int) -> tuple[Node, int] | None:
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        item = node.value[step]
        return item, _line(item)
    if not isinstance(node, MappingNode):
        return None
    for key, value in node.value:
        if key.value == step and key.tag != _MERGE:
            return value, _line(key)
    found = (_child(merge, step) for merge in _merges(node) if merge is not node)
    return next((place for place in found if place is not None), None)
