"""Replies without a value: where declining or asking back is right, and where it is none."""

import re

from goldsuite.grading.gold import Gold
from goldsuite.grading.written import declines, is_question
from goldsuite.model.answer import Reply
from goldsuite.model.grade import Grade, Verdict
from goldsuite.model.key import AnswerKind, GoldCase

__all__ = ["declines_beside_rows", "grade_without_gold", "no_value"]

MAX_NAMED = 1_000
"""Rows whose texts are looked for, so that a value such as `unknown` is not taken for a refusal."""


def no_value(
    verdict: Verdict, reason: str, *, kind: AnswerKind | None, passed: bool = False
) -> Grade:
    """The grade where no value was compared."""
    return Grade(
        verdict=verdict,
        kind=kind,
        passed=passed,
        matched=None,
        reason=reason,
        gold_value=None,
        execution_match=None,
        faithfulness="not_checkable",
    )


def grade_without_gold(reply: Reply, key: GoldCase, said: str | None) -> Grade:
    """A case where refusing, or asking back, is right."""
    kind = key.answer
    if reply.error is not None:
        return no_value(Verdict.ANALYST_ERROR, f"The analyst broke: {reply.error}", kind=kind)
    asked = any(is_question(text) for text in (said, reply.declined) if text)
    if kind == "clarify" and asked:
        reason = "The analyst asked back, which is right here."
        return no_value(Verdict.NO_ANSWER, reason, kind=kind, passed=True)
    has_query = bool(reply.query and reply.query.strip())
    gave_none = said is None and not has_query
    if reply.declined is not None or gave_none or (said is not None and declines(said)):
        right = kind == "refusal"
        reason = "The analyst gave no answer" + (", which is right here." if right else ".")
        return no_value(Verdict.NO_ANSWER, reason, kind=kind, passed=right)
    wanted = "to be refused" if kind == "refusal" else "a question back"
    reason = f"The analyst answered, but the question wants {wanted}."
    return no_value(Verdict.WRONG, reason, kind=kind)


def declines_beside_rows(text: str, gold: Gold) -> bool:
    """Whether a text beside rows says that there is no answer.

    Texts of the rows that it names are no such words: a shop may be called `Unknown`.
    """
    if not declines(text):
        return False
    cells = {cell for row in gold.result.rows[:MAX_NAMED] for cell in row}
    named = sorted((c for c in cells if isinstance(c, str) and c.strip()), key=lambda c: -len(c))
    for cell in named:
        text = re.sub(rf"(?<!\w){re.escape(cell.strip())}(?!\w)", " ", text, flags=re.IGNORECASE)
    return declines(text)
