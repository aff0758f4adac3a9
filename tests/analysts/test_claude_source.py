"""What is settled before the first question: model, credentials, address, options, notes."""

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from goldsuite.analysts.base import CountsTokens, PromptCount
from goldsuite.analysts.claude.options import ClaudeOptions, read_effort
from goldsuite.analysts.claude.source import ClaudeSource, open_claude
from goldsuite.analysts.prices import read_prices
from goldsuite.analysts.toolbox import Toolbox
from goldsuite.errors import AnalystError, ConfigurationError, UsageError
from goldsuite.model.question import Prompt
from tests.analysts.claude_agents import ANSWERED, MODEL, Lab, Patience, lab, only_the_stand_in
from tests.stand_in.process import KEY, error

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with lab(tmp_path_factory.mktemp("shop")) as found:
        yield found


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only_the_stand_in(monkeypatch)
    monkeypatch.setenv("HOME", str(tmp_path))  # no profile of whoever runs the tests


def _open(environ: Mapping[str, str], model: str = "claude-opus-5-5") -> ClaudeSource:
    def no_tools() -> Toolbox:
        raise AssertionError("nothing is asked here")

    return open_claude(
        model,
        options=ClaudeOptions(),
        toolbox=no_tools,
        pace=Patience(),
        dialect="duckdb",
        context=False,
        environ=environ,
    )


def _with_profile(folder: Path, name: str) -> None:
    (folder / "configs").mkdir(parents=True)
    (folder / "credentials").mkdir()
    profile = {"authentication": {"type": "user_oauth"}, "base_url": "https://gate.example"}
    (folder / "configs" / f"{name}.json").write_text(json.dumps(profile))


# -- Credentials and address -----------------------------------------------------------------------


@pytest.mark.parametrize("environ", [{}, {"ANTHROPIC_API_KEY": ""}, {"ANTHROPIC_API_KEY": " \n"}])
def test_missing_credentials_are_told_before_anything_is_asked(environ: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="Set ANTHROPIC_API_KEY"):
        _open(environ)


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
def test_a_key_or_a_token_is_enough(name: str) -> None:
    assert _open({name: "sk-some-0123456789"}).name == "anthropic:claude-opus-5-5"


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
@pytest.mark.parametrize("key", ["sk-one sk-two", "sk-\x07bell", "sk-ключ", "sk-a\r\nX-Evil: 1"])
def test_a_key_that_no_header_can_hold_is_told_without_quoting_it(name: str, key: str) -> None:
    with pytest.raises(ConfigurationError, match=name) as caught:
        _open({name: key})
    assert "sk-" not in str(caught.value)


def test_a_profile_that_is_named_and_not_there_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("ANTHROPIC_PROFILE", "work")
    with pytest.raises(ConfigurationError, match=r"credentials .* cannot be read"):
        _open({})


def test_a_profile_serves_as_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _with_profile(tmp_path / "config", "work")
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("ANTHROPIC_PROFILE", "work")
    assert _open({}).notes["address"] == "https://gate.example"


@pytest.mark.parametrize("url", ["api.example", "ftp://api.example", "http://", "http://a:b/"])
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(ConfigurationError, match="ANTHROPIC_BASE_URL"):
        _open({"ANTHROPIC_API_KEY": "sk-some-0123456789", "ANTHROPIC_BASE_URL": url})


def test_the_key_is_in_no_error_log_note_or_reply(
    shop: Lab, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="goldsuite")
    shop.stand_in.script({"*": [ANSWERED]})
    wrong = "sk-wrong-9876543210"
    source = open_claude(
        "claude-opus-5-5",
        options=ClaudeOptions(),
        toolbox=lambda: Toolbox(shop.warehouse.analyst, shop.warehouse.catalog, None),
        pace=Patience(),
        dialect="sqlite",
        context=False,
        environ={**shop.stand_in.environ, "ANTHROPIC_API_KEY": f" {wrong}\n"},
    )

    async def run() -> str:
        try:
            return repr(await source.fresh().answer(Prompt(token="t", text="How many?")))
        finally:
            await source.aclose()

    reply = asyncio.run(run())
    assert "invalid credentials: ***" in reply
    assert shop.stand_in.seen()["requests"][-1]["headers"]["authorization"] == f"Bearer {wrong}"
    for told in (reply, repr(source.notes), source.name):
        assert wrong not in told
    own = [r for r in caplog.records if r.name.startswith("goldsuite")]
    assert all(wrong not in record.getMessage() for record in own)


