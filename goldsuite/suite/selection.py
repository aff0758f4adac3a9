"""Which questions of a suite a run asks."""

from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias

from goldsuite.errors import UsageError
from goldsuite.model.question import Question, QuestionSet
from goldsuite.nearest import nearest

__all__ = ["SplitChoice", "select"]

SplitChoice: TypeAlias = Literal["train", "test", "all"]

_NAMED = 10


def select(
    questions: QuestionSet,
    *,
    split: SplitChoice,
    cases: Sequence[str] = (),
    tags: Sequence[str] = (),
    first: int | None = None,
) -> tuple[Question, ...]:
    """The questions asked for, in the order of the file.

    Args:
        cases: ids; empty for every case of the split.
        tags: a question with any of them is taken; empty for all.
        first: how many of the selected at most; None for all.

    Raises:
        UsageError: an id or tag is unknown, an id is of the other split, `first` is below 1, or
            nothing is left to ask.
    """
    if first is not None and first < 1:
        raise UsageError(f"--slice {first}: nothing would be asked. Give 1 or more.")
    for case in cases:
        _check_case(questions, case, split)
    for tag in tags:
        _check_tag(questions, tag)
    selected = [
        question
        for question in questions.questions
        if split in {question.split, "all"}
        and (not cases or question.id in cases)
        and (not tags or not set(tags).isdisjoint(question.tags))
    ]
    if not selected:
        raise UsageError(_nothing(questions, split=split, cases=cases, tags=tags))
    return tuple(selected[:first])


def _check_case(questions: QuestionSet, case: str, split: SplitChoice) -> None:
    known = {question.id: question for question in questions.questions}
    if case not in known:
        hint = _hint(case, list(known), "cases")
        raise UsageError(f"--case {case}: {questions.file} has no case {case!r}. {hint}")
    own = known[case].split
    if split not in {own, "all"}:
        raise UsageError(
            f"--case {case}: the case is of the {own} split, and {split} was asked for. "
            f"Run `eval {own} --case {case}`."
        )


def _check_tag(questions: QuestionSet, tag: str) -> None:
    known = sorted({tag for question in questions.questions for tag in question.tags})
    if tag not in known:
        hint = _hint(tag, known, "tags")
        raise UsageError(f"--tag {tag}: no case of {questions.file} has the tag {tag!r}. {hint}")


def _hint(word: str, known: Collection[str], what: str) -> str:
    near = nearest(word, known)
    if near:
        return f"Did you mean {near!r}?"
    if not known:
        return f"It has no {what}."
    names = list(known)[:_NAMED]
    more = f" and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
    return f"Its {what}: {', '.join(names)}{more}."


def _nothing(
    questions: QuestionSet, *, split: SplitChoice, cases: Sequence[str], tags: Sequence[str]
) -> str:
    asked = [f"split {split}"] if split != "all" else []
    asked += [f"case {' or '.join(cases)}"] if cases else []
    asked += [f"tag {' or '.join(tags)}"] if tags else []
    counts = {
        name: sum(question.split == name for question in questions.questions)
        for name in ("train", "test")
    }
    held = f"It has {counts['train']} train and {counts['test']} test cases."
    return f"no case of {questions.file} is selected ({', '.join(asked)}). {held}"
