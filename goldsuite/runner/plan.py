"""Which questions are asked, how often, and under which tokens."""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from goldsuite.model.answer import Answer
from goldsuite.model.question import Question, Trial

__all__ = ["outstanding", "plan_trials"]


def plan_trials(
    questions: Iterable[Question],
    *,
    repeat: int = 1,
    paraphrases: bool = False,
    token_source: Callable[[], str] = secrets.token_hex,
) -> tuple[Trial, ...]:
    """Every question `repeat` times, each trial with a token of its own.

    With `paraphrases` every other wording of a question is asked as often: these are further
    trials of the case, numbered on from those of the question itself.

    The order is that of the questions, round by round, so that a run that stops early has asked
    each question about equally often.

    Raises:
        ValueError: `repeat` is below 1, a case id occurs twice, or the tokens repeat.
    """
    asked = tuple(questions)
    if repeat < 1:
        raise ValueError(f"repeat is {repeat}: a question is asked at least once")
    _no_repeats("case id", [question.id for question in asked])
    most = max((len(question.paraphrases) for question in asked), default=0) if paraphrases else 0
    trials = tuple(
        Trial(
            question=question,
            number=number + wording * repeat,
            token=token_source(),
            paraphrase=wording or None,
        )
        for wording in range(most + 1)
        for number in range(1, repeat + 1)
        for question in asked
        if wording <= len(question.paraphrases)
    )
    _no_repeats("token", [trial.token for trial in trials])
    return trials


def outstanding(trials: Sequence[Trial], answers: Iterable[Answer]) -> tuple[Trial, ...]:
    """The trials to ask when a run is resumed: no answer yet, or one that ended in an error.

    Where a trial has several answers, the last one decides.
    """
    done: dict[tuple[str, int], bool] = {
        (answer.id, answer.trial): answer.reply.error is None for answer in answers
    }
    return tuple(t for t in trials if not done.get((t.question.id, t.number), False))


def _no_repeats(what: str, values: Sequence[str]) -> None:
    repeated = sorted(value for value, count in Counter(values).items() if count > 1)
    if repeated:
        raise ValueError(f"{what} {repeated[0]!r} occurs more than once")
