"""What is asked, and what is still to ask."""

from collections.abc import Iterator

import pytest

from goldsuite.model.answer import Answer, Reply
from goldsuite.model.question import Question
from goldsuite.runner.plan import outstanding, plan_trials

QUESTIONS = tuple(
    Question(id=name, text=f"What is {name}?", split="train", line=line)
    for line, name in enumerate(["a", "b", "c"], start=1)
)


def _tokens() -> Iterator[str]:
    return (f"t{number}" for number in range(100))


def test_every_question_is_asked_once_in_order_with_a_token_of_its_own() -> None:
    tokens = _tokens()
    trials = plan_trials(QUESTIONS, token_source=lambda: next(tokens))
    assert [(t.question.id, t.number, t.token) for t in trials] == [
        ("a", 1, "t0"),
        ("b", 1, "t1"),
        ("c", 1, "t2"),
    ]


def test_repeats_go_round_by_round() -> None:
    trials = plan_trials(QUESTIONS[:2], repeat=2)
    assert [(t.question.id, t.number) for t in trials] == [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert len({t.token for t in trials}) == 4
    assert all(t.question.id not in t.token or len(t.token) == 64 for t in trials)


@pytest.mark.parametrize("repeat", [0, -1])
def test_a_question_is_asked_at_least_once(repeat: int) -> None:
    with pytest.raises(ValueError, match="at least once"):
        plan_trials(QUESTIONS, repeat=repeat)


def test_a_repeated_case_or_token_is_a_fault() -> None:
    with pytest.raises(ValueError, match="case id 'a' occurs more than once"):
        plan_trials([QUESTIONS[0], QUESTIONS[0]])
    with pytest.raises(ValueError, match="token 'same' occurs more than once"):
        plan_trials(QUESTIONS, token_source=lambda: "same")


def _answer(case: str, trial: int = 1, error: str | None = None) -> Answer:
    return Answer(id=case, trial=trial, reply=Reply(value="1", error=error))


@pytest.mark.parametrize(
    ("answers", "left"),
    [
        ([], ["a", "b", "c"]),
        ([_answer("a")], ["b", "c"]),
        ([_answer("a"), _answer("b", error="down")], ["b", "c"]),
        ([_answer("b", error="down"), _answer("b")], ["a", "c"]),
        ([_answer("b"), _answer("b", error="down")], ["a", "b", "c"]),
        ([_answer("a", trial=2)], ["a", "b", "c"]),
        ([_answer("unknown"), _answer("a"), _answer("b"), _answer("c")], []),
        # Saying nothing is an answer.
        ([Answer(id="a", trial=1, reply=Reply())], ["b", "c"]),
    ],
)
def test_a_resumed_run_asks_what_has_no_answer_or_ended_in_an_error(
    answers: list[Answer], left: list[str]
) -> None:
    trials = plan_trials(QUESTIONS)
    assert [trial.question.id for trial in outstanding(trials, answers)] == left


def test_paraphrases_are_further_trials_of_their_case() -> None:
    worded = Question(
        id="d", text="What is d?", split="train", line=4, paraphrases=("Tell d.", "And d?")
    )
    trials = plan_trials([QUESTIONS[0], worded], repeat=2, paraphrases=True)
    assert [(t.question.id, t.number, t.text) for t in trials] == [
        ("a", 1, "What is a?"), ("d", 1, "What is d?"),
        ("a", 2, "What is a?"), ("d", 2, "What is d?"),
        ("d", 3, "Tell d."), ("d", 4, "Tell d."),
        ("d", 5, "And d?"), ("d", 6, "And d?"),
    ]  # fmt: skip
    assert len(plan_trials([worded], repeat=2)) == 2
