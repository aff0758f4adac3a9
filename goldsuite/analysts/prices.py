"""What tokens cost: a dated table of prices by model, which a file of the user's can replace.

A cost is computed per request, each kind of token at its own price. What has no price has no cost:
never 0, and never that of a model with a similar name.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

from goldsuite.errors import ConfigurationError
from goldsuite.model.answer import Usage
from goldsuite.nearest import did_you_mean

__all__ = ["ModelPrice", "PriceTable", "Rates", "read_prices"]

_MILLION = 1_000_000
_SNAPSHOT = re.compile(r"-\d{8}\Z")
"""The date at the end of a model's full name, which its price does not depend on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """US dollars per million tokens, by kind; None where no price is known."""

    input: Decimal
    output: Decimal
    cache_write: Decimal | None = None
    cache_write_1h: Decimal | None = None
    cache_read: Decimal | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelPrice:
    """The prices of one model."""

    rates: Rates
    above: int | None = None
    """Tokens of input, all kinds together, above which `longer` holds for the whole request."""
    longer: Rates | None = None

    def cost(self, usage: Usage) -> Decimal | None:
        """US dollars for one request; None where a count or the price of what was used is missing.

        `usage` is that of one request, never a sum: a longer prompt may cost more per token.
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        written, written_1h = usage.cache_write_tokens or 0, usage.cache_write_1h_tokens or 0
        read = usage.cache_read_tokens or 0
        rates = self._rates(usage.input_tokens + written + written_1h + read)
        parts = (
            (usage.input_tokens, rates.input),
            (usage.output_tokens, rates.output),
            (written, rates.cache_write),
            (written_1h, rates.cache_write_1h),
            (read, rates.cache_read),
        )
        total = Decimal(0)
        for tokens, rate in parts:
            if tokens and rate is None:
                return None
            total += tokens * (rate or Decimal(0))
        return total / _MILLION

    def _rates(self, prompt_tokens: int) -> Rates:
        longer = self.above is not None and prompt_tokens > self.above
        return self.longer if longer and self.longer is not None else self.rates


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceTable:
    """Prices by model, and as of when."""

    models: Mapping[str, ModelPrice]
    origin: str
    """Where the prices come from and of what date they are, for the record."""

    def price(self, model: str) -> ModelPrice | None:
        """That of `model`, by its name with or without the date at its end; None if unknown."""
        return self.models.get(model) or self.models.get(_SNAPSHOT.sub("", model))

    def cost(self, model: str, usage: Usage) -> Decimal | None:
        """US dollars for one request to `model`; None where it cannot be told."""
        price = self.price(model)
        return None if price is None else price.cost(usage)


def read_prices(path: Path | None = None) -> PriceTable:
    """The packaged table, with the models of the file `path` in place of its own.

    Raises:
        ConfigurationError: the file cannot be read, or a price in it cannot be meant.
    """
    packaged = files("goldsuite.analysts").joinpath("prices.toml").read_text(encoding="utf-8")
    models, dated = _read_table(packaged, "prices.toml")
    origin = f"packaged, of {dated}"
    if path is None:
        return PriceTable(models=models, origin=origin)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: the prices cannot be read: {error}") from None
    own, own_dated = _read_table(text, str(path))
    origin = f"{path.name}, of {own_dated or 'no stated date'}; else {origin}"
    return PriceTable(models={**models, **own}, origin=origin)


def _read_table(text: str, place: str) -> tuple[dict[str, ModelPrice], date | None]:
    try:
        table = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{place}: not readable as TOML: {error}") from None
    _only(table, ("dated", "models"), place)
    dated, models = table.get("dated"), table.get("models")
    if dated is not None and type(dated) is not date:
        raise ConfigurationError(f"{place}: 'dated' is {dated!r}, and a date is expected")
    if not isinstance(models, dict):
        raise ConfigurationError(f"{place}: no table `[models.NAME]` in it")
    return {name: _read_model(entry, f"{place}: {name!r}") for name, entry in models.items()}, dated


_KINDS = tuple(field.name for field in fields(Rates))


def _read_model(entry: object, place: str) -> ModelPrice:
    if not isinstance(entry, dict):
        raise ConfigurationError(f"{place}: a table of prices is expected, not {entry!r}")
    _only(entry, (*_KINDS, "longer"), place)
    longer = entry.get("longer")
    if longer is None:
        return ModelPrice(rates=_read_rates(entry, place))
    place_of_longer = f"{place}: 'longer'"
    if not isinstance(longer, dict):
        raise ConfigurationError(f"{place_of_longer} is {longer!r}, and a table is expected")
    _only(longer, (*_KINDS, "above"), place_of_longer)
    above = longer.get("above")
    if isinstance(above, bool) or not isinstance(above, int) or above < 0:
        raise ConfigurationError(
            f"{place_of_longer}: 'above' is {above!r}, and a number of tokens is expected"
        )
    return ModelPrice(
        rates=_read_rates(entry, place), above=above, longer=_read_rates(longer, place_of_longer)
    )


def _read_rates(entry: Mapping[str, Any], place: str) -> Rates:
    rates = {kind: _read_rate(entry[kind], kind, place) for kind in _KINDS if kind in entry}
    missing = [kind for kind in ("input", "output") if kind not in rates]
    if missing:
        raise ConfigurationError(f"{place}: no price for {' and '.join(missing)}")
    return Rates(**rates)


def _read_rate(value: object, kind: str, place: str) -> Decimal:
    number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    if not number or not (rate := Decimal(str(value))).is_finite() or rate < 0:
        raise ConfigurationError(
            f"{place}: {kind!r} is {value!r}, and dollars per million tokens are expected"
        )
    return rate


def _only(table: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known) or f" Known keys: {', '.join(known)}."
            raise ConfigurationError(f"{place}: unknown key {key!r}.{hint}")
