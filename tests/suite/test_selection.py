"""Which questions are asked, and what is said where the choice cannot be meant."""

from typing import Any

import pytest

from goldsuite.errors import UsageError
from goldsuite.model.question import Question, QuestionSet, Split
from goldsuite.suite.selection import select


def question(name: str, split: Split, *tags: str) -> Question:
    return Question(id=name, text=f"{name}?", split=split, tags=tags, line=1)


SUITE = QuestionSet(
    name="s",
    file="s.yaml",
    sha256="0" * 64,
    as_of=None,
    questions=(
        question("revenue-q3", "train", "money"),
        question("revenue-q4", "test", "money", "late"),
        question("users", "train", "people"),
        question("churn", "train", "people", "late"),
    ),
)


@pytest.mark.parametrize(
    ("choice", "ids"),
    [
        ({"split": "train"}, ["revenue-q3", "users", "churn"]),
        ({"split": "test"}, ["revenue-q4"]),
        ({"split": "all"}, ["revenue-q3", "revenue-q4", "users", "churn"]),
        ({"split": "train", "first": 2}, ["revenue-q3", "users"]),
        ({"split": "train", "first": 99}, ["revenue-q3", "users", "churn"]),
        ({"split": "train", "cases": ["churn", "users", "users"]}, ["users", "churn"]),
        ({"split": "all", "tags": ["late"]}, ["revenue-q4", "churn"]),
        ({"split": "train", "tags": ["late", "money"]}, ["revenue-q3", "churn"]),
        ({"split": "train", "tags": ["people"], "first": 1}, ["users"]),
        ({"split": "train", "cases": ["users", "churn"], "tags": ["late"]}, ["churn"]),
    ],
)
def test_the_selected_come_in_the_order_of_the_file(choice: dict[str, Any], ids: list[str]) -> None:
    assert [q.id for q in select(SUITE, **choice)] == ids


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"split": "train", "cases": ["user"]}, "no case 'user'. Did you mean 'users'?"),
        ({"split": "train", "cases": ["Users"]}, "Did you mean 'users'?"),
        ({"split": "train", "cases": ["zzz"]}, "Its cases: revenue-q3, revenue-q4, users, churn."),
        ({"split": "train", "cases": ["revenue-q4"]}, "of the test split, and train was asked"),
        ({"split": "test", "cases": ["users"]}, "of the train split, and test was asked"),
        ({"split": "train", "tags": ["mony"]}, "the tag 'mony'. Did you mean 'money'?"),
        ({"split": "train", "first": 0}, "--slice 0"),
        ({"split": "train", "first": -1}, "--slice -1"),
        ({"split": "test", "tags": ["people"]}, "is selected (split test, tag people)"),
        ({"split": "train", "cases": ["users"], "tags": ["late"]}, "3 train and 1 test cases"),
    ],
)
def test_a_choice_that_cannot_be_meant_is_a_usage_error(choice: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        select(SUITE, **choice)
    assert words in str(caught.value)
