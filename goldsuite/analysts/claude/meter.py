"""What one trial used, by kind of token, and what that cost."""

from decimal import Decimal

from goldsuite.analysts.claude.turn import add_usage
from goldsuite.analysts.prices import PriceTable
from goldsuite.model.answer import Usage

__all__ = ["Meter"]


class Meter:
    """Adds up the requests of one trial.

    A request that did not tell its usage leaves the whole untold: a part would look like the whole.
    """

    def __init__(self, prices: PriceTable, model: str) -> None:
        self._prices = prices
        self._model = model
        self._usage: Usage | None = None
        self._cost: Decimal | None = Decimal(0)
        self._all_told = True

    def add(self, usage: Usage | None) -> None:
        """Count one request; `usage` is None where the service did not tell it."""
        if usage is None:
            self._all_told = False
            return
        self._usage = usage if self._usage is None else add_usage(self._usage, usage)
        cost = self._prices.cost(self._model, usage)
        self._cost = None if cost is None or self._cost is None else self._cost + cost

    @property
    def usage(self) -> Usage | None:
        """Of all requests together; None without any, or where one did not tell."""
        return self._usage if self._all_told else None

    @property
    def cost(self) -> Decimal | None:
        """US dollars; None where usage or a price is not known."""
        return None if self.usage is None else self._cost
