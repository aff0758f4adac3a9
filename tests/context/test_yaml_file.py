"""Scalars stay as written, and what is unreadable is named with its line."""

from pathlib import Path

import pytest

from goldsuite.context.yaml_file import YamlMapping, read_yaml
from goldsuite.errors import ContextError


def test_scalars_stay_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("no: 012\non: 2025-01-01\nc: 1e3\nd: [12:30, yes, !!int 3]\ne: ~\nf:\n")
    assert read_yaml(file) == {
        "no": "012",
        "on": "2025-01-01",
        "c": "1e3",
        "d": ["12:30", "yes", "3"],
        "e": None,
        "f": None,
    }


def test_a_mapping_knows_the_lines_of_its_keys(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("# note\na: 1\n\nb:\n  c: 2\n")
    content = read_yaml(file)
    assert isinstance(content, YamlMapping)
    inner = content["b"]
    assert isinstance(inner, YamlMapping)
    assert (content.line_of("a"), content.line_of("b"), inner.line_of("c")) == (2, 4, 5)


def test_a_merge_key_is_followed_and_what_stands_beside_it_wins(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("base: &base {x: 1, y: 2}\nmore:\n  <<: *base\n  y: 3\n")
    content = read_yaml(file)
    assert isinstance(content, YamlMapping)
    assert content["more"] == {"x": "1", "y": "3"}


@pytest.mark.parametrize("content", [b"", b"# only a comment\n", b"\xef\xbb\xbf"])
def test_an_empty_file_holds_nothing(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(content)
    assert read_yaml(file) is None


@pytest.mark.parametrize(
    ("content", "place_and_reason"),
    [
        (b"a: 1\nb: [1\nc: 2\n", ":3: is not valid YAML"),
        (b"a: 1\nb: 2\na: 3\n", ":3: is not valid YAML: the key 'a' stands twice"),
        (b"a: 1\n--- \nb: 2\n", ":2: is not valid YAML"),
        (b"a: 1\nb: \xff\n", ":2: is not UTF-8"),
        (b"a: &a [*a]\n", ":1: is not valid YAML"),
        (b"? [a]\n: 1\n", ":1: is not valid YAML: a key must be plain text"),
        (b"a: !include b\n", ":1: is not valid YAML"),
        (b"[" * 100_000, ""),
    ],
)
def test_an_unreadable_file_is_named_with_its_line(
    content: bytes, place_and_reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(content)
    with pytest.raises(ContextError) as caught:
        read_yaml(file)
    assert str(caught.value).startswith(f"{file}{place_and_reason}")


def test_an_error_does_not_quote_the_file(tmp_path: Path) -> None:
    file = tmp_path / "context-source.yaml"
    file.write_text("repo: https://ada:hunter22@example.org/x.git: [\n")
    with pytest.raises(ContextError) as caught:
        read_yaml(file)
    assert "hunter22" not in str(caught.value)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ContextError, match=r"a\.yaml: cannot be read"):
        read_yaml(tmp_path / "a.yaml")