def test_a_password_in_the_address_is_in_no_note() -> None:
    url = "https://user:pa55word-long@gate.example"
    source = _open({"ANTHROPIC_API_KEY": "sk-some-0123456789", "ANTHROPIC_BASE_URL": url})
    assert "pa55word" not in repr(source.notes)


# -- Model, options, notes -------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["", " ", "claude opus", "claude-opus-5-5 "])
def test_a_model_needs_a_name(model: str) -> None:
    with pytest.raises(UsageError, match="the name of a model is expected"):
        _open({"ANTHROPIC_API_KEY": "sk-some-0123456789"}, model)


def test_notes_tell_options_and_where_the_prices_come_from() -> None:
    source = _open({"ANTHROPIC_API_KEY": "sk-some-0123456789"})
    assert source.notes == {
        "effort": "the model's default",
        "max_turns": "40",
        "max_tokens": "16000",
        "prices": read_prices().origin,
    }
    assert (source.model, source.isolation) == ("claude-opus-5-5", "in-process")


def test_notes_tell_that_a_model_has_no_price() -> None:
    source = _open({"ANTHROPIC_API_KEY": "sk-some-0123456789"}, "claude-next")
    assert source.notes["prices"] == "none known for claude-next: no cost"


@pytest.mark.parametrize("name", ["max_turns", "max_tokens"])
@pytest.mark.parametrize("value", [0, -5])
def test_a_limit_below_one_is_refused(name: str, value: int) -> None:
    limits: dict[str, Any] = {name: value}
    with pytest.raises(UsageError, match=f"{name} is {value}"):
        ClaudeOptions(**limits)


def test_an_effort_is_read_or_the_nearest_suggested() -> None:
    assert read_effort(" High ") == "high"
    with pytest.raises(UsageError, match="Did you mean 'medium'"):
        read_effort("medum")


# -- Counting --------------------------------------------------------------------------------------


def _count(shop: Lab, model: str = MODEL) -> PromptCount:
    async def run() -> PromptCount:
        source = shop.source(model=model)
        assert isinstance(source, CountsTokens)
        try:
            return await source.count_tokens(Prompt(token="t", text="How many?"))
        finally:
            await source.aclose()

    return asyncio.run(run())


def test_the_tokens_of_a_question_are_counted_without_asking_it(shop: Lab) -> None:
    shop.stand_in.script({})
    count = _count(shop)
    assert count.input_tokens > 500  # brief and tools are counted too
    assert count.cost == count.input_tokens * Decimal(4) / 1_000_000
    assert [r["path"] for r in shop.stand_in.seen()["requests"]] == ["/v1/messages/count_tokens"]


def test_a_count_for_a_model_without_a_price_has_no_cost(shop: Lab) -> None:
    assert _count(shop, "claude-next").cost is None


def test_a_count_that_is_refused_is_an_error_of_ours(shop: Lab) -> None:
    with pytest.raises(AnalystError, match="404 not_found_error: model: gpt"):
        _count(shop, "gpt")


# -- Imports ---------------------------------------------------------------------------------------


def test_options_and_prices_are_read_without_the_sdk() -> None:
    code = (
        "import sys, goldsuite.analysts.claude.options, goldsuite.analysts.prices\n"
        "goldsuite.analysts.prices.read_prices()\n"
        "assert 'anthropic' not in sys.modules and 'httpx2' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_refused_key_is_an_error_of_the_first_question(shop: Lab) -> None:
    shop.stand_in.script({"*": [error(401, "authentication_error", f"no: {KEY}")]})
    (reply,) = shop.ask("How many?")
    assert reply.error is not None
    assert reply.error.endswith("Check ANTHROPIC_API_KEY.")
