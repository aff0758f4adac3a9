"""Retiring a case changes one word of the file and nothing else."""

import pytest

from goldsuite.errors import SuiteError, UsageError
from goldsuite.suite.retire import retire_case

CASE = """\
# The suite.
cases:
  - id: one        # the first
    question: "One?"
    split: {split}
    gold_sql: select 1   # test
  - {{id: two, question: 'Two?', split: test, gold_sql: select 2}}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("test   # held out", "train   # held out"),
        ('"test"', '"train"'),
        ("'test'", "'train'"),
    ],
)
def test_only_the_word_changes(before: str, after: str) -> None:
    done = retire_case(CASE.format(split=before), "one", shown="s.yaml")
    assert done.text == CASE.format(split=after)
    assert done.line == 5


def test_a_case_in_one_line_is_changed_in_it() -> None:
    text = CASE.format(split="test")
    done = retire_case(text, "two", shown="s.yaml")
    assert done.text == text.replace("'Two?', split: test", "'Two?', split: train")


def test_line_ends_and_letters_of_any_kind_stay() -> None:
    text = CASE.format(split="test").replace("first", "erste Größe 😀").replace("\n", "\r\n")
    done = retire_case(text, "one", shown="s.yaml")
    assert done.text == text.replace("split: test\r\n", "split: train\r\n", 1)


def test_a_case_that_lives_by_the_defaults_gets_a_line_of_its_own() -> None:
    text = (
        "defaults: {split: test}\ncases:\n  - id: a  # x\n    question: q\n"
        "  - {id: b, question: r}\n"
    )
    assert retire_case(text, "a", shown="s").text == text.replace(
        "a  # x\n", "a  # x\n    split: train\n"
    )
    assert retire_case(text, "b", shown="s").text == text.replace("id: b", "id: b, split: train")


def test_a_split_that_is_shared_is_left_to_people() -> None:
    text = "cases:\n  - {id: a, question: q, split: &s test}\n  - {id: b, question: r, split: *s}\n"
    with pytest.raises(SuiteError, match="Change it by hand"):
        retire_case(text, "b", shown="s.yaml")


@pytest.mark.parametrize(
    ("case", "message"),
    [("on", "no case 'on'. Did you mean 'one'"), ("one", "is of the train split")],
)
def test_what_cannot_be_retired_is_told(case: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        retire_case(CASE.format(split="train"), case, shown="s.yaml")
