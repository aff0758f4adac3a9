"""Laws of reading numbers, tried on generated ones."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldsuite.numbers import DecimalMark, NumberError, parse_number

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


GROUPINGS = {
    ".": ("", ",", "'", "_", "\u2009", "\u202f"),
    ",": ("", ".", "'", "_", "\u2009", "\u202f"),
}
"""What may set groups of three apart, by the decimal mark."""

# How a number is written: `-` is its sign (nothing for a number that is not negative) and `#` its
# digits; what it is multiplied by, and its unit.
WRITINGS: dict[str, tuple[str, int, str | None]] = {
    "plain": ("-#", 1, None),
    "sign": ("-$#", 1, "currency"),
    "sign inside": ("€-#", 1, "currency"),
    "sign behind": ("-# €", 1, "currency"),
    "code before": ("USD -#", 1, "currency"),
    "code behind": ("-# EUR", 1, "currency"),
    "per cent": ("-#%", 1, "percent"),
    "per cent apart": ("-# %", 1, "percent"),
    "per cent in words": ("-# percent", 1, "percent"),
    "points": ("-# pp", 1, "pp"),
    "basis points": ("-# bps", 1, "bps"),
    "multiple": ("-#x", 1, "x"),
    "time": ("-# days", 1, "days"),
    "thousands": ("-#k", 10**3, None),
    "millions": ("-#M", 10**6, None),
    "millions of a currency": ("-$# million", 10**6, "currency"),
    "billions": ("-# bn", 10**9, None),
    "trillions": ("-# trillion", 10**12, None),
    "exponent": ("-#e3", 10**3, None),
    "power of ten": ("-# × 10^6", 10**6, None),
    "about": ("about -#", 1, None),
    "nearly equal": ("≈ -#", 1, None),
    "quoted": ('"-#"', 1, None),
    "bold": ("**-#**", 1, None),
    "labelled": ("Net revenue: -#", 1, None),
    "answer": ("answer = -#", 1, None),
    "full stop": ("-# .", 1, None),
}
MINUSES = ("-", "\u2212", "\u2013")


@st.composite
def digits(draw: st.DrawFn, mark: str) -> tuple[str, Decimal, Decimal]:
    """Digits and marks in the convention of `mark`, what they mean, and their precision."""
    places = draw(st.integers(0, 6))
    value = draw(st.decimals(min_value=0, max_value=10**9, places=places))
    whole, _, fraction = f"{value:,.{places}f}".partition(".")
    grouped = whole.replace(",", draw(st.sampled_from(GROUPINGS[mark])))
    text = f"{grouped}{mark}{fraction}" if fraction else grouped
    return text, value, Decimal(1).scaleb(-places)


@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize("writing", WRITINGS)
def test_a_number_in_any_writing_of_either_convention_is_read_back(
    writing: str, mark: DecimalMark
) -> None:
    template, factor, unit = WRITINGS[writing]

    @settings(law, max_examples=40)
    @given(digits(mark), st.sampled_from(["", *MINUSES]))
    def holds(written: tuple[str, Decimal, Decimal], minus: str) -> None:
        text, value, precision = written
        number = parse_number(template.replace("-", minus).replace("#", text), decimal_mark=mark)
        assert number.value == (-value if minus else value) * factor
        assert number.precision == precision * factor
        assert number.unit == unit

    holds()


@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize("template", ["({})", "{}-", "$({})", "({} €)", "({}%)", "minus {}"])
def test_a_minus_in_any_writing_is_read_back(template: str, mark: DecimalMark) -> None:
    @settings(law, max_examples=40)
    @given(digits(mark))
    def holds(written: tuple[str, Decimal, Decimal]) -> None:
        text, value, _ = written
        assert parse_number(template.format(text), decimal_mark=mark).value == -value

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
