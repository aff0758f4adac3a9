"""How words are cut, folded and related."""

import pytest

from goldsuite.analysts.baseline.words import fold, name_words, related, tokens


@pytest.mark.parametrize(
    ("word", "singular"),
    [
        ("orders", "order"),
        ("countries", "country"),
        ("country", "country"),
        ("movies", "movy"),
        ("movie", "movy"),
        ("branches", "branch"),
        ("addresses", "address"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("people", "person"),
        ("bus", "bus"),
        ("sales", "sale"),
    ],
)
def test_plural_and_singular_fold_to_one_form(word: str, singular: str) -> None:
    assert fold(word) == singular


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        ("cancellation", "cancelled", True),
        ("churn", "churned", True),
        ("conversion", "converted", True),
        ("delivery", "delivered", True),
        ("shipping", "shipped", True),
        ("refund", "refunded", True),
        ("discount", "discover", False),
        ("order", "border", False),
        ("plan", "plane", False),
        ("transfer", "transport", False),
    ],
)
def test_words_are_related_where_they_share_a_stem(left: str, right: str, alike: bool) -> None:
    assert related(left, right) is alike


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("order_items", ("order", "item")),
        ("OrderItems", ("order", "item")),
        ("Depot Code", ("depot", "code")),
        ("is_active", ("is", "active")),
    ],
)
def test_a_name_is_cut_into_its_words(name: str, words: tuple[str, ...]) -> None:
    assert name_words(name) == words


def test_numbers_and_dates_stay_whole_and_contractions_tell_their_not() -> None:
    assert tokens("Wasn't it $1,200.50 on 2025-03-01?") == (
        "Was", "not", "it", "1,200.50", "on", "2025-03-01",
    )  # fmt: skip
