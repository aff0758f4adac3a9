"""Reading the YAML files of a context directory.

These files belong to other tools, so their layout is read leniently, but never their text: every
scalar stays as it is written. A metric called `no`, a stored value `012` and the join key `on`
would otherwise arrive as False, 10 and True.
"""

from pathlib import Path
from typing import Any, TypeAlias

import yaml

from goldsuite.errors import ContextError

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML built without libyaml: ten times slower, the same result
    from yaml import SafeLoader  # type: ignore[assignment]

YamlValue: TypeAlias = "str | list[YamlValue] | YamlMapping | None"

_MERGE = "tag:yaml.org,2002:merge"
_GUESSED = frozenset({"tag:yaml.org,2002:null", _MERGE})
_TEXT_TAGS = ("str", "int", "float", "bool", "timestamp", "binary")


class YamlMapping(dict[str, YamlValue]):
    """A YAML mapping that remembers where it and its keys stand."""

    def __init__(self, *, line: int) -> None:
        super().__init__()
        self.line = line
        """1-based."""
        self.key_lines: dict[str, int] = {}

    def line_of(self, key: str | None) -> int:
        """The line of `key`, or of the mapping itself."""
        return self.line if key is None else self.key_lines.get(key, self.line)


def read_yaml(path: Path) -> YamlValue:
    """The one document of a YAML file, with scalars as text; None for an empty file.

    Raises:
        ContextError: the file cannot be read, is not UTF-8, is no YAML, or repeats a key.
    """
    text = _read_text(path)
    loader = _TextLoader(text)
    try:
        value: YamlValue = loader.get_single_data()
    except yaml.YAMLError as error:
        raise ContextError(f"{path}:{_line(error, text)}: {_problem(error)}") from error
    except RecursionError as error:
        raise ContextError(f"{path}: nested too deeply to be read. Flatten the file.") from error
    finally:
        loader.dispose()
    return value


class _TextLoader(SafeLoader):
    """SafeLoader that guesses no types: only null and merge keys are told from text."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - the name and form are PyYAML's
        first: [rule for rule in rules if rule[0] in _GUESSED]
        for first, rules in SafeLoader.yaml_implicit_resolvers.items()
    }


def _construct_text(loader: Any, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


def _construct_mapping(loader: Any, node: yaml.MappingNode) -> YamlMapping:
    lines: dict[str, int] = {}
    for key_node, _ in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(
                None, None, "a key must be plain text", key_node.start_mark
            )
        # A merge key may be repeated, and what is written beside it wins over it.
        if key_node.tag != _MERGE and key_node.value in lines:
            problem = f"the key {key_node.value!r} stands twice in one mapping; remove one of them"
            raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
        lines[key_node.value] = key_node.start_mark.line + 1
    loader.flatten_mapping(node)
    mapping = YamlMapping(line=node.start_mark.line + 1)
    mapping.key_lines = lines
    for key_node, value_node in node.value:
        mapping[str(key_node.value)] = loader.construct_object(value_node, deep=True)
    return mapping


def _construct_list(loader: Any, node: yaml.SequenceNode) -> list[Any]:
    return [loader.construct_object(child, deep=True) for child in node.value]


_TextLoader.add_constructor("tag:yaml.org,2002:map", _construct_mapping)
_TextLoader.add_constructor("tag:yaml.org,2002:seq", _construct_list)
for _tag in _TEXT_TAGS:
    _TextLoader.add_constructor(f"tag:yaml.org,2002:{_tag}", _construct_text)


def _read_text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ContextError(f"{path}: cannot be read ({error.strerror}).") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ContextError(f"{path}:{line}: is not UTF-8. Save the file as UTF-8.") from error


def _line(error: yaml.YAMLError, text: str) -> int:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return error.problem_mark.line + 1
    position = getattr(error, "position", None)
    return text.count("\n", 0, position) + 1 if isinstance(position, int) else 1


def _problem(error: yaml.YAMLError) -> str:
    # The text of the error itself would quote lines of the file, which may hold a password.
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not readable"
    return f"is not valid YAML: {' '.join(str(problem).split())}."
