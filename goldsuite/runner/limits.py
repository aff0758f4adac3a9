"""What ends a run early: a budget, too many errors, or whoever watches it.

All of them let the questions under way finish: those are paid for already.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Self

from goldsuite.errors import UsageError
from goldsuite.model.answer import Answer, Usage
from goldsuite.model.question import Trial

__all__ = ["Budget", "ErrorLimit", "ErrorWatch", "Limits", "Watch", "total_tokens"]

Watch = Callable[[Trial, Answer], str | None]
"""Looks at each answer as it comes in; a text stops the run and says why."""

_FEWEST = 10
_RECENT = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorLimit:
    """How many trials may end in an error: a share of all, or a number."""

    share: float | None = 0.05
    """0 to 1; None where a number was given."""
    count: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """`0.05` and `5%` are a share; a whole number from 1, such as `10`, is a number of trials.

        Raises:
            UsageError: it is neither.
        """
        word = text.strip()
        try:
            number = Decimal(word.removesuffix("%").rstrip())
        except InvalidOperation:
            number = Decimal("NaN")
        if number.is_finite() and number >= 0:
            if word.isdecimal() and number >= 1:
                return cls(share=None, count=int(number))
            share = number / 100 if word.endswith("%") else number
            if share <= 1:
                return cls(share=float(share))
        raise UsageError(
            f"--max-errors {text!r}: a share such as 0.05 or 5% is expected, or a whole number of "
            "questions such as 10"
        )

    def exceeded(self, errors: int, total: int) -> bool:
        """Whether `errors` are more than may be among `total` trials."""
        return errors > (self.count if self.count is not None else (self.share or 0.0) * total)

    def __str__(self) -> str:
        """As it can be given."""
        return f"{self.share:g}" if self.count is None else str(self.count)


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a run is held to. None: not held to it."""

    max_cost: Decimal | None = None
    """US dollars for the whole run, the answers of earlier goes included."""
    max_tokens: int | None = None
    """Of all kinds, cached ones included, for the whole run."""
    max_errors: ErrorLimit | None = None
    """A run that cannot keep it any more, and breaks most of the time, is stopped."""
    trigger_floor: float | None = None
    """Share from 0 to 1 of expected skills that every target has to reach; 0 as None."""
    watch: Watch | None = None


def total_tokens(usage: Usage | None) -> int | None:
    """All tokens that a trial was billed for; None where it did not tell."""
    if usage is None:
        return None
    # Thinking is a part of the output.
    kinds = (
        usage.input_tokens,
        usage.cache_write_tokens,
        usage.cache_write_1h_tokens,
        usage.cache_read_tokens,
        usage.output_tokens,
    )
    told = [count for count in kinds if count is not None]
    return sum(told) if told else None


class _Measure:
    """One thing that is spent."""

    def __init__(self, option: str, limit: Decimal, unit: Callable[[Decimal], str]) -> None:
        self.told = Decimal()
        self._option = option
        self._limit = limit
        self._unit = unit
        self._answers = 0
        self._untold = 0
        self._silent = False

    def add(self, amount: Decimal | None, *, broke: bool) -> None:
        if amount is None:
            # What broke has most likely been paid for as well.
            self._untold += 1
            self._silent |= not broke
        else:
            self._answers += 1
            self.told += amount

    def admits(self, in_flight: int) -> bool:
        """Whether one more is expected to fit, beside those under way."""
        return not self._silent and self._spent + (in_flight + 1) * self._mean <= self._limit

    @property
    def reason(self) -> str:
        if self._silent:
            return (
                f"an answer came without what it took, so that {self._option} cannot be kept; "
                "leave it out, or limit the run by --slice"
            )
        spent = "about " * bool(self._untold) + self._unit(self._spent)
        return (
            f"{self._option} {self._unit(self._limit)} would be passed: {spent} spent by "
            f"{self._answers + self._untold} answers, and one more takes about "
            f"{self._unit(self._mean)}; resume it with more"
        )

    @property
    def _mean(self) -> Decimal:
        return self.told / self._answers if self._answers else Decimal()

    @property
    def _spent(self) -> Decimal:
        return self.told + self._untold * self._mean


class Budget:
    """Whether the next question can still be paid for."""

    def __init__(self, limits: Limits, earlier: Iterable[Answer] = ()) -> None:
        """Begin with what `earlier` goes of the run have spent."""
        self._cost = self._tokens = None
        if limits.max_cost is not None:
            self._cost = _Measure("--max-cost", limits.max_cost, lambda dollars: f"${dollars:.4f}")
        if limits.max_tokens is not None:
            self._tokens = _Measure(
                "--max-tokens", Decimal(limits.max_tokens), lambda count: f"{count:,.0f} tokens"
            )
        for answer in earlier:
            self.add(answer)

    def add(self, answer: Answer) -> None:
        """Count what an answer took."""
        reply = answer.reply
        broke = reply.error is not None
        if self._cost is not None:
            self._cost.add(reply.cost, broke=broke)
        if self._tokens is not None:
            tokens = total_tokens(reply.usage)
            self._tokens.add(None if tokens is None else Decimal(tokens), broke=broke)

    def admits(self, in_flight: int) -> bool:
        """Whether a question more is expected to keep the budget, beside `in_flight` others."""
        return all(measure.admits(in_flight) for measure in self._measures)

    @property
    def reason(self) -> str:
        """Why no question more is admitted."""
        return next((m.reason for m in self._measures if not m.admits(0)), "")

    @property
    def _measures(self) -> list[_Measure]:
        return [measure for measure in (self._cost, self._tokens) if measure is not None]


class ErrorWatch:
    """Sees when a run is past hope.

    That is when more trials ended in an error than may among all that are planned, at least 10 did,
    and at least half of the latest 20 did. Below that a run goes on, although it will end with the
    exit code for errors: its other answers are of use.
    """

    def __init__(self, limit: ErrorLimit | None, *, planned: int) -> None:
        self._limit = limit
        self._planned = planned
        self._errors = 0
        self._recent: deque[bool] = deque(maxlen=_RECENT)

    def add(self, answer: Answer) -> str | None:
        """Count an answer; a text says why the run should stop."""
        broke = answer.reply.error is not None
        self._recent.append(broke)
        self._errors += broke
        if self._limit is None or not broke or self._errors < _FEWEST:
            return None
        lately = sum(self._recent)
        if not self._limit.exceeded(self._errors, self._planned) or 2 * lately < len(self._recent):
            return None
        return (
            f"{self._errors} answers ended in an error, more than --max-errors {self._limit} of "
            f"{self._planned} allows, and {lately} of the latest {len(self._recent)} did; the last "
            f"one: {answer.reply.error}"
        )
