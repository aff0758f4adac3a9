"""Laws of reading numbers, tried on generated ones."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldsuite.numbers import NumberError, parse_number

law = settings(derandomize=True, deadline=None, database=None, max_examples=100)

amounts = st.decimals(
    min_value=Decimal("-1e12"), max_value=Decimal("1e12"), places=2, allow_nan=False
)


def english(value: Decimal) -> str:
    return f"{value:,.2f}"


def german(value: Decimal) -> str:
    return english(value).translate(str.maketrans(",.", ".,"))


def swiss(value: Decimal) -> str:
    return english(value).replace(",", "'")


def french(value: Decimal) -> str:
    return english(value).replace(",", "\u202f").replace(".", ",")


def accounting(value: Decimal) -> str:
    return f"({english(-value)})" if value < 0 else english(value)


def unicode_minus(value: Decimal) -> str:
    return english(value).replace("-", "−")


def dollars(value: Decimal) -> str:
    return f"-${english(-value)}" if value < 0 else f"${english(value)}"


def euros(value: Decimal) -> str:
    return f"{german(value)} €"


def scientific(value: Decimal) -> str:
    return f"{value:e}"


def labelled(value: Decimal) -> str:
    return f"Net revenue in Q4 2025: {english(value)}"


STYLES = (
    str,
    english,
    german,
    swiss,
    french,
    accounting,
    unicode_minus,
    dollars,
    euros,
    scientific,
    labelled,
)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__)
def test_formatting_a_number_and_reading_it_back_gives_the_number(style: object) -> None:
    @law
    @given(amounts)
    def holds(value: Decimal) -> None:
        assert callable(style)
        assert parse_number(style(value)).value == value

    holds()


@law
@given(st.integers(min_value=1, max_value=999), st.sampled_from(["k", "M", "bn", "T"]))
def test_a_magnitude_multiplies_value_and_precision_alike(digits: int, magnitude: str) -> None:
    scale = {"k": 10**3, "M": 10**6, "bn": 10**9, "T": 10**12}[magnitude]
    number = parse_number(f"{digits}{magnitude}")
    assert (number.value, number.precision) == (Decimal(digits * scale), Decimal(scale))


@law
@given(st.text(alphabet="0123456789.,-+()%$€ kmbxeE:/=~<>Q'\u2009−½²a", max_size=24))
def test_any_text_is_a_finite_number_or_a_number_error(text: str) -> None:
    assert outcome(text)


def outcome(text: str) -> bool:
    """False only for a number that is not finite."""
    try:
        return parse_number(text).value.is_finite()
    except NumberError as error:
        return bool(error.reason)


@law
@given(amounts, amounts)
def test_two_different_numbers_in_prose_are_never_one(first: Decimal, second: Decimal) -> None:
    if first == second:
        return
    with pytest.raises(NumberError):
        parse_number(f"it was {first} before and then {second} after that")


@pytest.mark.parametrize("text", ["9" * 15_000, "1," * 9_000, "(" * 15_000, "5 " * 9_000, "-" * 9])
def test_a_hostile_text_is_refused_at_once(text: str) -> None:
    with pytest.raises(NumberError):
        parse_number(text)
