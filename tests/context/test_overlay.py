"""What is tried stands in a copy of the context, in the layout that the context has."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from goldsuite.context.overlay import Addition, lay_over
from goldsuite.context.read_dictionary import load_dictionary
from goldsuite.context.resolve import resolve_context
from goldsuite.errors import ContextError

Write: TypeAlias = Callable[[Path, Mapping[str, str]], Path]

ENTRY = "  - name: net_revenue\n    sql: sum(sales.net)\n    source: sales\n"
ADDITION = Addition(file="metrics/index.yaml", entry=ENTRY, metric="net_revenue")


def _context(folder: Path, write: Write, files: Mapping[str, str]) -> Path:
    dataset = ".knowledge/datasets/shop"
    return write(
        folder,
        {".knowledge/active.yaml": "active: shop\n"}
        | {f"{dataset}/{name}": text for name, text in files.items()},
    )


@pytest.mark.parametrize(
    ("index", "names"),
    [
        ("metrics:\n  - name: visits\n    sql: count(*)\n", ["visits", "net_revenue"]),
        ("- name: visits\n  sql: count(*)\n", ["visits", "net_revenue"]),
        ("metrics:\n  visits: {sql: count(*)}\n", ["visits", "net_revenue"]),
        ("visits:\n  sql: count(*)\n", ["visits", "net_revenue"]),
        ("metrics:\n", ["net_revenue"]),
        ("", ["net_revenue"]),
        # Named there already, without a word on what it means.
        ("metrics:\n  - net_revenue\n", ["net_revenue"]),
        ("metrics:\n  - name: net_revenue\n    unit: currency\n", ["net_revenue"]),
        ("metrics:\n  net_revenue:\n", ["net_revenue"]),
    ],
)
def test_an_entry_joins_the_index_whatever_its_layout(
    tmp_path: Path, write: Write, index: str, names: list[str]
) -> None:
    source = _context(tmp_path / "source", write, {"metrics/index.yaml": index})
    copy = lay_over(resolve_context(source), tmp_path / "copy", ADDITION)
    metrics = load_dictionary(resolve_context(copy)).metrics
    assert [metric.name for metric in metrics] == names
    assert metrics[-1].sql == "sum(sales.net)"
    kept = source / ".knowledge/datasets/shop/metrics/index.yaml"
    assert kept.read_text() == index


def test_without_an_index_the_entry_becomes_a_file_of_its_own(tmp_path: Path, write: Write) -> None:
    source = _context(tmp_path / "source", write, {"metrics/visits.yaml": "sql: count(*)\n"})
    copy = lay_over(resolve_context(source), tmp_path / "copy", ADDITION)
    metrics = load_dictionary(resolve_context(copy)).metrics
    assert sorted(metric.name for metric in metrics) == ["net_revenue", "visits"]


def test_comments_and_writing_of_the_index_stay(tmp_path: Path, write: Write) -> None:
    index = "# ours\nmetrics:\n  - name: visits # people\n    sql: 'count(*)'\n"
    source = _context(tmp_path / "source", write, {"metrics/index.yaml": index})
    copy = lay_over(resolve_context(source), tmp_path / "copy", ADDITION)
    text = (copy / ".knowledge/datasets/shop/metrics/index.yaml").read_text()
    assert "# ours" in text
    assert "# people" in text
    assert "'count(*)'" in text


@pytest.mark.parametrize("before", [None, "", "- one", "- one\n"])
def test_a_note_stands_at_the_end_of_the_notes(
    tmp_path: Path, write: Write, before: str | None
) -> None:
    files = {"schema.md": "# shop\n"} | ({} if before is None else {"quirks.md": before})
    source = _context(tmp_path / "source", write, files)
    note = Addition(file="quirks.md", entry="- two\n", metric=None)
    copy = lay_over(resolve_context(source), tmp_path / "copy", note)
    text = (copy / ".knowledge/datasets/shop/quirks.md").read_text()
    assert text == ("- one\n- two\n" if before else "- two\n")


def test_an_entry_that_defines_nothing_is_refused(tmp_path: Path, write: Write) -> None:
    source = _context(tmp_path / "source", write, {"metrics/index.yaml": "metrics:\n"})
    empty = Addition(file="metrics/index.yaml", entry="- name: net_revenue\n", metric="net_revenue")
    with pytest.raises(ContextError, match="does not define 'net_revenue'"):
        lay_over(resolve_context(source), tmp_path / "copy", empty)
