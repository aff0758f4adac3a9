"""Writing gold files so that people like to read them, and so that they read back as meant.

The reader follows YAML 1.1, the writer YAML 1.2: a text that either takes for something else is
put in quotes.
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, TypeAlias

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

__all__ = ["CaseFields", "case_node", "suite_text", "writer"]

CaseFields: TypeAlias = Mapping[str, Any]
"""One case by the keys of a gold file: texts, numbers, dates, lists of them, or rows."""

_ORDER = (
    "id", "question", "split", "metric", "answer", "unit", "currency", "tolerance",
    "abs_tolerance", "difficulty", "tags", "gold_sql", "gold_value",
)  # fmt: skip
"""What people look for first; the rest follows as given."""
_NEVER_WRAP = 1_000_000
_SHORT_SQL = 80


class _Representer(RoundTripRepresenter):
    """Writes a Decimal with all of its digits, as a number."""


def _decimal(representer: _Representer, value: Decimal) -> ScalarNode:
    text = format(value, "f")
    tag = "float" if "." in text else "int"
    node: ScalarNode = representer.represent_scalar(f"tag:yaml.org,2002:{tag}", text)
    return node


_Representer.add_representer(Decimal, _decimal)


def writer() -> YAML:
    """A reader and writer that keeps comments, order, quotes and line breaks."""
    tool = YAML()
    tool.Representer = _Representer
    tool.preserve_quotes = True
    tool.width = _NEVER_WRAP
    tool.indent(mapping=2, sequence=4, offset=2)
    return tool


def suite_text(cases: Iterable[CaseFields], *, name: str, as_of: date | None, header: str) -> str:
    """A whole gold file, with `header` as its first comment."""
    nodes = CommentedSeq(map(case_node, cases))
    for position in range(1, len(nodes)):
        nodes.yaml_set_comment_before_after_key(position, before="\n", indent=2)
    top = CommentedMap(name=_text(name))
    if as_of is not None:
        top["as_of"] = as_of
    top["cases"] = nodes
    stream = io.StringIO()
    writer().dump(top, stream)
    comment = "".join(f"# {line}".rstrip() + "\n" for line in header.splitlines())
    return comment + stream.getvalue()


def case_node(fields: CaseFields) -> CommentedMap:
    """One case, its keys in the order in which people look for them."""
    first = [key for key in _ORDER if key in fields]
    rest = [key for key in fields if key not in _ORDER]
    return CommentedMap(
        (key, _sql(fields[key]) if key == "gold_sql" else _value(fields[key]))
        for key in (*first, *rest)
    )


def _sql(queries: str | Sequence[str]) -> Any:
    """SQL as a block, where it is not short: its own quotes then need no others."""
    if not isinstance(queries, str):
        return CommentedSeq(map(_sql, queries))
    short = len(queries) <= _SHORT_SQL and '"' not in queries and "\n" not in queries
    return LiteralScalarString(queries) if not short and _fits_a_block(queries) else _text(queries)


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (list, tuple)):
        items = CommentedSeq(map(_value, value))
        if not any(isinstance(item, LiteralScalarString) for item in items):
            items.fa.set_flow_style()
        if any(isinstance(item, str) and len(item) > 40 for item in items):
            items.fa.set_block_style()
        return items
    if isinstance(value, Mapping):
        return CommentedMap((key, _value(each)) for key, each in value.items())
    return value


def _text(text: str) -> str:
    if "\n" in text and _fits_a_block(text):
        block: str = LiteralScalarString(text)
        return block
    if _is_plain(text):
        return text
    # Both are a str of their own kind, by which ruamel.yaml knows how to write them.
    quoted: str = DoubleQuotedScalarString(text)
    return quoted


def _fits_a_block(text: str) -> bool:
    """Whether every line can stand as it is, under an indentation."""
    lines = text.split("\n")
    return not lines[0].startswith((" ", "\t")) and all(
        line.isprintable() and line == line.rstrip() for line in lines
    )


def _is_plain(text: str) -> bool:
    """Whether `text` needs no quotes: one short word or a few that mean nothing else."""
    if not text.replace("-", "").replace("_", "").replace(" ", "").isalnum():
        return False
    try:
        return bool(yaml.safe_load(text) == text and YAML(typ="safe").load(text) == text)
    except (yaml.YAMLError, ValueError):
        return False
