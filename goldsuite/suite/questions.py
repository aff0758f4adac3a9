"""The questions half of a gold file, as the checking process hands it over.

Nothing here can read a gold file, so no code that runs analysts reaches the key through it.
"""

from datetime import date
from typing import TypedDict

from goldsuite.model.question import Question, QuestionSet, Split

__all__ = ["QuestionRow", "QuestionSetRow", "question_set", "question_set_row"]


class QuestionRow(TypedDict):
    """One question in JSON."""

    id: str
    text: str
    split: Split
    tags: list[str]
    paraphrases: list[str]
    line: int


class QuestionSetRow(TypedDict):
    """A questions half in JSON."""

    name: str
    file: str
    sha256: str
    as_of: str | None
    questions: list[QuestionRow]


def question_set_row(questions: QuestionSet) -> QuestionSetRow:
    """What `question_set` reads back unchanged."""
    return {
        "name": questions.name,
        "file": questions.file,
        "sha256": questions.sha256,
        "as_of": questions.as_of.isoformat() if questions.as_of else None,
        "questions": [
            {
                "id": q.id,
                "text": q.text,
                "split": q.split,
                "tags": list(q.tags),
                "paraphrases": list(q.paraphrases),
                "line": q.line,
            }
            for q in questions.questions
        ],
    }


def question_set(row: QuestionSetRow) -> QuestionSet:
    """The questions half from its JSON."""
    return QuestionSet(
        name=row["name"],
        file=row["file"],
        sha256=row["sha256"],
        as_of=date.fromisoformat(row["as_of"]) if row["as_of"] else None,
        questions=tuple(
            Question(
                id=q["id"],
                text=q["text"],
                split=q["split"],
                tags=tuple(q["tags"]),
                paraphrases=tuple(q["paraphrases"]),
                line=q["line"],
            )
            for q in row["questions"]
        ),
    )
