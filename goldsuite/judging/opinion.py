"""One run of a judge, read from its reply and checked: half an opinion is none."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from goldsuite.analysts.claude.turn import Turn
from goldsuite.errors import AnalystError
from goldsuite.model.judge import BEST, verdict_of

__all__ = ["Opinion", "read_opinion"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Opinion:
    """What one run of the judge says; one score and one reasoning for each criterion."""

    scores: tuple[int, ...]
    reasoning: tuple[str, ...]
    feedback: str
    recommendations: tuple[str, ...]


def read_opinion(turn: Turn, *, criteria: int) -> Opinion:
    """The opinion that `turn` holds on so many criteria.

    Raises:
        AnalystError: it holds none that is whole; the message says why.
    """
    if turn.stop_reason == "refusal":
        raise AnalystError(f"the judge refused: {turn.refusal or 'it did not say why'}")
    if turn.stop_reason != "end_turn":
        raise AnalystError(f"the judge's reply was cut off: it stopped for {turn.stop_reason!r}")
    try:
        said = json.loads(turn.text)
    except (ValueError, RecursionError):
        raise AnalystError("the judge's reply is no JSON") from None
    try:
        return _read(said, criteria)
    except (KeyError, TypeError, ValueError) as error:
        told = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise AnalystError(f"the judge's reply is no whole opinion: {told}") from None


def _read(said: Any, criteria: int) -> Opinion:
    by_number = {}
    for each in _objects(said["criteria"]):
        number, score = _whole(each["criterion"], "criterion"), _whole(each["score"], "score")
        if number in by_number or not 1 <= number <= criteria:
            raise ValueError(f"criterion {number} is judged twice, or there is none such")
        if not 0 <= score <= BEST:
            raise ValueError(f"a score is {score}, and 0 to {BEST} is expected")
        if each["verdict"] != verdict_of(score):
            raise ValueError(f"score {score} and verdict {each['verdict']!r} contradict each other")
        by_number[number] = (score, _text(each["reasoning"]))
    if len(by_number) != criteria:
        raise ValueError(f"{len(by_number)} of {criteria} criteria are judged")
    ordered = [by_number[number] for number in range(1, criteria + 1)]
    return Opinion(
        scores=tuple(score for score, _ in ordered),
        reasoning=tuple(reasoning for _, reasoning in ordered),
        feedback=_text(said["feedback"]),
        recommendations=tuple(map(_text, said["recommendations"])),
    )


def _objects(value: Any) -> Sequence[Mapping[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise TypeError("'criteria' is no list of objects")
    return value


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"a {name} is {value!r:.40}, and a whole number is expected")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text is expected, not {value!r:.40}")
    return value
