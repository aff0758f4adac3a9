"""What a run may know of a case: its question, never its gold."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

Split: TypeAlias = Literal["train", "test"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One case of the suite as the run sees it."""

    id: str
    text: str
    split: Split
    tags: tuple[str, ...] = ()
    paraphrases: tuple[str, ...] = ()
    """The same question in other words."""
    line: int
    """Where the case starts in the suite file, 1-based."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionSet:
    """The questions half of one gold file."""

    name: str
    """The suite's `name`, else the file's stem."""
    file: str
    sha256: str
    """Of the file's bytes; hex."""
    as_of: date | None
    """The date that "today" means for every case; None where the suite does not say."""
    questions: tuple[Question, ...]
    """In the order of the file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """One asking of one question."""

    question: Question
    number: int
    """1-based; more than 1 only where a case is asked several times."""
    token: str
    """Opaque and unique; all that an analyst learns of the trial's identity."""
    paraphrase: int | None = None
    """Which of the question's paraphrases is asked, 1-based; None for the question itself."""

    @property
    def text(self) -> str:
        """What is asked, word for word."""
        if self.paraphrase is None:
            return self.question.text
        return self.question.paraphrases[self.paraphrase - 1]


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """All that an analyst is told: no case id, no split."""

    token: str
    text: str
    """The question as the suite has it."""
    as_of: date | None = None
    """The date that "today" means, the same for every case of the suite."""
