"""The judge: a model on the `anthropic` SDK, asked about one trial twice, or three times.

Importing this module loads the SDK, which takes over a second.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Self

from goldsuite.analysts.base import Pace
from goldsuite.analysts.claude.client import open_client, secrets_of
from goldsuite.analysts.claude.meter import Meter
from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.analysts.claude.service import Service
from goldsuite.analysts.masking import Mask
from goldsuite.analysts.prices import PriceTable, read_prices
from goldsuite.errors import AnalystError
from goldsuite.judging.instructions import request_of
from goldsuite.judging.material import Material
from goldsuite.judging.opinion import Opinion, read_opinion
from goldsuite.judging.panel import disagree, result_of
from goldsuite.judging.spec import JudgeSpec
from goldsuite.model.judge import JudgeResult
from goldsuite.model.key import Criterion

__all__ = ["Judge"]


class Judge:
    """Judges trials; one for a whole run."""

    def __init__(
        self, service: Service, *, spec: JudgeSpec, pace: Pace, prices: PriceTable, mask: Mask
    ) -> None:
        self._service = service
        self._pace = pace
        self._prices = prices
        self._mask = mask
        self._spec = spec

    @classmethod
    def open(
        cls,
        spec: JudgeSpec,
        *,
        pace: Pace,
        environ: Mapping[str, str] | None = None,
        prices: PriceTable | None = None,
    ) -> Self:
        """A judge on the model of `spec`. Nothing is sent; credentials are looked for.

        Raises:
            ConfigurationError: there are no credentials, or they or the address cannot be meant.
        """
        environ = os.environ if environ is None else environ
        client = open_client(environ)
        mask = secrets_of(environ, client)
        # The effort goes with the form of the answer, which is the request's.
        options = ClaudeOptions(max_tokens=spec.max_tokens)
        return cls(
            Service(client, model=spec.model, options=options, mask=mask),
            spec=spec,
            pace=pace,
            prices=read_prices() if prices is None else prices,
            mask=mask,
        )

    @property
    def prices(self) -> str:
        """Where the prices come from, or that there is none."""
        known = self._prices.price(self._spec.model) is not None
        return self._prices.origin if known else f"none known for {self._spec.model}: no cost"

    async def judge(
        self, material: Material, criteria: Sequence[Criterion], *, pass_at: float
    ) -> JudgeResult:
        """The result for one trial; whatever fails is told in its `error`.

        Raises:
            SpendLimitError: the account can spend no more; the trial was not judged.
        """
        meter = Meter(self._prices, self._spec.model)
        try:
            opinions = await self._opinions(material, criteria, meter)
            result = result_of(opinions, criteria, pass_at=pass_at)
        except AnalystError as error:
            result = JudgeResult(error=self._mask.text(str(error)))
        return replace(
            result,
            messages_left_out=material.left_out,
            tokens=meter.usage.by_kind() if meter.usage else None,
            cost=None if meter.cost is None else float(meter.cost),
        )

    async def _opinions(
        self, material: Material, criteria: Sequence[Criterion], meter: Meter
    ) -> list[Opinion]:
        # One after the other: the second run reads from the cache what the first one wrote there.
        opinions = [await self._ask(material, criteria, meter) for _ in range(2)]
        if disagree(*opinions):
            opinions.append(await self._ask(material, criteria, meter))
        return opinions

    async def _ask(
        self, material: Material, criteria: Sequence[Criterion], meter: Meter
    ) -> Opinion:
        prompt, messages = request_of(material, criteria, effort=self._spec.effort)
        turn = await self._pace.send(lambda: self._service.ask(prompt, messages))
        meter.add(turn.usage)
        return read_opinion(turn, criteria=len(criteria))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._service.aclose()
