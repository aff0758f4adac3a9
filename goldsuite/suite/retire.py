"""Moving a held-out case to train: one word of the gold file changes, and nothing else.

The file is people's writing: it is not written anew, so that comments, quotes and order stay.
"""

from dataclasses import dataclass
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from goldsuite.errors import Fault, SuiteError, UsageError
from goldsuite.nearest import did_you_mean

__all__ = ["Retired", "retire_case"]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BY_HAND = "Change it by hand to `split: train`."


@dataclass(frozen=True, kw_only=True, slots=True)
class Retired:
    """A gold file with one case less that is held out."""

    text: str
    line: int
    """Where the case says its split now, 1-based."""


def retire_case(text: str, case: str, *, shown: str) -> Retired:
    """Change the split of `case` from test to train in the text of a gold file.

    Args:
        text: of a file without faults.
        shown: how messages name the file.

    Raises:
        UsageError: there is no such case, or it is none of the test split.
        SuiteError: its split cannot be changed without changing more than that.
    """
    root = yaml.compose(text, yaml.SafeLoader)
    data = yaml.load(text, _LOADER)  # noqa: S506 - the safe one
    node = _case_node(root, case, shown)
    split = _split_of(data, case)
    if split != "test":
        at = node.start_mark.line + 1
        raise UsageError(f"{shown}:{at}: case {case!r} is of the {split} split, not held out")
    start, end, word, line = _edit(node, text)
    new = text[:start] + word + text[end:]
    if _loaded(new) != _with_train(data, case):
        message = f"case {case!r}: its split is shared with other cases. {_BY_HAND}"
        raise SuiteError([Fault(file=shown, line=line, message=message)])
    return Retired(text=new, line=line)


def _loaded(text: str) -> Any:
    """What a text says; None where it is no YAML, as without an anchor that stood in it."""
    try:
        return yaml.load(text, _LOADER)  # noqa: S506 - the safe one
    except yaml.YAMLError:
        return None


def _case_node(root: Node | None, case: str, shown: str) -> MappingNode:
    nodes = [node for node in _cases(root) if _scalar(node, "id") == case]
    if not nodes:
        known = [name for node in _cases(root) if (name := _scalar(node, "id")) is not None]
        raise UsageError(f"{shown}: has no case {case!r}.{did_you_mean(case, known)}")
    return nodes[0]


def _split_of(data: dict[str, Any], case: str) -> str | None:
    own = next(each for each in data["cases"] if str(each["id"]) == case)
    default = (data.get("defaults") or {}).get("split")
    split = own.get("split", default)
    return None if split is None else str(split)


def _edit(node: MappingNode, text: str) -> tuple[int, int, str, int]:
    """What to put in place of which part of the text, and its line."""
    split = _value(node, "split")
    if split is not None:
        start, end = split.start_mark.index, split.end_mark.index
        quote = split.style if isinstance(split, ScalarNode) and split.style in {"'", '"'} else ""
        return start, end, f"{quote}train{quote}", split.start_mark.line + 1
    # The split is one of the defaults: the case gets its own, behind its id.
    key, value = next((k, v) for k, v in node.value if k.value == "id")
    end = value.end_mark.index
    if node.flow_style:
        return end, end, ", split: train", value.end_mark.line + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    indent = " " * key.start_mark.column
    return stop, stop, f"\n{indent}split: train", value.end_mark.line + 2


def _cases(root: Node | None) -> list[MappingNode]:
    listed = _value(root, "cases") if isinstance(root, MappingNode) else None
    nodes = listed.value if isinstance(listed, SequenceNode) else []
    return [node for node in nodes if isinstance(node, MappingNode)]


def _value(node: MappingNode, key: str) -> Node | None:
    return next((value for name, value in node.value if name.value == key), None)


def _scalar(node: MappingNode, key: str) -> str | None:
    value = _value(node, key)
    return value.value if isinstance(value, ScalarNode) else None


def _with_train(data: dict[str, Any], case: str) -> dict[str, Any]:
    """`data` with that one split changed; values that were shared are shared no more."""
    changed = [
        each | {"split": "train"} if str(each["id"]) == case else each for each in data["cases"]
    ]
    return data | {"cases": changed}
