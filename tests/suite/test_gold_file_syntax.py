"""Files that are no gold file at all: each says in which line, and what to do."""

from pathlib import Path

import pytest

from goldsuite.errors import SuiteError
from goldsuite.suite.file import read_gold_file

ONE_CASE = b"cases:\n  - {id: a, question: q, split: train, gold_sql: select 1}\n"


def fault(path: Path) -> tuple[int | None, str]:
    with pytest.raises(SuiteError) as caught:
        read_gold_file(path, shown="gold.yaml")
    [only] = caught.value.faults
    assert only.file == "gold.yaml"
    return only.line, only.message


@pytest.mark.parametrize(
    ("raw", "line", "words"),
    [
        (b"", 1, "empty"),
        (b"# only a comment\n", 1, "empty"),
        (b"\xef\xbb\xbf" + ONE_CASE, 1, "without BOM"),
        (ONE_CASE.decode().encode("utf-16"), 1, "UTF-16"),
        (b"name: a\nnote: caf\xe9\n", 2, "byte 0xE9 is no UTF-8"),
        (b"name: a\n# \x07\n", 2, "U+0007"),
        (b"cases:\n\t- id: a\n", 2, "a tab indents this line"),
        (b"cases:\n  - id: a\n    question: Why: because\n", 3, "in quotes"),
        (b"cases:\n  - id: a\n    question: @home\n", 3, "in quotes"),
        (b"cases:\n  - id: a\n    question: *home\n", 3, "in quotes"),
        (b"name: 'a\ncases:\n", None, "not closed"),
        (ONE_CASE + b"---\n" + ONE_CASE, 3, "one document"),
        (b"- id: a\n", 1, "`cases:`"),
        (b"\n\njust text\n", 3, "`cases:`"),
        (b"cases: &a [*a]\n", 1, "alias"),
        (b"cases: " + b"[" * 3000 + b"]" * 3000, 1, "no valid YAML"),
    ],
)
def test_a_file_that_is_no_gold_file_is_one_fault_with_its_line(
    tmp_path: Path, raw: bytes, line: int | None, words: str
) -> None:
    path = tmp_path / "gold.yaml"
    path.write_bytes(raw)
    try:
        findings = read_gold_file(path, shown="gold.yaml").findings
        found = [(f.line, f.message) for f in findings]
    except SuiteError as error:
        found = [(f.line, f.message) for f in error.faults]
    assert len(found) == 1
    assert words in found[0][1]
    assert line is None or found[0][0] == line


def test_a_bomb_of_aliases_is_refused_and_not_expanded(tmp_path: Path) -> None:
    # Ten levels of ten: 10^10 values if written out.
    levels = [f"k{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 11)]
    path = tmp_path / "gold.yaml"
    path.write_text("k0: &a0 [1, 1, 1]\n" + "\n".join(levels) + "\n", encoding="utf-8")
    assert "repeat too much" in fault(path)[1]


def test_a_file_that_may_not_be_read_says_why(tmp_path: Path) -> None:
    assert "cannot be read" in fault(tmp_path / "missing.yaml")[1]


def test_a_syntax_error_repeats_nothing_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "gold.yaml"
    path.write_text("cases:\n  - gold_value: *secret_4711\n", encoding="utf-8")
    assert "secret_4711" not in fault(path)[1]
