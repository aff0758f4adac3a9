"""What tokens cost."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from goldsuite.analysts.prices import read_prices
from goldsuite.errors import ConfigurationError
from goldsuite.model.answer import Usage

MILLION = 1_000_000


def _usage(**counts: int) -> Usage:
    return Usage(**{"input_tokens": 0, "output_tokens": 0, **counts})


@pytest.mark.parametrize(
    ("model", "usage", "cost"),
    [
        ("claude-opus-5-5", _usage(input_tokens=MILLION), "4"),
        ("claude-opus-5-5", _usage(output_tokens=MILLION), "20"),
        ("claude-opus-5-5", _usage(cache_write_tokens=MILLION), "5"),
        ("claude-opus-5-5", _usage(cache_write_1h_tokens=MILLION), "8"),
        ("claude-opus-5-5", _usage(cache_read_tokens=MILLION), "0.20"),
        ("claude-fable-5-1", _usage(cache_read_tokens=1_000), "0.00025"),
        ("claude-sonnet-5-5", _usage(input_tokens=1, output_tokens=1), "0.000012"),
        ("claude-opus-5-5-20261001", _usage(input_tokens=MILLION), "4"),
        # Thinking is a part of the output, and is not paid twice.
        ("claude-opus-5-5", _usage(output_tokens=MILLION, thinking_tokens=MILLION), "20"),
        ("claude-opus-5-5", _usage(), "0"),
        # Up to 100,000 tokens of input of all kinds, and from there on for the whole request.
        ("claude-haiku-5-5", _usage(input_tokens=100_000, output_tokens=1_000), "0.0105"),
        ("claude-haiku-5-5", _usage(input_tokens=100_001), "0.0500005"),
        ("claude-haiku-5-5", _usage(input_tokens=1, cache_read_tokens=100_000), "0.0050005"),
        ("claude-haiku-5-5", _usage(cache_read_tokens=100_000), "0.001"),
        (
            "claude-haiku-5-5",
            _usage(cache_write_tokens=60_000, cache_write_1h_tokens=40_001, output_tokens=1),
            "0.0775035",  # 60,000 x 0.625 + 40,001 x 1 + 2.5, in millionths
        ),
    ],
)
def test_each_kind_of_token_has_its_own_price(model: str, usage: Usage, cost: str) -> None:
    assert read_prices().cost(model, usage) == Decimal(cost)


@pytest.mark.parametrize("model", ["claude-opus-6", "claude-opus-5-5-mini", "gpt", "", "opus-5-5"])
def test_a_model_that_is_not_in_the_table_has_no_cost(model: str) -> None:
    assert read_prices().cost(model, _usage(input_tokens=5)) is None


@pytest.mark.parametrize("usage", [Usage(), Usage(input_tokens=1), Usage(output_tokens=1)])
def test_a_count_that_is_missing_leaves_the_cost_absent(usage: Usage) -> None:
    assert read_prices().cost("claude-opus-5-5", usage) is None


def test_a_file_of_ones_own_stands_in_place_of_the_models_it_names(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        "dated = 2027-02-03\n"
        "[models.claude-opus-5-5]\ninput = 1.5\noutput = 2\n"
        '[models."house.model-1"]\ninput = 0\noutput = 0.001\n'
    )
    prices = read_prices(path)
    opus = _usage(input_tokens=MILLION, output_tokens=MILLION)
    assert prices.cost("claude-opus-5-5", opus) == Decimal("3.5")
    assert prices.cost("house.model-1", opus) == Decimal("0.001")
    assert prices.cost("claude-sonnet-5-5", opus) == Decimal(12)
    # A kind that the file gives no price for was used: what it cost is not known.
    assert prices.cost("claude-opus-5-5", _usage(cache_read_tokens=1)) is None
    assert prices.origin.startswith("ours.toml, of 2027-02-03; else packaged, of 2026-")


def test_the_packaged_table_says_of_what_day_it_is() -> None:
    told = read_prices().origin.removeprefix("packaged, of ")
    assert date.fromisoformat(told) >= date(2026, 11, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[models", "not readable as TOML"),
        ("", r"no table `\[models.NAME\]` in it"),
        ("[models]\nx = 3", "'x': a table of prices is expected, not 3"),
        ("[model.x]\ninput = 1", "unknown key 'model'. Did you mean 'models'?"),
        ("dated = 3\n[models]", "'dated' is 3, and a date is expected"),
        ("[models.x]\ninput = 1", "'x': no price for output"),
        ("[models.x]\ninput = '1'\noutput = 1", "'input' is '1', and dollars per million"),
        ("[models.x]\ninput = -1\noutput = 1", "'input' is -1, and dollars"),
        ("[models.x]\ninput = nan\noutput = 1", "'input' is Decimal.'NaN'., and dollars"),
        ("[models.x]\ninput = true\noutput = 1", "'input' is True, and dollars"),
        ("[models.x]\ninputs = 1\noutput = 1", "unknown key 'inputs'. Did you mean 'input'?"),
        ("[models.x]\ninput = 1\noutput = 1\nlonger = 3", "'longer' is 3, and a table"),
        ("[models.x]\ninput=1\noutput=1\n[models.x.longer]\ninput=1\noutput=1", "'above' is None"),
        (
            "[models.x]\ninput=1\noutput=1\n[models.x.longer]\nabove=5\ninput=1",
            "'longer': no price for output",
        ),
    ],
)
def test_a_price_that_cannot_be_meant_is_told_with_its_place(
    tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=told) as caught:
        read_prices(path)
    assert str(caught.value).startswith(str(path))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="the prices cannot be read"):
        read_prices(tmp_path / "none.toml")
