"""How far a run has come: data for whoever shows it. Nothing here knows which answers are right."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from goldsuite.model.answer import Answer
from goldsuite.runner.limits import total_tokens

__all__ = ["Board", "Progress"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """One look at a run that is under way."""

    answered: int
    """Trials with an answer, those that ended in an error included."""
    total: int
    """Trials that are asked in this go; a resumed run counts what it still asks."""
    in_flight: int
    errors: int
    elapsed_s: float
    """Seconds since the first question."""
    eta_s: float | None
    """Seconds to the end at the mean pace so far; None before the first answer."""
    retries: int = 0
    """Requests that were sent to a service again."""
    tokens: int | None = None
    """Of all kinds, by the trials that told; None where none did."""
    cost: Decimal | None = None
    """US dollars so far, by the trials that told; None where none did."""
    eta_cost: Decimal | None = None
    """US dollars still to be spent, at the mean of the trials that told."""


class Board:
    """Counts what has come in, and shows it."""

    def __init__(
        self,
        *,
        total: int,
        lanes: Callable[[], int],
        clock: Callable[[], float],
        tell: Callable[[Progress], None],
    ) -> None:
        """Count up to `total`; `lanes` says how many are asked at once at the moment."""
        self.answered = 0
        self.errors = 0
        self.in_flight = 0
        self._retries = 0
        self._spent_ms = 0.0
        self._tokens: int | None = None
        self._cost = Decimal()
        self._costed = 0
        self._total = total
        self._lanes = lanes
        self._clock = clock
        self._tell = tell
        self._started = clock()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the board was put up."""
        return self._clock() - self._started

    def begin(self) -> None:
        """A trial is asked."""
        self.in_flight += 1
        self.show()

    def end(self, answer: Answer) -> None:
        """A trial has its answer, and it is on record."""
        self.in_flight -= 1
        self.answered += 1
        self.errors += answer.reply.error is not None
        self._retries += answer.retries or 0
        self._spent_ms += (answer.latency_ms or 0.0) + (answer.waited_ms or 0.0)
        tokens = total_tokens(answer.reply.usage)
        if tokens is not None:
            self._tokens = (self._tokens or 0) + tokens
        if answer.reply.cost is not None:
            self._cost += answer.reply.cost
            self._costed += 1
        self.show()

    def show(self) -> None:
        """Tell how far the run is."""
        left = self._total - self.answered
        self._tell(
            Progress(
                answered=self.answered,
                total=self._total,
                in_flight=self.in_flight,
                errors=self.errors,
                elapsed_s=self.elapsed_s,
                eta_s=self._eta_s(left),
                retries=self._retries,
                tokens=self._tokens,
                cost=self._cost if self._costed else None,
                eta_cost=self._cost / self._costed * left if self._costed else None,
            )
        )

    def _eta_s(self, left: int) -> float | None:
        """By the mean time: the first question, asked alone, says nothing of the pace."""
        if not self.answered:
            return None
        lanes = max(1, min(self._lanes(), left))
        return self._spent_ms / 1000 / self.answered * left / lanes
