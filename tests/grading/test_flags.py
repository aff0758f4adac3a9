"""Every flag that grading can set is explained, and nothing else is."""

import ast
from pathlib import Path

import goldsuite
from goldsuite.grading.flags import FLAGS


def words_in_code() -> set[str]:
    package = Path(goldsuite.__file__).parent
    return {
        node.value
        for path in sorted(package.rglob("*.py"))
        if path != package / "grading" / "flags.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_explained_flag_is_set_somewhere() -> None:
    assert set(FLAGS) <= words_in_code()


def test_the_flags_are_sorted_and_each_has_a_sentence() -> None:
    assert list(FLAGS) == sorted(FLAGS)
    assert all(sentence.endswith(".") for sentence in FLAGS.values())
