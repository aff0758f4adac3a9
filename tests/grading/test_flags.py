"""Every flag that grading can set is explained, and nothing else is."""

import ast
from pathlib import Path

import goldsuite.grading.flags
from goldsuite.grading.flags import FLAGS

SET_ELSEWHERE = {"clock_dependent", "gold_unstable", "query_unparsed"}


def words_in_code() -> set[str]:
    folder = Path(goldsuite.grading.flags.__file__).parent
    return {
        node.value
        for path in sorted(folder.glob("*.py"))
        if path.name != "flags.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_explained_flag_is_set_somewhere() -> None:
    assert set(FLAGS) - words_in_code() == SET_ELSEWHERE


def test_the_flags_are_sorted_and_each_has_a_sentence() -> None:
    assert list(FLAGS) == sorted(FLAGS)
    assert all(sentence.endswith(".") for sentence in FLAGS.values())
